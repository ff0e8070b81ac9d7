"""Which statements of the queue, and in what order: a filter and an order as SQL."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from core.model import State, fold_words
from core.store.ranking import UNRANKED
from core.store.table import decisions, evidence, proposals, rankings, statements


class QueueOrder(StrEnum):
    """In what order statements are shown; ties stand as they were proposed."""

    PROPOSED = "proposed"  # as they were proposed
    NEWEST = "newest"
    SCORE = "score"  # best score of an engine first
    UNCERTAIN = "uncertain"  # score nearest to a half first
    DOCUMENT = "document"
    LIKELY = "likely"  # in learned order: likely right first
    UNSURE = "unsure"  # in learned order: nearest to a half first


class Held(StrEnum):
    """What stands in the way of an export as the statement is."""

    UNSUPPORTED = "no proven quote and no recorded answer"
    UNGROUNDED = "words without a term"
    WAITING = "new evidence waits"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which statements; what is empty or None does not restrict.

    `thing` is a CURIE or node id, subject or object; `pair` two of them, in either direction.
    `category` is of subject or object. `text` are words that must all occur in labels, ids or
    values (case folded). `curator` decided on it. `document` is any of the statement's. `engine`
    and `rule` are of any piece of its evidence. `band` is a tenth of the score, "0.9" for 0.9 to
    1.0. `held` is a value of `Held`.
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
    held: str = ""
    pair: tuple[str, str] | None = None
    unsupported: bool | None = None
    new_evidence: bool | None = None


EVERYTHING = Filter()
LAST_BAND = 9  # tenths of a score: 0.9 to 1.0


def narrowed(query: Select[Any], filter: Filter) -> Select[Any]:
    return query.where(*_conditions(filter))


def ordering(order: QueueOrder) -> tuple[ColumnElement[Any] | None, bool]:
    """What an order sorts by before `seq`, None for `seq` alone, and whether from the end."""
    table = statements.c
    probability = func.coalesce(rankings.c.probability, UNRANKED)
    columns: dict[QueueOrder, ColumnElement[Any]] = {
        QueueOrder.SCORE: table.doubt,
        QueueOrder.UNCERTAIN: table.margin,
        QueueOrder.DOCUMENT: table.document,
        QueueOrder.LIKELY: probability,
        QueueOrder.UNSURE: func.abs(probability - 0.5),
    }
    return columns.get(order), order in (QueueOrder.NEWEST, QueueOrder.LIKELY)


UNGROUNDED = or_(
    statements.c.subject == "", and_(statements.c.object == "", statements.c.object_category != "")
)


def _conditions(filter: Filter) -> list[ColumnElement[bool]]:
    table = statements.c
    wanted: list[ColumnElement[bool]] = []
    if filter.states:
        wanted.append(table.state.in_([str(state) for state in filter.states]))
    if filter.predicate:
        wanted.append(table.predicate == filter.predicate)
    if filter.category:
        ends = (table.subject_category, table.object_category)
        wanted.append(or_(*(end == filter.category for end in ends)))
    if filter.thing:
        wanted.append(or_(table.subject == filter.thing, table.object == filter.thing))
    if filter.pair:
        one, other = filter.pair
        there = and_(table.subject == one, table.object == other)
        wanted.append(or_(there, and_(table.subject == other, table.object == one)))
    if filter.unsupported is not None:
        wanted.append(table.unsupported.is_(filter.unsupported))
    if filter.new_evidence is not None:
        wanted.append(table.new_evidence.is_(filter.new_evidence))
    if filter.band:
        wanted += _in_band(filter.band)
    if filter.held:
        wanted.append(held_condition(filter.held))
    wanted += [
        table.search.contains(word, autoescape=True) for word in fold_words(filter.text).split()
    ]
    return wanted + _elsewhere(filter)


def held_condition(held: str) -> ColumnElement[bool]:
    conditions: dict[str, ColumnElement[bool]] = {
        Held.UNSUPPORTED: statements.c.unsupported.is_(True),
        Held.UNGROUNDED: UNGROUNDED,
        Held.WAITING: statements.c.new_evidence.is_(True),
    }
    return conditions.get(held, statements.c.id == "")


def _in_band(band: str) -> list[ColumnElement[bool]]:
    """`0.9`: scores from 0.9 to 1.0; a band that is none lets nothing pass."""
    tenth = int(band[2:]) if band[:2] == "0." and band[2:].isdecimal() and len(band) == 3 else -1
    if tenth < 0:
        return [statements.c.id == ""]
    low = statements.c.doubt <= round(1 - tenth / 10, 6)
    return [low] if tenth == LAST_BAND else [low, statements.c.doubt > round(0.9 - tenth / 10, 6)]


def _elsewhere(filter: Filter) -> list[ColumnElement[bool]]:
    """Conditions on rows of other tables."""
    wanted: list[ColumnElement[bool]] = []

    def among(*columns: tuple[Any, ColumnElement[bool]]) -> None:
        wanted.append(
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
    if filter.batch:
        among((decisions.c.statement, decisions.c.batch == filter.batch))
    return wanted
