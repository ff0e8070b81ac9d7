"""Reranking of the best passages. All words are our own."""

from __future__ import annotations

import random

import numpy as np

from core.literature.query.keyword import LiteratureQuery, parse_query
from core.literature.ranking.ranked_chunk import RankedChunk
from core.literature.ranking.rerank import ALIKE, CLOSE, WINDOW, _best_of_part, _similarity
from tests.core.literature.corpus import index, searcher

FILLER = "The bread was brown and the water was cold on that day in the village by the river. "
ASKED = LiteratureQuery("kinase mitophagy")


def order(search_result) -> list[str]:
    return [result.chunk.document for result in search_result.results]


def test_among_equal_passages_the_one_most_like_other_good_ones_comes_first(tmp_path):
    alike = "The kinase starts mitophagy in neurons of the striatum."
    texts = ["The kinase starts mitophagy, the tulip opens, harbours freeze today.", alike, alike]
    results = searcher(tmp_path, [*texts, "Bread.", "Water."]).search(ASKED)
    assert order(results)[-1] == "D0"
    assert results.results[0].parts[ALIKE] > results.results[-1].parts[ALIKE]


def test_words_that_stand_close_together_count_more(tmp_path):
    far = f"A kinase. {FILLER * 8} Then mitophagy."
    near = f"{FILLER} A kinase. Then mitophagy. {FILLER * 7}"
    results = searcher(tmp_path, [far, near, "Tulips.", "Water."]).search(ASKED)
    assert order(results)[0] == "D1"
    assert results.results[0].parts[CLOSE] > results.results[1].parts[CLOSE] > 0


def test_passages_with_a_fixed_keyword_stay_first(tmp_path):
    alike = "The kinase starts mitophagy in neurons of the striatum."
    texts = [*[alike] * 4, "Tulips have a kinase."]
    results = searcher(tmp_path, texts).search(parse_query("#*kinase* *mitophagy* **tulips**"))
    assert order(results)[0] == "D4"


def test_a_longer_list_begins_as_the_shorter_one_does(tmp_path):
    texts = [f"The kinase {word} mitophagy." for word in ("starts", "stops", "slows", "is")]
    corpus = searcher(tmp_path, texts * 20)
    assert order(corpus.search(ASKED, k=5)) == order(corpus.search(ASKED, k=70))[:5]


def naive_best(units: list[int], weights: dict[int, float]) -> float:
    windows = [set(units[at : at + WINDOW]) for at in range(max(1, len(units)))]
    return max(sum(weights[unit] for unit in window if unit in weights) for window in windows)


def test_the_best_window_is_the_heaviest_of_all_windows(tmp_path):
    chance = random.Random(3)
    words = ["kinase", "tau", "mitophagy", *(f"filler{letter}" for letter in "abcdefgh" * 4)]
    texts = [" ".join(chance.choices(words, k=chance.randrange(1, 90))) for _ in range(30)]
    part = searcher(tmp_path, [*texts, "bread"]).parts[0]
    weights = {"kinas": 2.0, "tau": 1.0, "mitophagi": 4.0, "mitophag": 4.0, "unheard": 8.0}
    numbered = {part.unit(unit): weight for unit, weight in weights.items()}
    numbered.pop(-1, None)
    best = _best_of_part(part, np.arange(31), weights)
    assert best.tolist() == [naive_best(part.sequence(n).tolist(), numbered) for n in range(31)]
    assert best.max() > 5 and best[30] == 0


def test_passages_of_two_parts_are_as_like_as_in_one(tmp_path):
    texts = [
        "The kinase starts mitophagy.",
        "A kinase and tau and a kinase.",
        "Tau ends mitophagy.",
    ]
    whole = searcher(tmp_path, texts)
    parts = [index(tmp_path, texts[:1], "first"), index(tmp_path, texts[1:], "second")]
    plan = whole.plan(ASKED)
    pool = [(whole.parts[0], hit(n)) for n in range(3)]
    pool_of_parts = [(parts[0], hit(0)), (parts[1], hit(0)), (parts[1], hit(1))]
    alike = _similarity(pool, plan, whole.parts)
    assert np.allclose(alike, _similarity(pool_of_parts, plan, parts))
    assert 0 < alike[0, 1] < 1 and alike[0, 0] == 0 and np.allclose(alike, alike.T)


def hit(number: int) -> RankedChunk:
    return RankedChunk(number, 1.0, 1.0, {})
