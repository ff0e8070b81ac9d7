"""How much of a question occurs close together in a passage: the part of its weight that the best
WINDOW consecutive units of the passage hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.literature.index.reader import ChunkIndex, Integers
from core.literature.query.plan import QueryPlan
from core.literature.ranking.ranked_chunk import Hit

WINDOW = 25  # units


def best_windows(pool: Sequence[Hit], plan: QueryPlan) -> NDArray[np.float64]:
    """For each passage the share, 0 to 1, of the question's weight that its best window holds."""
    weights: dict[str, float] = {}
    for concept in plan.concepts:
        for unit in concept.units:
            # Squared, as in a cosine: rare words that stand close together decide.
            weights.setdefault(unit, concept.share(unit) * plan.statistics.idf(unit) ** 2)
    total = sum(weight for unit, weight in weights.items() if plan.statistics.spread.get(unit))
    best = np.zeros(len(pool))
    for part in {id(part): part for part, _ in pool}.values():
        places = [place for place, (of_part, _) in enumerate(pool) if of_part is part]
        numbers = np.array([pool[place][1].number for place in places])
        best[places] = _best_of_part(part, numbers, weights)
    return best / (total or 1.0)


def _best_of_part(
    part: ChunkIndex, numbers: Integers, weights: Mapping[str, float]
) -> NDArray[np.float64]:
    """For each chunk the most weight that WINDOW units in a row hold, each unit counted once."""
    line, sizes = part.sequences(numbers)
    weight_of = {part.unit(unit): weight for unit, weight in weights.items()}
    weight_of.pop(-1, None)
    places_of_unit = [np.flatnonzero(line == unit) for unit in weight_of]
    best = np.zeros(len(numbers))
    if not any(map(len, places_of_unit)):
        return best
    places = np.concatenate(places_of_unit)
    column = np.repeat(np.arange(len(weight_of)), list(map(len, places_of_unit)))
    order = np.argsort(places)
    places, column = places[order], column[order]
    owner = np.searchsorted(np.cumsum(sizes), places, side="right")
    places = places + WINDOW * owner  # so that no window reaches into the chunk before
    last_seen = np.full((len(places), len(weight_of)), -WINDOW, dtype=np.int64)
    last_seen[np.arange(len(places)), column] = places
    np.maximum.accumulate(last_seen, axis=0, out=last_seen)
    held = last_seen > places[:, None] - WINDOW
    np.maximum.at(best, owner, held @ np.array(list(weight_of.values())))
    return best
