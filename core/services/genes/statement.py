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

from core.desk import Desk
from core.errors import InputError, NotFound
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, Thing
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
    node_id,
    relation_words,
)
from core.model import Thing as ModelThing
from core.schema.definition import ClassDefinition, RangeKind, Schema
from core.schema.load import load_schema
from core.store.proposing import Proposal

FILE = "gene_questions.yaml"
HELD = {
    "undecided": "dbSNP does not say whether the variant lies in this gene or beside it",
    "inferred": "it was inferred from names, not read from a field",
    "unconfirmed": "no field of a record ties it to what was asked",
    "itself": "it is the official symbol itself, not another name",
    "clone": "the gene itself has no record",
    "other classification": "the classification says neither that it causes the condition nor that"
    " it does not",
    "no id": "no id of the condition, or of the organism, stands in the record",
}
Proposed = tuple[Statement, list[Evidence]]


@dataclass(frozen=True, slots=True)
class SentAnswer:
    """What sending did: `held` are values that were not sent, with why."""

    proposal: Proposal
    held: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Claims:
    """The statements of an answer, and what was held back."""

    proposed: tuple[Proposed, ...] = ()
    held: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=8)
def _schema(folders: tuple[Path, ...]) -> Schema:
    return load_schema(
        next(path for folder in folders if (path := folder / FILE).is_file()), folder=folders
    )


def schema(desk: Desk) -> Schema:
    return _schema(desk.schemas)


def claims(desk: Desk, run: str, answer: GeneAnswer, incomplete: bool = False) -> Claims:
    """Statements with evidence that was read again in the stored answers. What an incomplete
    answer holds is given only where `incomplete` says that a person knows it is.
    """
    if answer.kind == QuestionKind.API:
        return Claims()  # what a web API says has no predicate of ours
    kind = KINDS.get(answer.kind)
    known_lack = incomplete and answer.status is AnswerStatus.INCOMPLETE
    whole = answer.status in (AnswerStatus.ANSWERED, AnswerStatus.PARTLY) or known_lack
    if whole and kind is not None and not kind.claim:
        why = "answers of this kind are not sent to review"
        return Claims(held=tuple((one.value, why) for one in answer.found))
    if not whole or kind is None:
        return Claims(held=tuple((one.value, _not_whole(answer)) for one in answer.found))
    known, cls = schema(desk), schema(desk).classes[kind.claim]
    proposed: dict[str, Proposed] = {}
    held = []
    for found in answer.found:
        why = HELD.get(found.relation, "") or _not_there(desk, found)
        if why:
            held.append((found.value, why))
            continue
        statement = _statement(known, cls, found, answer.subject)
        evidence = proposed.setdefault(statement.id, (statement, []))[1]
        known_ids = {one.id for one in evidence}
        evidence += [one for one in _evidence(statement, found, run) if one.id not in known_ids]
    return Claims(tuple(proposed.values()), tuple(held))


def _not_whole(answer: GeneAnswer) -> str:
    lacking = f" ({'; '.join(answer.missing)})" if answer.missing else ""
    return f"the answer is {answer.status}{lacking}"


def send(
    desk: Desk, run: str, answer: GeneAnswer, curator: str, incomplete: bool = False
) -> SentAnswer:
    """Propose the statements of an answer. Raises InputError when there is none to send."""
    found = claims(desk, run, answer, incomplete)
    if not found.proposed:
        why = (
            "; ".join(f"{value}: {reason}" for value, reason in found.held[:5])
            or f"the answer is {answer.status}"
        )
        raise InputError("There is nothing to send to review.", f"{why[:1].upper()}{why[1:]}.")
    return SentAnswer(desk.store.statements.propose(found.proposed, run, curator), found.held)


@dataclass(frozen=True, slots=True)
class InReview:
    """A statement that stands in review already; `runs` are the answers that it was sent from."""

    state: State
    runs: tuple[str, ...]


def in_review(desk: Desk, found: Claims) -> dict[str, InReview]:
    """Those statements that stand in review already, by id."""
    ids = [one.id for one, _ in found.proposed]
    return {
        statement_record.id: InReview(statement_record.state, tuple(statement_record.runs))
        for statement_record in desk.store.statements.of_ids(ids)
    }


def statement_sentence(statement: Statement) -> str:
    """`PSMB10 has alias LMP10`"""
    ends = [
        getattr(one, "label", "") or getattr(one, "value", "")
        for one in (statement.subject, statement.object)
    ]
    return f"{ends[0]} {relation_words(statement.predicate)} {ends[1]}"


def _not_there(desk: Desk, found: AnswerValue) -> str:
    """Why a value cannot be proven: its call, or the text in it, is not there."""
    for call, pointer, raw in (
        (found.call, found.field, found.raw),
        *((one.call, one.field, one.raw) for one in (*found.ties, *found.proofs)),
    ):
        if not call:
            return "it rests on no recorded call"
        try:
            stored = desk.store.calls.get(call)
        except NotFound:
            return "its call is not recorded"
        if not answer_holds(stored.answer, pointer, raw):
            return f"{raw[:60]!r} is not where it was read in the stored answer"
    return ""


def _evidence(statement: Statement, found: AnswerValue, run: str) -> list[Evidence]:
    """The field that ties the statement's ends first; what proves only that the ends exist says so
    (`ENDS`), and alone carries no statement through the gate.
    """
    own = RecordProof(found.call, found.record, found.field, found.raw)
    seen, pieces = set(), []
    fields = [(one, "") for one in (own, *found.ties)] + [
        (record_proof, ENDS) for record_proof in found.proofs
    ]
    for one, path in fields:
        ground = RecordGround(one.call, one.record, one.field, one.raw)
        if ground not in seen:
            seen.add(ground)
            pieces.append(Evidence(statement.id, ground, run, path, "gene questions"))
    return pieces


def _statement(known: Schema, cls: ClassDefinition, found: AnswerValue, subject: str) -> Statement:
    first = _end(known, cls, "subject", found.subject, subject)
    if isinstance(first, Literal):
        raise InputError(f"{found.subject.label[:60]} cannot be the subject of a statement.")
    return Statement(
        first, _predicate(known, cls, found), _end(known, cls, "object", found.object, subject)
    )


def _predicate(known: Schema, cls: ClassDefinition, found: AnswerValue) -> Term:
    """The claim's predicate: the one that the relation names, else the second for neighbours."""
    slot = cls.slot("predicate")
    values = known.enums[slot.range].values if slot else ()
    named = next((one for one in values if one.name == found.relation), None)
    nearby = values[1] if found.relation == "nearby" and len(values) > 1 else values[0]
    value = named or nearby
    return Term(value.meaning, value.name, Category.RELATION)


def _end(known: Schema, cls: ClassDefinition, name: str, thing: Thing, subject: str) -> ModelThing:
    slot = cls.slot(name)
    if slot is None:
        raise InputError(f"The schema gene_questions gives {cls.name} no {name}.")
    if slot.kind is RangeKind.LITERAL:
        return Literal(thing.label, *(("xsd:integer",) if slot.range == "integer" else ()))
    if slot.kind is RangeKind.OBJECT:
        return Node(
            node_id("", "", "sequence", subject, 0),
            slot.range,
            thing.label,
            known.classes[slot.range].category,
        )
    if name == "object" and not thing.id:
        return Literal(thing.label)
    return Term(thing.id, thing.label, known.classes[slot.range].category)
