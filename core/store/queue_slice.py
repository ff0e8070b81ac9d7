"""A slice of the queue, found by index, and who has it in hand.

Many curators share one queue. Whoever gets a slice claims it for a while, and others get what is
behind it first: a soft lock, which is no lock. A decision is still taken by the version alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
)

from core.codec import from_json
from core.model import Json, State, Statement
from core.store.database import Repository, moment
from core.store.id_batches import id_batches
from core.store.queue_filter import EVERYTHING, SORTED_BY, QueueFilter, QueueOrder, narrow_query
from core.store.table import claims, evidence, statements

CLAIMING = 7_201_101  # the number of the lock under which PostgreSQL hands out slices


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A statement's place in an order: what it is sorted by, then when it came."""

    id: str
    version: int
    value: float | str | None
    seq: int
    taken: bool = False  # another curator has it in hand


@dataclass(frozen=True, slots=True)
class StatementRow:
    """What a list shows of a statement: `evidence` counts its pieces, `title` is the document's. In
    the queue it has a place: `order` sorts rows of several slices as the queue does, and `taken`
    says that another curator has it in hand.
    """

    id: str
    version: int
    statement: Statement
    state: State
    evidence: int
    document: str
    new_evidence: bool
    unsupported: bool
    title: str = ""
    order: tuple[Json, ...] = ()
    taken: bool = False

    @property
    def has_news(self) -> bool:
        """Evidence came after the approval and waits for judgement."""
        return self.new_evidence and self.state is State.APPROVED


class QueueSliceRepository(Repository):
    def after(
        self,
        filter: QueueFilter = EVERYTHING,
        order: QueueOrder = QueueOrder.PROPOSED,
        *,
        at: str = "",
        curator: str = "",
        limit: int = 20,
    ) -> list[QueuePlace]:
        """The statements of the queue from statement `at` on (that one included if it passes), in
        order. What others have in hand comes after everything else.
        """
        with self.reading() as connection:
            now = moment(self.seconds(connection))
            return _after(connection, filter, order, at, curator=curator, limit=limit, now=now)

    def take(
        self,
        filter: QueueFilter = EVERYTHING,
        order: QueueOrder = QueueOrder.PROPOSED,
        *,
        at: str = "",
        curator: str,
        seconds: float,
        limit: int = 20,
        most: int = 10,
    ) -> list[QueuePlace]:
        """As `after`, and the first `most` of those that nobody else has are this curator's for
        some `seconds`; what was before is let go. One at a time, so that no two get the same.
        """
        with self.writing(durable=False) as connection:
            if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
                connection.execute(select(func.pg_advisory_xact_lock(CLAIMING)))
            time = self.seconds(connection)
            now, until = moment(time), moment(time + seconds)
            ended = or_(claims.c.until < now, claims.c.until > until, claims.c.curator == curator)
            connection.execute(delete(claims).where(ended))
            places = _after(connection, filter, order, at, curator=curator, limit=limit, now=now)
            mine = [place.id for place in places if not place.taken][:most]
            rows = [{"statement": id, "curator": curator, "until": until} for id in mine]
            if rows:
                connection.execute(insert(claims), rows)
            return places

    def before(
        self,
        filter: QueueFilter = EVERYTHING,
        order: QueueOrder = QueueOrder.PROPOSED,
        *,
        at: str,
        curator: str = "",
        limit: int = 20,
    ) -> list[QueuePlace]:
        """The statements of the queue just before statement `at`, in order, without those that
        others have in hand.
        """
        with self.reading() as connection:
            start = _place(connection, at, order)
            if start is None:
                return []
            query = _sorted(filter, order, is_backward=True).where(
                _from(order, *start, is_backward=True)
            )
            query = query.where(~_in_hand(curator, moment(self.seconds(connection))))
            return [_place_of_row(row) for row in connection.execute(query.limit(limit))][::-1]

    def rows(self, places: Sequence[QueuePlace], order: QueueOrder) -> list[StatementRow]:
        """What a list shows of these, in order. What changed since its place was found is left
        out.
        """
        place_by_id = {place.id: place for place in places}
        ids = list(place_by_id)
        pieces = select(evidence.c.statement, func.count()).group_by(evidence.c.statement)
        counts: dict[str, int] = {}
        rows: dict[str, StatementRow] = {}
        with self.reading() as connection:
            for part in id_batches(ids):
                part_query = pieces.where(evidence.c.statement.in_(part))
                counts |= {row[0]: row[1] for row in connection.execute(part_query)}
                for row in connection.execute(select(statements).where(statements.c.id.in_(part))):
                    place = place_by_id[row.id]
                    if row.version == place.version:
                        claim: Statement = from_json(Statement, row.body)
                        rows[row.id] = StatementRow(
                            row.id,
                            row.version,
                            claim,
                            state=State(row.state),
                            evidence=counts.get(row.id, 0),
                            document=row.document,
                            new_evidence=row.new_evidence,
                            unsupported=row.unsupported,
                            order=_sort_key(place, order),
                            taken=place.taken,
                        )
        return [rows[id] for id in ids if id in rows]


