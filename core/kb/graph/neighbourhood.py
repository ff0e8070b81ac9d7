"""What of the knowledge base is in view: the neighbourhood of one thing, never more than can be
read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.kb.entry import thing_key
from core.model import (
    Category,
    Literal,
    Modality,
    Node,
    Statement,
    Term,
    Thing,
    fold_words,
    relation_words,
)

MOST_NODES = 300


@dataclass(frozen=True, slots=True)
class GraphNode:
    """Something in view. `degree` counts its statements in the whole graph, `distance` its steps
    from the centre.
    """

    key: str
    label: str
    category: Category
    kind: str = "term"  # term, node, value
    degree: int = 0
    distance: int = 0
    notes: tuple[
        str, ...
    ] = ()  # its values, where they are not points of their own: `amount: 300 mg`


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A statement in view. `is_plain` is False for what is negated, hypothetical or qualified: draw
    it differently.
    """

    statement: str
    source: str
    target: str
    label: str
    negated: bool = False
    is_plain: bool = True
    predicate: str = ""  # the relation in words, without "not" and the like


@dataclass(frozen=True, slots=True)
class GraphFilter:
    """What is drawn: only these relations (none named: all), and without these things."""

    predicates: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def shows(self, line: GraphEdge) -> bool:
        wanted = not self.predicates or line.predicate in self.predicates
        return wanted and line.source not in self.hidden and line.target not in self.hidden


EVERYTHING = GraphFilter()


@dataclass(frozen=True, slots=True)
class GraphView:
    """Points nearest to the centre first, lines sorted by statement; `cut` points would not fit."""

    centre: str
    points: tuple[GraphNode, ...] = ()
    lines: tuple[GraphEdge, ...] = ()
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Graph:
    """Things by key, and each thing's lines."""

    points: Mapping[str, GraphNode]
    lines: Mapping[str, tuple[GraphEdge, ...]]

    @property
    def busiest(self) -> str:
        """Where to begin: the thing with most statements, by label where equal; empty when there is
        none.
        """
        ranked = sorted(
            self.points.values(), key=lambda p: (p.kind == "value", -p.degree, p.label, p.key)
        )
        return ranked[0].key if ranked else ""


def graph(statements: Iterable[Statement]) -> Graph:
    points: dict[str, GraphNode] = {}
    lines: dict[str, list[GraphEdge]] = {}
    for statement in sorted(statements, key=lambda statement: statement.id):
        line = drawn(statement)
        for end, thing in ((line.source, statement.subject), (line.target, statement.object)):
            points.setdefault(end, point(end, thing))
            if line not in lines.setdefault(end, []):
                lines[end].append(line)
    counted = {name: with_degree(points[name], len(lines[name])) for name in points}
    return Graph(counted, {name: tuple(found) for name, found in lines.items()})


def drawn(statement: Statement) -> GraphEdge:
    source, target = (point_of(thing, statement) for thing in (statement.subject, statement.object))
    words = [relation_words(statement.predicate)]
    words = ["not", *words] if statement.negated else words
    if statement.modality is not Modality.ASSERTED:
        words.append(f"({statement.modality})")
    if statement.qualifiers:
        words.append("†")
    plain = (
        not statement.negated
        and statement.modality is Modality.ASSERTED
        and not statement.qualifiers
    )
    return GraphEdge(
        statement.id,
        source,
        target,
        " ".join(words),
        statement.negated,
        plain,
        relation_words(statement.predicate),
    )


def point_of(thing: Thing, statement: Statement) -> str:
    """A value is a point of its own for each statement; everything else is one point."""
    return (
        f"value·{statement.id}"
        if isinstance(thing, Literal)
        else thing_key(thing, statement.document)
    )


def point(name: str, thing: Thing) -> GraphNode:
    match thing:
        case Term(id=curie, label=label, category=category):
            return GraphNode(name, label or curie, category)
        case Node(cls=cls, label=label, category=category):
            return GraphNode(name, label or cls, category, "node")
        case Literal(value=value, unit=unit):
            return GraphNode(name, f"{value} {unit}".strip(), Category.THING, "value")


def with_degree(point: GraphNode, degree: int, distance: int = 0) -> GraphNode:
    return replace(point, degree=degree, distance=distance)


def neighbourhood(
    graph: Graph,
    centre: str,
    radius: int = 1,
    most: int = MOST_NODES,
    also: Sequence[str] = (),
    filter: GraphFilter = EVERYTHING,
) -> GraphView:
    """The points at most `radius` statements away from the centre, or one away from those in
    `also`; the nearest and busiest first, at most `most` of them.
    """
    if centre not in graph.points:
        return GraphView(centre)
    distances = steps_from_centre(graph, centre, radius, filter)
    for other in also:
        if other in graph.points and other not in filter.hidden:
            for name, steps in steps_from_centre(graph, other, 1, filter).items():
                distances.setdefault(name, steps)
    ranked = sorted(distances, key=lambda name: (distances[name], -graph.points[name].degree, name))
    return view(graph, centre, ranked[:most], len(ranked) - most, distances, filter)


