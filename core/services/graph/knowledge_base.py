"""What the Knowledge graph page and `export` and `import` do: the gate, the files, the view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.collector_pause import collector_paused
from core.desk_parts import HasFolder, HasProject, HasProjectTerms, HasStore
from core.errors import GroundworkError, Refused
from core.grounding.equivalents import Equivalents
from core.grounding.index.cross_references import ExactTies
from core.grounding.index.vocabulary_files import file_stamp
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    LoggedStatement,
    TaughtWords,
    document_of,
    settle_labels,
    terms_in,
)
from core.kb.formats.draft import draft as draft_text
from core.kb.formats.registry import FORMATS, format_named
from core.kb.formats.specification import ExportFormat, no_remarks
from core.kb.gate.gate import (
    HINTS,
    ExportRejection,
    GateReport,
    HoldReason,
)
from core.kb.gate.schema_shape import SchemaMismatch, schema_mismatches, schema_shapes
from core.kb.graph import graph as graphs
from core.kb.graph.graph import Graph
from core.kb.one_id_each import one_id_each
from core.kb.rdf import iri
from core.model import (
    Category,
    Document,
    Evidence,
    Node,
    Problem,
    State,
    Statement,
    Support,
    Term,
    best_of,
    json_digest,
)
from core.schema.definition import Schema
from core.services.extract.run import schema_of
from core.services.graph.export_file import replace_file
from core.services.graph.gate_memory import BATCH, GateMemory, ground_stamp
from core.services.review.authority import ProjectIds, loadable_schemas, prefixes_of_schemas
from core.services.support.evidence_support import EvidenceJudge
from core.services.support.shown_support import best_support
from core.services.vocabularies.mappings import FILE as MAPPINGS
from core.services.vocabularies.prefix_context import project_prefixes, said_prefixes
from core.services.vocabularies.same_things import judgements, preferred_of
from core.setting_values import PLACEHOLDER_BASE
from core.store import QueueFilter, SameVerdict
from core.text.count import counted

__all__ = [
    "FORMATS",
    "HINTS",
    "ExportFormat",
    "ExportRejection",
    "GateReport",
    "Graph",
    "HoldReason",
    "SchemaMismatch",
    "format_named",
]


MOST_ASKED = 2_000  # statements that an export judges itself: a few seconds


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """An exported knowledge base, and the statements that were held back from it."""

    content: bytes
    name: str  # of the file
    format: ExportFormat
    passage: GateReport


def gate_passage(desk: HasProjectTerms, memory: GateMemory | None = None) -> GateReport:
    """Every statement of the project through the gate; a memory spares what it has examined."""
    return (memory or GateMemory()).report(desk)


def held_summary(rejections: Sequence[ExportRejection]) -> list[tuple[HoldReason, int]]:
    """How many are held back for each reason, in the order of the reasons."""
    counts = Counter(export_rejection.why for export_rejection in rejections)
    return [(why, counts[why]) for why in HoldReason if counts[why]]


def knowledge_base(desk: HasProjectTerms, passed: Sequence[ExportEntry]) -> KnowledgeBase:
    with collector_paused():
        entries = tuple(passed)
    papers = {document_of(piece) for entry in entries for piece in entry.evidence} - {""}
    same = other_ids(desk, entries)
    known_schemas = loadable_schemas(desk)
    return KnowledgeBase(
        iri.normalised_base(desk.base_iri),
        entries,
        said_prefixes(desk) | prefixes_of_schemas(known_schemas),
        documents={
            document.id: document
            for document in desk.store.documents.all(joined=True)
            if document.id in papers
        },
        curators={curator.orcid: curator.name for curator in desk.store.curators.all()},
        wordings=chosen_wordings(desk),
        schemas=(*known_schemas, *schemas_of_runs(desk, entries)),
        notices=desk.store.document_overview.notices(sorted(papers)),
        log=lambda: decided_records(desk),
        same=same,
        by_reference=by_reference(desk, same),
    )


def export_base(desk: HasProjectTerms, passed: Sequence[ExportEntry]) -> KnowledgeBase:
    """The knowledge base as it is exported: each thing that it names by several ids stands under
    the preferred one of them, also before its curators resolve it.
    """
    kb = knowledge_base(desk, passed)
    kb = replace(kb, support=support_of_entries(desk, kb.entries))
    return one_id_each(kb, preferred_terms(desk, kb))


def support_of_entries(desk: HasStore, entries: Sequence[ExportEntry]) -> dict[str, Support | None]:
    """Statement → its verdict without the reasons; None where no judge looked at it. The first
    MOST_ASKED that nobody judged yet, such as corrections, are judged for this.
    """
    judged = desk.store.support.of_statements([entry.statement.id for entry in entries])
    asker, unasked = EvidenceJudge(desk), MOST_ASKED
    found: dict[str, Support | None] = {}
    for entry in entries:
        id = entry.statement.id
        support = best_support(judged.get(id, {}), entry.evidence)
        if support is None and unasked:
            unasked -= 1
            asked = (asker.support_of(entry.statement, piece) for piece in entry.evidence)
            support = best_of(filter(None, asked))
        found[id] = Support(support.verdict, support.probability) if support else None
    return found


def left_unjudged(desk: HasStore, entries: Sequence[ExportEntry]) -> int:
    """How many statements an export calls *not judged*: nobody judged them yet, and they are more
    than it judges itself.
    """
    judged = desk.store.support.of_statements([entry.statement.id for entry in entries])
    unjudged = sum(
        best_support(judged.get(entry.statement.id, {}), entry.evidence) is None
        for entry in entries
    )
    return max(unjudged - MOST_ASKED, 0)


def unjudged_words(count: int) -> str:
    """What is said of them on the page and on the command line."""
    verb = "is" if count == 1 else "are"
    return (
        f"{counted(count, 'statement')} {verb} exported as “not judged”:"
        " what a statement's evidence says is asked when it is opened on Review."
    )


def preferred_terms(desk: HasProjectTerms, kb: KnowledgeBase) -> dict[str, Term]:
    """The term that stands for an id, for those ids of things that the statements name by a
    preferred one as well.
    """
    if not any(other in kb.same for others in kb.same.values() for other in others):
        return {}
    settled = {
        name: thing
        for name, thing in settle_labels(kb.entries).items()
        if isinstance(thing, Term) and thing.id and thing.category is not Category.RELATION
    }
    instead: dict[str, Term] = {}
    for id in sorted(kb.same.keys() & settled.keys()):
        ids = sorted({id, *kb.same[id]} & settled.keys())
        kinds = Counter(settled[one].category for one in ids)
        best = preferred_of(desk, ids, kinds.most_common(1)[0][0])
        if best != id:
            instead[id] = settled[best]
    return instead


def other_ids(desk: HasProjectTerms, entries: Sequence[ExportEntry]) -> dict[str, tuple[str, ...]]:
    """The other ids of each thing of an export, by id: those that it names too, and those of
    vocabularies that the project has.
    """
    ids = {term.id for entry in entries for term in terms_in(entry.statement)} - {""}
    equivalents, held = desk.equivalents(), desk.vocabulary_registry.prefixes()
    others = {
        id: tuple(
            other
            for other in sorted(equivalents.of(id) - {id})
            if other in ids or other.partition(":")[0] in held
        )
        for id in sorted(ids)
    }
    return {id: several for id, several in others.items() if several}


def by_reference(
    desk: HasProjectTerms, same: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Those of these other ids that neither a mapping set, nor an ontology that calls them exact,
    nor a curator ties, step by step: some cross-reference stands between.
    """
    if (own := desk.cross_references()) is None:
        return {}
    agreed = [(j.first, j.second) for j in judgements(desk) if j.verdict is SameVerdict.SAME]
    exact = Equivalents(ExactTies(own), same=agreed)
    found = {id: tuple(o for o in others if o not in exact.of(id)) for id, others in same.items()}
    return {id: others for id, others in found.items() if others}


