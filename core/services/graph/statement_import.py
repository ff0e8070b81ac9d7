"""Taking in what others have: files of statements as proposals, and bundles of one's own with their
decisions.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import PurePath
from typing import TypeVar

from core.codec import from_json, to_json
from core.desk import APP_VERSION
from core.desk_parts import HasFolder, HasProjectJobs, HasProjectTerms, HasStore
from core.errors import InputError, Refused
from core.jobs import isolation
from core.jobs.runner import JobContext, register_job
from core.kb.entry import LoggedStatement, document_of
from core.kb.formats.bundle import LOG
from core.kb.gate.gate import HINTS, HoldReason
from core.kb.rdf import iri
from core.kb.read.archive import archive_names
from core.kb.read.bundle import read_bundle
from core.kb.read.draft import SUFFIXES as DRAFTS
from core.kb.read.draft import read_draft
from core.kb.read.in_full import Proposal as ReadProposal
from core.kb.read.kgx import read_kgx
from core.kb.read.rdf import ReadStatements, read
from core.kb.read.sssom import declared_prefixes, is_sssom, read_sssom
from core.kb.read.storable import storable
from core.model import Document, Evidence, Job, Json, Problem, Role, Run, Statement, TextGround
from core.review.statement_state import fold_log
from core.services.people.orcid import add_curator
from core.services.review.absent_text import missing_texts
from core.services.review.typed_thing import TermsByVocabulary
from core.services.shared.uploaded_file import store_upload
from core.services.support.evidence_support import judge_statements
from core.services.vocabularies.prefix_context import keep_prefixes, project_prefixes
from core.services.vocabularies.same_things import offered_terms
from core.store import Proposal, RestoredStatement, statement_row
from core.store.id_batches import MANY, row_batches
from core.store.proposing import joined_proposals
from core.store.statement_row import Proposed
from core.text.count import counted

SMALL = 100_000  # bytes of a file that is parsed here
IN_A_CHILD = (".zip", ".jsonld")  # of any size: a few bytes of these can mean much work
SECONDS, MEGABYTES = 600.0, 3000  # of a child process
MOST_NAMED = 5  # ids that a remark names
MOST_LOOKED_AT = 2_000  # new statements whose ids are compared with the preferred ones
OnProgress = Callable[[int, int], None]  # rows of the file done, of how many
T = TypeVar("T")
SUFFIXES = ("ttl", "nt", "trig", "jsonld", "json", "jsonl", "yaml", "zip", "tsv")


@dataclass(frozen=True, slots=True)
class ImportedStatements:
    """What an import proposed. `problems` are parts of the file that could not be read; `absent`
    are documents whose texts are quoted and not in this project, so that nothing is proven by them
    yet. `instead` are ids of new statements with the ids that this project prefers for their
    things.
    """

    proposal: Proposal
    statements: int
    problems: tuple[Problem, ...]
    absent: tuple[str, ...] = ()
    instead: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """`3 statements were read: 2 new, 1 known.`"""
        were_read = counted(self.statements, "statement was", "statements were")
        new, known = len(self.proposal.new), len(self.proposal.already_known)
        return f"{were_read} read: {new:,} new, {known:,} known."

    @property
    def remark(self) -> str:
        """What is to be said of the texts that are not here, and of ids that are not the preferred
        ones; "" where there is nothing.
        """
        return " ".join(filter(None, (self._absent_words, self._instead_words)))

    @property
    def _instead_words(self) -> str:
        if not self.instead:
            return ""
        named = ", ".join(f"{id} is {best}" for id, best in self.instead[:MOST_NAMED])
        more = len(self.instead) - MOST_NAMED
        cut = len(self.proposal.new) > MOST_LOOKED_AT
        begin = f"Among the first {MOST_LOOKED_AT:,} statements: this" if cut else "This"
        return (
            f"{begin} project prefers another id for {counted(len(self.instead), 'thing')}: {named}"
            f"{f' and {more:,} more' if more > 0 else ''}. Review offers it, and Vocabularies (Same"
            " things) or `vocabularies same preferred` lists them."
        )

    @property
    def _absent_words(self) -> str:
        if not self.absent:
            return ""
        absent_documents = ", ".join(self.absent[:5]) + (
            f" and {len(self.absent) - 5} more" if len(self.absent) > 5 else ""
        )
        return (
            f"Quotes of {absent_documents} cannot be proven:"
            f" {HINTS[HoldReason.ABSENT][:1].lower()}{HINTS[HoldReason.ABSENT][1:]}"
        )


def no_progress(done: int, total: int) -> None:
    """Reports no progress."""


def import_file(  # noqa: PLR0917
    desk: HasProjectTerms,
    name: str,
    content: bytes,
    curator: str = "",
    on_progress: OnProgress = no_progress,
) -> ImportedStatements:
    """Propose the statements of a file: Turtle, N-Triples, TriG, JSON-LD, KGX (ZIP), SSSOM (TSV), a
    bundle (ZIP), or a JSON, JSON Lines or YAML draft. All come as proposed, whatever the file says
    of them, and a run keeps which file they are from. A term that is named by its id alone gets
    label and kind from the vocabularies. What `on_progress` raises ends it between two parts; what
    was stored by then stays. Raises Forbidden for a reader.
    """
    if curator:
        desk.store.curators.need(curator, Role.CURATOR)
    rows, total, source = _read_export_file(desk, name, content)
    intake = _Intake(
        desk, curator, partial(_run, desk, name, content, source=source, curator=curator)
    )
    named = TermsByVocabulary(desk).named
    for done, part in _parts(rows):
        intake.propose(part, named)
        on_progress(done, total)
    imported = intake.imported("No statement of this file could be read.")
    return replace(imported, instead=_instead(desk, imported.proposal.new))


def _instead(desk: HasProjectTerms, new: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Ids of the first new statements, each with the preferred one of its thing."""
    records = desk.store.statements.of_ids(new[:MOST_LOOKED_AT])
    best = {id: term.id for record in records for id, term in offered_terms(desk, record).items()}
    return tuple(sorted(best.items()))


