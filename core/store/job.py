"""Jobs as rows: one queue, whoever works on it. Times are ISO 8601 in UTC and compare as text."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, func, insert, select, update

from core.errors import NotFound
from core.model import Job, JobState, Json
from core.store.database import Repository
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
        return _job_of_row(row, self._dead_before())

    def find(
        self, *, name: str = "", states: tuple[JobState, ...] = (), limit: int = 100
    ) -> list[Job]:
        """Jobs, newest first; `states` as they are written down (see `interrupt_jobs`)."""
        query = select(jobs).order_by(jobs.c.seq.desc()).limit(limit)
        query = query.where(jobs.c.name == name) if name else query
        query = query.where(jobs.c.state.in_([str(state) for state in states])) if states else query
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return [_job_of_row(row, self._dead_before()) for row in rows]

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
            "heartbeat": self.clock(),
            "stop": False,
        }
        with self.writing() as connection:
            return bool(connection.execute(update(jobs).where(place).values(**values)).rowcount)

    def release(self, id: str, worker: str, arguments: Json) -> bool:
        """Put a job that this worker prepared into the queue, with its arguments now complete."""
        place = (jobs.c.id == id) & (jobs.c.worker == worker) & (jobs.c.state == JobState.RUNNING)
        values = {"state": str(JobState.QUEUED), "arguments": arguments, "worker": ""}
        with self.writing() as connection:
            return bool(connection.execute(update(jobs).where(place).values(**values)).rowcount)

    def beat(self, id: str, worker: str, **progress: Any) -> bool:
        """Say that the worker lives, with `done`, `total` and `message` if given. False: stop, a
        person asked to, or another worker has the job.
        """
        place = (jobs.c.id == id) & (jobs.c.worker == worker) & (jobs.c.state == JobState.RUNNING)
        with self.writing(durable=False) as connection:
            update_result = connection.execute(
                update(jobs).where(place).values(heartbeat=self.clock(), **progress)
            )
            stop = connection.scalar(select(jobs.c.stop).where(jobs.c.id == id))
        return bool(update_result.rowcount) and not stop

    def finish(
        self, id: str, worker: str, state: JobState, *, result: Json = None, error: str = ""
    ) -> bool:
        """End a job that this worker still has."""
        place = (jobs.c.id == id) & (jobs.c.worker == worker) & (jobs.c.state == JobState.RUNNING)
        values = {"state": str(state), "result": result, "error": error, "heartbeat": self.clock()}
        with self.writing() as connection:
            return bool(connection.execute(update(jobs).where(place).values(**values)).rowcount)

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
        lost = [row.worker for row in rows if worker_is_gone(row.worker)]
        before = self._dead_before()
        if not lost and not any(row.heartbeat < before for row in rows):
            return 0
        place = running & ((jobs.c.heartbeat < before) | jobs.c.worker.in_(lost))
        with self.writing() as connection:
            return connection.execute(
                update(jobs).where(place).values(state=str(JobState.INTERRUPTED))
            ).rowcount

    def _dead_before(self) -> str:
        then = datetime.fromisoformat(self.clock()) - timedelta(seconds=DEAD)
        return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _job_of_row(row: Row[Any], dead_before: str) -> Job:
    state = JobState(row.state)
    if state == JobState.RUNNING and (row.heartbeat < dead_before or worker_is_gone(row.worker)):
        state = JobState.INTERRUPTED
    return Job(**{name: getattr(row, name) for name in _FIELDS}, state=state)
