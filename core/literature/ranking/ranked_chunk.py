"""One ranked chunk of one part of a corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.literature.index.reader import ChunkIndex


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A ranked chunk. `coverage` is 0–1: the part of the question, by weight, that it holds.
    `parts` add up to the score as the mode's docstring says.
    """

    number: int
    score: float
    coverage: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)


Hit = tuple[ChunkIndex, RankedChunk]
