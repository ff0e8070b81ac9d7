"""Broaden: the words of the best chunks, or of the papers that a curator included, are added to the
question (RM3, query/rm3.py).
"""

from __future__ import annotations

from dataclasses import replace

from core.literature.index.reader import ChunkIndex
from core.literature.index.statistics import add_up, measure_index
from core.literature.query import rm3
from core.literature.query.plan import QueryPlan
from core.literature.ranking import weighting
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus

DEEP = 500  # chunks among which those of included papers are looked for


def rank(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    shares = rm3.relevance_model(_feedback(plan, corpus))
    statistics = add_up(corpus.spread(lambda part: measure_index(part, shares), corpus.parts))
    added = rm3.expansion_terms(
        shares, statistics, [unit for c in plan.concepts for unit in c.units]
    )
    merged = {**statistics.spread, **plan.statistics.spread}
    broad = replace(plan, extra=added, statistics=replace(plan.statistics, spread=merged))
    return replace(weighting.ranked(broad, corpus, k), added=added)


def _feedback(plan: QueryPlan, corpus: SearchedCorpus) -> list[tuple[ChunkIndex, int, float]]:
    if plan.options.marks and plan.options.included:
        deep = weighting.ranked(plan, corpus, DEEP).hits
        marked = [
            (part, hit.number, 1.0)
            for part, hit in deep
            if part.chunk(hit.number).document in plan.options.included
        ]
        if marked:
            return marked
    best = weighting.ranked(plan, corpus, rm3.FEEDBACK).hits
    return [(part, hit.number, hit.score) for part, hit in best[: rm3.FEEDBACK]]


MODE = RankingMode(
    "broaden",
    "Broaden (RM3)",
    "Adds words of the best passages to the question: finds more, less precisely.",
    rank,
)
