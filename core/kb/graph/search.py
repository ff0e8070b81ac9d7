"""Things by the words of their labels, while these are typed."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from core.kb.graph.graph import Graph, GraphNode
from core.model import fold_words

MOST = 50


def _ids(name: str, point: GraphNode) -> list[str]:
    """All ids of a point, in lower case."""
    return [name.casefold(), *(id.casefold() for id in point.other_ids)]


class ThingIndex:
    """The labels of a graph, folded once."""

    def __init__(self, graph: Graph) -> None:
        self._rows: Sequence[tuple[str, str, int, str]] = [
            (fold_words(point.label), " ".join(_ids(name, point)), -point.degree, name)
            for name, point in graph.points.items()
            if point.kind != "value"
        ]

    def matching(self, words: str, most: int = MOST) -> list[str]:
        """Keys of things whose label has all these words, or whose id holds them: those that begin
        with them first, then the busiest.
        """
        folded_words = fold_words(words)
        parts = folded_words.split()
        if not parts:
            return []
        ranked = (
            (
                not (label.startswith(folded_words) or folded_words in ids.split()),
                degree,
                label,
                name,
            )
            for label, ids, degree, name in self._rows
            if all(part in label for part in parts) or folded_words in ids
        )
        return [name for *_, name in heapq.nsmallest(most, ranked)]
