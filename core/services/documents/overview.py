"""Every text and paper of the project in one list: ids, year, source, runs, counts, people,
whether it was retracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.desk_parts import HasStore
from core.errors import InputError, NotFound
from core.model import Curator, DocumentOrder, Role
from core.services.people.blind import blind_reader
from core.services.people.orcid import checked_curator
from core.store import ASSIGNED, TAG, WITHDRAWN, DocumentFilter, DocumentRow
from core.text.clean import without_deceptive_signs

__all__ = [
    "DocumentFilter",
    "DocumentRow",
    "assign_all",
    "assign_document",
    "count_documents",
    "document_ids",
    "document_row",
    "documents_around",
    "filter_choices",
    "list_documents",
    "mark_withdrawn",
    "set_tags",
    "tag_all",
]

LONGEST_TAG = 40  # characters
LONGEST_NOTE = 200
MOST_TAGS = 20  # of one document
BEFORE = 3  # documents that stand before an open one in the list beside it
MOST_TOGETHER = 5_000  # documents assigned or tagged with one click


ALL_DOCUMENTS = DocumentFilter()


def list_documents(
    desk: HasStore,
    filter: DocumentFilter = ALL_DOCUMENTS,
    order: DocumentOrder = DocumentOrder.NEWEST,
    *,
    limit: int = 0,
    offset: int = 0,
    reader: str | None = None,
) -> list[DocumentRow]:
    """Documents that pass, in order, as far as `reader` may know; 0 is no limit."""
    ids = desk.store.document_list.page(filter, order, limit=limit, offset=offset)
    return document_rows(desk, ids, reader)


def documents_around(
    desk: HasStore,
    name: str,
    filter: DocumentFilter = ALL_DOCUMENTS,
    order: DocumentOrder = DocumentOrder.NEWEST,
    *,
    limit: int,
    offset: int = 0,
    reader: str | None = None,
) -> list[DocumentRow]:
    """Documents that pass, in order, from a few before this one on; where it does not pass, those
    from `offset` on.
    """
    ids = desk.store.document_list.page(filter, order)
    begin = max(ids.index(name) - BEFORE, 0) if name in ids else offset
    return document_rows(desk, ids[begin : begin + limit], reader)


def count_documents(desk: HasStore, filter: DocumentFilter = ALL_DOCUMENTS) -> int:
    """How many documents pass."""
    return desk.store.document_list.count(filter)


def document_ids(desk: HasStore, filter: DocumentFilter = ALL_DOCUMENTS) -> list[str]:
    """The ids of every document that passes."""
    return desk.store.document_list.page(filter)


def filter_choices(desk: HasStore) -> Mapping[str, Sequence[str]]:
    """What there is to filter by, under the names of `DocumentFilter`: tag, assigned (ORCID iDs),
    year, kind of text."""
    return desk.store.document_list.choices()


def document_row(desk: HasStore, name: str, reader: str | None = None) -> DocumentRow:
    """One document by any of its ids. Raises NotFound."""
    return document_rows(desk, [desk.store.documents.get(name).id], reader)[0]


def document_rows(
    desk: HasStore, ids: Sequence[str], reader: str | None = None
) -> list[DocumentRow]:
    """These documents as the list shows them to `reader`, in this order."""
    return desk.store.document_overview.rows(ids, blind_reader(desk, reader))


def set_tags(
    desk: HasStore, document: str, tags: Iterable[str], curator: Curator
) -> tuple[str, ...]:
    """Put these tags in place of a document's tags. Raises InputError for too many or too long."""
    own = desk.store.documents.get(document).id
    person = _permitted(desk, curator)
    distinct_tags = _checked_tags(tags)
    desk.store.document_overview.set_labels(TAG, {own: distinct_tags}, person.orcid)
    return distinct_tags


def _checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    distinct_tags = tuple(dict.fromkeys(filter(None, map(_on_one_line, tags))))
    if len(distinct_tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in distinct_tags):
        raise InputError(
            f"A document takes at most {MOST_TAGS} tags of {LONGEST_TAG} characters.",
            "Shorten them.",
        )
    return distinct_tags


def mark_withdrawn(desk: HasStore, document: str, note: str, curator: Curator) -> None:
    """Mark a document as retracted, with the reason, or take the mark back with "". Its statements
    are flagged in Review and in every export; none is decided by this. Raises InputError.
    """
    own = desk.store.documents.get(document).id
    person = _permitted(desk, curator)
    words = _on_one_line(note)
    if len(words) > LONGEST_NOTE:
        raise InputError(f"A reason has at most {LONGEST_NOTE} characters.", "Shorten it.")
    desk.store.document_overview.set_labels(
        WITHDRAWN, {own: (words,) if words else ()}, person.orcid
    )


def assign_document(desk: HasStore, document: str, orcid: str, curator: Curator) -> None:
    """Assign a document to a curator of the project; "" to nobody. Raises InputError."""
    assign_all(desk, [document], orcid, curator)


def assign_all(desk: HasStore, ids: Sequence[str], orcid: str, curator: Curator) -> int:
    """Assign these documents to a curator; "" to nobody. How many there were."""
    person = _permitted(desk, curator)
    if orcid and desk.store.curators.get(orcid) is None:
        raise InputError(
            f"{orcid[:40]} is not a curator of this project.", "Add them on the People page."
        )
    own_ids = _own_ids(desk, ids)
    labels = dict.fromkeys(own_ids, (orcid,) if orcid else ())
    desk.store.document_overview.set_labels(ASSIGNED, labels, person.orcid)
    return len(own_ids)


def tag_all(desk: HasStore, ids: Sequence[str], tag: str, curator: Curator) -> int:
    """Give each of these documents one more tag. How many there were."""
    person = _permitted(desk, curator)
    if not _checked_tags([tag]):
        raise InputError("A tag cannot be empty.")
    own_ids = _own_ids(desk, ids)
    tags = desk.store.document_overview.labels(own_ids, TAG)
    labels = {id: _checked_tags([*tags.get(id, ()), tag]) for id in own_ids}
    desk.store.document_overview.set_labels(TAG, labels, person.orcid)
    return len(own_ids)


def _permitted(desk: HasStore, curator: Curator) -> Curator:
    """Raises Forbidden for a reader."""
    person = checked_curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    return person


def _own_ids(desk: HasStore, ids: Sequence[str]) -> list[str]:
    """The ids that these documents have in this project. Raises NotFound."""
    if len(ids) > MOST_TOGETHER:
        raise InputError(
            f"That is more than {MOST_TOGETHER:,} documents.", "Narrow the list first."
        )
    own = desk.store.documents.own_ids(ids)
    if missing := [id for id in ids if id not in own]:
        raise NotFound(f"No document {missing[0][:80]} is stored in this project.")
    return list(dict.fromkeys(own[id] for id in ids))


def _on_one_line(words: str) -> str:
    return " ".join(without_deceptive_signs(words).split())
