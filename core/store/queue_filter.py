"""Which statements of the queue, and in what order: a filter and an order as SQL."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from core.model import NOT_JUDGED, State, Verdict, fold_words
from core.store.document_notice import rests_on_withdrawn
from core.store.statement_record import WAITING
from core.store.table import (
    decisions,
    document_ids,
    documents,
    evidence,
    gate_results,
    proposals,
    statements,
)


class QueueOrder(StrEnum):
    """In what order statements are shown; ties stand as they were proposed."""

    PROPOSED = "proposed"  # as they were proposed
    NEWEST = "newest"
    SCORE = "score"  # best score of an engine first
    UNCERTAIN = "uncertain"  # score nearest to a half first
    DOCUMENT = "document"
    SUPPORT = "support"  # said most surely by its evidence first
    LIKELY = "likely"  # in learned order: likely right first
    UNSURE = "unsure"  # in learned order: nearest to a half first


class ExportBarrier(StrEnum):
    """What stands in the way of an export as the statement is."""

    UNSUPPORTED = "no proven quote and no recorded answer"
    UNGROUNDED = "words without a term"
    WAITING = "new evidence waits"
    WITHDRAWN = "its paper was retracted"


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Which statements; what is empty or None does not restrict.

    `thing` is a CURIE or node id, subject or object; `pair` two of them, in either direction.
    `category` is of subject or object. `text` are words that must all occur in labels, ids or
    values (case folded). `curator` decided on it. `document` is any of the statement's. `engine`
    and `rule` are of any piece of its evidence. `band` is a tenth of the score, "0.9" for 0.9 to
    1.0. `support` is a verdict of the judges of support, or “not judged”. `held` is a value of
    `ExportBarrier`, or a reason of the gate. `paper` are words of a title or an id of a paper that
    evidence is in. `since` and `until` are days (ISO 8601) of a decision, both inclusive.
    `least_evidence` counts pieces. `open_to` leaves out what this person (an ORCID) approved and
    what still waits for others to approve it. `blind_to` is a reader to whom the
    verdicts of others on what waits are unknown: what others were unsure of is proposed.
    """

    states: tuple[State, ...] = ()
    schema: str = ""
    run: str = ""
    document: str = ""
    category: str = ""
    predicate: str = ""
    curator: str = ""
    thing: str = ""
    text: str = ""
    batch: str = ""
    engine: str = ""
    rule: str = ""
    band: str = ""
    support: str = ""
    held: str = ""
    pair: tuple[str, str] | None = None
    unsupported: bool | None = None
    new_evidence: bool | None = None
    paper: str = ""
    since: str = ""
    until: str = ""
    least_evidence: int = 0
    open_to: str = ""
    blind_to: str | None = None


EVERYTHING = QueueFilter()
LAST_BAND = 9  # tenths of a score: 0.9 to 1.0


def narrow_query(query: Select[Any], filter: QueueFilter) -> Select[Any]:
    return query.where(*_conditions(filter))


# what an order sorts by before `seq`, smallest first; orders that are not here go by `seq` alone
SORTED_BY: dict[QueueOrder, ColumnElement[Any]] = {
    QueueOrder.SCORE: statements.c.doubt,
    QueueOrder.UNCERTAIN: statements.c.margin,
    QueueOrder.DOCUMENT: statements.c.document,
    QueueOrder.SUPPORT: statements.c.support_doubt,
    QueueOrder.LIKELY: statements.c.learned_doubt,
    QueueOrder.UNSURE: statements.c.learned_margin,
}
UNGROUNDED = or_(
    statements.c.subject == "", and_(statements.c.object == "", statements.c.object_category != "")
)


def _conditions(filter: QueueFilter) -> list[ColumnElement[bool]]:
    table = statements.c
    conditions: list[ColumnElement[bool]] = []
    if filter.states:
        conditions.append(_in_states(filter.states, filter.blind_to))
    if filter.predicate:
        conditions.append(table.predicate == filter.predicate)
    if filter.category:
        ends = (table.subject_category, table.object_category)
        conditions.append(or_(*(end == filter.category for end in ends)))
    if filter.thing:
        conditions.append(or_(table.subject == filter.thing, table.object == filter.thing))
    if filter.pair:
        subject, object_ = filter.pair
        as_given = and_(table.subject == subject, table.object == object_)
        conditions.append(or_(as_given, and_(table.subject == object_, table.object == subject)))
    if filter.unsupported is not None:
        conditions.append(table.unsupported.is_(filter.unsupported))
    if filter.new_evidence is not None:
        conditions.append(table.new_evidence.is_(filter.new_evidence))
    if filter.band:
        conditions += _in_band(filter.band)
    if filter.support:
        wanted = "" if filter.support == NOT_JUDGED else filter.support
        conditions.append(table.support == wanted)
    if filter.held:
        conditions.append(held_condition(filter.held))
    conditions += [
        table.search.contains(word, autoescape=True) for word in fold_words(filter.text).split()
    ]
    return conditions + _elsewhere(filter)


def _in_states(states: tuple[State, ...], blind_to: str | None) -> ColumnElement[bool]:
    """Whether it is in one of these states, as far as the reader may know."""
    as_stored = statements.c.state.in_([str(state) for state in states])
    if blind_to is None or (State.PROPOSED in states) == (State.UNSURE in states):
        return as_stored
    others_were_unsure = unsure_unknown_to(blind_to)
    if State.PROPOSED in states:
        return or_(as_stored, others_were_unsure)
    return and_(as_stored, ~others_were_unsure)


