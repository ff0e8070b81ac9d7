"""The order of what waits stands on the engines' scores, and is never worse than they are."""

from __future__ import annotations

import pytest

from core.learning.feature import shipped_score
from core.learning.lesson import DecidedDraft
from core.learning.order_model import (
    WaitingDraft,
    average_precision,
    lessons_help,
    probabilities,
)
from core.model import Evidence, Span, TextGround
from tests.reviewing import DOCUMENT, RELIEVES, SHA

GOOD, BAD = ("rule S relieves O",), ("rule S brewed O",)


def ground(quote: str, score: float) -> Evidence:
    words = TextGround(DOCUMENT, SHA, Span(0, len(quote)), quote)
    return Evidence(RELIEVES.id, words, engine="builtin", score=score, rule="S relieves O")


def test_without_decisions_the_engines_scores_are_the_order() -> None:
    waiting = [WaitingDraft(GOOD, 0.7), WaitingDraft(BAD, 0.2)]
    assert probabilities([], waiting) == pytest.approx([0.7, 0.2])


def test_decisions_move_what_shares_their_rule() -> None:
    decided = [DecidedDraft(GOOD, 0.5, True), DecidedDraft(BAD, 0.5, False)] * 10
    first, second = probabilities(decided, [WaitingDraft(GOOD, 0.5), WaitingDraft(BAD, 0.5)])
    assert first > 0.65
    assert second < 0.35


def test_two_decisions_do_not_overrule_the_scores() -> None:
    decided = [DecidedDraft(GOOD, 0.88, False)] * 2
    high, low = probabilities(decided, [WaitingDraft(GOOD, 0.88), WaitingDraft((), 0.12)])
    assert high > low


def test_an_order_that_decisions_made_worse_is_not_used() -> None:
    # The scores were right each time, and what the others of a term were says the opposite.
    decided = [
        DecidedDraft((f"term {place % 2}",), 0.55 if right else 0.45, right)
        for place in range(30)
        for right in [(place // 5) % 2 == place % 2]
    ]
    assert not lessons_help(decided)
    waiting = [WaitingDraft(("term 0",), 0.4)]
    assert probabilities(decided, waiting) == pytest.approx([0.4])


def test_average_precision_counts_ties_against_itself() -> None:
    assert average_precision([0.9, 0.5, 0.1], [True, False, True]) == pytest.approx(5 / 6)
    assert average_precision([0.5, 0.5], [True, False]) == 0.5


def test_the_best_evidence_gives_the_score() -> None:
    assert shipped_score([ground("a", 0.2), ground("b", 0.8)]) == 0.8
    assert shipped_score([]) == 0.5