def _after(
    connection: Connection,
    filter: QueueFilter,
    order: QueueOrder,
    at: str,
    *,
    curator: str,
    limit: int,
    now: str,
) -> list[QueuePlace]:
    query, start = _sorted(filter, order), _place(connection, at, order)
    query = query if start is None else query.where(_from(order, *start))
    theirs = _in_hand(curator, now)
    free = [_place_of_row(row) for row in connection.execute(query.where(~theirs).limit(limit))]
    if len(free) == limit:
        return free
    in_hand = query.where(theirs).limit(limit - len(free))
    return free + [_place_of_row(row, taken=True) for row in connection.execute(in_hand)]


def _place_of_row(row: Any, taken: bool = False) -> QueuePlace:
    return QueuePlace(row.id, row.version, row.value, seq=row.seq, taken=taken)


def _sort_key(place: QueuePlace, order: QueueOrder) -> tuple[Json, ...]:
    value: Json = place.value if place.value is not None else 0
    return int(place.taken), value, -place.seq if order is QueueOrder.NEWEST else place.seq


def _sorted(filter: QueueFilter, order: QueueOrder, is_backward: bool = False) -> Select[Any]:
    column = SORTED_BY.get(order)
    seq = statements.c.seq
    value: ColumnElement[Any] = literal(None) if column is None else column
    query: Select[Any] = select(statements.c.id, statements.c.version, seq, value.label("value"))
    query = narrow_query(query, filter)
    column_order: list[Any] = []
    if column is not None:
        column_order = [column.desc() if is_backward else column]
    from_the_end = (order is QueueOrder.NEWEST) != is_backward
    return query.order_by(*column_order, seq.desc() if from_the_end else seq)


def _place(connection: Connection, id: str, order: QueueOrder) -> tuple[Any, int] | None:
    """What a statement is sorted by, and its `seq`; None for one that has no place."""
    if not id:
        return None
    column = SORTED_BY.get(order)
    query = select(statements.c.seq, (literal(None) if column is None else column).label("value"))
    row = connection.execute(query.where(statements.c.id == id)).first()
    return None if row is None else (row.value, row.seq)


def _from(
    order: QueueOrder, value: Any, seq: int, is_backward: bool = False
) -> ColumnElement[bool]:
    """From a place on, the place itself included; or what stands before it."""
    column, place = SORTED_BY.get(order), statements.c.seq
    if column is None:
        if is_backward:
            return place > seq if order is QueueOrder.NEWEST else place < seq
        return place <= seq if order is QueueOrder.NEWEST else place >= seq
    beyond = column < value if is_backward else column > value
    alike = place < seq if is_backward else place >= seq
    # the plain bound is what an index can begin at
    bound = column <= value if is_backward else column >= value
    return and_(bound, or_(beyond, alike))


def _in_hand(curator: str, now: str) -> ColumnElement[bool]:
    """Whether somebody else has it in hand."""
    theirs = (claims.c.statement == statements.c.id) & (claims.c.curator != curator)
    return exists().where(theirs & (claims.c.until >= now))
