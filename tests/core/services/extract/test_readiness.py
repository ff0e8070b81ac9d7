"""What is held back from review by default, and why a text gave nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.extraction.builtin.likely_relation import NEAR
from core.extraction.tree import Branch, Extraction
from core.model import (
    Candidate,
    Category,
    Evidence,
    MatchKind,
    Mention,
    Problem,
    Severity,
    Span,
    Statement,
    Term,
    TextGround,
)
from core.schema.catalogue import schema_named
from core.services.extract.readiness import (
    hints_of_nothing,
    untyped_terms,
    vocabularies_lacking,
    why_held,
    why_nothing,
)

SCHEMA = schema_named("chemical_disease_mesh", [Path(__file__).parents[4] / "schemas"])
RATS = Term("MESH:D011918", "Rats, Inbred SHR", Category.DISEASE)
CLONIDINE = Term("MESH:D003000", "Clonidine", Category.CHEMICAL)
INDUCES = Term("RO:0003302", "INDUCES", Category.RELATION)
FLAT = Problem("branch-unchecked", "The vocabulary mesh has no hierarchy.", where="mesh")


def extraction(chooser: str, *problems: Problem) -> Extraction:
    candidate = Candidate(RATS, MatchKind.LABEL, 1.0, vocabulary="mesh")
    mention = Mention("rats", "o", "Disease", Category.DISEASE, (), (candidate,), RATS, chooser)
    return Extraction(Branch("", "X"), (mention,), problems)


def test_a_term_of_an_unknown_kind_is_held_back() -> None:
    untyped = untyped_terms(SCHEMA, extraction("builtin", FLAT))
    assert untyped == {RATS.id}
    assert "Rats, Inbred SHR" in why_held(Statement(CLONIDINE, INDUCES, RATS), untyped)


def test_a_curators_choice_is_not_held_back() -> None:
    assert not untyped_terms(SCHEMA, extraction("0000-0002-1825-0097", FLAT))


def test_a_vocabulary_with_a_hierarchy_holds_nothing_back() -> None:
    assert not untyped_terms(SCHEMA, extraction("builtin"))
    assert not untyped_terms(SCHEMA, extraction("builtin", replace(FLAT, where="chebi")))
    assert why_held(Statement(CLONIDINE, INDUCES, RATS), frozenset()) == ""


def test_words_without_a_term_are_named() -> None:
    statement = Statement(Term("", "frob", Category.CHEMICAL), INDUCES, RATS)
    assert why_held(statement, frozenset()) == "No term for “frob”."


def test_a_text_read_by_a_model_names_the_model_and_no_vocabulary() -> None:
    nothing, names = (why_nothing((), mentions, "The model gpt-4.1-mini") for mentions in (0, 3))
    assert nothing.startswith("The model gpt-4.1-mini found nothing")
    assert names.startswith("The model gpt-4.1-mini found things")
    assert "vocabular" not in nothing + names


def test_a_text_without_statements_says_why() -> None:
    failed = Problem("call-failed", "x", Severity.ERROR)
    reasons = [why_nothing((failed,), 3), why_nothing((), 0), why_nothing((), 3)]
    assert ["not read" in reasons[0], "no name" in reasons[1], "no sentence" in reasons[2]] == [
        True
    ] * 3


def test_repeated_obstacle_is_listed_once() -> None:
    assert vocabularies_lacking((FLAT, FLAT, Problem("other", "y"))) == [FLAT.message]


def test_a_missing_vocabulary_comes_first_and_one_added_since_asks_to_run_again() -> None:
    before = [Problem("missing-vocabulary", "old words", where=name) for name in ("xyz", "uo")]
    now = Problem("missing-vocabulary", "xyz is not installed.", where="xyz", hint="Add it.")
    assert vocabularies_lacking((*before, FLAT), [now]) == [
        "xyz is not installed. Add it.",
        "uo has been installed since this text was read: run it again.",
        FLAT.message,
    ]


def test_co_mention_is_not_sent_by_default() -> None:
    ground = TextGround("d", "v" * 64, Span(0, 4), "text")
    statement = Statement(CLONIDINE, INDUCES, RATS)
    named = Evidence("s1-x", ground, rule=NEAR)
    stated = Evidence("s1-x", ground, rule="S induces O")
    assert "how the two" in why_held(statement, frozenset(), (named,))
    assert why_held(statement, frozenset(), (named, stated)) == ""


def test_a_text_without_relations_says_which_names_it_has():
    problem = Problem("nothing-stated", "The text names aspirin, and no words …", Severity.WARNING)
    assert why_nothing((problem,), 0) == problem.message


def test_an_unknown_title_does_not_hide_an_empty_result():
    problem = Problem("nothing-recognised", "No name is known.", Severity.WARNING, hint="Choose.")
    assert why_nothing((problem,), 1) == problem.message
    assert hints_of_nothing((problem,)) == ["Choose."]
    assert vocabularies_lacking((problem,)) == [problem.message]


def test_a_run_ended_by_its_limit_is_not_reported_as_nothing_stated() -> None:
    unasked = Problem("over-budget", "Not asked about: aspirin", where="triples[0]")
    assert why_nothing((unasked,), 0, "The model m").startswith("Further questions")
