"""The order that verdicts on papers teach, and when one may stop."""

from __future__ import annotations

import numpy as np
import pytest

from core.learning.screening import can_learn, learn_order, speaking_words, weigh_words
from core.learning.stopping import FoundEstimate, most_left

TAU = "tau protein kinase phosphorylation neuron"
BREAD = "bread flour water oven yeast"
PAPERS = [f"{words} sample{place}".split() for words in (TAU, BREAD) for place in range(20)]


def test_papers_like_the_included_come_first():
    learned = learn_order(weigh_words(PAPERS), {0: True, 20: False})
    assert learned.scores[1:20].min() > learned.scores[21:].max()


def test_verdicts_of_one_kind_teach_no_order():
    assert not can_learn({0: True, 1: True})
    with pytest.raises(ValueError, match="one kind"):
        learn_order(weigh_words(PAPERS), {0: True})


def test_the_question_counts_as_a_paper_that_is_wanted():
    papers = weigh_words([*PAPERS, ["zinc", "finger"], ["zinc", "salt"]])
    verdicts = {0: True, 20: False}
    alone = learn_order(papers, verdicts).scores[40]
    asked = learn_order(papers, verdicts, ["zinc"]).scores[40]
    assert asked > alone


def test_the_words_that_speak_for_a_paper_are_named():
    papers = weigh_words(PAPERS)
    learned = learn_order(papers, {0: True, 1: True, 20: False, 21: False})
    words = speaking_words(papers, learned, 25, 3)
    assert set(words) <= set(BREAD.split())
    assert all(share < 0 for share in words.values())


def test_chances_follow_the_scores_and_are_shares():
    papers = weigh_words(PAPERS)
    learned = learn_order(papers, {place: place < 20 for place in (0, 1, 2, 3, 20, 21, 22, 23)})
    assert ((learned.chances >= 0) & (learned.chances <= 1)).all()
    assert (np.argsort(learned.chances) == np.argsort(learned.scores)).all()


def test_papers_without_a_word_are_scored_too():
    learned = learn_order(weigh_words([*PAPERS, []]), {0: True, 20: False})
    assert np.isfinite(learned.scores).all()


def test_fully_screened_namespace_expects_no_more_papers():
    assert most_left([True, False, False], 3) == 0


def test_the_bound_falls_as_papers_without_a_find_are_read():
    bounds = [most_left([True] * 10 + [False] * read, 1000) for read in (50, 200, 600, 900)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] <= 2 < bounds[0]


def test_the_bound_holds_in_nineteen_of_twenty_random_readings():
    """40 of 400 are wanted; 200 are read at random."""
    chance = np.random.default_rng(1)
    held = 0
    for _ in range(200):
        wanted = chance.permutation([True] * 40 + [False] * 360)
        held += int(wanted[200:].sum()) <= most_left(list(wanted[:200]), 400)
    assert held >= 190


def test_screening_may_stop_only_when_the_share_is_certain():
    assert FoundEstimate(100, 90, 20, 0.5, 1).enough
    assert not FoundEstimate(100, 50, 20, 0.5, 5).enough
    assert not FoundEstimate(100, 50, 0, 0.0, 0).enough


def test_without_verdicts_of_both_kinds_nothing_is_expected():
    assert FoundEstimate(100, 3, 3, None, 97).share == 0.0
