"""The default: BM25 times (1 + the weighted share of the question that a chunk holds)."""

from __future__ import annotations

from core.literature.query.plan import QueryPlan
from core.literature.ranking import broaden, weighed
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus


def rank(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    """Papers that the curator marked as included broaden the question, when marks are to count."""
    if plan.options.marks and plan.options.included:
        return broaden.rank(plan, corpus, k)
    return weighed.ranked(plan, corpus, k)


MODE = RankingMode(
    "coverage",
    "Coverage",
    "Passages that hold most of the question first, rare words weighing more.",
    rank,
)
