"""What of the knowledge base is in view: round some things, between two, the busiest, or all of it
at a glance by categories; never more than can be read.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.kb.graph.filter import EVERYTHING, GraphFilter, LineTest
from core.kb.graph.graph import EMPTY, VALUE, Graph, GraphEdge, GraphNode
from core.model import Category

MOST_NODES = 300


@dataclass(frozen=True, slots=True)
class GraphView:
    """Points nearest to a centre first, lines sorted by statement; `cut` points would not fit.
    `folded` counts what was collapsed into a thing.
    """

    centres: tuple[str, ...] = ()
    points: tuple[GraphNode, ...] = ()
    lines: tuple[GraphEdge, ...] = ()
    cut: int = 0
    folded: tuple[tuple[str, int], ...] = ()


def neighbourhood(
    graph: Graph,
    centres: Sequence[str],
    *,
    radius: int = 1,
    most: int = MOST_NODES,
    also: Sequence[str] = (),
    filter: GraphFilter = EVERYTHING,
) -> GraphView:
    """The points at most `radius` statements away from one of the centres, or one away from those
    in `also`; the nearest and busiest first, at most `most` of them.
    """
    centres_drawn = tuple(dict.fromkeys(name for name in centres if name in graph.points))
    distances: dict[str, int] = {}
    further = [name for name in also if name in graph.points and name not in filter.hidden]
    for centre, reach in [(centre_drawn, radius) for centre_drawn in centres_drawn] + [
        (centre_drawn, 1) for centre_drawn in further
    ]:
        for name, steps in steps_from_centre(graph, centre, reach, filter).items():
            distances[name] = min(steps, distances.get(name, steps))
    ranked = heapq.nsmallest(
        most, distances, key=lambda name: (distances[name], -graph.points[name].degree, name)
    )
    return view(
        graph,
        centres_drawn,
        ranked,
        cut=len(distances) - len(ranked),
        distances=distances,
        filter=filter,
    )


def next_centre(graph: Graph, hidden: str, filter: GraphFilter = EVERYTHING) -> str:
    """The busiest neighbour of a hidden thing, by what is drawn; "" where there is none."""
    passes = filter.but_hidden(hidden).passing(graph)
    ends = (
        graph.points[line.target if line.source == hidden else line.source]
        for line in graph.lines[hidden]
        if passes(line)
    )
    near = (point for point in ends if point.key != hidden and point.kind != "value")
    return min(near, key=lambda p: (-p.degree, p.label, p.key), default=EMPTY).key


def busiest_points(
    graph: Graph, most: int = MOST_NODES, filter: GraphFilter = EVERYTHING
) -> GraphView:
    """Everything that has a line to show, the busiest first, at most `most` points."""
    degrees = shown_degrees(graph, filter)
    ranked = heapq.nsmallest(most, degrees, key=lambda name: (-degrees[name], name))
    return view(
        graph, centres=(), names=ranked, cut=len(degrees) - len(ranked), distances={}, filter=filter
    )


def shown_degrees(graph: Graph, filter: GraphFilter) -> Mapping[str, int]:
    """How many lines that are to be shown each thing has; nothing of a thing that has none."""
    if filter.drops_values_only:  # then nobody has to look at every line
        things_shown = (point for point in graph.points.values() if point.kind != "value")
        counts = ((point.key, point.degree - len(point.notes)) for point in things_shown)
        return {key: count for key, count in counts if count}
    degrees: Counter[str] = Counter()
    for line in filter.passed(graph):
        degrees[line.source] += 1
        if line.target != line.source:
            degrees[line.target] += 1
    return degrees


def shortest_paths(
    graph: Graph, start: str, end: str, *, most: int = MOST_NODES, filter: GraphFilter = EVERYTHING
) -> GraphView:
    """Every shortest path between two things, whichever way the statements point; empty if none."""
    centres = (start, end)
    if start not in graph.points or end not in graph.points:
        return GraphView(centres)
    ahead = distances_from(graph, start, filter, until=end)
    if end not in ahead:
        return GraphView(centres)
    passes = filter.passing(graph)
    length, names, edge = ahead[end], {end: None}, [end]
    for steps in range(length - 1, -1, -1):  # back along what is one step nearer to the start
        nearer = (neighbour for name in edge for neighbour in neighbours(graph, name, passes))
        edge = list(dict.fromkeys(name for name in nearer if ahead.get(name) == steps))
        names |= dict.fromkeys(edge)
    ranked = sorted(names, key=lambda name: (name not in centres, ahead[name], name))
    return view(
        graph, centres, ranked[:most], cut=len(ranked) - most, distances=ahead, filter=filter
    )


def distances_from(
    graph: Graph, start: str, filter: GraphFilter, until: str = ""
) -> dict[str, int]:
    """Statements between a thing and the others that it is tied to, no further than to `until`."""
    passes = filter.passing(graph)
    distances, edge = {start: 0}, [start]
    while edge and until not in distances:
        following = []
        for name in edge:
            for neighbour in neighbours(graph, name, passes):
                if neighbour not in distances:
                    distances[neighbour] = distances[name] + 1
                    following.append(neighbour)
        edge = following
    return distances


def steps_from_centre(
    graph: Graph, centre: str, radius: int, filter: GraphFilter = EVERYTHING
) -> dict[str, int]:
    """Steps from the centre; a Node is no step of its own, so that a recipe shows its ingredients'
    terms.
    """
    passes = filter.passing(graph)
    distances, edge = {centre: 0}, [centre]
    while edge:
        following = []
        for name in edge:
            step = 0 if graph.points[name].kind == "node" and name != centre else 1
            if distances[name] + step > radius:
                continue
            for neighbour in neighbours(graph, name, passes):
                if neighbour not in distances:
                    distances[neighbour] = distances[name] + step
                    following.append(neighbour)
        edge = following
    return distances


def neighbours(graph: Graph, name: str, passes: LineTest) -> Iterable[str]:
    for line in graph.lines[name]:
        if passes(line):
            yield line.target if line.source == name else line.source


def view(  # noqa: PLR0917
    graph: Graph,
    centres: tuple[str, ...],
    names: Sequence[str],
    cut: int,
    distances: Mapping[str, int],
    filter: GraphFilter = EVERYTHING,
) -> GraphView:
    names_drawn, passes = set(names), filter.passing(graph)
    lines = {
        line.statement: line
        for name in names
        for line in graph.lines[name]
        if line.target in names_drawn and line.source == name and passes(line)
    }
    points = tuple(
        point._replace(
            distance=distances.get(point.key, 0),
            notes=() if filter.values else point.notes,
        )
        for point in (graph.points[name] for name in names)
    )
    return GraphView(centres, points, tuple(lines[id] for id in sorted(lines)), max(cut, 0))


def folded(view: GraphView, names: Sequence[str]) -> GraphView:
    """The view with these things collapsed: what hangs on one of them alone is taken out."""
    others: dict[str, set[str]] = {point.key: set() for point in view.points}
    for line in view.lines:
        others[line.source].add(line.target)
        others[line.target].add(line.source)
    collapsed = [name for name in names if name in others]
    inside = {
        name: {
            neighbour
            for neighbour in others[name]
            if others[neighbour] <= {name} and neighbour not in (*view.centres, *collapsed)
        }
        for name in collapsed
    }
    gone = set[str]().union(*inside.values()) if inside else set()
    return replace(
        view,
        points=tuple(point for point in view.points if point.key not in gone),
        lines=tuple(ln for ln in view.lines if ln.source not in gone and ln.target not in gone),
        folded=tuple((name, len(hidden)) for name, hidden in inside.items()),
    )


GROUP = "group·"  # begins the key of a category's point
# relations from one category to another that have a line of their own, by how many such pairs there
# are at most
EACH = ((6, 3), (12, 1))


def overview(graph: Graph, filter: GraphFilter = EVERYTHING) -> GraphView:
    """How many things there are of each category, and how many statements of each relation between
    two of them; the rarer ones between the same two are one line without a relation.
    """
    drawn = [line for line in filter.passed(graph) if not line.target.startswith(VALUE)]
    sources, targets = [line.source for line in drawn], [line.target for line in drawn]
    tied = {*sources, *targets}
    # asked of a hundred thousand lines: each step is one call
    category_of = {key: graph.points[key].category for key in tied}.__getitem__
    relations = (line.predicate for line in drawn)
    lines: Counter[tuple[str, str, str]] = Counter(
        zip(map(category_of, sources), relations, map(category_of, targets), strict=True)
    )
    category_counts = Counter(str(category_of(key)) for key in tied)
    points = tuple(
        GraphNode(GROUP + kind, f"{kind} · {count:,}", Category(kind), kind="group", degree=count)
        for kind, count in sorted(category_counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    return GraphView((), points, tuple(bundled(lines)))


def bundled(lines: Counter[tuple[str, str, str]]) -> Iterator[GraphEdge]:
    """The most used relations of each two categories, and one line for all others of them."""
    between: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for (source, relation, target), count in sorted(
        lines.items(), key=lambda pair: (-pair[1], pair[0])
    ):
        between.setdefault((source, target), []).append((relation, count))
    own_lines = next((number for most, number in EACH if len(between) <= most), 0)
    for (source, target), relations in between.items():
        ends = GROUP + source, GROUP + target
        own = relations if len(relations) == own_lines + 1 else relations[:own_lines]
        for relation, count in own:
            yield GraphEdge("", *ends, f"{relation} · {count:,}", relation, weight=count)
        counts_left = [count for _, count in relations[len(own) :]]
        if counts_left:
            words = f"{len(counts_left)} {'other ' * bool(own)}relations · {sum(counts_left):,}"
            yield GraphEdge("", *ends, words, weight=sum(counts_left))
