"""A large graph at a glance: its categories as points, its relations between them as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from core.kb.graph.filter import EVERYTHING, GraphFilter
from core.kb.graph.graph import VALUE, Graph, GraphEdge, GraphNode
from core.kb.graph.neighbourhood import GraphView
from core.model import Category

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