def decided_records(desk: HasStore) -> Iterator[LoggedStatement]:
    """Every statement that somebody decided, with all that was decided, sorted by id."""
    states = tuple(state for state in State if state is not State.PROPOSED)
    ids = sorted(desk.store.queue.ids(QueueFilter(states=states)))
    for start in range(0, len(ids), BATCH):
        for record in desk.store.statements.of_ids(ids[start : start + BATCH]):
            yield LoggedStatement(record.statement, record.evidence, record.decisions, record.state)


def chosen_wordings(desk: HasProjectTerms) -> tuple[TaughtWords, ...]:
    """The words that curators chose terms for, where the term's id is still proven."""
    ids = ProjectIds(desk)
    proven_synonyms = (
        synonym for synonym in desk.store.synonyms.all() if not ids.by_vocabulary(synonym.term)
    )
    return tuple(
        TaughtWords(synonym.words, synonym.term, synonym.curator, synonym.time)
        for synonym in proven_synonyms
    )


def schemas_of_runs(desk: HasProject, entries: Sequence[ExportEntry]) -> list[Schema]:
    """The schemas, as they were, that objects without a name were extracted by: their files may be
    gone by now.
    """
    nodes = [
        e
        for e in entries
        if isinstance(e.statement.subject, Node) or isinstance(e.statement.object, Node)
    ]
    runs = sorted({piece.run for entry in nodes for piece in entry.evidence} - {""})
    schema_by_text: dict[str, Schema] = {}
    for name in runs:
        try:
            run = desk.store.runs.get(name)
            if run.schema_text and run.schema_text not in schema_by_text:
                schema_by_text[run.schema_text] = schema_of(desk, run)
        except GroundworkError:
            continue
    return list(schema_by_text.values())


