"""What decisions teach of a draft's rule, predicate and terms."""

from __future__ import annotations

from core.learning.lesson import DecidedDraft, draft_signs, learn_lessons, taught_chance
from core.model import Evidence, Span, TextGround
from tests.reviewing import DOCUMENT, RELIEVES, SHA

RULE = "rule S relieves O"


def shift_of(decided: list[DecidedDraft], sign: str) -> float:
    return next(lesson.shift for lesson in learn_lessons(decided) if lesson.sign == sign)


def test_few_decisions_make_small_steps_and_many_large_ones() -> None:
    wrong = DecidedDraft((RULE,), 0.6, False)
    once, often = shift_of([wrong], RULE), shift_of([wrong] * 20, RULE)
    assert -0.5 < once < 0
    assert often < -1.2


def test_what_went_as_expected_teaches_nothing() -> None:
    decided = [DecidedDraft((RULE,), 0.5, right) for right in (True, False)] * 5
    assert abs(shift_of(decided, RULE)) < 0.01


def test_a_rejected_pattern_is_counted_once_not_for_each_of_its_signs() -> None:
    signs = ("predicate treats", RULE, "term X:1")
    decided = [DecidedDraft(signs, 0.6, False)] * 10
    shifts = {lesson.sign: lesson.shift for lesson in learn_lessons(decided)}
    assert abs(shifts["term X:1"]) < abs(shifts[RULE]) < abs(shifts["predicate treats"])
    assert taught_chance(0.6, signs, shifts) < 0.2


def test_signs_are_rule_predicate_terms_and_engine() -> None:
    words = TextGround(DOCUMENT, SHA, Span(0, 1), "a")
    piece = Evidence(RELIEVES.id, words, engine="builtin", score=0.5, rule="S relieves O")
    signs = draft_signs(RELIEVES, [piece])
    assert {"engine builtin", RULE, "term CHEBI:15365"} <= set(signs)
