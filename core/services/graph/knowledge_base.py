"""What the Knowledge graph page and `export` and `import` do: the gate, the files, the view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.desk import Desk
from core.errors import GroundworkError
from core.kb.entry import ExportEntry, KnowledgeBase, LoggedStatement, Wording, document_of
from core.kb.formats.draft import draft as draft_text
from core.kb.formats.registry import FORMATS, format_named
from core.kb.formats.specification import ExportFormat
from core.kb.gate.gate import (
    HINTS,
    ExportRejection,
    GateReport,
    HoldReason,
)
from core.kb.graph import neighbourhood as graphs
from core.kb.graph.layout import SMALL, Frame, Position, frame_size, is_ring, lay_out
from core.kb.graph.neighbourhood import Graph, GraphFilter, GraphView
from core.kb.graph.picture import picture as drawn
from core.kb.rdf import iri
from core.model import (
    Category,
    Document,
    Evidence,
    Node,
    State,
    Statement,
    json_digest,
)
from core.schema.definition import Schema
from core.services.extract.run import schema_of
from core.services.graph.authority import ProjectIds, prefixes, schemas
from core.services.graph.export_file import replace_file
from core.services.graph.gate_memory import BATCH, GateMemory, ground_stamp
from core.services.releases.sources import notices
from core.services.review.queue import StatementRow, row
from core.store import Filter

__all__ = [
    "FORMATS",
    "HINTS",
    "ExportFormat",
    "ExportRejection",
    "GateReport",
    "Graph",
    "GraphFilter",
    "GraphView",
    "HoldReason",
    "format_named",
]


@dataclass(frozen=True, slots=True)
class Exported:
    """A written knowledge base, and what was held back from it."""

    content: bytes
    name: str  # of the file
    format: ExportFormat
    passage: GateReport


@dataclass(frozen=True, slots=True)
class Drawing:
    """A view with the place of each point, in pixels of its frame."""

    view: GraphView
    positions: Mapping[str, Position]
    frame: Frame
    ring: bool = False  # few things round one, labels outside

    @property
    def is_small(self) -> bool:
        """Whether it fits beside a table."""
        return len(self.view.points) <= SMALL


def gate_passage(desk: Desk, memory: GateMemory | None = None) -> GateReport:
    """Every statement of the project through the gate; a memory spares what it has examined."""
    return (memory or GateMemory()).report(desk)


def summary(held: Sequence[ExportRejection]) -> list[tuple[HoldReason, int]]:
    """How many are held for each reason, in the order of the reasons."""
    counts = Counter(export_rejection.why for export_rejection in held)
    return [(why, counts[why]) for why in HoldReason if counts[why]]


def knowledge_base(desk: Desk, entries: Sequence[ExportEntry]) -> KnowledgeBase:
    papers = {document_of(piece) for entry in entries for piece in entry.evidence} - {""}
    known = schemas(desk)
    return KnowledgeBase(
        iri.normal_base(desk.base_iri),
        tuple(entries),
        prefixes(known),
        {document.id: document for document in desk.store.documents.all() if document.id in papers},
        {curator.orcid: curator.name for curator in desk.store.curators.all()},
        wordings=wordings(desk),
        schemas=(*known, *schemas_of_runs(desk, entries)),
        notices=notices(desk, papers),
        log=lambda: decided(desk),
    )


def decided(desk: Desk) -> Iterator[LoggedStatement]:
    """Every statement that somebody decided, with all that was decided, sorted by id."""
    states = tuple(state for state in State if state is not State.PROPOSED)
    ids = sorted(desk.store.queue.ids(Filter(states=states)))
    for start in range(0, len(ids), BATCH):
        for record in desk.store.statements.of_ids(ids[start : start + BATCH]):
            yield LoggedStatement(record.statement, record.evidence, record.decisions, record.state)


def wordings(desk: Desk) -> tuple[Wording, ...]:
    """The words that curators chose terms for, where the term's id is still proven."""
    ids = ProjectIds(desk)
    known = (
        synonym for synonym in desk.store.synonyms.all() if not ids.by_vocabulary(synonym.term)
    )
    return tuple(Wording(one.words, one.term, one.curator, one.time) for one in known)