def restore_bundle(  # noqa: PLR0917
    desk: HasStore,
    name: str,
    content: bytes,
    curator: str = "",
    on_progress: OnProgress = no_progress,
) -> ImportedStatements:
    """Take a bundle of this knowledge base in with its decisions. Statements that are known here
    stay as they are, so that one that was cut short can be done again. Raises Refused for a bundle
    of another knowledge base, unless this project is empty: then it becomes that one. Its
    decisions are in the names of others: raises Forbidden for somebody who is no owner.
    """
    if curator:
        desk.store.curators.need(curator, Role.OWNER)
    bundle = read_bundle(content)
    if iri.normalised_base(desk.base_iri) != bundle.base_iri:
        if desk.store.queue.count():
            raise Refused(
                f"This bundle is of {bundle.base_iri or 'another knowledge base'}: only this "
                "knowledge base's own decisions can be imported.",
                "Import it without its decisions, or restore it into an empty project.",
            )
        desk.store.project.set("base_iri", bundle.base_iri)
    for papers in row_batches(bundle.documents(), MANY):
        desk.store.documents.add_many(papers)
    for person in bundle.curators:
        if desk.store.curators.get(person.orcid) is None:
            with contextlib.suppress(InputError):  # no ORCID iD: the decisions name them still
                add_curator(desk, person.orcid, person.name)
    run = partial(_run, desk, name, content, source=bundle.base_iri, curator=curator)
    intake = _Intake(desk, curator, run)
    for done, part in _parts(bundle.logged()):
        intake.restore(part)
        on_progress(done, bundle.lines)
    return intake.imported("This bundle contains no statements.")


