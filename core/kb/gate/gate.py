"""The gate: what of the reviewed statements may be exported, and for everything else why not and
what to do.

Only approved statements pass, with the evidence that was accepted and is still proven, when every
id is proven and every Node is reached from a named thing by statements that pass too
(docs/architecture.md, Contracts).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from core.errors import InputError
from core.kb.entry import ExportEntry, document_of, terms_in
from core.kb.gate.proof import EvidenceProof, Sources, prove_evidence, source_is_missing
from core.kb.rdf import iri
from core.model import ENDS, Decision, Evidence, Literal, Node, Problem, State, Statement, Term

RULES = 2  # raise it when a rule of the gate changes: what was checked before is checked again


class HoldReason(StrEnum):
    """Why something is not exported."""

    UNDECIDED = "not decided yet"
    UNSURE = "marked unsure"
    REJECTED = "rejected"
    SUPERSEDED = "replaced by a correction"
    WAITING = "new evidence waits for judgement"
    UNSUPPORTED = "no evidence"
    UNPROVEN = "evidence cannot be proven any more"
    ABSENT = "the text or answer it rests on is not in this project"
    UNGROUNDED = "words without a term"
    PREFIX = "unknown id prefix"
    ID = "id not proven"
    UNREACHED = "no approved statement leads to the unnamed thing it describes"


STATES = {
    State.PROPOSED: HoldReason.UNDECIDED,
    State.UNSURE: HoldReason.UNSURE,
    State.REJECTED: HoldReason.REJECTED,
    State.SUPERSEDED: HoldReason.SUPERSEDED,
}
HINTS = {
    HoldReason.UNDECIDED: "Decide it on the Review page.",
    HoldReason.UNSURE: "Decide it on the Review page; someone was unsure.",
    HoldReason.REJECTED: "Nothing to do; undo the rejection if it was a mistake.",
    HoldReason.SUPERSEDED: "Nothing to do; its correction is exported instead.",
    HoldReason.WAITING: (
        "Accept or reject the new evidence on the Review page; the statement is exported"
        " without it."
    ),
    HoldReason.UNSUPPORTED: "Add a reference, or reject it.",
    HoldReason.UNPROVEN: (
        "The stored text or answer no longer contains what was quoted; look at the record again."
    ),
    HoldReason.ABSENT: (
        "Open it on Review and paste the text there, or read the same text on Extract or"
        " Literature; or add a reference with a place in it, such as Fig 3B."
    ),
    HoldReason.UNGROUNDED: "Correct it on the Review page: choose a term.",
    HoldReason.PREFIX: "Choose a term of an installed vocabulary, or add the prefix to the schema.",
    HoldReason.ID: "Install the vocabulary it is from, or correct the id on the Review page.",
    HoldReason.UNREACHED: "Also approve the statement that leads to this unnamed thing.",
}


@dataclass(frozen=True, slots=True)
class ReviewedStatement:
    """A statement as review left it: its state, the evidence accepted and waiting, the approvals
    that stand.
    """

    statement: Statement
    state: State
    accepted: tuple[Evidence, ...] = ()
    waiting: tuple[Evidence, ...] = ()
    approvals: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportRejection:
    """Something that is not exported. `evidence` is set where only a piece of evidence is held
    back.
    """

    statement: Statement
    why: HoldReason
    detail: str = ""
    evidence: str = ""

    @property
    def hint(self) -> str:
        return HINTS[self.why]


@dataclass(frozen=True, slots=True)
class GateReport:
    """What went through the gate, sorted by id, and what was held, by reason and id."""

    entries: Sequence[ExportEntry]
    rejections: tuple[ExportRejection, ...]


class IdProver(Protocol):
    """Proves ids: by an installed vocabulary, a schema's value set, or a recorded answer of the
    id's authority.
    """

    def problems(self, term: Term, statement: Statement) -> Sequence[Problem]:
        """Nothing if the id exists, its label fits and it is not obsolete; else what is wrong."""
        ...


def run_gate(
    reviewed: Iterable[ReviewedStatement],
    sources: Sources,
    ids: IdProver,
    prefixes: Mapping[str, str],
) -> GateReport:
    """Judge every statement. Deterministic: the same records give the same passage, in the same
    order.
    """
    return gate_report(
        [
            examine_statement(reviewed_statement, sources, ids, prefixes)
            for reviewed_statement in reviewed
        ]
    )


@dataclass(frozen=True, slots=True)
class ExaminedStatement:
    """What the gate says of one statement alone, before it is known which nodes are reached.

    It changes only with the statement's record, the stored texts and calls, the vocabularies and
    the schemas, so that whoever knows these to be the same may keep it.
    """

    id: str
    statement: Statement
    entry: ExportEntry | None
    faults: tuple[ExportRejection, ...] = ()


def examine_statement(
    reviewed_statement: ReviewedStatement,
    sources: Sources,
    ids: IdProver,
    prefixes: Mapping[str, str],
) -> ExaminedStatement:
    """Judge one statement by itself."""
    evidence, broken = proven_evidence(reviewed_statement, sources)
    faults = tuple(statement_problems(reviewed_statement, evidence, broken, sources, ids, prefixes))
    passes = all(fault.evidence for fault in faults)
    entry = (
        ExportEntry(reviewed_statement.statement, evidence, reviewed_statement.approvals)
        if passes
        else None
    )
    return ExaminedStatement(
        reviewed_statement.statement.id, reviewed_statement.statement, entry, faults
    )


def gate_report(examined: Iterable[ExaminedStatement]) -> GateReport:
    """What passes when all statements are seen together: a node needs a statement that leads to
    it.
    """
    everything = sorted(examined, key=lambda examined_statement: examined_statement.id)
    passing = [
        examined_statement
        for examined_statement in everything
        if examined_statement.entry is not None
    ]
    reached = reachable_nodes(
        [examined_statement.statement for examined_statement in passing],
        [examined_statement.statement for examined_statement in everything],
    )
    rejections = [
        (examined_statement.id, fault)
        for examined_statement in everything
        for fault in examined_statement.faults
    ]
    rejections += [
        (
            examined_statement.id,
            ExportRejection(
                examined_statement.statement,
                HoldReason.UNREACHED,
                examined_statement.statement.subject.label,
            ),
        )
        for examined_statement in passing
        if not starts(examined_statement.statement, reached)
    ]
    order = {why: at for at, why in enumerate(HoldReason)}
    rejections.sort(
        key=lambda pair: (order[pair[1].why], pair[0], pair[1].evidence, pair[1].detail)
    )
    return GateReport(
        tuple(
            examined_statement.entry
            for examined_statement in passing
            if examined_statement.entry and starts(examined_statement.statement, reached)
        ),
        tuple(rejection for _, rejection in rejections),
    )


def proven_evidence(
    reviewed_statement: ReviewedStatement, sources: Sources
) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
    """Accepted evidence that is proven, sorted by id, and that which is not."""
    pieces = sorted(reviewed_statement.accepted, key=lambda piece: piece.id)
    good = tuple(
        piece for piece in pieces if prove_evidence(piece, sources) is not EvidenceProof.NONE
    )
    if all(piece.path == ENDS for piece in good):
        good = ()  # that both things exist is no evidence of what ties them
    return good, tuple(piece for piece in pieces if piece not in good)


def statement_problems(
    reviewed_statement: ReviewedStatement,
    evidence: Sequence[Evidence],
    broken: Sequence[Evidence],
    sources: Sources,
    ids: IdProver,
    prefixes: Mapping[str, str],
) -> Iterator[ExportRejection]:
    """Everything that is wrong with a statement; entries with `evidence` do not hold the statement
    itself.
    """
    statement = reviewed_statement.statement
    if reviewed_statement.state is not State.APPROVED:
        yield ExportRejection(statement, STATES[reviewed_statement.state])
        return
    for piece in reviewed_statement.waiting:
        yield ExportRejection(statement, HoldReason.WAITING, evidence=piece.id)
    if not evidence and not broken:
        yield ExportRejection(statement, HoldReason.UNSUPPORTED)
    elif not evidence:
        yield ExportRejection(statement, *why_unproven(broken, sources))
    else:
        yield from (
            ExportRejection(statement, *why_unproven([piece], sources), evidence=piece.id)
            for piece in broken
        )
    for term in terms_in(statement):
        yield from id_faults(term, statement, ids, prefixes)
    yield from datatype_faults(statement, prefixes)


def why_unproven(broken: Sequence[Evidence], sources: Sources) -> tuple[HoldReason, str]:
    """Why none of these pieces of evidence proves anything, and the documents whose texts are not
    there.
    """
    away = [piece for piece in broken if source_is_missing(piece, sources)]
    if len(away) < len(broken):
        return HoldReason.UNPROVEN, ""
    return HoldReason.ABSENT, ", ".join(sorted({document_of(piece) for piece in away} - {""}))


def id_faults(
    term: Term, statement: Statement, ids: IdProver, prefixes: Mapping[str, str]
) -> Iterator[ExportRejection]:
    if not term.id:
        yield ExportRejection(statement, HoldReason.UNGROUNDED, term.label)
        return
    try:
        iri.term_iri(term.id, prefixes)
    except InputError as error:
        yield ExportRejection(statement, HoldReason.PREFIX, error.message)
        return
    for problem in ids.problems(term, statement):
        yield ExportRejection(statement, HoldReason.ID, problem.message)


def datatype_faults(statement: Statement, prefixes: Mapping[str, str]) -> Iterator[ExportRejection]:
    values = (statement.object, *(qualifier.value for qualifier in statement.qualifiers))
    for value in values:
        if isinstance(value, Literal) and value.datatype:
            try:
                iri.term_iri(value.datatype, prefixes)
            except InputError as error:
                yield ExportRejection(statement, HoldReason.PREFIX, error.message)


def reachable_nodes(passing: Sequence[Statement], everything: Sequence[Statement]) -> set[str]:
    """Ids of the nodes that may be exported: roots, which no statement ever led to, and what they
    lead to.
    """
    led_to = {s.object.id for s in everything if isinstance(s.object, Node)}
    reached = {s.subject.id for s in everything if isinstance(s.subject, Node)} - led_to
    while True:
        newly_reached = {
            s.object.id for s in passing if isinstance(s.object, Node) and starts(s, reached)
        } - reached
        if not newly_reached:
            return reached
        reached |= newly_reached


def starts(statement: Statement, reached: set[str]) -> bool:
    return isinstance(statement.subject, Term) or statement.subject.id in reached
