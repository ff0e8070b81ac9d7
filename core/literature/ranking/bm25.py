"""BM25 over single stemmed words: no phrases, no names, no coverage."""

from __future__ import annotations

from dataclasses import replace

from core.literature.query.plan import QueryPlan
from core.literature.ranking import weighting
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus


def rank_by_bm25(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    words = tuple(
        replace(concept, units=(unit,), names=(), weak=frozenset())
        for concept in plan.concepts
        for unit in concept.units
    )
    return weighting.ranked(replace(plan, concepts=words, coverage=False), corpus, k)


MODE = RankingMode(
    "bm25",
    "BM25",
    "Classical keyword ranking: words that are frequent in the passage and rare elsewhere.",
    rank_by_bm25,
    expands=False,
)