def busiest_points(
    graph: Graph, most: int = MOST_NODES, filter: GraphFilter = EVERYTHING
) -> GraphView:
    """Everything, the busiest first, at most `most` points."""
    names = [
        name
        for name in graph.points
        if name not in filter.hidden
        and (not filter.predicates or any(filter.shows(line) for line in graph.lines[name]))
    ]
    ranked = sorted(names, key=lambda name: (-graph.points[name].degree, name))
    return view(graph, "", ranked[:most], len(ranked) - most, {}, filter)


def shortest_paths(
    graph: Graph, start: str, end: str, most: int = MOST_NODES, filter: GraphFilter = EVERYTHING
) -> GraphView:
    """Every shortest path between two things, whichever way the statements point; empty if none."""
    if start not in graph.points or end not in graph.points:
        return GraphView(start)
    ahead, back = (distances_from(graph, name, filter) for name in (start, end))
    if end not in ahead:
        return GraphView(start)
    length = ahead[end]
    names = [name for name in ahead if ahead[name] + back.get(name, length + 1) == length]
    ranked = sorted(names, key=lambda name: (name not in (start, end), ahead[name], name))
    return view(graph, start, ranked[:most], len(ranked) - most, ahead, filter)


def distances_from(graph: Graph, start: str, filter: GraphFilter) -> dict[str, int]:
    """Statements between a thing and every other that it is tied to."""
    distances, edge = {start: 0}, [start]
    while edge:
        following = []
        for name in edge:
            for other in neighbours(graph, name, filter):
                if other not in distances:
                    distances[other] = distances[name] + 1
                    following.append(other)
        edge = following
    return distances


def matching_things(graph: Graph, words: str, most: int = 50) -> list[str]:
    """Things whose label or id has these words: those that begin with them first, then the
    busiest.
    """
    wanted = fold_words(words)
    ranked = []
    for name, point in graph.points.items():
        label = fold_words(point.label)
        if point.kind != "value" and (wanted in label or wanted in name.casefold()):
            begins = label.startswith(wanted) or name.casefold() == wanted
            ranked.append((not begins, -point.degree, label, name))
    return [name for *_, name in sorted(ranked)[:most]]


def values_folded(graph: Graph) -> Graph:
    """The graph with each value as a note of the thing that has it, instead of a point and a line
    of its own.
    """
    points = {name: point for name, point in graph.points.items() if point.kind != "value"}
    for name, point in points.items():
        valued = [line for line in graph.lines[name] if graph.points[line.target].kind == "value"]
        notes = tuple(f"{line.label}: {graph.points[line.target].label}" for line in valued)
        points[name] = replace(point, notes=notes)
    return Graph(
        points,
        {name: tuple(ln for ln in graph.lines[name] if ln.target in points) for name in points},
    )


def steps_from_centre(
    graph: Graph, centre: str, radius: int, filter: GraphFilter = EVERYTHING
) -> dict[str, int]:
    """Steps from the centre; a Node is no step of its own, so that a recipe shows its ingredients'
    terms.
    """
    distances, edge = {centre: 0}, [centre]
    while edge:
        following = []
        for name in edge:
            step = 0 if graph.points[name].kind == "node" and name != centre else 1
            if distances[name] + step > radius:
                continue
            for other in neighbours(graph, name, filter):
                if other not in distances:
                    distances[other] = distances[name] + step
                    following.append(other)
        edge = following
    return distances


def neighbours(graph: Graph, name: str, filter: GraphFilter = EVERYTHING) -> list[str]:
    lines = (line for line in graph.lines[name] if filter.shows(line))
    return [line.target if line.source == name else line.source for line in lines]


def view(
    graph: Graph,
    centre: str,
    names: Sequence[str],
    cut: int,
    distances: Mapping[str, int],
    filter: GraphFilter = EVERYTHING,
) -> GraphView:
    kept = set(names)
    points = tuple(
        with_degree(graph.points[n], graph.points[n].degree, distances.get(n, 0)) for n in names
    )
    lines = {
        line
        for name in names
        for line in graph.lines[name]
        if line.source in kept and line.target in kept and filter.shows(line)
    }
    return GraphView(
        centre, points, tuple(sorted(lines, key=lambda line: line.statement)), max(cut, 0)
    )