def schemas_of_runs(desk: Desk, entries: Sequence[ExportEntry]) -> list[Schema]:
    """The schemas, as they were, that objects without a name were extracted by: their files may be
    gone by now.
    """
    nodes = [
        e
        for e in entries
        if isinstance(e.statement.subject, Node) or isinstance(e.statement.object, Node)
    ]
    runs = sorted({piece.run for entry in nodes for piece in entry.evidence} - {""})
    found: dict[str, Schema] = {}
    for name in runs:
        try:
            run = desk.store.runs.get(name)
            if run.schema_text and run.schema_text not in found:
                found[run.schema_text] = schema_of(desk, run)
        except GroundworkError:
            continue
    return list(found.values())


def export(desk: Desk, name: str, through: GateReport | None = None) -> Exported:
    """The knowledge base in a format. Raises InputError for a format there is not."""
    wanted = format_named(name)
    gate_report = through or gate_passage(desk)
    content = wanted.write(knowledge_base(desk, gate_report.entries))
    return Exported(content, file_name(desk, wanted), wanted, gate_report)


def export_to(desk: Desk, name: str, path: Path) -> tuple[int, GateReport]:
    """Write a format to a file: its size in bytes, and the gate's report."""
    wanted, through = format_named(name), gate_passage(desk)
    return replace_file(path, wanted.chunks(knowledge_base(desk, through.entries))), through


def file_name(desk: Desk, format: ExportFormat) -> str:
    return f"{file_stem(desk)}{format.suffix}"


def file_stem(desk: Desk) -> str:
    """The project's name as files are called by it."""
    words = desk.settings.project_name or desk.settings.project.name
    stem = "".join(sign if sign.isalnum() else "-" for sign in words.casefold()).strip("-")
    return stem or "knowledge-base"


def draft(
    desk: Desk,
    statements: Sequence[tuple[Statement, Sequence[Evidence]]],
    documents: Sequence[Document] = (),
) -> str:
    """Undecided statements as Turtle that says so; `import_file` takes it as proposals."""
    return draft_text(statements, prefixes(schemas(desk)), desk.base_iri, documents)


def content_stamp(desk: Desk) -> str:
    """Changes whenever a statement, its evidence, a decision or a name does."""
    return desk.store.queue.stamp()


def approved(desk: Desk) -> Graph:
    """The graph of what is approved, and of nothing else."""
    return graphs.graph(desk.store.queue.claims(Filter(states=(State.APPROVED,))))


def gate_stamp(desk: Desk) -> str:
    """Changes whenever the gate may decide otherwise: a new decision, text, vocabulary, schema."""
    return json_digest([desk.store.queue.stamp(), ground_stamp(desk)])


def rows(desk: Desk, statements: Sequence[str], limit: int = 300) -> list[StatementRow]:
    """Statements as lines of a table, in the order given."""
    return [row(record) for record in desk.store.statements.of_ids(list(statements)[:limit])]


def without_values(graph: Graph) -> Graph:
    """The graph with values as notes of the things that have them."""
    return graphs.values_folded(graph)


def neighbourhood(
    graph: Graph,
    centre: str = "",
    radius: int = 1,
    also: Sequence[str] = (),
    filter: GraphFilter = graphs.EVERYTHING,
) -> Drawing:
    """What stands round a thing (default: the busiest), and one step round those in `also`."""
    start = centre or graph.busiest
    return drawing(graphs.neighbourhood(graph, start, radius, also=also, filter=filter))


def everything(graph: Graph, filter: GraphFilter = graphs.EVERYTHING) -> Drawing:
    return drawing(graphs.busiest_points(graph, filter=filter))


def paths(graph: Graph, start: str, end: str, filter: GraphFilter = graphs.EVERYTHING) -> Drawing:
    """What lies between two things: every shortest path. No points where there is none."""
    return drawing(graphs.shortest_paths(graph, start, end, filter=filter))


def drawing(view: GraphView) -> Drawing:
    return Drawing(view, lay_out(view), frame_size(view), is_ring(view))


def matching(graph: Graph, words: str) -> list[str]:
    """Keys of the things that these words may mean, the likeliest first."""
    return graphs.matching_things(graph, words)


def relations(graph: Graph) -> list[tuple[str, int]]:
    """The relations of the graph in words, with their statements counted, the most used first."""
    counted: Counter[str] = Counter()
    for name, lines in graph.lines.items():
        counted.update(line.predicate for line in lines if line.source == name)
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def picture(drawing: Drawing, colours: Mapping[Category, str], title: str) -> str:
    """The stand-alone web page of a view."""
    return drawn(drawing.view, drawing.positions, colours, title)
