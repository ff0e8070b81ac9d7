"""What a ranking mode is: a name, a title, what it needs, and how it ranks a plan.

A mode is one file with a `MODE` and one line in `registry.py`; page, command line, comparison and
evaluation read that list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.literature.index.cluster import Spread
from core.literature.index.reader import ChunkIndex
from core.literature.query.plan import QueryPlan
from core.literature.ranking.ranked_chunk import Hit, RankedChunk
from core.literature.ranking.vectors import Vectors


@dataclass(frozen=True, slots=True)
class SearchedCorpus:
    """What is searched: its parts, how work is spread over them, and vectors where an embedding
    model is configured.
    """

    parts: tuple[ChunkIndex, ...]
    spread: Spread = map
    vectors: Vectors | None = None


@dataclass(frozen=True, slots=True)
class RankedHits:
    """The best hits, `total` as many as were ranked; `added` are words of broadening with their
    weights.
    """

    hits: Sequence[Hit]
    total: int
    added: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RankingMode:
    """`rank` gives the best k chunks of a plan. `needs_vectors`: an embedding model must be
    configured. `words_alone`: keywords found by rules are single words. `expands`: abbreviations
    are looked for by their long forms. `offered`: on the page; `compared`: beside others there.
    """

    name: str
    title: str
    says: str
    rank: Callable[[QueryPlan, SearchedCorpus, int], RankedHits]
    needs_vectors: bool = False
    words_alone: bool = False
    expands: bool = True
    offered: bool = True
    compared: bool = True


def best_first(ranked: Iterable[tuple[ChunkIndex, Iterable[RankedChunk]]]) -> list[Hit]:
    """The hits of all parts: those with every fixed keyword first, then by score."""
    hits = [(part, hit) for part, hits in ranked for hit in hits]
    hits.sort(
        key=lambda hit_of_part: (
            -hit_of_part[1].parts.get("fixed keywords contained", 0.0),
            -hit_of_part[1].score,
        )
    )
    return hits
