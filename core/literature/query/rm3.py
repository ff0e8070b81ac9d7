"""RM3: words of the best chunks are added to the question (Abdul-Jaleel et al. 2004), or of those a
curator included.

The feedback model is the mean of the unit distributions of FEEDBACK chunks, weighted by their
scores; its TERMS most rare and frequent units get the weight ALPHA against the question's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.literature.index.reader import ChunkIndex
from core.literature.index.statistics import CorpusStatistics

FEEDBACK, TERMS, ALPHA = 8, 20, 0.4
SHORTEST = 3


def relevance_model(chosen: Iterable[tuple[ChunkIndex, int, float]]) -> dict[str, float]:
    """Unit → mean share of the chunks' units; `chosen` are chunks with the weight of each."""
    summed_shares: dict[str, float] = {}
    total = 0.0
    for index, number, weight in chosen:
        sequence = index.sequence(number)
        total += weight
        for unit in sequence:
            name = index.units.word(int(unit))
            summed_shares[name] = summed_shares.get(name, 0.0) + weight / max(1, len(sequence))
    return {unit: share / total for unit, share in summed_shares.items()} if total else {}


def expansion_terms(
    shares: dict[str, float], statistics: CorpusStatistics, question_units: Sequence[str]
) -> dict[str, float]:
    """The units to add and their weights, the heaviest ALPHA / (1 - ALPHA) as heavy as the
    question's words.
    """
    known_units = set(question_units)
    weighed = {
        unit: share * statistics.idf(unit)
        for unit, share in shares.items()
        if unit not in known_units and len(unit) >= SHORTEST and not unit.isdigit()
    }
    best = sorted(weighed.items(), key=lambda item: (-item[1], item[0]))[:TERMS]
    heaviest = best[0][1] if best else 1.0
    return {
        unit: ALPHA / (1 - ALPHA) * weight / heaviest / 2 for unit, weight in best if weight > 0
    }
