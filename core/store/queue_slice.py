"""A slice of the queue, found by index, and who has it in hand.

Many curators share one queue. Whoever gets a slice claims it for a while, and others get what is
behind it first: a soft lock, which is no lock. A decision is still taken by the version alone.
"""

from __future__ import annotations

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
    update,
)
from sqlalchemy.exc import IntegrityError

from core.store.database import Repository
from core.store.queue_filter import EVERYTHING, Filter, QueueOrder, narrowed, ordering
from core.store.table import claims, rankings, statements


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A statement's place in an order: what it is sorted by, then when it came."""

    id: str
    version: int
    value: float | str | None
    seq: int
    taken: bool = False  # another curator has it in hand


class QueueSliceRepository(Repository):
    def after(
        self,
        filter: Filter = EVERYTHING,
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
            query, start = _sorted(filter, order), _place(connection, at, order)
            query = query if start is None else query.where(_from(order, *start))
            theirs = _in_hand(curator, self.clock())
            free = [_read(row) for row in connection.execute(query.where(~theirs).limit(limit))]
            if len(free) == limit:
                return free
            left = query.where(theirs).limit(limit - len(free))
            return free + [_read(row, True) for row in connection.execute(left)]

    def before(
        self,
        filter: Filter = EVERYTHING,
        order: QueueOrder = QueueOrder.PROPOSED,
        *,
        at: str,
        limit: int = 20,
    ) -> list[QueuePlace]:
        """The statements of the queue just before statement `at`, in order."""
        with self.reading() as connection:
            start = _place(connection, at, order)
            if start is None:
                return []
            query = _sorted(filter, order, back=True).where(_from(order, *start, back=True))
            return [_read(row) for row in connection.execute(query.limit(limit))][::-1]

    def claim(self, ids: list[str], curator: str, until: str) -> None:
        """Take these in hand, but for those that somebody else has, until a time (ISO 8601)."""
        now = self.clock()

        def work(connection: Connection) -> None:
            ended = or_(claims.c.until < now, claims.c.curator == curator)
            connection.execute(delete(claims).where(ended))
            taken = set(
                connection.scalars(select(claims.c.statement).where(claims.c.statement.in_(ids)))
            )
            rows = [
                {"statement": id, "curator": curator, "until": until}
                for id in ids
                if id not in taken
            ]
            if rows:
                connection.execute(insert(claims), rows)

        try:
            self.repeating(work)
        except IntegrityError:  # others were faster five times: a claim is a courtesy
            return

    def release(self, curator: str) -> None:
        """Let go of everything in hand, as when another view is opened."""
        with self.writing(durable=False) as connection:
            connection.execute(delete(claims).where(claims.c.curator == curator))

    def renew(self, curator: str, until: str) -> None:
        with self.writing(durable=False) as connection:
            mine = claims.c.curator == curator
            connection.execute(update(claims).where(mine).values(until=until))


def _read(row: Any, taken: bool = False) -> QueuePlace:
    return QueuePlace(row.id, row.version, row.value, row.seq, taken)


def _sorted(filter: Filter, order: QueueOrder, back: bool = False) -> Select[Any]:
    column, down = ordering(order)
    seq = statements.c.seq
    value: ColumnElement[Any] = literal(None) if column is None else column
    if order is QueueOrder.UNSURE:
        value = column = _unsure()
    query: Select[Any] = select(statements.c.id, statements.c.version, seq, value.label("value"))
    if order in (QueueOrder.LIKELY, QueueOrder.UNSURE):
        query = query.join(rankings, rankings.c.statement == statements.c.id)
    query = narrowed(query, filter)
    first: list[Any] = []
    if column is not None:
        first = [column.desc() if down != back else column]
    seq_down = (down if column is None else False) != back
    return query.order_by(*first, seq.desc() if seq_down else seq)


def _unsure() -> ColumnElement[float]:
    return func.abs(rankings.c.probability - 0.5)


def _place(connection: Connection, id: str, order: QueueOrder) -> tuple[Any, int] | None:
    """What a statement is sorted by, and its `seq`; None for one that has no place."""
    if not id:
        return None
    column = _unsure() if order is QueueOrder.UNSURE else ordering(order)[0]
    query = select(statements.c.seq, (literal(None) if column is None else column).label("value"))
    if order in (QueueOrder.LIKELY, QueueOrder.UNSURE):
        query = query.join(rankings, rankings.c.statement == statements.c.id)
    row = connection.execute(query.where(statements.c.id == id)).first()
    return None if row is None else (row.value, row.seq)


def _from(order: QueueOrder, value: Any, seq: int, back: bool = False) -> ColumnElement[bool]:
    """From a place on, the place itself included; or what stands before it."""
    column, down = ordering(order)
    column = _unsure() if order is QueueOrder.UNSURE else column
    place = statements.c.seq
    if column is None:
        if back:
            return place > seq if down else place < seq
        return place <= seq if down else place >= seq
    beyond = column < value if down != back else column > value
    alike = place < seq if back else place >= seq
    # the plain bound is what an index can begin at
    bound = column <= value if down != back else column >= value
    return and_(bound, or_(beyond, alike))


def _in_hand(curator: str, now: str) -> ColumnElement[bool]:
    """Whether somebody else has it in hand."""
    theirs = (claims.c.statement == statements.c.id) & (claims.c.curator != curator)
    return exists().where(theirs & (claims.c.until >= now))
