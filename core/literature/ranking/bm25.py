"""BM25 with stop words and stemming, and the default mode: BM25 times (1 + IDF-weighted keyword
coverage).

score = (Σ weight·idf·tf·(k1+1)/(tf+norm) + PAIR·the same over consecutive units) · (1 + coverage),
where norm is k1·(1-b+b·length/average), weight is a concept's share (concept.py), and coverage is
the part of the question that a chunk holds, each unit counted with weight·idf². A synonym that a
chunk holds counts as the whole concept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.literature.index.reader import Floats, Index, Integers
from core.literature.index.statistics import Pair, Statistics, holding, runs
from core.literature.query.concept import Concept

K1, B = 1.2, 0.7
PAIR = 0.2  # weight of consecutive units
LOOKED_INTO = 200  # chunks whose consecutive units are counted
PHRASE_LIMIT = 20_000  # chunks that are verified when a synonym of several words is counted


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A ranked chunk. `coverage` is 0–1; `parts` add up to the score as the mode's docstring
    says.
    """

    number: int
    score: float
    coverage: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """What every part of a corpus is asked. `extra`: weights of units that only add to the score
    (broadening).
    """

    concepts: tuple[Concept, ...]
    pairs: tuple[Pair, ...]
    statistics: Statistics
    coverage: bool = True
    strict: bool = False
    extra: Mapping[str, float] = field(default_factory=dict)
    without: frozenset[str] = frozenset()  # documents left out


def rank(index: Index, plan: Plan, k: int) -> tuple[list[RankedChunk], int]:
    """The best k chunks, best first, equal ones in corpus order, and how many there are; chunks
    without any unit are not ranked. A larger k adds chunks at the end and changes nothing before.
    """
    if not len(index):
        return [], 0
    return _Scorer(index, plan).best(k)


