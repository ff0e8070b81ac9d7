"""The default: BM25 times (1 + the weighted share of the question that a chunk holds), then
reranking of the best.
"""

from __future__ import annotations

from dataclasses import replace

from core.literature.query.plan import QueryPlan
from core.literature.ranking import broaden, weighting
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus
from core.literature.ranking.rerank import POOL, rerank


def rank(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    """Papers that the curator marked as included broaden the question, when marks are to count."""
    marked = plan.options.marks and plan.options.included
    ranking = (broaden.rank if marked else weighting.ranked)(plan, corpus, max(k, POOL))
    return replace(ranking, hits=rerank(ranking.hits, plan, corpus)[:k])


MODE = RankingMode(
    "coverage",
    "Coverage",
    "Passages that contain most of the question first; rare words count more.",
    rank,
)
