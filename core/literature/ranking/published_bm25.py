"""BM25 as WeiseEule's paper used it for comparison (Aftab et al. 2024, Methods, "BM25"): Okapi with
k1 = 1.5, b = 0.75, texts cut at white space in lower case, no stop words, no stemming, punctuation
left on the words.

Okapi's idf may be negative; as in the program that it used, a negative one is replaced by a quarter
of the mean.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import lru_cache

import numpy as np

from core.literature.index.reader import ChunkIndex
from core.literature.query.plan import QueryPlan
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus
from core.literature.ranking.ranked_chunk import RankedChunk

K1, B, EPSILON = 1.5, 0.75, 0.25


class PublishedBM25:
    """Reads the whole corpus into memory: for comparison on small corpora."""

    def __init__(self, index: ChunkIndex):
        postings: dict[str, dict[int, int]] = defaultdict(dict)
        lengths = []
        for number in range(len(index)):
            words = index.text(number).lower().split()
            lengths.append(len(words))
            for word, count in Counter(words).items():
                postings[word][number] = count
        self.size = len(lengths)
        sizes = np.array(lengths, dtype=np.float64)
        self.norm = K1 * (1 - B + B * sizes / max(1.0, sizes.mean() if len(sizes) else 1.0))
        self.postings = {
            word: (
                np.fromiter(times_by_chunk.keys(), np.int64),
                np.fromiter(times_by_chunk.values(), np.float64),
            )
            for word, times_by_chunk in postings.items()
        }
        self.idf = self._idf()

    def _idf(self) -> dict[str, float]:
        raw = {
            w: math.log(self.size - len(d) + 0.5) - math.log(len(d) + 0.5)
            for w, (d, _) in self.postings.items()
        }
        # A word in more than half of the chunks has a negative idf, and gets a small share of the
        # mean instead.
        mean = sum(raw.values()) / max(1, len(raw))
        return {word: idf if idf >= 0 else EPSILON * mean for word, idf in raw.items()}

    def rank(self, question: str, k: int) -> list[RankedChunk]:
        scores = np.zeros(self.size)
        for word in question.lower().split():
            if word in self.postings:
                docs, counts = self.postings[word]
                scores[docs] += self.idf[word] * counts * (K1 + 1) / (counts + self.norm[docs])
        best = np.argsort(-scores, kind="stable")[:k]
        return [
            RankedChunk(int(number), float(scores[number])) for number in best if scores[number] > 0
        ]


@lru_cache(maxsize=8)
def _of(index: ChunkIndex) -> PublishedBM25:
    return PublishedBM25(index)


def rank(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    hits = [(part, hit) for part in corpus.parts for hit in _of(part).rank(plan.question.text, k)]
    return RankedHits(sorted(hits, key=lambda hit_of_part: -hit_of_part[1].score), len(hits))


MODE = RankingMode(
    "bm25-published",
    "BM25 as published",
    "The paper's own comparison, on small corpora.",
    rank,
    expands=False,
    offered=False,
    compared=False,
)
