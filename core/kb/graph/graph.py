"""The graph of what is approved: things as points, statements as lines between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from sys import intern
from typing import NamedTuple

from core.kb.entry import thing_key
from core.kb.formats.biolink import biolink_category
from core.model import Category, Literal, Modality, Node, Statement, Term, Thing, relation_words

VALUE = "value·"  # begins the key of a number or words: a point for each statement


PICTURES = {"svg": "image/svg+xml", "png": "image/png", "html": "text/html"}  # and media types
ALSO = "also "  # before another id of a thing, among its notes
SIZES = ("statements", "evidence")  # what the size of a thing shows


class AssertionKind(StrEnum):
    """How a statement is made: what is not plain is drawn in another line style."""

    PLAIN = "plain"
    NEGATED = "negated"
    HYPOTHETICAL = "hypothetical"
    BACKGROUND = "background"
    QUALIFIED = "qualified"


PLAIN = (AssertionKind.PLAIN,)


class GraphNode(NamedTuple):
    """A point. `degree` counts its statements in the whole graph, `distance` its steps from the
    nearest centre; `evidence` the pieces that its statements in view rest on, where counted.
    """

    key: str
    label: str
    category: Category
    kind: str = "term"  # term, node, value; group: all things of a category, in an overview
    degree: int = 0
    distance: int = 0
    notes: tuple[str, ...] = ()  # its values, where these are no points: `amount: 300 mg`
    evidence: int = 0

    @property
    def other_ids(self) -> tuple[str, ...]:
        """The ids in use of the thing, besides the one that it is drawn under."""
        return tuple(note.removeprefix(ALSO) for note in self.notes if note.startswith(ALSO))


class GraphEdge(NamedTuple):
    """A statement as a line; in an overview all statements of a relation between two categories,
    `weight` of them, and no statement's id. `label` is the relation with "not" and the like,
    `predicate` without.
    """

    statement: str
    source: str
    target: str
    label: str
    predicate: str = ""
    said: tuple[AssertionKind, ...] = PLAIN
    weight: int = 1  # statements in an overview, else pieces of evidence where counted

    @property
    def is_plain(self) -> bool:
        return self.said == PLAIN

    @property
    def negated(self) -> bool:
        return AssertionKind.NEGATED in self.said


@dataclass(frozen=True, slots=True)
class Graph:
    """Things by key, each thing's lines, sorted by statement, and every line by its statement."""

    points: Mapping[str, GraphNode]
    lines: Mapping[str, tuple[GraphEdge, ...]]
    statements: Mapping[str, GraphEdge]

    @property
    def busiest(self) -> str:
        """Where to begin: the thing with most statements, by label where equal; empty when there is
        none.
        """
        points = (point for point in self.points.values() if point.kind != "value")
        return min(points, key=lambda p: (-p.degree, p.label, p.key), default=EMPTY).key

    def every_line(self) -> Iterable[GraphEdge]:
        """Each line once."""
        return self.statements.values()


EMPTY = GraphNode("", "", Category.THING)


Ends = tuple[GraphNode, GraphNode]  # of a statement: where its line begins, and where it ends


