"""Many small writes of one thread, stored as one transaction."""

from __future__ import annotations

import threading

import pytest

from core.model import Document
from core.store import Store


def ids(store: Store) -> list[str]:
    return [document.id for document in store.documents.all()]


def test_unfinished_transaction_stores_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.together():
        store.documents.add(Document("PMID:1"))
        assert ids(store) == ["PMID:1"]  # what was written inside is read inside
        raise ZeroDivisionError
    assert ids(store) == []


def test_a_part_that_fails_takes_back_itself_alone(store: Store) -> None:
    with store.together():
        store.documents.add(Document("PMID:1"))
        with pytest.raises(ZeroDivisionError), store.documents.writing() as connection:
            connection.exec_driver_sql("DELETE FROM documents")
            raise ZeroDivisionError
        store.documents.add(Document("PMID:2"))
    assert ids(store) == ["PMID:1", "PMID:2"]


def test_transaction_is_visible_only_when_complete(store: Store, url: str) -> None:
    seen: list[list[str]] = []
    other = threading.Thread(target=lambda: seen.append(ids(store)))
    with store.together():
        store.documents.add(Document("PMID:1"))
        other.start()
        other.join()
    assert (seen, ids(store)) == ([[]], ["PMID:1"])
