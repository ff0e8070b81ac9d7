"""What is missing from a result is counted and said, with what helps; places are words."""

from __future__ import annotations

import pytest

from core.model import Problem, Severity
from core.services.extract.completeness import NOTHING_READ, find_gaps, may_be_incomplete
from core.services.extract.result import place_words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("over-budget", "2 questions were not asked"),
        ("cut-answer", "2 answers of the model were cut off"),
        ("broken-off", "connection broke off during 2 answers"),
        ("runaway-answer", "2 answers of the model ran on without end"),
        ("filtered", "content filter refused 2 questions"),
        ("call-failed", "2 questions failed"),
        ("unplaced", "2 parts of the answers did not match"),
        ("some-other-failure", "2 parts of the work failed"),
    ],
)
def test_every_kind_of_gap_is_counted_and_says_what_helps(code: str, words: str) -> None:
    gaps = find_gaps((Problem(code, "x", Severity.ERROR),) * 2, 3, 3)
    assert words in gaps[0].says and gaps[0].count == 2 and gaps[0].helps
    assert may_be_incomplete(gaps)


def test_a_fall_back_and_reading_in_parts_are_reported_and_lose_nothing() -> None:
    notes = tuple(Problem(code, "x", Severity.NOTE) for code in ("fell-back", "read-in-parts"))
    gaps = find_gaps(notes, 1, 1)
    assert len(gaps) == 2 and not may_be_incomplete(gaps)


def test_an_unreadable_answer_is_reported_first() -> None:
    prose = (Problem("unplaced", "Well, this paper is about drugs."),)
    assert find_gaps(prose, 0, 0)[0].says == NOTHING_READ
    assert find_gaps(prose, 1, 2)[0].says != NOTHING_READ


def test_a_text_not_searched_for_all_objects_of_a_schema_is_incomplete() -> None:
    told = (Problem("too-many-objects", "Not all was searched.", Severity.WARNING),)
    gaps = find_gaps(told, 3, 3)
    assert gaps[0].says == "Not all was searched." and "fewer" in gaps[0].helps
    assert may_be_incomplete(gaps)


def test_a_whole_result_has_no_gaps() -> None:
    assert find_gaps((Problem("not-stated", "x", Severity.NOTE),), 1, 1) == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("triples[0].subject", "triples 1, subject"),
        ("chemical_entities[11]", "chemical entities 12"),
        ("chunk[2]/triples[0]+1.object", "part 3, triples 1, object"),
        ("chunk[0].1/", "part 1-2"),
        ("chunk[3].0.1/label", "part 4-1-2, label"),
        ("", ""),
        ("MeSH (2026)", "MeSH (2026)"),
    ],
)
def test_a_place_in_the_tree_is_words(path: str, words: str) -> None:
    assert place_words(path) == words


def test_a_text_read_in_parts_says_how_many() -> None:
    words = "The text is longer than the model reads at once: it was read in 7 parts."
    (gap,) = find_gaps((Problem("read-in-parts", words, Severity.NOTE),), 1, 1)
    assert gap.says == words and not gap.lost
