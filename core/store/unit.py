"""Units of a job: a row a document, claimed with a lease by whoever has a hand free.

Leases are counted by the database's clock, so that workers need not agree about the time. A lease
that ends, or that reaches further than any may (the clock was set back), is free again. A unit is
finished in one transaction with its result, and only by the worker that holds it: a result that
arrives twice, or from a worker that was given up, is not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    Connection,
    bindparam,
    case,
    func,
    insert,
    or_,
    select,
    update,
)

from core.model import Document, Json, Run, TextVersion
from core.store.database import Repository
from core.store.document import add_documents, write_text
from core.store.document_notice import NO_DETAILS, DocumentDetails, write_details
from core.store.gate_result import GateResults, put_gate_results
from core.store.known_papers import IncomingPaper
from core.store.process import worker_is_gone
from core.store.run import write_results, write_run
from core.store.table import jobs, units

LONGEST_MESSAGE = 500


class UnitState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    PARTLY = "partly"  # read, with something missing
    FAILED = "failed"
    REFUSED = "refused"  # its text cannot be used
    LEFT = "not begun"  # a limit was reached before


OVER = (
    UnitState.DONE,
    UnitState.PARTLY,
    UnitState.FAILED,
    UnitState.REFUSED,
    UnitState.LEFT,
)
AGAIN = (UnitState.FAILED, UnitState.PARTLY, UnitState.LEFT)


@dataclass(frozen=True, slots=True)
class JobUnit:
    """One document of a job; `number` counts from 0, `run` is empty where its text was refused."""

    job: str
    number: int
    name: str
    run: str = ""
    state: UnitState = UnitState.WAITING
    message: str = ""
    worker: str = ""
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """A unit as it is taken in, with what it needs; none of that where its text is refused."""

    unit: JobUnit
    document: Document | None = None
    text: TextVersion | None = None
    run: Run | None = None
    details: DocumentDetails = NO_DETAILS


@dataclass(frozen=True, slots=True)
class EndedUnit:
    """How a unit ended; `results` are (kind, JSON) of its run, `gate` is what the gate said."""

    unit: JobUnit
    state: UnitState
    message: str = ""
    results: tuple[tuple[str, Json], ...] = ()
    gate: GateResults | None = None

    def row(self) -> dict[str, Any]:
        return {
            "of_job": self.unit.job,
            "of_number": self.unit.number,
            "state": str(self.state),
            "message": self.message[:LONGEST_MESSAGE],
        }


LEASE = 300.0  # seconds a worker may be silent about a unit
MOST_ATTEMPTS = 5  # a unit that took as many workers with it is not tried again by itself


class UnitRepository(Repository):
    def add(self, rows: Sequence[JobUnit]) -> None:
        """Append units of a job, all or none."""
        if rows:
            with self.writing() as connection:
                connection.execute(insert(units), [_row(unit) for unit in rows])

    def take_in(self, job: str, entries: Sequence[UnitEntry]) -> None:
        """Append units with their documents, texts and runs: all of them, or nothing."""

        def work(connection: Connection) -> None:
            time = self.clock()
            readable = [entry for entry in entries if entry.run is not None]
            incoming = [
                IncomingPaper(entry.document, entry.text, entry.details.facts)
                for entry in readable
                if entry.document and entry.text
            ]
            ids = add_documents(connection, incoming, time)
            write_details(
                connection,
                {id: entry.details for entry, id in zip(readable, ids, strict=True)},
            )
            for entry, id in zip(readable, ids, strict=True):
                assert entry.text and entry.run
                write_text(connection, replace(entry.text, document=id), time)
                write_run(connection, replace(entry.run, document=id), time)
            connection.execute(
                insert(units), [_row(replace(entry.unit, job=job)) for entry in entries]
            )

        if entries:
            self.repeating(work)

    def claim(self, job: str, worker: str, most: int = 1, *, lease: float = LEASE) -> list[JobUnit]:
        """Take up to `most` units that wait, in order; none when the job was asked to stop.

        Units whose worker is gone wait again; one that a worker was lost with is taken alone, so
        that it costs no other unit an attempt. Deviation: two PostgreSQL workers may look at the
        same units; who comes second takes the next ones.
        """
        with self.writing(durable=False) as connection:
            return self._claim(connection, job, worker, most, lease=lease)

    def turn(
        self,
        job: str,
        worker: str,
        ended: Sequence[EndedUnit],
        most: int = 1,
        *,
        lease: float = LEASE,
    ) -> tuple[int, list[JobUnit]]:
        """Store how units of this worker ended with what their runs gave, and take up to `most`
        others, all in one transaction: how many were stored (those that the worker still held), and
        the units taken.
        """

        def work(connection: Connection) -> tuple[int, list[JobUnit]]:
            stored = self._end(connection, job, worker, ended)
            return stored, self._claim(connection, job, worker, most, lease=lease)

        return self.repeating(work, durable=False)  # what a power cut takes is done again

    def _claim(
        self, connection: Connection, job: str, worker: str, most: int, *, lease: float
    ) -> list[JobUnit]:
        if most < 1 or connection.scalar(_STOP, {"of_job": job}):
            return []
        self._free(connection, job, lease)
        waiting = {"of_job": job, "most": most}
        rows: Sequence[Any] = connection.execute(_WAITING, waiting).all()
        if any(row.attempts for row in rows):
            rows = rows[:1] if rows[0].attempts else [row for row in rows if not row.attempts]
        if rows:
            claim = {"worker": worker, "lease": self.seconds(connection) + lease}
            connection.execute(
                _TAKE, [claim | {"of_job": job, "of_number": row.number} for row in rows]
            )
        return [_unit_of_row(row) for row in rows]

    def renew(self, job: str, worker: str, *, lease: float = LEASE) -> bool:
        """Say that the worker lives; False when the job was asked to stop."""
        mine = (units.c.job == job) & (units.c.worker == worker)
        with self.writing(durable=False) as connection:
            connection.execute(
                update(units)
                .where(mine, units.c.state == UnitState.RUNNING)
                .values(lease=self.seconds(connection) + lease)
            )
            return not connection.scalar(select(jobs.c.stop).where(jobs.c.id == job))

    def finish(
        self,
        unit: JobUnit,
        worker: str,
        state: UnitState,
        message: str = "",
        *,
        results: Sequence[tuple[str, Json]] = (),
    ) -> bool:
        """Store how a unit ended and what its run gave, (kind, JSON) each, in one transaction.
        False, and nothing is stored, when this worker does not hold the unit any more.
        """
        ended = EndedUnit(unit, state, message, tuple(results))
        return bool(self.turn(unit.job, worker, [ended], 0)[0])

    def _end(
        self, connection: Connection, job: str, worker: str, ended: Sequence[EndedUnit]
    ) -> int:
        """How many of these the worker still held; the others are not stored."""
        if not ended:
            return 0
        numbers = {
            "of_job": job,
            "of_worker": worker,
            "numbers": [ended_unit.unit.number for ended_unit in ended],
        }
        held_numbers = set(connection.scalars(_HELD, numbers))
        mine = [ended_unit for ended_unit in ended if ended_unit.unit.number in held_numbers]
        if mine:
            connection.execute(_END, [ended_unit.row() for ended_unit in mine])
            results = [
                (ended_unit.unit.run, body, kind)
                for ended_unit in mine
                for kind, body in ended_unit.results
            ]
            write_results(connection, results, self.clock())
        for ended_unit in mine:
            if ended_unit.gate is not None:
                put_gate_results(connection, ended_unit.gate)
        return len(mine)

    def say(self, unit: JobUnit, words: str) -> None:
        """What a unit in work waits for, in words for people; they go when it ends."""
        running = (units.c.job == unit.job) & (units.c.number == unit.number)
        running &= units.c.state == UnitState.RUNNING
        with self.writing(durable=False) as connection:
            connection.execute(update(units).where(running).values(message=words[:LONGEST_MESSAGE]))

    def under_way(self, job: str) -> list[JobUnit]:
        """The units in work, in order."""
        query = select(units).where(units.c.job == job, units.c.state == UnitState.RUNNING)
        with self.reading() as connection:
            rows = connection.execute(query.order_by(units.c.number)).all()
        return [_unit_of_row(row) for row in rows]

    def running_message(self, job: str) -> str:
        """What the first unit in work says of itself; "" for nothing."""
        query = select(units.c.message).where(
            units.c.job == job, units.c.state == UnitState.RUNNING
        )
        with self.reading() as connection:
            return connection.scalar(query.order_by(units.c.number).limit(1)) or ""

    def give_back(self, job: str, worker: str = "") -> int:
        """Units in work wait again: those of a worker that ends, or of every worker; how many. It
        was no attempt: nobody was lost.
        """
        place = (units.c.job == job) & (units.c.state == UnitState.RUNNING)
        place = place & (units.c.worker == worker) if worker else place
        with self.writing() as connection:
            return connection.execute(
                update(units)
                .where(place)
                .values(
                    state=str(UnitState.WAITING),
                    worker="",
                    attempts=case((units.c.attempts > 0, units.c.attempts - 1), else_=0),
                )
            ).rowcount

    def retry(self, job: str) -> int:
        """Units that failed, came about in part, or were left out wait again; how many."""
        again = [str(state) for state in AGAIN]
        with self.writing() as connection:
            return connection.execute(
                update(units)
                .where(units.c.job == job, units.c.state.in_(again))
                .values(state=str(UnitState.WAITING), worker="", attempts=0)
            ).rowcount

    def free(self, job: str, *, lease: float = LEASE) -> None:
        """Units whose worker is gone wait again, at once and not when somebody claims."""
        with self.writing(durable=False) as connection:
            self._free(connection, job, lease)

    def all(self, job: str, limit: int = 1_000_000, offset: int = 0) -> list[JobUnit]:
        """The units of a job in order."""
        query = select(units).where(units.c.job == job).order_by(units.c.number)
        with self.reading() as connection:
            rows = connection.execute(query.limit(limit).offset(offset)).all()
        return [_unit_of_row(row) for row in rows]

    def counts(self, job: str) -> dict[UnitState, int]:
        """How many units are in which state; states without any are 0."""
        query = select(units.c.state, func.count()).where(units.c.job == job)
        with self.reading() as connection:
            rows = connection.execute(query.group_by(units.c.state)).all()
        return dict.fromkeys(UnitState, 0) | {UnitState(state): n for state, n in rows}

    def _free(self, connection: Connection, job: str, lease: float) -> None:
        running = (units.c.job == job) & (units.c.state == UnitState.RUNNING)
        now = self.seconds(connection)
        ended = or_(units.c.lease < now, units.c.lease > now + 2 * max(lease, LEASE))
        workers = connection.scalars(select(units.c.worker).where(running).distinct()).all()
        lost = [worker for worker in workers if worker_is_gone(worker)]
        free = running & or_(ended, units.c.worker.in_(lost))
        if connection.execute(select(units.c.number).where(free).limit(1)).first() is None:
            return
        again = units.c.attempts < MOST_ATTEMPTS
        connection.execute(
            update(units)
            .where(free)
            .values(
                state=case((again, str(UnitState.WAITING)), else_=str(UnitState.FAILED)),
                message=case(
                    (again, units.c.message), else_=f"It crashed {MOST_ATTEMPTS} workers in a row."
                ),
                worker="",
            )
        )


def _row(unit: JobUnit) -> dict[str, Any]:
    return {
        "job": unit.job,
        "number": unit.number,
        "name": unit.name,
        "run": unit.run,
        "state": str(unit.state),
        "message": unit.message[:LONGEST_MESSAGE],
    }


# Made once: units that are short ask the same again and again.
_THIS = (units.c.job == bindparam("of_job")) & (units.c.number == bindparam("of_number"))
_STOP = select(jobs.c.stop).where(jobs.c.id == bindparam("of_job"))
_WAITING = (
    select(units)
    .where(units.c.job == bindparam("of_job"), units.c.state == str(UnitState.WAITING))
    .order_by(units.c.number)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)  # no words in SQLite, which has one writer
)
_TAKE = (
    update(units)
    .where(_THIS)
    .values(
        state=str(UnitState.RUNNING),
        worker=bindparam("worker"),
        lease=bindparam("lease"),
        message="",
        attempts=units.c.attempts + 1,
    )
)
_HELD = (
    select(units.c.number)
    .where(
        units.c.job == bindparam("of_job"),
        units.c.worker == bindparam("of_worker"),
        units.c.state == str(UnitState.RUNNING),
        units.c.number.in_(bindparam("numbers", expanding=True)),
    )
    .with_for_update()
)
_END = (
    update(units)
    .where(_THIS)
    .values(state=bindparam("state"), message=bindparam("message"), lease=0.0)
)


def _unit_of_row(row: Any) -> JobUnit:
    return JobUnit(
        row.job,
        row.number,
        row.name,
        run=row.run,
        state=UnitState(row.state),
        message=row.message,
        worker=row.worker,
        attempts=row.attempts,
    )