@dataclass
class _Intake:
    """Takes a file in, part after part, each stored as a whole; what that did so far."""

    desk: HasStore
    curator: str
    begin_run: Callable[[], str]
    run: str = ""
    statements: int = 0
    proposals: list[Proposal] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    papers: set[str] = field(default_factory=set)  # that are known here by now
    quoted: dict[tuple[str, str], Evidence] = field(default_factory=dict)  # one for each text

    def propose(
        self,
        rows: Sequence[ReadProposal | Problem | None],
        named: Callable[[Statement], Statement],
    ) -> None:
        """Store what is new of these; None counts for nothing. `named` gives terms their labels."""
        read = [statement_row.storable_proposal(*row) for row in rows if isinstance(row, tuple)]
        self._count(rows, read)
        cited = {document_of(piece) for _, evidence in read for piece in evidence}
        store = self.desk.store
        with store.together():
            store.documents.add_many([Document(id) for id in sorted(cited - self.papers - {""})])
            fresh = [(named(statement), own) for statement, own in _fresh(self.desk, read)]
            proposal = Proposal()
            if fresh:
                self.run = self.run or self.begin_run()
                proposal = store.statements.propose(fresh, self.run, self.curator)
        judge_statements(self.desk, (*proposal.new, *proposal.strengthened))
        new = set(proposal.new)
        known_ids = tuple(statement.id for statement, _ in read if statement.id not in new)
        self.proposals.append(replace(proposal, already_known=known_ids))
        self.papers |= cited

    def restore(self, rows: Sequence[LoggedStatement | Problem]) -> None:
        """Store those of these that are not here, with their decisions."""
        logged = [row for row in rows if isinstance(row, LoggedStatement)]
        self._count(rows, [(row.statement, row.evidence) for row in logged])
        self.run = self.run or self.begin_run()
        statements = self.desk.store.statements
        new, known = statements.restore([_stood(row) for row in logged], self.run, self.curator)
        restored = set(new)
        pieces = tuple(
            piece.id for row in logged if row.statement.id in restored for piece in row.evidence
        )
        self.proposals.append(Proposal(tuple(new), tuple(known), evidence=pieces))

    def imported(self, nothing: str) -> ImportedStatements:
        """What it did in all. Raises InputError, which says `nothing`, where nothing was read."""
        if not self.statements:
            raise InputError(nothing, self.problems[0].message if self.problems else "")
        away = sorted({document for document, _ in missing_texts(self.desk, self.quoted.values())})
        return ImportedStatements(
            joined_proposals(self.proposals), self.statements, tuple(self.problems), tuple(away)
        )

    def _count(self, rows: Sequence[object], read: Sequence[Proposed]) -> None:
        self.problems += [row for row in rows if isinstance(row, Problem)]
        self.statements += len(read)
        for _, evidence in read:
            for piece in evidence:
                if isinstance(piece.ground, TextGround):
                    self.quoted.setdefault((piece.ground.document, piece.ground.version), piece)


def _parts(rows: Iterable[T]) -> Iterator[tuple[int, list[T]]]:
    """The rows some thousands at a time, with how many have come by then."""
    done = 0
    for part in row_batches(rows):
        done += len(part)
        yield done, part


def _stood(logged_statement: LoggedStatement) -> RestoredStatement:
    """As its log says that it stood: the state written in the file does not count."""
    log = fold_log(logged_statement.evidence, logged_statement.decisions)
    return RestoredStatement(
        logged_statement.statement,
        logged_statement.evidence,
        logged_statement.decisions,
        state=log.state,
        new_evidence=log.has_news,
    )


