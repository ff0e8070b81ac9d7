"""The retrieval table of the paper's field: what must not fall, measured on the shared sets
(skipped without them).
"""

from __future__ import annotations

from functools import cache

import pytest

from core.evaluation.retrieval import approved_names, measure, measure_questions, with_names
from core.evaluation.retrieval_set import index_of_test_set, read_test_set
from core.literature.ranking.search import Searcher

GOALS = {"bioasq9b": 0.885, "cf": 0.505, "cdr_traindev_evidence": 0.895}


@pytest.fixture(scope="module")
def ready(shared, tmp_path_factory):
    searchers: dict = {}

    def get(name: str):
        if name not in searchers:
            test_set = read_test_set(shared / "data" / "literature" / name)
            index = index_of_test_set(test_set, tmp_path_factory.mktemp("sets") / name)
            searchers[name] = test_set, Searcher([index])
        return searchers[name]

    return get


@pytest.fixture(scope="module")
def scores(ready):
    """Of a mode on a set, measured once."""
    return cache(lambda name, mode: measure(*ready(name), mode))


@pytest.mark.parametrize(("name", "goal"), GOALS.items())
def test_the_default_mode_reaches_its_goal(scores, name, goal):
    assert scores(name, "coverage").ndcg >= goal


@pytest.mark.parametrize("name", ["cf", "craft_needle"])
def test_the_default_mode_is_never_below_plain_bm25(scores, name):
    assert scores(name, "coverage").ndcg >= scores(name, "bm25").ndcg - 0.005


def test_chunks_of_a_paper_are_found_by_its_title(scores):
    assert scores("craft_needle", "coverage").precision >= 0.93


def test_approved_synonyms_find_what_other_names_hide(ready, shared):
    questions, searcher = ready("cdr_traindev_evidence")
    names = approved_names(shared / "data" / "grounding")
    assert measure_questions(questions, searcher, with_names(questions, names)) >= 0.92


@pytest.mark.parametrize("seed", [1, 2])
def test_ranking_loses_little_by_a_typing_error_in_the_query(ready, scores, seed):
    mistyped = measure(*ready("bioasq9b"), "coverage", typo=seed)
    assert scores("bioasq9b", "coverage").ndcg - mistyped.ndcg <= 0.012


def test_pes2_as_published_stays_what_it_was(scores):
    assert scores("cdr_traindev_evidence", "pes2").ndcg == pytest.approx(0.824, abs=0.01)
