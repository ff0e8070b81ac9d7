"""A second look at the best passages: those that are like other good ones move up, and those that
hold the words of the question close together.

Papers on one question resemble one another (the cluster hypothesis, van Rijsbergen 1979; score
regularization, Diaz 2005). Of the POOL best passages each gains, in parts of the best score, NEAR ×
the mean score of its NEIGHBOURS most similar ones, BEST × its mean similarity to the FIRST best
ones, and TOGETHER × the share of the question in its best window (window.py). Similarity is the
cosine of (1 + log count) · idf. A gain is never negative, so those below the pool stay below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.literature.index.reader import Floats, Index
from core.literature.query.plan import QueryPlan
from core.literature.ranking.mode import SearchedCorpus, best_first
from core.literature.ranking.ranked_chunk import Hit
from core.literature.ranking.window import best_windows

POOL = 50
NEAR, NEIGHBOURS = 0.4, 8
BEST, FIRST = 0.8, 5
TOGETHER = 0.3
ALIKE, CLOSE = "like other good passages", "words close together"


def look_again(hits: Sequence[Hit], plan: QueryPlan, corpus: SearchedCorpus) -> list[Hit]:
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
        lifted.append((part, replace(hit, score=score, parts=parts)))
    return [*best_first((part, [hit]) for part, hit in lifted), *hits[POOL:]]


def _gains(scores: NDArray[np.float64], similarity: Floats) -> NDArray[np.float64]:
    best = scores.max()
    shares = scores / best if best > 0 else scores
    size = min(NEIGHBOURS, len(scores) - 1)
    nearest = np.argsort(-similarity, axis=1, kind="stable")[:, :size]
    weights = np.take_along_axis(similarity, nearest, axis=1)
    by_neighbours = (weights * shares[nearest]).sum(1) / np.maximum(weights.sum(1), 1e-9)
    first = np.where(np.arange(len(shares)) < FIRST, shares**2, 0)
    by_best = similarity @ first / max(float(first.sum()), 1e-9)
    gains: NDArray[np.float64] = best * (NEAR * by_neighbours + BEST * by_best)
    return gains


def _similarity(pool: Sequence[Hit], plan: QueryPlan, parts: Sequence[Index]) -> Floats:
    """The cosine of each two passages; 0 of each with itself."""
    sequences = [part.sequence(hit.number) for part, hit in pool]
    if len(parts) == 1:
        units, place = np.unique(np.concatenate(sequences), return_inverse=True)
        spread = parts[0].spreads(units)
    else:
        names = [
            part.units.word(unit)
            for (part, _), sequence in zip(pool, sequences, strict=True)
            for unit in sequence.tolist()
        ]
        words, place = np.unique(np.array(names, dtype=object), return_inverse=True)
        spread = np.array([sum(p.spread(p.unit(word)) for p in parts) for word in words.tolist()])
    owner = np.repeat(np.arange(len(pool)), [len(sequence) for sequence in sequences])
    wide = max(1, len(spread))
    cells = np.bincount(owner * wide + place, minlength=len(pool) * wide)
    held = np.flatnonzero(cells)
    chunks = plan.statistics.chunks
    idf = np.log(1 + (chunks - spread + 0.5) / (spread + 0.5))
    vectors = np.zeros(len(cells), dtype=np.float32)
    vectors[held] = (1 + np.log(cells[held])) * idf[held % wide]
    rows = vectors.reshape(len(pool), wide)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    similarity: Floats = rows @ rows.T
    np.fill_diagonal(similarity, 0)
    return similarity
