"""What a ranker must know of the whole corpus: how many chunks, how long, how often a unit or a
pair occurs.

Statistics of parts add up, so a corpus in parts (several namespaces, several machines) ranks as
one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from core.literature.index.reader import ChunkIndex, Floats, Integers
from core.literature.index.tokens import Rows

PROBED = 4_000  # chunks with the rarer unit of a pair that are asked for the other
CHUNKS_SAMPLED = 100  # chunks looked into for a pair
LOOKED_THROUGH = 2_000  # chunks that hold the pieces of a symbol
NOTHING: Integers = np.zeros(0, dtype=np.int64)

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """`spread`: in how many chunks a unit occurs; `pairs`: in how many one directly follows another
    (estimated).
    """

    chunks: int = 0
    total_length: float = 0.0
    spread: Mapping[str, int] = field(default_factory=dict)
    pairs: Mapping[Pair, float] = field(default_factory=dict)

    @property
    def average(self) -> float:
        return self.total_length / self.chunks if self.chunks else 1.0

    def rarity(self, occurrences: float) -> float:
        """BM25's inverse document frequency, never negative."""
        return math.log(1 + (self.chunks - occurrences + 0.5) / (occurrences + 0.5))

    def idf(self, unit: str) -> float:
        return self.rarity(self.spread.get(unit, 0))


def measure_index(
    index: ChunkIndex,
    units: Iterable[str],
    pairs: Iterable[Pair] = (),
    symbols: Mapping[str, Rows] | None = None,
) -> CorpusStatistics:
    """What one part of a corpus says of these units and pairs; a symbol counts where its letters
    and digits stand apart, too.
    """
    spread = {unit: index.spread(index.unit(unit)) for unit in units}
    for symbol, rows in (symbols or {}).items():
        spread[symbol] = spread.get(symbol, 0) + len(symbol_in_pieces(index, symbol, rows)[0])
    return CorpusStatistics(
        len(index),
        float(index.average * len(index)),
        spread,
        {pair: pair_spread(index, pair) for pair in pairs},
    )


def symbol_in_pieces(index: ChunkIndex, symbol: str, rows: Rows) -> tuple[Integers, Floats]:
    """The chunks that hold a symbol only as one of these rows of units (`IL 10`), and how often; at
    most LOOKED_THROUGH chunks are looked through for each.
    """
    remembered = index.apart
    if symbol not in remembered:
        remembered[symbol] = _apart(index, symbol, rows)
    return remembered[symbol]


def _apart(index: ChunkIndex, symbol: str, rows: Rows) -> tuple[Integers, Floats]:
    holding = index.holders(number) if (number := index.unit(symbol)) >= 0 else NOTHING
    chunks, counts = [NOTHING], [NOTHING.astype(np.float32)]
    for row in rows:
        numbers = tuple(index.unit(unit) for unit in row)
        if not numbers or min(numbers) < 0:
            continue
        docs = chunks_holding_all(index, numbers)
        docs = docs[np.isin(docs, holding, invert=True)][:LOOKED_THROUGH]
        if len(docs):
            times = unbroken_runs(index, docs, [numbers])[0]
            chunks.append(docs[times > 0])
            counts.append(times[times > 0].astype(np.float32))
            holding = np.union1d(holding, chunks[-1])
    docs = np.concatenate(chunks)
    order = np.argsort(docs, kind="stable")
    return docs[order], np.concatenate(counts)[order]


def add_up(parts: Iterable[CorpusStatistics]) -> CorpusStatistics:
    chunks, length = 0, 0.0
    spread: dict[str, int] = {}
    pairs: dict[Pair, float] = {}
    for part in parts:
        chunks += part.chunks
        length += part.total_length
        for unit, count in part.spread.items():
            spread[unit] = spread.get(unit, 0) + count
        for pair, estimate in part.pairs.items():
            pairs[pair] = pairs.get(pair, 0.0) + estimate
    return CorpusStatistics(chunks, length, spread, pairs)


def pair_spread(index: ChunkIndex, pair: Pair) -> float:
    """In how many chunks the second unit directly follows the first; from an even sample of those
    that hold both.
    """
    remembered = index.pairs
    if pair not in remembered:
        remembered[pair] = _pair_spread(index, pair)
    return remembered[pair]


def _pair_spread(index: ChunkIndex, pair: Pair) -> float:
    first_unit, second = index.unit(pair[0]), index.unit(pair[1])
    if first_unit < 0 or second < 0:
        return 0.0
    rarer, commoner = sorted((first_unit, second), key=index.spread)
    step = max(1, index.spread(rarer) // PROBED)
    both = _shared(index.holders(rarer, step), index.holders(commoner))
    if not len(both):
        return 0.0
    sample = both[:: max(1, len(both) // CHUNKS_SAMPLED)]
    return (
        step
        * len(both)
        * float(np.mean(unbroken_runs(index, sample, [(first_unit, second)])[0] > 0))
    )


def chunks_holding_all(index: ChunkIndex, units: Iterable[int]) -> Integers:
    """The chunks that hold every one of these units, ascending."""
    holding: Integers | None = None
    for unit in sorted(set(units), key=index.spread):
        docs = index.holders(unit)
        holding = docs if holding is None else _shared(holding, docs)
    return holding if holding is not None else np.zeros(0, dtype=np.int64)


def _shared(few: Integers, many: Integers) -> Integers:
    """What two ascending arrays share; quick also when the first is much shorter."""
    if len(few) * 16 > len(many):
        return few[np.isin(few, many, assume_unique=True, kind=None)]
    return (
        few[many[np.searchsorted(many, few).clip(max=len(many) - 1)] == few] if len(many) else many
    )


def unbroken_runs(
    index: ChunkIndex, chunks: Integers, sequences: list[tuple[int, ...]]
) -> np.ndarray:
    """How often each sequence of units stands unbroken in each chunk: one row a sequence, one
    column a chunk.
    """
    line, sizes = index.sequences(chunks)
    ends = np.cumsum(sizes)
    run_counts = np.zeros((len(sequences), len(chunks)), dtype=np.float32)
    for row, sequence in enumerate(sequences):
        starts = np.flatnonzero(line[: len(line) - len(sequence) + 1] == sequence[0])
        for step, unit in enumerate(sequence[1:], start=1):
            starts = starts[line[starts + step] == unit]
        owner = np.searchsorted(ends, starts, side="right")
        whole = starts + len(sequence) <= ends[owner]
        run_counts[row] = np.bincount(owner[whole], minlength=len(chunks))
    return run_counts