def _read_export_file(
    desk: HasFolder, name: str, content: bytes
) -> tuple[Iterable[ReadProposal | Problem | None], int, str]:
    """What a file holds, of how many rows, and where it says that it is from. A bundle is read row
    by row; other files, unless small and simple, are parsed in a child process.
    """
    suffix = PurePath(name).suffix.casefold() or ".ttl"
    if suffix == ".zip" and LOG in archive_names(content):
        bundle = read_bundle(content)
        return bundle.proposals(), bundle.lines, bundle.base_iri
    known_prefixes = {} if suffix in (".zip", ".tsv", *DRAFTS) else project_prefixes(desk)
    if suffix == ".tsv" and is_sssom(content) and len(content) < SMALL:
        keep_prefixes(desk, declared_prefixes(content))
    arguments = (content, suffix, known_prefixes)
    if suffix not in IN_A_CHILD and len(content) < SMALL:
        parsed = parse_file(*arguments)
    else:
        parsed = isolation.run_in_child(
            parse_file, *arguments, name=PurePath(name).name, seconds=SECONDS, megabytes=MEGABYTES
        )
    read = storable(parsed)
    return chain(read.problems, read.proposals), len(read.problems) + len(read.proposals), ""


def parse_file(content: bytes, suffix: str, known_prefixes: dict[str, str]) -> ReadStatements:
    """What a file of this ending holds that is no bundle. Raises InputError."""
    if suffix == ".zip":
        return read_kgx(content)
    if suffix == ".tsv":
        if not is_sssom(content):
            raise InputError("This table is not SSSOM.", "Give SSSOM, or KGX as a ZIP.")
        return read_sssom(content)
    if suffix in DRAFTS:
        return read_draft(content, suffix)
    return read(content, known_prefixes, suffix)


def _fresh(desk: HasStore, proposals: Sequence[Proposed]) -> Iterator[Proposed]:
    """Those that are new, or bring evidence that is."""
    evidence_by_statement = {
        record.id: {piece.id for piece in record.evidence}
        for record in desk.store.statements.of_ids([statement.id for statement, _ in proposals])
    }
    for statement, evidence in proposals:
        known = evidence_by_statement.get(statement.id)
        if known is None or any(piece.id not in known for piece in evidence):
            yield statement, evidence


def _run(desk: HasStore, name: str, content: bytes, *, source: str, curator: str) -> str:
    """Keep where an import came from; the id of its run."""
    run = Run(
        desk.new_id(),
        "import",
        "import",
        settings={
            "file": PurePath(name).name[:200],
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
            "source": source[:500],
        },
        app_version=APP_VERSION,
        created=desk.clock(),
        curator=curator,
    )
    desk.store.runs.add(run)
    return run.id


JOB = "import"
AT_ONCE = 1_000_000  # bytes of a file that is imported at the click
MOST_PROBLEMS = 1_000  # that are kept


def start_import(
    desk: HasProjectJobs, name: str, content: bytes, curator: str = "", *, decisions: bool = False
) -> Job:
    """Keep the file and import it in the background; with `decisions`, those of a bundle too."""
    arguments = {
        "name": PurePath(name).name[-120:] or "file",
        "path": store_upload(desk, "statements", content),
        "decisions": decisions,
    }
    return desk.runner.start(JOB, arguments, curator)


def import_problems(job: Job) -> tuple[Problem, ...]:
    """What a finished job could not read of its file, as far as that is stored."""
    kept: tuple[Problem, ...] = from_json(tuple[Problem, ...], (job.result or {})["problems"])
    return kept


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    desk: HasProjectTerms = context.context
    file = desk.folder / str(arguments["path"])
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError("The uploaded file is gone.", "Import it again.") from error
    context.progress(0, 0, "reading the file")

    def on_progress(done: int, total: int) -> None:
        context.progress(done, total, "statements")

    take = restore_bundle if arguments["decisions"] else import_file
    imported = take(desk, str(arguments["name"]), content, context.job.curator, on_progress)
    file.unlink(missing_ok=True)
    kept = to_json(imported.problems[:MOST_PROBLEMS])
    return {"words": imported.words, "remark": imported.remark, "problems": kept}
