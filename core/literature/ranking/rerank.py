"""Reranking of the best passages: those that are like other good ones move up, and those that
hold the words of the question close together.

Papers on one question resemble one another (the cluster hypothesis, van Rijsbergen 1979; score
regularization, Diaz 2005). Of the POOL best passages each gains, in parts of the best score, NEAR ×
the mean score of its NEIGHBOURS most similar ones, BEST × its mean similarity to the FIRST best
ones, and TOGETHER × the share of the question in its best window (window.py). Similarity is the
cosine of (1 + log count) · idf. A gain is never negative, so those below the pool stay below.

How much of a question occurs close together in a passage: the part of its weight that the best
WINDOW consecutive units of the passage hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.literature.index.reader import ChunkIndex, Floats, Integers
from core.literature.query.plan import QueryPlan
from core.literature.ranking.mode import SearchedCorpus, best_first
from core.literature.ranking.ranked_chunk import Hit, RankedChunk

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


POOL = 50
NEAR, NEIGHBOURS = 0.4, 8
BEST, FIRST = 0.8, 5
TOGETHER = 0.3
ALIKE, CLOSE = "like other good passages", "words close together"


def rerank(hits: Sequence[Hit], plan: QueryPlan, corpus: SearchedCorpus) -> list[Hit]:
    """The hits, best first, with the POOL best in their new order; passages with every fixed
    keyword stay before the others.
    """
    pool = list(hits[:POOL])
    if len(pool) < 2:
        return list(hits)
    scores = np.array([hit.score for _, hit in pool])
    alike = _gains(scores, _similarity(pool, plan, corpus.parts)).tolist()
    close = (TOGETHER * scores.max() * best_windows(pool, plan)).tolist()
    lifted = []
    for (part, hit), like_others, together in zip(pool, alike, close, strict=True):
        parts = {**hit.parts, ALIKE: round(like_others, 4), CLOSE: round(together, 4)}
        score = hit.score + like_others + together
        lifted.append((part, RankedChunk(hit.number, score, hit.coverage, parts)))
    return [*best_first((part, [hit]) for part, hit in lifted), *hits[POOL:]]


def _gains(scores: NDArray[np.float64], similarity: Floats) -> NDArray[np.float64]:
    best = scores.max()
    shares = scores / best if best > 0 else scores
    size = min(NEIGHBOURS, len(scores) - 1)
    nearest = np.argsort(-similarity, axis=1, kind="stable")[:, :size]
    weights = np.take_along_axis(similarity, nearest, axis=1)
    # What its nearest passages scored, each as far as it is alike (k nearest neighbours).
    by_neighbours = (weights * shares[nearest]).sum(1) / np.maximum(weights.sum(1), 1e-9)
    # Squared: the surest of the first passages say most about what the question means.
    first = np.where(np.arange(len(shares)) < FIRST, shares**2, 0)
    by_best = similarity @ first / max(float(first.sum()), 1e-9)
    gains: NDArray[np.float64] = best * (NEAR * by_neighbours + BEST * by_best)
    return gains


def _similarity(pool: Sequence[Hit], plan: QueryPlan, parts: Sequence[ChunkIndex]) -> Floats:
    """The cosine of each two passages; 0 of each with itself."""
    cells, cell_counts, spread = _counted(pool, parts)
    place, owner = np.divmod(cells, len(pool))
    chunks = plan.statistics.chunks
    idf = np.log(1 + (chunks - spread + 0.5) / (spread + 0.5))
    # tf-idf with a logarithm: the fifth mention of a word says less than the first.
    values = (1 + np.log(cell_counts)) * idf[place]
    norms = np.sqrt(np.maximum(np.bincount(owner, values**2, minlength=len(pool)), 1e-18))
    shared = np.bincount(place, minlength=len(spread)) > 1  # a unit of one passage tells no two
    column = np.cumsum(shared) - 1
    kept = shared[place]
    vectors = np.zeros((len(pool), np.count_nonzero(shared)), dtype=np.float32)
    vectors[owner[kept], column[place[kept]]] = values[kept] / norms[owner[kept]]
    # Not `@`: for so little BLAS wakes threads that cost ten times the work.
    similarity: Floats = np.einsum("ik,jk->ij", vectors, vectors)
    np.fill_diagonal(similarity, 0)
    return similarity


def _counted(
    pool: Sequence[Hit], parts: Sequence[ChunkIndex]
) -> tuple[Integers, Integers, Integers]:
    """Which units stand in which passages, as place of the unit × passages + passage, ascending;
    how often each does; and in how many chunks of the corpus each unit occurs.
    """
    if len(parts) == 1:
        line, sizes = parts[0].sequences(np.array([hit.number for _, hit in pool]))
        place = line.astype(np.int64)
    else:
        sequences = [part.sequence(hit.number) for part, hit in pool]
        sizes = np.array(list(map(len, sequences)))
        names = [
            part.units.word(unit)
            for (part, _), sequence in zip(pool, sequences, strict=True)
            for unit in sequence.tolist()
        ]
        words, place = np.unique(np.array(names, dtype=object), return_inverse=True)
    cells = np.sort(place * len(pool) + np.repeat(np.arange(len(pool)), sizes))
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    counts, cells = np.diff(first, append=len(cells)), cells[first]
    units, owner = np.divmod(cells, len(pool))
    is_new = np.diff(units, prepend=-1) > 0
    if len(parts) == 1:
        spread = parts[0].spreads(units[is_new])
    else:
        spread = np.array([sum(p.spread(p.unit(word)) for p in parts) for word in words.tolist()])
    return (np.cumsum(is_new) - 1) * len(pool) + owner, counts, spread