class _Scorer:
    def __init__(self, index: Index, plan: Plan):
        self.index, self.plan = index, plan
        self.norm = K1 * (1 - B + B * index.lengths / plan.statistics.average)
        self.score: Floats = np.zeros(len(index), dtype=np.float32)
        self.covered: Floats = np.zeros(len(index), dtype=np.float32)
        self.total = 0.0

    def best(self, k: int) -> tuple[list[RankedChunk], int]:
        for concept in self.plan.concepts:
            self._add(concept)
        for unit, weight in self.plan.extra.items():
            number = self.index.unit(unit)
            if number >= 0:
                docs, counts = self.index.postings(number)
                self.score[docs] += (
                    weight * self.plan.statistics.idf(unit) * self._saturated(docs, counts)
                )
        coverage = self.covered / self.total if self.total else self.covered
        base = self.score * (1 + coverage) if self.plan.coverage else self.score
        fixed = self._fixed()
        base = np.where(base > 0, base, 0)
        if fixed is not None:
            held = np.zeros(len(base), dtype=bool)
            held[fixed] = True
            if self.plan.strict:
                base = np.where(held, base, 0)
            order = base + np.where(held & (base > 0), float(base.max()) + 1, 0)
        else:
            held, order = None, base
        more = len(self.plan.without) and LOOKED_INTO
        looked = self._top(order, LOOKED_INTO + more)
        chosen = self._top(order, k + more) if k > LOOKED_INTO else looked
        pairs = dict(zip(looked.tolist(), self._pairs(looked).tolist(), strict=True))
        return self._hits(chosen, pairs, coverage, held, k), int(np.count_nonzero(order > 0))

    def _top(self, order: Floats, size: int) -> Integers:
        if len(order) > size:
            found: Integers = np.argpartition(-order, size - 1)[:size]
            found = np.union1d(found, np.flatnonzero(order == order[found].min())[:size])
        else:
            found = np.arange(len(order))
        return found[order[found] > 0]

    def _saturated(self, docs: Integers, counts: Floats) -> Floats:
        saturated: Floats = counts * (K1 + 1) / (counts + self.norm[docs])
        return saturated.astype(np.float32)

    def _add(self, concept: Concept) -> None:
        statistics = self.plan.statistics
        spellings = [self._named(name) for name in concept.names]
        own = np.zeros(len(self.index), dtype=np.float32) if spellings else self.score
        cover = np.zeros(len(self.index), dtype=np.float32) if spellings else self.covered
        weight = whole = 0.0
        for unit in concept.units:
            number = self.index.unit(unit)
            idf = statistics.idf(unit)
            weight += concept.share(unit) * idf
            if statistics.spread.get(unit, 0):
                whole += concept.share(unit) * idf**2
            if number >= 0:
                docs, counts = self.index.postings(number)
                own[docs] += concept.share(unit) * idf * self._saturated(docs, counts)
                if concept.counted:
                    cover[docs] += concept.share(unit) * idf**2
        if concept.counted:
            self.total += whole or (weight if spellings else 0.0)
        if spellings:
            self._merge(concept, own, cover, spellings, weight, whole or weight)

    def _merge(
        self,
        concept: Concept,
        own: Floats,
        cover: Floats,
        spellings: Sequence[tuple[Integers, Floats]],
        weight: float,
        whole: float,
    ) -> None:
        """A chunk gets the better of the keyword's own words and all its names counted together."""
        counts = np.zeros(len(self.index), dtype=np.float32)
        for docs, found in [*spellings, self._named(concept.units)]:
            counts[docs] += found
        docs = np.flatnonzero(counts)
        own[docs] = np.maximum(own[docs], weight * self._saturated(docs, counts[docs]))
        self.score += own
        if concept.counted:
            cover[docs] = whole
            self.covered += cover

    def _named(self, name: Sequence[str]) -> tuple[Integers, Floats]:
        """Chunks that hold a name's units in a row, and how often."""
        numbers = tuple(self.index.unit(unit) for unit in name)
        if not numbers or min(numbers) < 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        if len(numbers) == 1:
            return self.index.postings(numbers[0])
        docs = holding(self.index, numbers)
        if len(docs) > PHRASE_LIMIT:
            return docs, np.ones(len(docs), dtype=np.float32)
        counts = (
            runs(self.index, docs, [numbers])[0] if len(docs) else np.zeros(0, dtype=np.float32)
        )
        return docs[counts > 0], counts[counts > 0]

    def _fixed(self) -> Integers | None:
        """Chunks that hold every fixed keyword, by any of its names; None when nothing is fixed."""
        kept: Integers | None = None
        for concept in self.plan.concepts:
            if concept.keyword.fixed:
                names = [concept.units, *concept.names]
                docs = np.unique(np.concatenate([self._named(name)[0] for name in names]))
                kept = docs if kept is None else kept[np.isin(kept, docs, assume_unique=True)]
        return kept

    def _hits(
        self,
        chosen: Integers,
        bonus: Mapping[int, float],
        coverage: Floats,
        held: np.ndarray | None,
        k: int,
    ) -> list[RankedChunk]:
        found = []
        for number in chosen.tolist():
            pairs = bonus.get(number, 0.0)
            covered = float(coverage[number])
            words = float(self.score[number])
            score = (words + pairs) * (1 + (covered if self.plan.coverage else 0.0))
            parts = {"words": round(words, 4), "consecutive words": round(pairs, 4)}
            if self.plan.coverage:
                parts["times coverage"] = round(1 + covered, 4)
            if held is not None:
                parts["fixed keywords held"] = float(held[number])
            found.append(RankedChunk(number, score, covered, parts))
        found.sort(
            key=lambda hit: (-hit.parts.get("fixed keywords held", 0.0), -hit.score, hit.number)
        )
        if self.plan.without:
            found = [
                hit
                for hit in found
                if self.index.chunk(hit.number).document not in self.plan.without
            ]
        return found[:k]

    def _pairs(self, chosen: Integers) -> Floats:
        found = np.zeros(len(chosen), dtype=np.float32)
        if not self.plan.coverage or not len(chosen):
            return found
        numbers = {
            pair: (self.index.unit(pair[0]), self.index.unit(pair[1])) for pair in self.plan.pairs
        }
        known = {pair: both for pair, both in numbers.items() if min(both) >= 0}
        if known:
            counts = runs(self.index, chosen, list(known.values()))
            for pair, row in zip(known, counts, strict=True):
                weight = PAIR * self.plan.statistics.rarity(
                    self.plan.statistics.pairs.get(pair, 0.0)
                )
                found += weight * self._saturated(chosen, row)
        return found
