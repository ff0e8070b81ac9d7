"""Taking in what others have: files of statements as proposals, and bundles of one's own with their
decisions.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath

from core.desk import APP_VERSION
from core.desk_parts import HasFolder, HasProject, HasStore
from core.errors import InputError, Refused
from core.jobs import isolation
from core.kb.entry import LoggedStatement, document_of
from core.kb.formats.bundle import LOG
from core.kb.gate.gate import HINTS, HoldReason
from core.kb.rdf import iri
from core.kb.read.archive import names
from core.kb.read.bundle import read_bundle
from core.kb.read.draft import SUFFIXES as DRAFTS
from core.kb.read.draft import read_draft
from core.kb.read.kgx import read_kgx
from core.kb.read.rdf import ReadProposals, ReadStatements, read
from core.kb.read.sssom import is_sssom, read_sssom
from core.kb.read.storable import storable
from core.model import Document, Evidence, Problem, Run, Statement
from core.review.fold import fold_log
from core.services.documents.absent_text import missing_texts
from core.services.graph.authority import prefixes, schemas
from core.services.people.orcid import add_curator
from core.store import Proposal, RestoredStatement, statement_row
from core.store.id_batches import batches
from core.store.statement_row import Proposed

SMALL = 100_000  # bytes of a file that is not packed and is parsed here
SECONDS, MEGABYTES = 600.0, 3000  # of a child process
SUFFIXES = ("ttl", "nt", "jsonld", "json", "jsonl", "yaml", "zip", "tsv")


@dataclass(frozen=True, slots=True)
class ImportedStatements:
    """What an import proposed. `problems` are parts of the file that could not be read; `absent`
    are documents whose texts are quoted and not in this project, so that nothing is proven by them
    yet.
    """

    proposal: Proposal
    statements: int
    problems: tuple[Problem, ...]
    absent: tuple[str, ...] = ()

    @property
    def remark(self) -> str:
        """What is to be said of the texts that are not here; "" where none is missing."""
        if not self.absent:
            return ""
        absent_documents = ", ".join(self.absent[:5]) + (
            f" and {len(self.absent) - 5} more" if len(self.absent) > 5 else ""
        )
        return (
            f"Quotes of {absent_documents} cannot be proven:"
            f" {HINTS[HoldReason.ABSENT][:1].lower()}{HINTS[HoldReason.ABSENT][1:]}"
        )


@dataclass(frozen=True, slots=True)
class _AsStored:
    """Proposals with the words, and so the ids, that they have once they are stored."""

    proposals: ReadProposals

    def __len__(self) -> int:
        return len(self.proposals)

    def __iter__(self) -> Iterator[tuple[Statement, tuple[Evidence, ...]]]:
        for proposal in self.proposals:
            statement, evidence = statement_row.storable(*proposal)
            yield statement, tuple(evidence)


def import_file(
    desk: HasProject, name: str, content: bytes, curator: str = ""
) -> ImportedStatements:
    """Propose the statements of a file: Turtle, N-Triples, JSON-LD, KGX (ZIP), SSSOM (TSV), a
    bundle (ZIP), or a JSON, JSON Lines or YAML draft. All come as proposed, whatever the file says
    of them, and a run keeps which file they are from.
    """
    read_statements, source = _read_export_file(desk, name, content)
    proposals = _AsStored(read_statements.proposals)
    if not len(proposals):
        raise InputError(
            "No statement of this file could be read.",
            read_statements.problems[0].message if read_statements.problems else "",
        )
    for identifier in sorted({document_of(piece) for piece in _pieces(proposals)} - {""}):
        desk.store.documents.add(Document(identifier))
    proposal = Proposal()
    if next(_fresh(desk, proposals), None):
        run = _run(desk, name, content, source, curator)
        fresh = partial(_fresh, desk, proposals)
        proposal = desk.store.statements.propose_many(fresh, run, curator)
    new = set(proposal.new)
    known_ids = tuple(statement.id for statement, _ in proposals if statement.id not in new)
    proposal = Proposal(proposal.new, known_ids, proposal.strengthened, proposal.evidence)
    return ImportedStatements(
        proposal, len(proposals), read_statements.problems, _absent(desk, _pieces(proposals))
    )


def restore_bundle(
    desk: HasStore, name: str, content: bytes, curator: str = ""
) -> ImportedStatements:
    """Take a bundle of this knowledge base in with its decisions. Statements that are known here
    stay as they are. Raises Refused for a bundle of another knowledge base, unless this project is
    empty: then it becomes that one.
    """
    bundle = read_bundle(content)
    if iri.normalised_base(desk.base_iri) != bundle.base_iri:
        if desk.store.queue.count():
            raise Refused(
                f"This bundle is of {bundle.base_iri or 'another knowledge base'}: only this "
                "knowledge base's own decisions can be imported.",
                "Import it without its decisions, or restore it into an empty project.",
            )
        desk.store.project.set("base_iri", bundle.base_iri)
        vars(desk).pop("base_iri", None)  # read again
    for document in bundle.documents():
        desk.store.documents.add(document)
    for person in bundle.curators:
        if desk.store.curators.get(person.orcid) is None:
            with contextlib.suppress(InputError):  # no ORCID iD: the decisions name them still
                add_curator(desk, person.orcid, person.name)
    run = _run(desk, name, content, bundle.base_iri, curator)
    restored, known_ids = desk.store.statements.restore(
        lambda: map(_stood, bundle.logged()), run, curator
    )
    new = set(restored)
    evidence = tuple(
        piece.id for log in bundle.logged() if log.statement.id in new for piece in log.evidence
    )
    away = _absent(desk, (piece for log in bundle.logged() for piece in log.evidence))
    proposal = Proposal(tuple(restored), tuple(known_ids), evidence=evidence)
    return ImportedStatements(proposal, bundle.statements, bundle.problems, away)


def _stood(logged_statement: LoggedStatement) -> RestoredStatement:
    """As its log says that it stood: the state written in the file does not count."""
    log = fold_log(logged_statement.evidence, logged_statement.decisions)
    return RestoredStatement(
        logged_statement.statement,
        logged_statement.evidence,
        logged_statement.decisions,
        log.state,
        log.has_news,
    )


def _read_export_file(desk: HasFolder, name: str, content: bytes) -> tuple[ReadStatements, str]:
    """What a file holds, and where it says that it is from. A bundle is read row by row; other
    files, unless small and not packed, are parsed in a child process.
    """
    suffix = PurePath(name).suffix.casefold() or ".ttl"
    if suffix == ".zip" and LOG in names(content):
        bundle = read_bundle(content)
        return bundle.proposals(), bundle.base_iri
    known_prefixes = {} if suffix in (".zip", ".tsv", *DRAFTS) else prefixes(schemas(desk))
    arguments = (content, suffix, known_prefixes)
    if suffix != ".zip" and len(content) < SMALL:
        return storable(parse_file(*arguments)), ""
    parsed: ReadStatements = isolation.run(
        parse_file, *arguments, name=PurePath(name).name, seconds=SECONDS, megabytes=MEGABYTES
    )
    return storable(parsed), ""


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


def _pieces(proposals: ReadProposals) -> Iterator[Evidence]:
    return (piece for _, evidence in proposals for piece in evidence)


def _absent(desk: HasStore, pieces: Iterable[Evidence]) -> tuple[str, ...]:
    """Documents whose texts are quoted and not here."""
    return tuple(sorted({document for document, _ in missing_texts(desk, pieces)}))


def _fresh(desk: HasStore, proposals: ReadProposals) -> Iterator[Proposed]:
    """Those that are new, or bring evidence that is."""
    for part in batches(proposals):
        evidence_by_statement = {
            record.id: {piece.id for piece in record.evidence}
            for record in desk.store.statements.of_ids([statement.id for statement, _ in part])
        }
        for statement, evidence in part:
            known = evidence_by_statement.get(statement.id)
            if known is None or any(piece.id not in known for piece in evidence):
                yield statement, evidence


def _run(desk: HasStore, name: str, content: bytes, source: str, curator: str) -> str:
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