def export_approved(
    desk: HasProjectTerms, name: str, through: GateReport | None = None, *, signing_key: bytes = b""
) -> ExportedFile:
    """The knowledge base in a format. Raises InputError for a format there is not."""
    export_format = format_named(name)
    gate_report = through or gate_passage(desk)
    kb = replace(export_base(desk, gate_report.entries), signing_key=signing_key)
    content = export_format.write(kb)
    return ExportedFile(content, file_name(desk, export_format), export_format, gate_report)


def export_to(
    desk: HasProjectTerms,
    name: str,
    path: Path,
    progress: Callable[[int, int], None] | None = None,
    *,
    signing_key: bytes = b"",
) -> tuple[int, GateReport]:
    """Write a format to a file: its size in bytes, and the gate's report. `progress` hears how many
    statements of how many were gone through; what it raises leaves an older file as it was. Raises
    Refused where all that could be in the file is held back.
    """
    export_format, through = format_named(name), gate_passage(desk)
    _check_passage(through, path)
    kb = replace(export_base(desk, through.entries), signing_key=signing_key)
    kb = replace(kb, on_progress=progress) if progress else kb
    return replace_file(path, export_format.chunks(kb)), through


def _check_passage(through: GateReport, path: Path) -> None:
    """An empty file must not take a good one's place because a vocabulary or a text is away."""
    settled = (HoldReason.REJECTED, HoldReason.SUPERSEDED)
    held = {r.statement.id for r in through.rejections if r.why not in settled}
    if held and not through.entries:
        number = counted(len(held), "statement is", "statements are")
        raise Refused(
            f"Nothing passes the gate: {number} held back. {path.name} was not written; an older"
            " file of this name is unchanged.",
            "Export, and `export --held`, say what is held and why.",
        )


def export_remarks(desk: HasProjectTerms, name: str, through: GateReport) -> tuple[Problem, ...]:
    """What of the statements that passed the gate a format cannot say."""
    export_format = format_named(name)
    if export_format.remarks is no_remarks:
        return ()
    return tuple(export_format.remarks(export_base(desk, through.entries)))


def file_name(desk: HasFolder, format: ExportFormat) -> str:
    return f"{file_stem(desk)}{format.suffix}"


def file_stem(desk: HasFolder) -> str:
    """The project's name as files are called by it."""
    words = desk.settings.project_name or desk.settings.project.name
    stem = "".join(sign if sign.isalnum() else "-" for sign in words.casefold()).strip("-")
    return stem or "knowledge-base"


def export_draft(
    desk: HasProject,
    statements: Sequence[tuple[Statement, Sequence[Evidence]]],
    documents: Sequence[Document] = (),
) -> str:
    """Undecided statements as Turtle that says so; `import_file` takes it as proposals."""
    return draft_text(statements, project_prefixes(desk), desk.base_iri, documents)


def content_stamp(desk: HasStore) -> str:
    """Changes whenever a statement, its evidence, a decision or a name does."""
    return desk.store.queue.stamp()


def approved_graph(desk: HasStore) -> Graph:
    """The graph of what is approved, and of nothing else."""
    return graphs.graph(desk.store.queue.claims(QueueFilter(states=(State.APPROVED,))))


def gate_stamp(desk: HasProjectTerms) -> str:
    """Changes whenever the gate may decide otherwise (a new decision, text, vocabulary, schema), or
    what it lets pass is written with another base IRI or other equivalent ids.
    """
    base = desk.store.project.base_iri or desk.settings.base_iri
    own = "" if base.startswith(PLACEHOLDER_BASE) else base
    same = [desk.store.equivalences.stamp(), file_stamp(desk.vocabularies / MAPPINGS)]
    return json_digest([desk.store.queue.stamp(), ground_stamp(desk), own, str(same)])


def shapes(desk: HasProject) -> str:
    """What the project's schemas ask, as SHACL in Turtle."""
    known_schemas = loadable_schemas(desk)
    return schema_shapes(
        known_schemas,
        iri.normalised_base(desk.base_iri),
        said_prefixes(desk) | prefixes_of_schemas(known_schemas),
    )


def mismatches(
    desk: HasProjectTerms,
    report: GateReport,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[SchemaMismatch]:
    """The statements that passed the gate and do not keep what a schema asks."""
    yield from schema_mismatches(knowledge_base(desk, report.entries), on_progress)


def review_address(mismatch: SchemaMismatch) -> dict[str, str]:
    """Where the statement is on Review."""
    return {"state": str(State.APPROVED), "id": mismatch.statement.id}
