"""The next statements of the queue, made ready for one curator: what a browser holds before it is
asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.desk_parts import HasStore
from core.model import Role, State
from core.services.people.blind import is_hidden, reviews_are_blind
from core.store import QueueFilter, QueueOrder, QueuePlace, StatementRow

AHEAD = 40  # statements of the queue that a browser holds from the one in view on
BACK = 5  # and before it
LEAST = 20  # statements after the one in view below which more are fetched
READY = 24  # of them that are in the browser with everything on them
IN_HAND = 30  # of them: what is judged before the next are fetched, others do not get first
LEASE = 600.0  # seconds


def queue_slice(
    desk: HasStore, filter: QueueFilter, order: QueueOrder, *, at: str = "", curator: str = ""
) -> list[StatementRow]:
    """Some statements before `at`, then those from it on, in order; with a curator these are taken
    in hand for a while. Who only reads takes nothing.
    """
    slices = desk.store.queue_slices
    if curator and desk.store.curators.role(curator) is not Role.READER:
        following = slices.take(
            filter, order, at=at, curator=curator, seconds=LEASE, limit=AHEAD, most=IN_HAND
        )
    else:
        following = slices.after(filter, order, at=at, limit=AHEAD)
    before = partial(slices.before, filter, order, at=at, curator=curator)
    earlier = before(limit=BACK) if at else []
    if not following and at:  # the last one was decided: what was passed over is left
        earlier = before(limit=AHEAD)
    return _rows(desk, [*earlier, *following], order, curator)


def _rows(
    desk: HasStore, places: Sequence[QueuePlace], order: QueueOrder, reader: str
) -> list[StatementRow]:
    rows = desk.store.queue_slices.rows(places, order)
    titles = desk.store.facets.titles([row.document for row in rows])
    hidden = _hidden(desk, rows, reader)
    return [
        replace(
            row,
            title=titles.get(row.document, ""),
            state=State.PROPOSED if row.id in hidden else row.state,
        )
        for row in rows
    ]


def _hidden(desk: HasStore, rows: Sequence[StatementRow], reader: str) -> set[str]:
    """What others were unsure of and this blind reader has not judged."""
    unsure = [row.id for row in rows if row.state is State.UNSURE]
    if not unsure or not reviews_are_blind(desk):
        return set()
    records = desk.store.statements.of_ids(unsure)
    return {record.id for record in records if is_hidden(record, reader, blind=True)}