@dataclass(slots=True)
class GraphMemory:
    """A graph that changes with each decision, without being rebuilt. `ends` are those of each
    statement as it names them.
    """

    ends: dict[str, Ends] = field(default_factory=dict)
    graph: Graph = field(default_factory=lambda: Graph({}, lines={}, statements={}))
    nodes: dict[tuple[str, str, str], GraphNode] = field(default_factory=dict)  # one of equal ones
    also: Callable[[str], Iterable[str]] = lambda key: ()  # the other ids of a thing

    def update(self, added: Iterable[tuple[str, Statement]], removed: Iterable[str] = ()) -> Graph:
        """The graph with these statements (each with its id) more and those less; older graphs stay
        as they are.
        """
        new: dict[str, GraphEdge] = {}
        new_ends: dict[str, Ends] = {}
        for id, statement in added:
            new[id], (source, target) = draw_statement(statement, id)
            new_ends[id] = self._shared(source), self._shared(target)
        if not self.ends:
            return self.begin(new, new_ends)
        before = self.graph.statements
        gone = {id: before[id] for id in removed if id in before}
        self.ends |= new_ends
        changed: dict[str, set[str]] = {}
        for line in (*gone.values(), *new.values()):
            for key in (line.source, line.target):
                changed.setdefault(key, set()).add(line.statement)
        points, lines = dict(self.graph.points), dict(self.graph.lines)
        statements = {id: line for id, line in before.items() if id not in gone} | new
        for key, ids in changed.items():
            own = {line.statement for line in lines.get(key, ())} - gone.keys()
            own |= ids & new.keys()
            if own:
                lines[key] = tuple(statements[id] for id in sorted(own))
                points[key] = self._settled(key, lines[key])
            else:
                points.pop(key, None)
                lines.pop(key, None)
        for id in gone:
            del self.ends[id]
        self.graph = Graph(points, lines, statements)
        return self.graph

    def begin(
        self,
        statements: dict[str, GraphEdge],
        ends: dict[str, Ends],
        points: Iterable[GraphNode] = (),
    ) -> Graph:
        """The graph of these statements and of no others, whose points may be known already."""
        self.ends = ends
        by_end: defaultdict[str, list[GraphEdge]] = defaultdict(list)
        for id in sorted(statements):
            line = statements[id]
            by_end[line.source].append(line)
            if line.target != line.source:
                by_end[line.target].append(line)
        lines = {key: tuple(own) for key, own in by_end.items()}
        known = {point.key: point for point in points}
        settled = known or {key: self._settled(key, own) for key, own in lines.items()}
        self.graph = Graph(settled, lines, statements)
        return self.graph

    def _shared(self, end: GraphNode) -> GraphNode:
        """The same end for all statements that name it alike."""
        if end.kind == "value":
            return end
        return self.nodes.setdefault((end.key, end.label, end.category), end)

    def _settled(self, key: str, own: Sequence[GraphEdge]) -> GraphNode:
        """A thing is called as its first statement calls it; its values are its notes."""
        first = own[0]
        end = self.ends[first.statement][0 if first.source == key else 1]
        notes = tuple(
            f"{line.label}: {self.ends[line.statement][1].label}"
            for line in own
            if line.target.startswith(VALUE) and line.source == key
        )
        notes = (*(f"{ALSO}{id}" for id in self.also(key)), *notes)
        return GraphNode(key, end.label, end.category, kind=end.kind, degree=len(own), notes=notes)


def graph(statements: Iterable[Statement]) -> Graph:
    return GraphMemory().update((statement.id, statement) for statement in statements)


def draw_statement(statement: Statement, id: str) -> tuple[GraphEdge, Ends]:
    """A statement as a line, and its two ends."""
    source, target = (
        point_key(thing, statement, id) for thing in (statement.subject, statement.object)
    )
    kinds = assertion_kinds(statement)
    relation = intern(relation_words(statement.predicate))
    words = ["not", relation] if statement.negated else [relation]
    if statement.modality is not Modality.ASSERTED:
        words.append(f"({statement.modality})")
    if statement.qualifiers:
        words.append("†")
    line = GraphEdge(
        id, source, target, label=intern(" ".join(words)), predicate=relation, said=kinds
    )
    return line, (point(source, statement.subject), point(target, statement.object))


def assertion_kinds(statement: Statement) -> tuple[AssertionKind, ...]:
    """All that holds of how a statement is said, what is drawn first."""
    kinds = [
        kind
        for kind, holds in (
            (AssertionKind.NEGATED, statement.negated),
            (AssertionKind.HYPOTHETICAL, statement.modality is Modality.HYPOTHESIS),
            (AssertionKind.BACKGROUND, statement.modality is Modality.BACKGROUND),
            (AssertionKind.QUALIFIED, bool(statement.qualifiers)),
        )
        if holds
    ]
    return tuple(kinds) if kinds else PLAIN


def point_key(thing: Thing, statement: Statement, id: str) -> str:
    """A value is a point of its own for each statement; everything else is one point."""
    return f"{VALUE}{id}" if isinstance(thing, Literal) else thing_key(thing, statement.document)


def point(name: str, thing: Thing) -> GraphNode:
    match thing:
        case Term(id=curie, label=label):
            return GraphNode(name, label or curie, biolink_category(thing))
        case Node(cls=cls, label=label, category=category):
            return GraphNode(name, label or cls, category, "node")
        case Literal(value=value, unit=unit):
            return GraphNode(name, f"{value} {unit}".strip(), Category.THING, "value")
