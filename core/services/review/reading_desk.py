"""The next statements of the queue, made ready for one curator: what a browser holds before it is
asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.desk_parts import HasStore
from core.model import Json, Role, State
from core.services.people.blind import is_hidden, reviews_are_blind
from core.services.review.queue import StatementRow
from core.store import QueueFilter, QueueLine, QueueOrder, QueuePlace

AHEAD = 40  # statements of the queue that a browser holds from the one in view on
BACK = 5  # and before it
LEAST = 20  # statements after the one in view below which more are fetched
READY = 24  # of them that are in the browser with everything on them
IN_HAND = 30  # of them: what is judged before the next are fetched, others do not get first
LEASE = 600.0  # seconds


@dataclass(frozen=True, slots=True)
class SliceRow:
    """A line of the queue. `order` sorts lines of several slices as the queue does; `taken`:
    another curator has it in hand.
    """

    row: StatementRow
    order: tuple[Json, ...]
    taken: bool = False


def queue_slice(
    desk: HasStore, filter: QueueFilter, order: QueueOrder, *, at: str = "", curator: str = ""
) -> list[SliceRow]:
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
) -> list[SliceRow]:
    place_by_id = {place.id: place for place in places}
    lines = desk.store.queue_slices.lines(places)
    titles = desk.store.facets.titles([line.document for line in lines])
    hidden = _hidden(desk, lines, reader)
    rows = []
    for line in lines:
        place = place_by_id[line.id]
        row = replace(_row(line), title=titles.get(line.document, ""))
        if line.id in hidden:
            row = replace(row, state=State.PROPOSED)
        rows.append(SliceRow(row, _order(place, order), place.taken))
    return rows


def _hidden(desk: HasStore, lines: Sequence[QueueLine], reader: str) -> set[str]:
    """What others were unsure of and this blind reader has not judged."""
    unsure = [line.id for line in lines if line.state is State.UNSURE]
    if not unsure or not reviews_are_blind(desk):
        return set()
    records = desk.store.statements.of_ids(unsure)
    return {record.id for record in records if is_hidden(record, reader, blind=True)}


def _row(line: QueueLine) -> StatementRow:
    return StatementRow(
        line.id,
        line.version,
        line.state,
        line.statement,
        line.evidence,
        line.document,
        line.new_evidence and line.state is State.APPROVED,
        line.unsupported,
    )


def _order(place: QueuePlace, order: QueueOrder) -> tuple[Json, ...]:
    value: Json = place.value if place.value is not None else 0
    return int(place.taken), value, -place.seq if order is QueueOrder.NEWEST else place.seq
