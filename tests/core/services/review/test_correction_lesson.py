"""A term that is corrected on Review is remembered for its words, where they can mean it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.grounding.match import normalise
from core.model import Category, Curator, Term
from core.services.extract import result as extraction
from core.services.extract.run import start_run
from core.services.review import decision, undo
from core.services.vocabularies import memory
from tests.core.services.extracting import CURATOR, TEXT, project


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk, _ = project(tmp_path)
    yield desk
    desk.close()


def correct_subject(desk: Desk, id: str, label: str, known: str = "") -> None:
    """Read the text, send it, and put another term in the place of its aspirin; `known` words meant
    that term already.
    """
    run = extraction.wait_for_job(desk, start_run(desk, "trial", TEXT, source="PMID:1")).run
    extraction.send_to_review(desk, run.id, CURATOR)
    statement = next(
        s for s, _ in extraction.result_of_run(desk, run.id).statements if s.subject.id
    )
    term = Term(id, label, Category.CHEMICAL)
    if known:
        desk.store.synonyms.add(known, normalise.name_key(known), term, "")
    corrected = replace(statement, subject=term)
    version = desk.store.statements.get(statement.id).version
    decision.correct(desk, statement.id, version, corrected, curator=Curator(CURATOR, "Anna"))


def test_corrected_words_are_remembered_with_the_chosen_term(desk: Desk) -> None:
    correct_subject(desk, "CHEBI:9", "lysine aspirin")
    (taught,) = memory.remembered_names(desk)
    assert (taught.words.casefold(), taught.id, taught.curator) == ("aspirin", "CHEBI:9", CURATOR)


def test_correction_to_an_unrelated_term_teaches_nothing(desk: Desk) -> None:
    correct_subject(desk, "CHEBI:5855", "ibuprofen")
    assert memory.remembered_names(desk) == []


def test_a_correction_that_is_taken_back_teaches_nothing(desk: Desk) -> None:
    correct_subject(desk, "CHEBI:16914", "salicylic aspirin")
    assert desk.store.synonyms.all()
    undo.undo_last(desk, Curator(CURATOR, "Anna"))
    assert desk.store.synonyms.all() == []


def test_earlier_knowledge_outlives_the_undo_of_a_correction(desk: Desk) -> None:
    correct_subject(desk, "CHEBI:16914", "salicylic aspirin", known="aspirin")
    undo.undo_last(desk, Curator(CURATOR, "Anna"))
    assert [known.term.id for known in desk.store.synonyms.all()] == ["CHEBI:16914"]
