"""The graph of what is approved: things as points, statements as lines between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from sys import intern

from core.kb.entry import thing_key
from core.model import Category, Literal, Modality, Node, Statement, Term, Thing, relation_words

VALUE = "value·"  # begins the key of a number or words: a point for each statement


class Said(StrEnum):
    """How a statement is said: what is not plain is drawn in another line style."""

    PLAIN = "plain"
    NEGATED = "negated"
    HYPOTHETICAL = "hypothetical"
    BACKGROUND = "background"
    QUALIFIED = "qualified"


PLAIN = (Said.PLAIN,)


@dataclass(frozen=True, slots=True)
class GraphNode:
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


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A statement as a line; in an overview all statements of a relation between two categories,
    `count` of them, and no statement's id. `label` is the relation with "not" and the like,
    `predicate` without.
    """

    statement: str
    source: str
    target: str
    label: str
    predicate: str = ""
    said: tuple[Said, ...] = PLAIN
    count: int = 1  # statements in an overview, else pieces of evidence where counted

    @property
    def is_plain(self) -> bool:
        return self.said == PLAIN

    @property
    def negated(self) -> bool:
        return Said.NEGATED in self.said


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


@dataclass(frozen=True, slots=True)
class DrawnStatement:
    """A statement as a line and its two ends."""

    line: GraphEdge
    source: GraphNode
    target: GraphNode


@dataclass(slots=True)
class GraphMemory:
    """A graph that changes with each decision, without being built anew."""

    drawn: dict[str, DrawnStatement] = field(default_factory=dict)
    graph: Graph = field(default_factory=lambda: Graph({}, {}, {}))
    nodes: dict[tuple[str, str, str], GraphNode] = field(default_factory=dict)  # one of equal ones

    def update(self, added: Iterable[tuple[str, Statement]], removed: Iterable[str] = ()) -> Graph:
        """The graph with these statements (each with its id) more and those less; older graphs stay
        as they are.
        """
        new = {id: self._drawn(draw_statement(statement, id)) for id, statement in added}
        gone = {id: self.drawn.pop(id) for id in removed if id in self.drawn}
        self.drawn |= new
        ends: dict[str, dict[str, None]] = {}
        for id, drawing in (*gone.items(), *new.items()):
            for key in (drawing.line.source, drawing.line.target):
                ends.setdefault(key, {})[id] = None
        points, lines = dict(self.graph.points), dict(self.graph.lines)
        statements = {id: line for id, line in self.graph.statements.items() if id not in gone}
        statements |= {id: drawing.line for id, drawing in new.items()}
        for key, changed in ends.items():
            own = {line.statement for line in lines.get(key, ())} - gone.keys()
            own |= {id for id in changed if id in new}
            self._settle(key, sorted(own), points, lines)
        self.graph = Graph(points, lines, statements)
        return self.graph

    def _drawn(self, drawn: DrawnStatement) -> DrawnStatement:
        """The same with ends that are shared by all statements that name them alike."""
        return DrawnStatement(drawn.line, self._shared(drawn.source), self._shared(drawn.target))

    def _shared(self, end: GraphNode) -> GraphNode:
        if end.kind == "value":
            return end
        return self.nodes.setdefault((end.key, end.label, end.category), end)

    def _settle(
        self,
        key: str,
        ids: list[str],
        points: dict[str, GraphNode],
        lines: dict[str, tuple[GraphEdge, ...]],
    ) -> None:
        """A thing is called as its first statement calls it; one without statements is gone."""
        if not ids:
            points.pop(key, None)
            lines.pop(key, None)
            return
        drawing = self.drawn[ids[0]]
        end = drawing.source if drawing.line.source == key else drawing.target
        own = [self.drawn[id] for id in ids]
        notes = tuple(
            f"{drawing.line.label}: {drawing.target.label}"
            for drawing in own
            if drawing.target.kind == "value" and drawing.line.source == key
        )
        points[key] = replace(end, degree=len(ids), notes=notes)
        lines[key] = tuple(drawing.line for drawing in own)


def graph(statements: Iterable[Statement]) -> Graph:
    return GraphMemory().update((statement.id, statement) for statement in statements)


def draw_statement(statement: Statement, id: str) -> DrawnStatement:
    source, target = (
        point_key(thing, statement, id) for thing in (statement.subject, statement.object)
    )
    kinds = said_of(statement)
    relation = intern(relation_words(statement.predicate))
    words = ["not", relation] if statement.negated else [relation]
    if statement.modality is not Modality.ASSERTED:
        words.append(f"({statement.modality})")
    if statement.qualifiers:
        words.append("†")
    line = GraphEdge(id, source, target, intern(" ".join(words)), relation, kinds)
    return DrawnStatement(line, point(source, statement.subject), point(target, statement.object))


def said_of(statement: Statement) -> tuple[Said, ...]:
    """All that holds of how a statement is said, what is drawn first."""
    kinds = [
        kind
        for kind, holds in (
            (Said.NEGATED, statement.negated),
            (Said.HYPOTHETICAL, statement.modality is Modality.HYPOTHESIS),
            (Said.BACKGROUND, statement.modality is Modality.BACKGROUND),
            (Said.QUALIFIED, bool(statement.qualifiers)),
        )
        if holds
    ]
    return tuple(kinds) if kinds else PLAIN


def point_key(thing: Thing, statement: Statement, id: str) -> str:
    """A value is a point of its own for each statement; everything else is one point."""
    return f"{VALUE}{id}" if isinstance(thing, Literal) else thing_key(thing, statement.document)


def point(name: str, thing: Thing) -> GraphNode:
    match thing:
        case Term(id=curie, label=label, category=category):
            return GraphNode(name, label or curie, category)
        case Node(cls=cls, label=label, category=category):
            return GraphNode(name, label or cls, category, "node")
        case Literal(value=value, unit=unit):
            return GraphNode(name, f"{value} {unit}".strip(), Category.THING, "value")
