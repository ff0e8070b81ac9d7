"""The trace: calls as they were made. Nothing is deleted; clearing the cache only ends reuse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    bindparam,
    func,
    insert,
    select,
    type_coerce,
    update,
)

from core.errors import NotFound
from core.model import Call, CallState
from core.store.database import Repository, retry_while_away
from core.store.table import calls, runs, units

_FIELDS = [column.name for column in calls.columns if column.name not in ("seq", "reusable")]


# Queries that every call makes, built once: building takes longer than running them.
_EARLIER = calls.alias("earlier")
_WITH_EARLIER = calls.outerjoin(
    _EARLIER, (calls.c.reused != "") & (_EARLIER.c.id == calls.c.reused)
)
_CALLS = (
    select(*calls.columns, _EARLIER.c.answer.label("earlier"))
    .select_from(_WITH_EARLIER)
    .order_by(calls.c.seq)
)
_RECORDED = _CALLS.where(
    calls.c.run == bindparam("run"),
    calls.c.request_hash == bindparam("hash"),
    calls.c.occurrence == bindparam("occurrence"),
)
_NEWEST = select(func.max(calls.c.seq)).where(
    calls.c.request_hash == bindparam("hash"), calls.c.reusable.is_(True)
)
_CACHED = _CALLS.where(calls.c.seq == _NEWEST.scalar_subquery())
_BEGIN = insert(calls)
# Runs over records that ship: they asked nobody. `body` is compact JSON, in which a quotation mark
# inside a text is escaped, so no question can look like this setting.
_SHIPPED = select(runs.c.id).where(
    runs.c.kind == "ask", type_coerce(runs.c.body, Text).contains('"examples":true')
)
_FINISH = update(calls).where(calls.c.id == bindparam("this"))


@dataclass(frozen=True, slots=True)
class CallTotals:
    """Totals over calls. `seconds` are summed over calls, which may overlap; `cost` leaves out
    calls of unknown price, which `unpriced` counts.
    """

    calls: int = 0
    reused: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    unpriced: int = 0


@dataclass(frozen=True, slots=True)
class RunCalls:
    """What a run asked a model: first questions (`root`, one a part of the text) and those that
    their answers led to (`nested`), with tokens in and out.
    """

    roots: int
    root_in: int
    root_out: int
    nested: int
    nested_in: int
    nested_out: int


class CallRepository(Repository):
    """Implements `recorder.CallLog`."""

    def begin(self, call: Call) -> None:
        """Commit a call as started, before it is sent."""
        with self.writing(durable=False) as connection:
            connection.execute(_BEGIN, _row(call))

    def finish(self, call: Call, *, reusable: bool = False) -> None:
        """Commit how a started call ended; `reusable`: its answer is whole, good and not empty."""
        good = reusable and call.state == CallState.DONE and not call.reused
        row = {
            name: value
            for name, value in _row(call).items()
            if name not in ("id", "run", "request")
        }
        row |= {"this": call.id, "reusable": good}

        def store() -> None:
            with self.writing(durable=False) as connection:
                connection.execute(_FINISH, row)

        retry_while_away(store)  # what was paid for is not lost to a server that restarts

    def recorded(self, run: str, request_hash: str, occurrence: int) -> Call | None:
        """The finished call of a run by its request and how many equal ones came before it; a good
        one if there is.
        """
        rows = self._select(_RECORDED, run=run, hash=request_hash, occurrence=occurrence)
        finished = [call for call in rows if call.state != CallState.STARTED]
        return min(reversed(finished), key=lambda call: _GOODNESS[call.state], default=None)

    def cached(self, request_hash: str) -> Call | None:
        """The newest good call with this request, in any run."""
        matching = self._select(_CACHED, hash=request_hash)
        return matching[0] if matching else None

    def unfit(self, id: str) -> None:
        """Never reuse this call's answer (it turned out to be a block page, or nonsense)."""
        with self.writing() as connection:
            connection.execute(update(calls).where(calls.c.id == id).values(reusable=False))

    def get(self, id: str) -> Call:
        if matching := self._select(_CALLS.where(calls.c.id == id)):
            return matching[0]
        raise NotFound(f"No call {id[:80]} is stored in this project.")

    def of_run(self, run: str) -> list[Call]:
        """The calls of a run by their place in its tree (`steps[2]` before `steps[10]`), then as
        they were made.
        """
        return sorted(
            self._select(_CALLS.where(calls.c.run == run)), key=lambda call: place_order(call.path)
        )

    # -------------------------------------------------------------- the cache

    def cache_size(self) -> int:
        """How many good answers may be reused."""
        with self.reading() as connection:
            return connection.scalar(select(func.count()).where(calls.c.reusable.is_(True))) or 0

    def cache(self, limit: int = 50, offset: int = 0) -> list[Call]:
        """Calls whose answers may be reused, newest first."""
        query = calls.select().where(calls.c.reusable.is_(True)).order_by(calls.c.seq.desc())
        with self.reading() as connection:
            return [
                _call_of_row(row)
                for row in connection.execute(query.limit(limit).offset(offset)).all()
            ]

    def clear_cache(self) -> int:
        """End the reuse of every answer up to now, and say of how many. The calls stay."""
        with self.writing() as connection:
            return connection.execute(
                update(calls).where(calls.c.reusable.is_(True)).values(reusable=False)
            ).rowcount

    # -------------------------------------------------------------- totals

    def usage(self, run: str = "", job: str = "") -> CallTotals:
        """Totals of a run, of the runs of a job's units, or of the project."""
        return sum_usage(self.usage_by_kind(run, job).values())

    def usage_by_kind(self, run: str = "", job: str = "") -> dict[str, CallTotals]:
        """Totals by kind of call (model, ncbi, api, …), sorted. Those of the project leave out the
        shipped examples, which no network answered.
        """
        was_sent = calls.c.reused == ""
        query = select(
            calls.c.kind,
            func.count(),
            _number(~was_sent),
            _number(calls.c.state == CallState.FAILED),
            func.coalesce(func.sum(calls.c.tokens_in).filter(was_sent), 0),
            func.coalesce(func.sum(calls.c.tokens_out).filter(was_sent), 0),
            func.coalesce(func.sum(calls.c.seconds).filter(was_sent), 0.0),
            func.coalesce(func.sum(calls.c.cost).filter(was_sent), 0.0),
            _number(was_sent & calls.c.cost.is_(None) & (calls.c.tokens_in > 0)),
        ).group_by(calls.c.kind)
        if run:
            query = query.where(calls.c.run == run)
        elif not job:
            query = query.where(calls.c.run.not_in(_SHIPPED))
        if job:
            query = query.where(calls.c.run.in_(select(units.c.run).where(units.c.job == job)))
        with self.reading() as connection:
            return {
                row[0]: CallTotals(*row[1:])
                for row in connection.execute(query.order_by(calls.c.kind))
            }

    def of_runs(self, runs: Sequence[str]) -> dict[str, RunCalls]:
        """What each of these runs asked a model, where all of its calls were answered and some were
        sent. An answer from the record counts as it did when it was sent (as in a run that asks
        what a limit left out of another).
        """
        sent_in = func.coalesce(_EARLIER.c.tokens_in, calls.c.tokens_in)
        sent_out = func.coalesce(_EARLIER.c.tokens_out, calls.c.tokens_out)
        root = (calls.c.path == "") | calls.c.path.like("%/")
        columns = [
            column
            for group in (root, ~root)
            for column in (
                _number(group),
                func.coalesce(func.sum(sent_in).filter(group), 0),
                func.coalesce(func.sum(sent_out).filter(group), 0),
            )
        ]
        query = (
            select(calls.c.run, *columns)
            .select_from(_WITH_EARLIER)
            .where(calls.c.run.in_(runs), calls.c.kind == "model")
            .group_by(calls.c.run)
            .having(_number(calls.c.state != CallState.DONE) == 0)
            .having(_number(calls.c.reused == "") > 0)
        )
        with self.reading() as connection:
            return {row[0]: RunCalls(*row[1:]) for row in connection.execute(query)}

    def _select(self, query: Select[Any], **values: Any) -> list[Call]:
        """Calls, oldest first; a reused one with the answer of the call that it repeats."""
        with self.reading() as connection:
            rows = connection.execute(query, values).all()
        return [
            (
                replace(_call_of_row(row), answer=row.earlier)
                if row.reused and row.answer is None
                else _call_of_row(row)
            )
            for row in rows
        ]


def sum_usage(parts: Any) -> CallTotals:
    total = CallTotals()
    for part in parts:
        total = CallTotals(
            *(getattr(total, name) + getattr(part, name) for name in CallTotals.__slots__)
        )
    return total


def place_order(path: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts paths with the numbers in them as numbers."""
    parts = re.findall(r"\d+|\D+", path)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


_GOODNESS = {CallState.DONE: 0, CallState.CUT: 1, CallState.FAILED: 2, CallState.STARTED: 3}


def _row(call: Call) -> dict[str, Any]:
    row = {name: getattr(call, name) for name in _FIELDS}
    return row | {"state": str(call.state), "answer": None if call.reused else call.answer}


def _call_of_row(row: Any) -> Call:
    return Call(
        **{name: getattr(row, name) for name in _FIELDS if name != "state"},
        state=CallState(row.state),
    )


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.count().filter(condition)
