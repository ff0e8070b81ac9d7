"""Words and meaning together: the default ranking and the ranking by vectors, joined by the places
that passages have in each (reciprocal rank fusion, Cormack et al. 2009, SIGIR).
"""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import SettingsError
from core.literature.query.plan import QueryPlan
from core.literature.ranking import coverage
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus
from core.literature.ranking.ranked_chunk import Hit, RankedChunk

FLAT = 60  # added to each place, as published: the first few places count nearly alike
DEPTH = 200  # places of each ranking that are joined, at least


def rank(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    """Raises SettingsError when no embedding model is configured."""
    if corpus.vectors is None:
        raise SettingsError(
            "Words and meaning together need embeddings, and no embedding model is configured.",
            "Choose an embedding model (Settings, Models), or use another mode.",
        )
    depth = max(k, DEPTH)
    by_words = coverage.MODE.rank(plan, corpus, depth)
    by_vectors = corpus.vectors.rank(plan.question.text, corpus.parts, depth, plan.options.without)
    joined = sorted(_joined(by_words.hits, by_vectors).values(), key=lambda hit: -hit[1].score)
    return RankedHits(joined, sum(map(len, corpus.parts)), by_words.added)


def _joined(words: Sequence[Hit], vectors: Sequence[Hit]) -> dict[tuple[int, int], Hit]:
    """Each passage with the sum of 1 / (60 + place) over the rankings that hold it."""
    joined: dict[tuple[int, int], Hit] = {}
    for name, ranking in (("words", words), ("meaning", vectors)):
        for place, (part, hit) in enumerate(ranking, start=1):
            key = (id(part), hit.number)
            _, earlier_hit = joined.get(key, (part, RankedChunk(hit.number, 0.0, hit.coverage)))
            score = earlier_hit.score + 1 / (FLAT + place)
            parts = {**earlier_hit.parts, f"place by {name}": float(place)}
            coverage_share = max(earlier_hit.coverage, hit.coverage)
            joined[key] = (part, RankedChunk(hit.number, score, coverage_share, parts))
    return joined


MODE = RankingMode(
    "hybrid",
    "Words and meaning",
    "Combines the default ranking with an embedding model, which it needs.",
    rank,
    needs_vectors=True,
    compared=False,
)
