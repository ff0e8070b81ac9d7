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
from core.kb.gate.meaning import MeaningProver, built_in, is_overruled, kinds_problem, unsaid
from core.kb.gate.proof import EvidenceProof, Sources, prove_evidence, source_is_missing
from core.kb.rdf import iri
from core.model import ENDS, Decision, Evidence, Literal, Node, Problem, State, Statement, Term

RULES = 4  # raise it when a rule of the gate changes: what was checked before is checked again


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
    RELATION = "its predicate is no relation"
    KINDS = "its ends are of the wrong kind"
    UNSAID = "its evidence does not say it"
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
    HoldReason.RELATION: (
        "Correct it on the Review page: choose a relation of RO, Biolink or the schema; or"
        " approve it with a note that begins with “Overruled:” and says why."
    ),
    HoldReason.KINDS: (
        "Correct it on the Review page: exchange the ends or choose another relation; or approve"
        " it with a note that begins with “Overruled:” and says why."
    ),
    HoldReason.UNSAID: (
        "Look at the quote on the Review page: correct the statement, add evidence that says it,"
        " or approve it with a note that begins with “Overruled:” and says why."
    ),
    HoldReason.UNREACHED: "Also approve the statement that leads to this unnamed thing.",
}


@dataclass(frozen=True, slots=True)
class ReviewedStatement:
    """A statement as review left it: its state, the evidence accepted and waiting, the approvals
    that stand. `id` is the statement's, where it is known already: working it out takes a digest.
    """

    statement: Statement
    state: State
    accepted: tuple[Evidence, ...] = ()
    waiting: tuple[Evidence, ...] = ()
    approvals: tuple[Decision, ...] = ()
    id: str = ""


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


@dataclass(frozen=True, slots=True)
class Gate:
    """The rules for one statement, with what they ask: stored texts and calls, who vouches for an
    id, and the namespaces of prefixes.
    """

    sources: Sources
    ids: IdProver
    prefixes: Mapping[str, str]
    meaning: MeaningProver | None = None  # without it nobody is asked what a statement means

    def examine(self, reviewed: ReviewedStatement) -> ExaminedStatement:
        """Judge one statement by itself. The same record gives the same answer."""
        evidence, broken = self.proven_evidence(reviewed)
        faults = tuple(self.statement_faults(reviewed, evidence, broken))
        passes = all(fault.evidence for fault in faults)
        statement = reviewed.statement
        entry = ExportEntry(statement, evidence, reviewed.approvals) if passes else None
        return ExaminedStatement(reviewed.id or statement.id, statement, entry, faults)

    def proven_evidence(
        self, reviewed: ReviewedStatement
    ) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
        """Accepted evidence that is proven, sorted by id, and that which is not."""
        pieces: Sequence[Evidence] = reviewed.accepted
        if len(pieces) > 1:  # an id takes a digest
            pieces = sorted(pieces, key=lambda piece: piece.id)
        good = tuple(
            piece
            for piece in pieces
            if prove_evidence(piece, self.sources) is not EvidenceProof.NONE
        )
        if all(piece.path == ENDS for piece in good):
            good = ()  # that both things exist is no evidence of what ties them
        return good, tuple(piece for piece in pieces if piece not in good)

    def statement_faults(
        self, reviewed: ReviewedStatement, evidence: Sequence[Evidence], broken: Sequence[Evidence]
    ) -> Iterator[ExportRejection]:
        """Everything that is wrong with a statement; entries with `evidence` do not hold the
        statement itself.
        """
        statement = reviewed.statement
        if reviewed.state is not State.APPROVED:
            yield ExportRejection(statement, STATES[reviewed.state])
            return
        for piece in reviewed.waiting:
            yield ExportRejection(statement, HoldReason.WAITING, evidence=piece.id)
        if not evidence and not broken:
            yield ExportRejection(statement, HoldReason.UNSUPPORTED)
        elif not evidence:
            yield ExportRejection(statement, *self.why_unproven(broken))
        else:
            yield from (
                ExportRejection(statement, *self.why_unproven([piece]), evidence=piece.id)
                for piece in broken
            )
        for term in terms_in(statement):
            yield from self.id_faults(term, statement)
        yield from self.datatype_faults(statement)
        if not is_overruled(reviewed.approvals):
            yield from self.meaning_faults(reviewed, evidence)

    def meaning_faults(
        self, reviewed: ReviewedStatement, evidence: Sequence[Evidence]
    ) -> Iterator[ExportRejection]:
        """What is wrong with what a statement says, however well its parts are proven."""
        statement, prover = reviewed.statement, self.meaning
        if prover is None:
            return
        if problem := built_in(statement.predicate) or prover.relation_problem(statement.predicate):
            yield ExportRejection(statement, HoldReason.RELATION, problem)
        if problem := kinds_problem(statement):
            yield ExportRejection(statement, HoldReason.KINDS, problem)
        if evidence and (problem := unsaid(reviewed.id or statement.id, evidence, prover)):
            yield ExportRejection(statement, HoldReason.UNSAID, problem)

    def why_unproven(self, broken: Sequence[Evidence]) -> tuple[HoldReason, str]:
        """Why none of these pieces of evidence proves anything, and the documents whose texts are
        not there.
        """
        away = [piece for piece in broken if source_is_missing(piece, self.sources)]
        if len(away) < len(broken):
            return HoldReason.UNPROVEN, ""
        return HoldReason.ABSENT, ", ".join(sorted({document_of(piece) for piece in away} - {""}))

    def id_faults(self, term: Term, statement: Statement) -> Iterator[ExportRejection]:
        """What is wrong with one id of a statement."""
        if not term.id:
            yield ExportRejection(statement, HoldReason.UNGROUNDED, term.label)
        elif strange := self._unknown_prefix(term.id):
            yield ExportRejection(statement, HoldReason.PREFIX, strange)
        else:
            for problem in self.ids.problems(term, statement):
                yield ExportRejection(statement, HoldReason.ID, problem.message)

    def datatype_faults(self, statement: Statement) -> Iterator[ExportRejection]:
        """Datatypes of values that have no IRI."""
        for value in (statement.object, *(qualifier.value for qualifier in statement.qualifiers)):
            datatype = value.datatype if isinstance(value, Literal) else ""
            if datatype and (strange := self._unknown_prefix(datatype)):
                yield ExportRejection(statement, HoldReason.PREFIX, strange)

    def _unknown_prefix(self, curie: str) -> str:
        """Why a CURIE has no IRI; "" where it has one."""
        try:
            iri.term_iri(curie, self.prefixes)
        except InputError as error:
            return error.message
        return ""


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
