"""A graph as columns of JSON and back: what a new process reads in a tenth of the time that drawing
every statement takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

from core.kb.graph.graph import PLAIN, AssertionKind, GraphEdge, GraphMemory, GraphNode
from core.model import Category, Json

DRAWING = 2  # raise it when statements are drawn otherwise: in other words, between other ends


class _Numbered:
    """Values in the order in which they were first met, each by its number."""

    def __init__(self) -> None:
        self.number: dict[Any, int] = {}

    def of(self, value: Any) -> int:
        return self.number.setdefault(value, len(self.number))


def graph_columns(memory: GraphMemory) -> Json:
    """Each statement as a row of numbers: of its two ends, its label, its relation, how it is said;
    what these numbers mean stands beside.
    """
    ends, labels, relations, ways_said = (_Numbered() for _ in range(4))
    rows = [(line, memory.ends[id]) for id, line in sorted(memory.graph.statements.items())]
    return {
        "drawing": DRAWING,
        "statements": [line.statement for line, _ in rows],
        "sources": [ends.of(source) for _, (source, _) in rows],
        "targets": [ends.of(target) for _, (_, target) in rows],
        "labels": [labels.of(line.label) for line, _ in rows],
        "relations": [relations.of(line.predicate) for line, _ in rows],
        "said": [ways_said.of(line.said) for line, _ in rows],
        "points": [list(point[:5]) for point in memory.graph.points.values()],
        "notes": {key: point.notes for key, point in memory.graph.points.items() if point.notes},
        "names": {
            "ends": [[end.key, end.label, end.category, end.kind] for end in ends.number],
            "labels": list(labels.number),
            "relations": list(relations.number),
            "said": [list(said) for said in ways_said.number],
        },
    }


def memory_of_columns(columns: Json) -> GraphMemory | None:
    """The memory that `graph_columns` wrote; None for what is of another version or damaged."""
    try:
        return _memory(columns) if columns["drawing"] == DRAWING else None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None


def _memory(columns: Json) -> GraphMemory:
    names, notes = columns["names"], columns["notes"]
    category_by_name = {str(category): category for category in Category}
    ends = [
        GraphNode(key, label, category_by_name[category], kind)
        for key, label, category, kind in names["ends"]
    ]
    ids, sources, targets = (columns[name] for name in ("statements", "sources", "targets"))
    keys = [end.key for end in ends]
    rows = zip(
        ids,
        map(keys.__getitem__, sources),
        map(keys.__getitem__, targets),
        map(names["labels"].__getitem__, columns["labels"]),
        map(names["relations"].__getitem__, columns["relations"]),
        map(list(map(_assertion_kinds, names["said"])).__getitem__, columns["said"]),
        repeat(1, len(ids)),
        strict=True,
    )
    lines = map(GraphEdge._make, rows)
    pairs = zip(map(ends.__getitem__, sources), map(ends.__getitem__, targets), strict=True)
    memory = GraphMemory(
        nodes={(end.key, end.label, str(end.category)): end for end in ends if end.kind != "value"}
    )
    points = [
        GraphNode(
            key,
            label,
            category_by_name[category],
            kind=kind,
            degree=degree,
            notes=tuple(notes.get(key, ())),
        )
        for key, label, category, kind, degree in columns["points"]
    ]
    memory.begin(dict(zip(ids, lines, strict=True)), dict(zip(ids, pairs, strict=True)), points)
    return memory


def _assertion_kinds(kinds: Sequence[str]) -> tuple[AssertionKind, ...]:
    said = tuple(map(AssertionKind, kinds))
    return PLAIN if said == PLAIN else said
