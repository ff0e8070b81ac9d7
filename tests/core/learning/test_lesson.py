"""What decisions teach of a draft's rule, predicate and terms."""

from __future__ import annotations

from dataclasses import replace

from core.learning.lesson import (
    DecidedDraft,
    draft_signs,
    learn_lessons,
    spared_by_correction,
    spared_by_reason,
    taught_chance,
)
from core.model import Evidence, Reason, Span, TextGround
from tests.reviewing import DOCUMENT, RELIEVES, SHA

RULE = "rule S relieves O"


def shift_of(decided: list[DecidedDraft], sign: str) -> float:
    return next(lesson.shift for lesson in learn_lessons(decided) if lesson.sign == sign)


def test_few_decisions_make_small_steps_and_many_large_ones() -> None:
    wrong = DecidedDraft((RULE,), 0.6, False)
    once, often = shift_of([wrong], RULE), shift_of([wrong] * 20, RULE)
    assert -0.3 < once < 0
    assert often < -1


def test_what_went_as_expected_teaches_nothing() -> None:
    decided = [DecidedDraft((RULE,), 0.5, right) for right in (True, False)] * 5
    assert abs(shift_of(decided, RULE)) < 0.01


def test_a_rejected_pattern_is_counted_once_not_for_each_of_its_signs() -> None:
    signs = ("predicate treats", RULE)
    decided = [DecidedDraft(signs, 0.6, False)] * 10
    both = {lesson.sign: lesson.shift for lesson in learn_lessons(decided)}
    alone = shift_of([DecidedDraft((RULE,), 0.6, False)] * 10, RULE)
    assert alone < both[RULE] < 0
    assert taught_chance(0.6, (*signs, "term X:1"), both) < 0.4


def test_a_term_is_not_blamed_for_a_relation_nor_a_rule_for_a_term() -> None:
    signs = (RULE, "term X:1")
    assert spared_by_reason(signs, Reason.NO_RELATION) == {"term X:1"}
    assert spared_by_reason(signs, Reason.WRONG_TERM) == {RULE}
    assert spared_by_reason(signs, Reason.DUPLICATE) == set(signs)
    assert spared_by_reason(signs, Reason.OTHER) == set()
    spared = DecidedDraft(signs, 0.6, False, spared=frozenset(("term X:1",)))
    assert [lesson.sign for lesson in learn_lessons([spared])] == [RULE]


def test_a_correction_counts_for_what_it_changed() -> None:
    signs = draft_signs(RELIEVES, [])
    other = replace(RELIEVES, subject=replace(RELIEVES.subject, id="CHEBI:1"))
    assert set(signs) - spared_by_correction(signs, RELIEVES, other) == {"term CHEBI:15365"}
    denied = replace(RELIEVES, negated=True)
    assert set(signs) - spared_by_correction(signs, RELIEVES, denied) == {
        sign for sign in signs if sign.startswith("predicate ")
    }


def test_what_the_text_says_counts_beside_the_score() -> None:
    assert taught_chance(0.6, (), {}, support=0.9) > 0.6 > taught_chance(0.6, (), {}, support=0.1)


def test_signs_are_rule_predicate_terms_and_engine() -> None:
    words = TextGround(DOCUMENT, SHA, Span(0, 1), "a")
    piece = Evidence(RELIEVES.id, words, engine="builtin", score=0.5, rule="S relieves O")
    signs = draft_signs(RELIEVES, [piece])
    assert {"engine builtin", RULE, "term CHEBI:15365"} <= set(signs)
