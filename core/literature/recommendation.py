"""Articles to cite for a paragraph: by its words, and by article vectors when some
were imported.

Where no endpoint embeds the paragraph by the vectors' own model, the mean of the articles that its
words find stands for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.literature.answers.extractive import extract_sentences
from core.literature.article_vectors import ArticleVectors, NearArticle
from core.literature.chunk import Chunk
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.plan import SearchOptions
from core.literature.ranking import broaden
from core.literature.ranking.search import Searcher

DEPTH = 100
ANCHORS = 5  # articles whose vectors stand for the paragraph
WORDS = 0.5  # weight of words against vectors


@dataclass(frozen=True, slots=True)
class RecommendedArticle:
    """An article, its score (1 is the best one's), its best chunk and what of it bears on the
    paragraph. `coverage`: the share of the paragraph's words, by weight, that the chunk holds, 0 to
    1.
    """

    document: str
    score: float
    chunk: Chunk
    summary: str
    by_words: float
    by_vector: float | None = None
    coverage: float = 0.0


def recommend(
    searcher: Searcher,
    paragraph: str,
    *,
    k: int = 10,
    vectors: ArticleVectors | None = None,
    without: Sequence[str] = (),
) -> list[RecommendedArticle]:
    """The best k articles, best first; none that holds no word of the paragraph."""
    options = SearchOptions(repair=False, marks=bool(without), excluded=frozenset(without))
    results = searcher.search(
        LiteratureQuery(" ".join(paragraph.split())), broaden.MODE.name, DEPTH, options
    ).results
    best: dict[str, tuple[float, Chunk]] = {}
    coverage_by_document: dict[str, float] = {}
    for result in (result for result in results if result.coverage > 0):
        best.setdefault(result.chunk.document, (result.score, result.chunk))
        coverage_by_document.setdefault(result.chunk.document, result.coverage)
    top = max((score for score, _ in best.values()), default=1.0) or 1.0
    words = {document: score / top for document, (score, _) in best.items()}
    similarity = _by_vectors(words, vectors)
    recommended = [
        RecommendedArticle(
            document,
            round(_mixed(words[document], similarity.get(document)), 4),
            chunk,
            summary=" ".join(
                s.text for s in extract_sentences(paragraph, [chunk], most=2, always=True).sentences
            )
            or chunk.text[:300],
            by_words=round(words[document], 4),
            by_vector=similarity.get(document),
            coverage=coverage_by_document[document],
        )
        for document, (_, chunk) in best.items()
    ]
    return sorted(
        recommended, key=lambda recommendation: (-recommendation.score, recommendation.document)
    )[:k]


def _mixed(words: float, vector: float | None) -> float:
    return words if vector is None else WORDS * words + (1 - WORDS) * vector


def _by_vectors(words: Mapping[str, float], vectors: ArticleVectors | None) -> dict[str, float]:
    if vectors is None:
        return {}
    middle, _ = _middle(words, vectors)
    if middle is None:
        return {}
    rows = {document: row for document in words if (row := vectors.of(document)) is not None}
    return {document: round(float(row @ middle), 4) for document, row in rows.items()}


def _middle(
    words: Mapping[str, float], vectors: ArticleVectors
) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
    """The mean vector of the ANCHORS best articles by words that have one, and which these are."""
    known = [document for document in words if vectors.of(document) is not None]
    anchors = sorted(known, key=lambda document: -words[document])[:ANCHORS]
    rows = [row * words[id] for id in anchors if (row := vectors.of(id)) is not None]
    if not rows:
        return None, ()
    middle = np.mean(rows, axis=0)
    return middle / (float(np.linalg.norm(middle)) or 1.0), tuple(anchors)


@dataclass(frozen=True, slots=True)
class ArticlesBeyond:
    """Articles that no namespace searched holds, nearest first, and what stood for the text: the
    embedding `model`, else the `anchors`, the articles that its words found.
    """

    articles: tuple[NearArticle, ...]
    model: str = ""
    anchors: tuple[str, ...] = ()


def nearest_articles(
    vectors: ArticleVectors,
    recommended: Sequence[RecommendedArticle],
    k: int,
    without: frozenset[str],
    *,
    query: NDArray[np.float32] | None = None,
) -> ArticlesBeyond:
    """The `k` articles nearest to a text, none of `without`: by its own vector, made by the
    vectors' model, where `query` gives it; else by the mean of the best recommended articles.
    """
    if query is not None:
        near = vectors.nearest(query, k, without)
        return ArticlesBeyond(tuple(near), vectors.query_model)
    words = {article.document: article.by_words for article in recommended}
    middle, anchors = _middle(words, vectors)
    if middle is None:
        return ArticlesBeyond(())
    return ArticlesBeyond(tuple(vectors.nearest(middle, k, without)), "", anchors)
