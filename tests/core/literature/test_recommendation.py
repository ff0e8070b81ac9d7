"""Articles to cite for a text."""

from __future__ import annotations

from core.literature.recommendation import recommend
from tests.core.literature.corpus import searcher


def test_no_article_is_recommended_that_holds_no_word_of_the_text(tmp_path):
    corpus = searcher(tmp_path, ["Kinase Q phosphorylates tau.", "Kinase R is in bread.", "Bread."])
    recommended = recommend(corpus, "Tau phosphorylates nothing.")
    assert [article.document for article in recommended] == ["D0"]
