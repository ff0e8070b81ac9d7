from __future__ import annotations

from core.learning.feature import shipped_score, statement_features
from core.learning.order_model import DecidedExample, UndecidedExample, probabilities
from core.model import Evidence, Span, Statement, TextGround
from tests.reviewing import DOCUMENT, NOT_NAUSEA, RELIEVES, SHA


def ground(statement: Statement, quote: str, score: float) -> Evidence:
    words = TextGround(DOCUMENT, SHA, Span(0, len(quote)), quote)
    return Evidence(statement.id, words, engine="builtin", score=score, rule="S relieves O")


def test_without_decisions_the_engines_scores_are_the_order() -> None:
    waiting = [UndecidedExample({"score": 1.0}, 0.7), UndecidedExample({"score": -1.0}, 0.2)]
    assert probabilities([], waiting) == [0.7, 0.2]


def test_decisions_move_what_shares_their_words() -> None:
    good, bad = {"word relieves": 1.0}, {"word brewed": 1.0}
    judged = [DecidedExample(good, True), DecidedExample(bad, False)] * 10
    first, second = probabilities(judged, [UndecidedExample(good, 0.5), UndecidedExample(bad, 0.5)])
    assert first > 0.6
    assert second < 0.4


def test_two_decisions_do_not_overrule_the_scores() -> None:
    judged = [DecidedExample({"score": 2.0}, False)] * 2
    sure, unsure = UndecidedExample({"score": 2.0}, 0.88), UndecidedExample({"score": -2.0}, 0.12)
    high, low = probabilities(judged, [sure, unsure])
    assert high > low


def test_decisions_of_one_kind_only_are_enough() -> None:
    waiting = [UndecidedExample({"score": 0.0}, 0.5)]
    (share,) = probabilities([DecidedExample({"score": 0.0}, True)] * 30, waiting)
    assert 0.5 < share <= 1


def test_features_name_engine_rule_terms_and_words() -> None:
    features = statement_features(
        NOT_NAUSEA, [ground(NOT_NAUSEA, "It did not relieve nausea.", 0.9)]
    )
    expected = {"engine builtin", "rule S relieves O", "subject CHEBI:15365", "word nausea"}
    assert expected | {"negated"} <= set(features)


def test_the_best_evidence_gives_the_score() -> None:
    pieces = [ground(RELIEVES, "a", 0.2), ground(RELIEVES, "b", 0.8)]
    assert shipped_score(pieces) == 0.8
    assert shipped_score([]) == 0.5
