"""A second look at the best passages. All words are our own."""

from __future__ import annotations

from core.literature.query.keyword import LiteratureQuery, parse_query
from core.literature.ranking.second_look import ALIKE, CLOSE
from tests.core.literature.corpus import searcher

FILLER = "The bread was brown and the water was cold on that day in the village by the river. "
ASKED = LiteratureQuery("kinase mitophagy")


def order(found) -> list[str]:
    return [result.chunk.document for result in found.results]


def test_of_equal_passages_the_one_that_is_like_other_good_ones_comes_first(tmp_path):
    alike = "The kinase starts mitophagy in neurons of the striatum."
    texts = ["The kinase starts mitophagy, the tulip opens, harbours freeze today.", alike, alike]
    found = searcher(tmp_path, [*texts, "Bread.", "Water."]).search(ASKED)
    assert order(found)[-1] == "D0"
    assert found.results[0].parts[ALIKE] > found.results[-1].parts[ALIKE]


def test_words_that_stand_close_together_count_more(tmp_path):
    far = f"A kinase. {FILLER * 8} Then mitophagy."
    near = f"{FILLER} A kinase. Then mitophagy. {FILLER * 7}"
    found = searcher(tmp_path, [far, near, "Tulips.", "Water."]).search(ASKED)
    assert order(found)[0] == "D1"
    assert found.results[0].parts[CLOSE] > found.results[1].parts[CLOSE] > 0


def test_passages_with_a_fixed_keyword_stay_first(tmp_path):
    alike = "The kinase starts mitophagy in neurons of the striatum."
    texts = [*[alike] * 4, "Tulips have a kinase."]
    found = searcher(tmp_path, texts).search(parse_query("#*kinase* *mitophagy* **tulips**"))
    assert order(found)[0] == "D4"


def test_a_longer_list_begins_as_the_shorter_one_does(tmp_path):
    texts = [f"The kinase {word} mitophagy." for word in ("starts", "stops", "slows", "is")]
    made = searcher(tmp_path, texts * 20)
    assert order(made.search(ASKED, k=5)) == order(made.search(ASKED, k=70))[:5]
