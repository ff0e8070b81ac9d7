"""What of a graph is drawn, and things by the words of their labels, while these are typed."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from core.kb.graph.graph import PLAIN, VALUE, AssertionKind, Graph, GraphEdge, GraphNode
from core.model import fold_words

LineTest = Callable[[GraphEdge], bool]


@dataclass(frozen=True, slots=True)
class GraphPart:
    """One part of an overview: what a category takes part in, or, with `other`, a relation (or any)
    from one category to another.
    """

    kind: str
    relation: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class AllowedNames:
    """Names that pass: of `only`, unless that is empty, and none of `without`."""

    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def __contains__(self, name: object) -> bool:
        return (not self.only or name in self.only) and name not in self.without

    @property
    def is_open(self) -> bool:
        return not self.only and not self.without


def read_allowed_names(names: Iterable[str]) -> AllowedNames:
    """What names say: those that pass alone, and with a minus those that are left out.

    >>> names = read_allowed_names(["treats", "causes", "-causes"])
    >>> "treats" in names, "causes" in names, "affects" in names
    (True, False, False)
    """
    signed_names = set(names)
    without = frozenset(name[1:] for name in signed_names if name.startswith("-"))
    return AllowedNames(
        frozenset(name for name in signed_names if not name.startswith("-")), without
    )


ANY = AllowedNames()


@dataclass(frozen=True, slots=True)
class GraphFilter:
    """What is drawn; what is empty or None does not restrict.

    `relations` are in words, `kinds` are categories of things (both ends of a line), `said` are
    values of `AssertionKind`. `statements` are those that pass what only the store knows: papers,
    curators, dates, evidence. Without `values` numbers and words are notes of their things.
    """

    relations: AllowedNames = ANY
    kinds: AllowedNames = ANY
    said: AllowedNames = ANY
    hidden: frozenset[str] = frozenset()
    statements: frozenset[str] | None = None
    part: GraphPart | None = None
    values: bool = True

    @property
    def drops_values_only(self) -> bool:
        """Whether all else is drawn."""
        return self == GraphFilter(values=False)

    def but_hidden(self, key: str) -> GraphFilter:
        """The same, with this thing shown."""
        return replace(self, hidden=self.hidden - {key})

    def passed(self, graph: Graph) -> Iterator[GraphEdge]:
        """Every line that is drawn; where the store named statements only these are looked at."""
        drawn, lines = graph.statements, graph.every_line()
        if self.statements is not None:
            lines = (drawn[id] for id in self.statements if id in drawn)
        for test in replace(self, statements=None)._tests(graph):
            lines = filter(test, lines)
        return iter(lines)

    def passing(self, graph: Graph) -> LineTest:
        """What says of a line whether it is drawn."""
        tests = self._tests(graph)
        return reduce(_both, tests) if tests else lambda line: True

    def _tests(self, graph: Graph) -> list[LineTest]:
        """What is asked of each line, that which most fail first; of what does not restrict nothing
        is asked.
        """
        tests: list[LineTest] = []
        if not self.relations.is_open:
            tests.append(lambda line: line.predicate in self.relations)
        if not self.said.is_open:
            tests.append(self._saying())
        if (statements := self.statements) is not None:
            tests.append(lambda line: line.statement in statements)
        if self.hidden:
            tests.append(lambda line: not {line.source, line.target} & self.hidden)
        if not self.kinds.is_open:
            tests.append(lambda line: self._of_kinds(line, graph))
        if (part := self.part) is not None:
            tests.append(lambda line: is_edge_of_part(part, line, graph))
        if not self.values:
            tests.append(lambda line: not line.target.startswith(VALUE))
        return tests

    def _saying(self) -> LineTest:
        """The test of how a line is said; most are said plainly, which is decided once."""
        only, without = tuple(self.said.only), tuple(self.said.without)

        def passes(said: tuple[AssertionKind, ...]) -> bool:
            wanted = not only or any(kind in said for kind in only)
            return wanted and not any(kind in said for kind in without)

        plainly = passes(PLAIN)
        return lambda line: plainly if line.said is PLAIN else passes(line.said)

    def _of_kinds(self, line: GraphEdge, graph: Graph) -> bool:
        ends = (graph.points[key] for key in (line.source, line.target))
        return all(point.kind == "value" or point.category in self.kinds for point in ends)


def _both(first: LineTest, second: LineTest) -> LineTest:
    return lambda line: first(line) and second(line)


EVERYTHING = GraphFilter()


def is_edge_of_part(part: GraphPart, line: GraphEdge, graph: Graph) -> bool:
    source, target = (graph.points[key] for key in (line.source, line.target))
    if not part.other:
        return part.kind in (source.category, target.category)
    return (
        source.category == part.kind
        and target.category == part.other
        and (not part.relation or line.predicate == part.relation)
    )


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
