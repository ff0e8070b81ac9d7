"""PES1: chunks by the cosine of their vectors with the question's (vectors.py)."""

from __future__ import annotations

from core.errors import SettingsError
from core.literature.query.plan import QueryPlan
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus


def rank(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    """Raises SettingsError when no embedding model is configured."""
    if corpus.vectors is None:
        raise SettingsError(
            "PES1 ranks by embeddings, and no embedding model is configured.",
            "Choose an embedding model (Settings, Models), or use another mode.",
        )
    hits = corpus.vectors.rank(plan.question.text, corpus.parts, k)
    return RankedHits(hits, sum(map(len, corpus.parts)))


MODE = RankingMode(
    "pes1",
    "PES1 (embeddings)",
    "Ranks by meaning; needs an embedding model.",
    rank,
    needs_vectors=True,
    expands=False,
    compared=False,
)
