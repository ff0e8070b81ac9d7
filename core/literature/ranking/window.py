"""How much of a question stands close together in a passage: the part of its weight that the best
WINDOW consecutive units of the passage hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.literature.index.reader import Index
from core.literature.query.plan import QueryPlan
from core.literature.ranking.ranked_chunk import Hit

WINDOW = 25  # units


def best_windows(pool: Sequence[Hit], plan: QueryPlan) -> NDArray[np.float64]:
    """For each passage the share, 0 to 1, of the question's weight that its best window holds."""
    weights: dict[str, float] = {}
    for concept in plan.concepts:
        for unit in concept.units:
            weights.setdefault(unit, concept.share(unit) * plan.statistics.idf(unit) ** 2)
    by_part = {id(part): _numbered(part, weights) for part, _ in pool}
    total = sum(weight for unit, weight in weights.items() if plan.statistics.spread.get(unit))
    shares = [_best(part.sequence(hit.number), by_part[id(part)]) for part, hit in pool]
    return np.array(shares) / (total or 1.0)


def _numbered(part: Index, weights: Mapping[str, float]) -> dict[int, float]:
    numbers = {part.unit(unit): weight for unit, weight in weights.items()}
    numbers.pop(-1, None)
    return numbers


def _best(sequence: NDArray[np.uint32], weights: Mapping[int, float]) -> float:
    """The most weight that WINDOW units in a row hold, each unit counted once."""
    asked = np.fromiter(weights, dtype=np.int64, count=len(weights))
    places = np.flatnonzero(np.isin(sequence, asked))
    units = sequence[places].tolist()
    held: dict[int, int] = {}
    first, weight, best = 0, 0.0, 0.0
    for place, unit in zip(places.tolist(), units, strict=True):
        while place - places[first] >= WINDOW:
            held[units[first]] -= 1
            weight -= weights[units[first]] if not held[units[first]] else 0.0
            first += 1
        weight += 0.0 if held.get(unit) else weights[unit]
        held[unit] = held.get(unit, 0) + 1
        best = max(best, weight)
    return best
