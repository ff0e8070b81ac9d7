"""Jobs as rows: one queue, whoever works on it. Times are ISO 8601 in UTC and compare as text.

Heartbeats are by the database's clock, so that workers need not agree about the time; one that is
yet to come (the clock was set back) is as dead as an old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from core.errors import NotFound
from core.model import Job, JobState, Json
from core.store.database import Repository, moment
from core.store.process import worker_is_gone
from core.store.table import jobs

_FIELDS = (
    "id",
    "name",
    "arguments",
    "heartbeat",
    "done",
    "total",
    "message",
    "result",
    "error",
    "created",
    "curator",
)
DEAD = 20.0  # seconds without a heartbeat: the worker is gone
OPEN = (JobState.QUEUED, JobState.RUNNING)


class JobRepository(Repository):
    """A running job whose process is gone, or without a heartbeat for `DEAD` seconds, is given as
    interrupted.
    """

    def add(self, job: Job) -> Job:
        row = {name: getattr(job, name) for name in _FIELDS} | {"state": str(job.state)}
        with self.writing() as connection:
            connection.execute(
                insert(jobs).values(**row | {"created": job.created or self.clock()})
            )
        return self.get(job.id)

    def get(self, id: str) -> Job:
        with self.reading() as connection:
            row = connection.execute(select(jobs).where(jobs.c.id == id)).first()
            if row is None:
                raise NotFound(f"No job {id[:80]} is stored in this project.")
            return self._jobs_of_rows(connection, [row])[0]

    def find(
        self, *, name: str = "", states: tuple[JobState, ...] = (), limit: int = 100
    ) -> list[Job]:
        """Jobs, newest first; `states` as they are stored (see `interrupt`)."""
        query = select(jobs).order_by(jobs.c.seq.desc()).limit(limit)
        query = query.where(jobs.c.name == name) if name else query
        query = query.where(jobs.c.state.in_([str(state) for state in states])) if states else query
        with self.reading() as connection:
            return self._jobs_of_rows(connection, connection.execute(query).all())

    def counts(self) -> dict[JobState, int]:
        """How many jobs are in which state, as it is written down."""
        query = select(jobs.c.state, func.count()).group_by(jobs.c.state)
        with self.reading() as connection:
            return {JobState(state): count for state, count in connection.execute(query)}

    def claim(self, id: str, worker: str) -> bool:
        """Take a queued job; False when another worker has it, or it was stopped."""
        place = (jobs.c.id == id) & (jobs.c.state == JobState.QUEUED)
        values = {
            "state": str(JobState.RUNNING),
            "worker": worker,
            "stop": False,
        }
        with self.writing() as connection:
            values["heartbeat"] = moment(self.seconds(connection))
            return bool(connection.execute(update(jobs).where(place).values(**values)).rowcount)

    def release(self, id: str, worker: str, arguments: Json) -> bool:
        """Put a job that this worker prepared into the queue, with its arguments now complete."""
        place = (jobs.c.id == id) & (jobs.c.worker == worker) & (jobs.c.state == JobState.RUNNING)
        values = {"state": str(JobState.QUEUED), "arguments": arguments, "worker": ""}
        with self.writing() as connection:
            return bool(connection.execute(update(jobs).where(place).values(**values)).rowcount)

    def rearrange(self, id: str, arguments: Json) -> bool:
        """Give a job that waits other arguments; False when it waits no more."""
        place = (jobs.c.id == id) & (jobs.c.state == JobState.QUEUED)
        with self.writing() as connection:
            statement = update(jobs).where(place).values(arguments=arguments)
            return bool(connection.execute(statement).rowcount)

    def beat(self, id: str, worker: str, **progress: Any) -> bool:
        """Say that the worker lives, with `done`, `total` and `message` if given. False: stop, a
        person asked to, or another worker has the job.
        """
        place = (jobs.c.id == id) & (jobs.c.worker == worker) & (jobs.c.state == JobState.RUNNING)
        with self.writing(durable=False) as connection:
            update_result = connection.execute(
                update(jobs)
                .where(place)
                .values(heartbeat=moment(self.seconds(connection)), **progress)
            )
            stop = connection.scalar(select(jobs.c.stop).where(jobs.c.id == id))
        return bool(update_result.rowcount) and not stop

    def finish(
        self, id: str, worker: str, state: JobState, *, result: Json = None, error: str = ""
    ) -> bool:
        """End a job that this worker still has."""
        place = (jobs.c.id == id) & (jobs.c.worker == worker) & (jobs.c.state == JobState.RUNNING)
        values = {"state": str(state), "result": result, "error": error}
        with self.writing() as connection:
            values["heartbeat"] = moment(self.seconds(connection))
            return bool(connection.execute(update(jobs).where(place).values(**values)).rowcount)

    def end(self, id: str) -> None:
        """A running job is done: that of a copy, whose worker works elsewhere."""
        place = (jobs.c.id == id) & (jobs.c.state == JobState.RUNNING)
        with self.writing() as connection:
            connection.execute(update(jobs).where(place).values(state=str(JobState.DONE)))

    def stop(self, id: str) -> None:
        """Ask a running job to stop; one that nobody has begun is stopped at once."""
        waiting = (jobs.c.id == id) & jobs.c.state.in_(
            [str(JobState.QUEUED), str(JobState.INTERRUPTED)]
        )
        running = (jobs.c.id == id) & (jobs.c.state == JobState.RUNNING)
        with self.writing() as connection:
            connection.execute(update(jobs).where(waiting).values(state=str(JobState.STOPPED)))
            connection.execute(update(jobs).where(running).values(stop=True, message="stopping…"))

    def is_stopping(self, id: str) -> bool:
        """Whether a person asked a running job to stop."""
        with self.reading() as connection:
            return bool(connection.scalar(select(jobs.c.stop).where(jobs.c.id == id)))

    def requeue(self, id: str) -> bool:
        """Put a job that ended, or lost its worker, back into the queue; False when it waits or
        runs.
        """
        ended = [str(state) for state in JobState if state not in OPEN]
        values = {
            "state": str(JobState.QUEUED),
            "stop": False,
            "error": "",
            "worker": "",
            "message": "",
        }
        with self.writing() as connection:
            place = (jobs.c.id == id) & jobs.c.state.in_(ended)
            return bool(connection.execute(update(jobs).where(place).values(**values)).rowcount)

    def interrupt(self) -> int:
        """Write down which running jobs have lost their worker; how many."""
        running = jobs.c.state == JobState.RUNNING
        with self.reading() as connection:
            rows = connection.execute(select(jobs.c.worker, jobs.c.heartbeat).where(running)).all()
            first, last = self._alive(connection) if rows else ("", "")
        lost = [row.worker for row in rows if worker_is_gone(row.worker)]
        if not lost and all(first <= row.heartbeat <= last for row in rows):
            return 0
        place = running & (~jobs.c.heartbeat.between(first, last) | jobs.c.worker.in_(lost))
        with self.writing() as connection:
            return connection.execute(
                update(jobs).where(place).values(state=str(JobState.INTERRUPTED))
            ).rowcount

    def lost_within(self, seconds: float) -> list[Job]:
        """Jobs that are written down as interrupted and lived in the last `seconds`, oldest
        first.
        """
        interrupted = select(jobs).where(jobs.c.state == JobState.INTERRUPTED)
        with self.reading() as connection:
            since = moment(self.seconds(connection) - seconds)
            query = interrupted.where(jobs.c.heartbeat >= since).order_by(jobs.c.seq)
            return self._jobs_of_rows(connection, connection.execute(query).all())

    def _jobs_of_rows(self, connection: Connection, rows: Sequence[Row[Any]]) -> list[Job]:
        is_running = any(row.state == JobState.RUNNING for row in rows)
        first, last = self._alive(connection) if is_running else ("", "")
        return [_job_of_row(row, first, last) for row in rows]

    def _alive(self, connection: Connection) -> tuple[str, str]:
        """The first and the last heartbeat of a worker that lives."""
        now = self.seconds(connection)
        return moment(now - DEAD), moment(now + DEAD)


def _job_of_row(row: Row[Any], first: str, last: str) -> Job:
    state = JobState(row.state)
    lives = first <= row.heartbeat <= last and not worker_is_gone(row.worker)
    if state == JobState.RUNNING and not lives:
        state = JobState.INTERRUPTED
    return Job(**{name: getattr(row, name) for name in _FIELDS}, state=state)