def unsure_unknown_to(reader: str) -> ColumnElement[bool]:
    """Whether others were unsure of it, and this reader has not judged it."""
    return and_(statements.c.state == str(State.UNSURE), ~_judged_by(reader))


def unknown_to(reader: str) -> ColumnElement[bool]:
    """Whether it waits, and this reader has not judged it: the verdicts of others are hidden."""
    waits = statements.c.state.in_([str(state) for state in WAITING])
    return and_(waits, ~_judged_by(reader))


def _judged_by(reader: str) -> ColumnElement[bool]:
    return (
        exists()
        .where(decisions.c.statement == statements.c.id, decisions.c.curator == reader)
        .correlate(statements)
    )


def held_condition(barrier: str) -> ColumnElement[bool]:
    conditions: dict[str, ColumnElement[bool]] = {
        ExportBarrier.UNSUPPORTED: statements.c.unsupported.is_(True),
        ExportBarrier.UNGROUNDED: UNGROUNDED,
        ExportBarrier.WAITING: statements.c.new_evidence.is_(True),
        ExportBarrier.WITHDRAWN: rests_on_withdrawn(),
    }
    return conditions[barrier] if barrier in conditions else _held_by_gate(barrier)


def _held_by_gate(reason: str) -> ColumnElement[bool]:
    """Whether the gate held a statement back for this reason when it last saw it as it is."""
    has_reason = gate_results.c.reasons.contains(f"|{reason}|", autoescape=True)
    return exists().where(
        gate_results.c.statement == statements.c.id,
        gate_results.c.version == statements.c.version,
        has_reason,
    )


def _in_band(band: str) -> list[ColumnElement[bool]]:
    """`0.9`: scores from 0.9 to 1.0; a band that is none lets nothing pass."""
    tenth = int(band[2:]) if band[:2] == "0." and band[2:].isdecimal() and len(band) == 3 else -1
    if tenth < 0:
        return [statements.c.id == ""]
    low = statements.c.doubt <= round(1 - tenth / 10, 6)
    return [low] if tenth == LAST_BAND else [low, statements.c.doubt > round(0.9 - tenth / 10, 6)]


def _elsewhere(filter: QueueFilter) -> list[ColumnElement[bool]]:
    """Conditions on rows of other tables."""
    conditions: list[ColumnElement[bool]] = []

    def among(*columns: tuple[Any, ColumnElement[bool]]) -> None:
        conditions.append(
            or_(*(statements.c.id.in_(select(column).where(where)) for column, where in columns))
        )

    if filter.schema:
        among((proposals.c.statement, proposals.c.schema == filter.schema))
    if filter.run:
        among((proposals.c.statement, proposals.c.run == filter.run))
    if filter.document:
        in_proposals = (proposals.c.statement, proposals.c.document == filter.document)
        among(in_proposals, (evidence.c.statement, evidence.c.document == filter.document))
    if filter.engine:
        among((evidence.c.statement, evidence.c.engine == filter.engine))
    if filter.rule:
        among((evidence.c.statement, evidence.c.rule == filter.rule))
    if filter.curator:
        among((decisions.c.statement, decisions.c.curator == filter.curator))
        if filter.blind_to is not None and filter.curator != filter.blind_to:
            conditions.append(~unknown_to(filter.blind_to))
    if filter.open_to:
        conditions.append(~_stood_by(filter.open_to))
    if filter.batch:
        among((decisions.c.statement, decisions.c.batch == filter.batch))
    if filter.paper:
        among((evidence.c.statement, evidence.c.document.in_(_papers(filter.paper))))
    if filter.since or filter.until:
        days = [decisions.c.time >= filter.since] if filter.since else []
        days += [decisions.c.time < f"{filter.until}U"] if filter.until else []  # "T" is before "U"
        among((decisions.c.statement, and_(*days)))
    if filter.least_evidence > 1:
        pieces = select(evidence.c.statement).group_by(evidence.c.statement)
        conditions.append(statements.c.id.in_(pieces.having(func.count() >= filter.least_evidence)))
    return conditions


def _stood_by(curator: str) -> ColumnElement[bool]:
    """Whether this person approved it, and nobody took back a decision on it since."""
    later = decisions.alias()
    taken_back = exists().where(
        later.c.statement == decisions.c.statement,
        later.c.verdict == str(Verdict.UNDO),
        later.c.seq > decisions.c.seq,
    )
    return exists().where(
        decisions.c.statement == statements.c.id,
        decisions.c.curator == curator,
        decisions.c.verdict == str(Verdict.APPROVE),
        statements.c.state == str(State.PROPOSED),
        ~taken_back,
    )


def _papers(words: str) -> Select[Any]:
    """Documents with this id, or with all these words in their title."""
    folded = [documents.c.title.icontains(word, autoescape=True) for word in words.split()]
    alias = select(document_ids.c.document).where(document_ids.c.alias == words.strip())
    by_id = or_(documents.c.id == words.strip(), documents.c.id.in_(alias))
    return select(documents.c.id).where(or_(and_(*folded), by_id))
