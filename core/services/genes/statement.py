"""From answers to review: each value is one statement, whose evidence is call, record, field and
value.

The schema `gene_questions` gives each kind its predicate and categories. A value is read again in
its stored answer before it is sent; an abstention makes no statement, and what is ambiguous,
unsupported or unconfirmed is held back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.desk_parts import HasFolder, HasProject, HasStore
from core.errors import InputError, NotFound
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.registry import KINDS
from core.genes.question.question import QuestionKind
from core.kb.gate.proof import answer_holds
from core.model import (
    ENDS,
    Category,
    Evidence,
    Literal,
    Node,
    RecordGround,
    State,
    Statement,
    Term,
    Thing,
    node_id,
    relation_words,
    thing_words,
)
from core.schema.definition import ClassDefinition, RangeKind, Schema
from core.schema.load import load_schema
from core.services.genes.evidence_row import held_lines
from core.services.support.evidence_support import judge_statements
from core.store.proposing import Proposal

FILE = "gene_questions.yaml"
HELD = {
    "undecided": "dbSNP does not say whether the variant is inside this gene or only near it",
    "inferred": "it was inferred from names, not read from a field",
    "unconfirmed": "no field of a record connects it to what was asked",
    "itself": "it is the official symbol itself, not another name",
    "clone": "the gene itself has no record",
    "other classification": "the classification says neither that it causes the condition nor that"
    " it does not",
    "no id": "the record has no id of the condition or of the organism",
}
Proposed = tuple[Statement, list[Evidence]]


@dataclass(frozen=True, slots=True)
class SentAnswer:
    """What sending did: `held_back` are values that were not sent, with why."""

    proposal: Proposal
    held_back: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerClaims:
    """The statements of an answer, and what was held back."""

    proposed: tuple[Proposed, ...] = ()
    held_back: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=8)
def _schema(folders: tuple[Path, ...]) -> Schema:
    return load_schema(
        next(path for folder in folders if (path := folder / FILE).is_file()), folder=folders
    )


def gene_answer_schema(desk: HasFolder) -> Schema:
    return _schema(desk.schemas)


def claims_of_answer(
    desk: HasProject, run: str, answer: GeneAnswer, incomplete: bool = False
) -> AnswerClaims:
    """Statements with evidence that was read again in the stored answers. What an incomplete
    answer holds is given only where `incomplete` says that a person knows it is.
    """
    if answer.kind == QuestionKind.API:
        return AnswerClaims()  # what a web API says has no predicate of ours
    kind = KINDS.get(answer.kind)
    known_lack = incomplete and answer.status is AnswerStatus.INCOMPLETE
    is_sendable = answer.status in (AnswerStatus.ANSWERED, AnswerStatus.PARTLY) or known_lack
    if is_sendable and kind is not None and not kind.claim:
        why = "answers of this kind are not sent to review"
        return AnswerClaims(held_back=tuple((value.value, why) for value in answer.values))
    if not is_sendable or kind is None:
        return AnswerClaims(
            held_back=tuple((value.value, _not_whole(answer)) for value in answer.values)
        )
    gene_schema, cls = gene_answer_schema(desk), gene_answer_schema(desk).classes[kind.claim]
    proposed: dict[str, Proposed] = {}
    held_back = []
    for value in answer.values:
        why = HELD.get(value.relation, "") or _not_there(desk, value)
        if why:
            held_back.append((value.value, why))
            continue
        statement = _statement(gene_schema, cls, value, answer.subject)
        evidence = proposed.setdefault(statement.id, (statement, []))[1]
        known_ids = {piece.id for piece in evidence}
        evidence += [
            piece for piece in _evidence(statement, value, run) if piece.id not in known_ids
        ]
    return AnswerClaims(tuple(proposed.values()), tuple(held_back))


def _not_whole(answer: GeneAnswer) -> str:
    lacking = f" ({'; '.join(answer.missing)})" if answer.missing else ""
    return f"the answer is {answer.status}{lacking}"


def send_answer(
    desk: HasProject, run: str, answer: GeneAnswer, curator: str, *, incomplete: bool = False
) -> SentAnswer:
    """Propose the statements of an answer. Raises InputError when there is none to send."""
    answer_claims = claims_of_answer(desk, run, answer, incomplete)
    if not answer_claims.proposed:
        why = " ".join(held_lines(answer_claims.held_back)) or f"The answer is {answer.status}."
        raise InputError("There is nothing to send to review.", why)
    proposal = desk.store.statements.propose(answer_claims.proposed, run, curator)
    judge_statements(desk, (*proposal.new, *proposal.strengthened))
    return SentAnswer(proposal, answer_claims.held_back)


@dataclass(frozen=True, slots=True)
class StatementInReview:
    """A statement that is in review already; `runs` are the answers that it was sent from."""

    state: State
    runs: tuple[str, ...]


def statements_in_review(
    desk: HasStore, answer_claims: AnswerClaims
) -> dict[str, StatementInReview]:
    """Those statements that are in review already, by id."""
    ids = [statement.id for statement, _ in answer_claims.proposed]
    return {
        statement_record.id: StatementInReview(statement_record.state, tuple(statement_record.runs))
        for statement_record in desk.store.statements.of_ids(ids)
    }


def statement_sentence(statement: Statement) -> str:
    """`PSMB10 has alias LMP10`"""
    relation = relation_words(statement.predicate)
    return f"{thing_words(statement.subject)} {relation} {thing_words(statement.object)}"


def _not_there(desk: HasStore, value: AnswerValue) -> str:
    """Why a value cannot be proven: its call, or the text in it, is not there."""
    for call, pointer, raw in (
        (value.call, value.field, value.raw),
        *((proof.call, proof.field, proof.raw) for proof in (*value.ties, *value.proofs)),
    ):
        if not call:
            return "it has no recorded call behind it"
        try:
            stored = desk.store.calls.get(call)
        except NotFound:
            return "its call is not recorded"
        if not answer_holds(stored.answer, pointer, raw):
            return f"{raw[:60]!r} is not where it was read in the stored answer"
    return ""


def _evidence(statement: Statement, value: AnswerValue, run: str) -> list[Evidence]:
    """The field that ties the statement's ends first; what proves only that the ends exist says so
    (`ENDS`), and alone carries no statement through the gate.
    """
    own = RecordProof(value.call, value.record, value.field, value.raw)
    grounds, pieces = set(), []
    fields = [(proof, "") for proof in (own, *value.ties)] + [
        (record_proof, ENDS) for record_proof in value.proofs
    ]
    for proof, path in fields:
        ground = RecordGround(proof.call, proof.record, proof.field, proof.raw)
        if ground not in grounds:
            grounds.add(ground)
            pieces.append(Evidence(statement.id, ground, run, path=path, engine="gene questions"))
    return pieces


def _statement(
    gene_schema: Schema, cls: ClassDefinition, value: AnswerValue, subject: str
) -> Statement:
    subject_end = _end(gene_schema, cls, "subject", thing=value.subject, subject=subject)
    if isinstance(subject_end, Literal):
        raise InputError(f"{value.subject.label[:60]} cannot be the subject of a statement.")
    return Statement(
        subject_end,
        _predicate(gene_schema, cls, value),
        _end(gene_schema, cls, "object", thing=value.object, subject=subject),
    )


def _predicate(gene_schema: Schema, cls: ClassDefinition, answer_value: AnswerValue) -> Term:
    """The claim's predicate: the one that the relation names, else the second for neighbours."""
    slot = cls.slot("predicate")
    values = gene_schema.enums[slot.range].values if slot else ()
    named_value = next(
        (permissible for permissible in values if permissible.name == answer_value.relation), None
    )
    nearby = values[1] if answer_value.relation == "nearby" and len(values) > 1 else values[0]
    value = named_value or nearby
    return Term(value.meaning, value.name, Category.RELATION)


def _end(  # noqa: PLR0917
    gene_schema: Schema, cls: ClassDefinition, name: str, thing: StatementEnd, subject: str
) -> Thing:
    slot = cls.slot(name)
    if slot is None:
        raise InputError(f"The schema gene_questions gives {cls.name} no {name}.")
    if slot.kind is RangeKind.LITERAL:
        return Literal(thing.label, *(("xsd:integer",) if slot.range == "integer" else ()))
    if slot.kind is RangeKind.OBJECT:
        return Node(
            node_id("", parent="", slot="sequence", words=subject, occurrence=0),
            slot.range,
            thing.label,
            gene_schema.classes[slot.range].category,
        )
    if name == "object" and not thing.id:
        return Literal(thing.label)
    return Term(thing.id, thing.label, gene_schema.classes[slot.range].category)
