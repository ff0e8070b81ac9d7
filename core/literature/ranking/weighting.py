"""How chunks are weighed: BM25 with stop words and stemming, times (1 + IDF-weighted coverage)
where the plan asks for it.

score = (Σ weight·idf·tf·(k1+1)/(tf+norm) + PAIR·the same over consecutive units) · (1 + coverage),
where norm is k1·(1-b+b·length/average), weight is a concept's share (concept.py), and coverage is
the part of the question that a chunk holds, each unit counted with weight·idf². A synonym that a
chunk holds counts as the whole concept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.literature.index.reader import ChunkIndex, Floats, Integers
from core.literature.index.statistics import chunks_holding_all, symbol_in_pieces, unbroken_runs
from core.literature.query.concept import Concept
from core.literature.query.plan import QueryPlan
from core.literature.ranking.mode import RankedHits, SearchedCorpus, best_first
from core.literature.ranking.ranked_chunk import RankedChunk

K1, B = 1.2, 0.7
PAIR = 0.2  # weight of consecutive units
LOOKED_INTO = 200  # chunks whose consecutive units are counted
NO_POSTINGS = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))
PHRASE_LIMIT = 20_000  # chunks that are verified when a synonym of several words is counted


def ranked(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    """The best k chunks of all parts of a corpus."""
    measured = list(corpus.spread(lambda part: rank(part, plan, k), corpus.parts))
    hits_by_part = ((part, hits) for part, (hits, _) in zip(corpus.parts, measured, strict=True))
    return RankedHits(best_first(hits_by_part), sum(total for _, total in measured))


def rank(index: ChunkIndex, plan: QueryPlan, k: int) -> tuple[list[RankedChunk], int]:
    """The best k chunks, best first, equal ones in corpus order, and how many there are; chunks
    without any unit are not ranked. A larger k adds chunks at the end and changes nothing before.
    """
    if not len(index):
        return [], 0
    return _Scorer(index, plan).best(k)


class _Scorer:
    def __init__(self, index: ChunkIndex, plan: QueryPlan):
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
            has_fixed = np.zeros(len(base), dtype=bool)
            has_fixed[fixed] = True
            if self.plan.question.strict:
                base = np.where(has_fixed, base, 0)
            order = base + np.where(has_fixed & (base > 0), float(base.max()) + 1, 0)
        else:
            has_fixed, order = None, base
        more = len(self.plan.options.without) and LOOKED_INTO
        looked = self._top(order, LOOKED_INTO + more)
        chosen = self._top(order, k + more) if k > LOOKED_INTO else looked
        pairs = dict(zip(looked.tolist(), self._pairs(looked).tolist(), strict=True))
        return self._hits(chosen, pairs, coverage, has_fixed, k=k), int(np.count_nonzero(order > 0))

    def _top(self, order: Floats, size: int) -> Integers:
        if len(order) > size:
            candidates: Integers = np.argpartition(-order, size - 1)[:size]
            candidates = np.union1d(
                candidates, np.flatnonzero(order == order[candidates].min())[:size]
            )
        else:
            candidates = np.arange(len(order))
        return candidates[order[candidates] > 0]

    def _saturated(self, docs: Integers, counts: Floats) -> Floats:
        saturated: Floats = counts * (K1 + 1) / (counts + self.norm[docs])
        return saturated.astype(np.float32)

    def _add(self, concept: Concept) -> None:
        statistics = self.plan.statistics
        spellings = [self._chunks_naming(name) for name in concept.names]
        own = np.zeros(len(self.index), dtype=np.float32) if spellings else self.score
        cover = np.zeros(len(self.index), dtype=np.float32) if spellings else self.covered
        weight = full_weight = 0.0
        for unit in concept.units:
            idf = statistics.idf(unit)
            weight += concept.share(unit) * idf
            full_weight += concept.share(unit) * idf**2
            docs, counts = self._postings(unit)
            if concept.partial:
                docs, counts = docs[self.score[docs] > 0], counts[self.score[docs] > 0]
            own[docs] += concept.share(unit) * idf * self._saturated(docs, counts)
            if concept.counted:
                cover[docs] += concept.share(unit) * idf**2
        if concept.counted:
            self.total += full_weight
        if spellings:
            self._merge(concept, own, cover, spellings, weight=weight, full_weight=full_weight)

    def _merge(
        self,
        concept: Concept,
        own: Floats,
        cover: Floats,
        spellings: Sequence[tuple[Integers, Floats]],
        *,
        weight: float,
        full_weight: float,
    ) -> None:
        """A chunk gets the better of the keyword's own words and all its names counted together."""
        counts = np.zeros(len(self.index), dtype=np.float32)
        for docs, unit_counts in [*spellings, self._chunks_naming(concept.row)]:
            counts[docs] += unit_counts
        docs = np.flatnonzero(counts)
        # Together: a chunk with "TNF" twice and "tumor necrosis factor" once holds the concept
        # three times.
        own[docs] = np.maximum(own[docs], weight * self._saturated(docs, counts[docs]))
        self.score += own
        if concept.counted:
            cover[docs] = full_weight
            self.covered += cover

    def _postings(self, unit: str) -> tuple[Integers, Floats]:
        """Chunks that hold a unit and how often; a symbol also where it stands apart (`IL 10`)."""
        number = self.index.unit(unit)
        rows = self.plan.apart.get(unit)
        if rows is None:
            return self.index.postings(number) if number >= 0 else NO_POSTINGS
        docs, counts = self.index.postings(number) if number >= 0 else NO_POSTINGS
        more, times = symbol_in_pieces(self.index, unit, rows)
        return np.concatenate((docs, more)), np.concatenate((counts, times))

    def _chunks_naming(self, name: Sequence[str]) -> tuple[Integers, Floats]:
        """Chunks that hold a name's units in a row, and how often."""
        symbol = next((unit for unit in name if unit in self.plan.apart), "")
        if symbol and set(name) <= {symbol, *(u for row in self.plan.apart[symbol] for u in row)}:
            docs, counts = self._postings(symbol)
            order = np.argsort(docs, kind="stable")
            return docs[order], counts[order]
        numbers = tuple(self.index.unit(unit) for unit in name)
        if not numbers or min(numbers) < 0:
            return NO_POSTINGS
        if len(numbers) == 1:
            return self.index.postings(numbers[0])
        docs = chunks_holding_all(self.index, numbers)
        # So many chunks hold the words that their order tells little, and reading all takes long.
        if len(docs) > PHRASE_LIMIT:
            return docs, np.ones(len(docs), dtype=np.float32)
        counts = (
            unbroken_runs(self.index, docs, [numbers])[0]
            if len(docs)
            else np.zeros(0, dtype=np.float32)
        )
        return docs[counts > 0], counts[counts > 0]

    def _fixed(self) -> Integers | None:
        """Chunks that hold every fixed keyword, by any of its names; None when nothing is fixed."""
        with_fixed: Integers | None = None
        for concept in self.plan.concepts:
            if concept.keyword.fixed:
                names = [concept.row, *concept.names]
                docs = np.unique(np.concatenate([self._chunks_naming(name)[0] for name in names]))
                with_fixed = (
                    docs
                    if with_fixed is None
                    else with_fixed[np.isin(with_fixed, docs, assume_unique=True)]
                )
        return with_fixed

    def _hits(
        self,
        chosen: Integers,
        bonus: Mapping[int, float],
        coverage: Floats,
        has_fixed: np.ndarray | None,
        *,
        k: int,
    ) -> list[RankedChunk]:
        """The best k of the chosen chunks, those with every fixed keyword before the others."""
        # Twice the score for a chunk that holds the whole question: one word many times is no
        # answer.
        factor = 1 + coverage if self.plan.coverage else np.ones(len(coverage), dtype=np.float32)
        pairs = np.array([bonus.get(number, 0.0) for number in chosen.tolist()])
        scores = (self.score[chosen] + pairs) * factor[chosen]
        fixed_order = (
            -has_fixed[chosen].astype(np.float32)
            if has_fixed is not None
            else np.zeros(len(chosen))
        )
        hits: list[RankedChunk] = []
        for place in np.lexsort((chosen, -scores, fixed_order)).tolist():
            number = int(chosen[place])
            if self._left_out(number):
                continue
            parts = {
                "words": round(float(self.score[number]), 4),
                "consecutive words": round(float(pairs[place]), 4),
            }
            if self.plan.coverage:
                parts["times coverage"] = round(float(factor[number]), 4)
            if has_fixed is not None:
                parts["fixed keywords contained"] = float(has_fixed[number])
            hits.append(RankedChunk(number, float(scores[place]), float(coverage[number]), parts))
            if len(hits) == k:
                break
        return hits

    def _left_out(self, number: int) -> bool:
        """Whether the curator excluded the chunk's paper."""
        without = self.plan.options.without
        return bool(without) and self.index.chunk(number).document in without

    def _pairs(self, chosen: Integers) -> Floats:
        bonus = np.zeros(len(chosen), dtype=np.float32)
        if not self.plan.coverage or not len(chosen):
            return bonus
        numbers = {
            pair: (self.index.unit(pair[0]), self.index.unit(pair[1])) for pair in self.plan.pairs
        }
        known_pairs = {pair: both for pair, both in numbers.items() if min(both) >= 0}
        if known_pairs:
            counts = unbroken_runs(self.index, chosen, list(known_pairs.values()))
            for pair, row in zip(known_pairs, counts, strict=True):
                weight = PAIR * self.plan.statistics.rarity(
                    self.plan.statistics.pairs.get(pair, 0.0)
                )
                bonus += weight * self._saturated(chosen, row)
        return bonus
