"""One queue: long work is a row first, and runs in threads of this process, outside any page.

Work is a registered function of a JobContext and JSON arguments. It reports progress and asks
whether to go on; resuming means running it again, and its finished calls answer from the record
(see `recorder`). A running job whose heartbeat is dead has lost its worker and shows as interrupted
(see `store.job`).
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.errors import GroundworkError, InputError, Refused, Stopped
from core.jobs.order import WaitingJobs, first_arguments
from core.model import Job, JobState, Json, utc_now
from core.store.database import retry_while_away
from core.store.process import worker_name

BEAT = 3.0  # seconds between heartbeats

UNUSABLE = "unusable"  # in the result of a job that failed by what a person gave

log = logging.getLogger(__name__)


class JobStore(Protocol):
    """What the runner needs of the store."""

    def add(self, job: Job) -> Job: ...

    def get(self, id: str) -> Job: ...

    def claim(self, id: str, worker: str) -> bool: ...

    def release(self, id: str, worker: str, arguments: Json) -> bool: ...

    def beat(self, id: str, worker: str, **progress: Any) -> bool: ...

    def finish(
        self, id: str, worker: str, state: JobState, *, result: Json = None, error: str = ""
    ) -> bool: ...

    def stop(self, id: str) -> None: ...

    def requeue(self, id: str) -> bool: ...

    def find(self, *, states: tuple[JobState, ...] = ()) -> list[Job]: ...

    def rearrange(self, id: str, arguments: Json) -> bool: ...

    def interrupt(self) -> int: ...


Work = Callable[["JobContext", Any], Json]
_WORK: dict[str, Work] = {}


def register_job(name: str) -> Callable[[Work], Work]:
    """Decorator: the function that does jobs of this name. It is called with a JobContext and the
    job's arguments, and returns JSON that is kept as the job's result.
    """

    def keep(work: Work) -> Work:
        _WORK[name] = work
        return work

    return keep


@dataclass(slots=True)
class JobContext:
    """What a job's function holds. `context` is what the runner was opened with (the desk)."""

    job: Job
    store: JobStore
    worker: str
    context: Any = None
    lost: threading.Event = field(default_factory=threading.Event)

    def progress(self, done: int, total: int, message: str = "") -> None:
        """Say how far it is (units done of a total). Raises Stopped when a person asked to stop."""
        if not self.store.beat(
            self.job.id, self.worker, done=done, total=total, message=message[:500]
        ):
            self.lost.set()
        self.check()

    def check(self) -> None:
        """Raise Stopped when a person asked to stop. Costs nothing: ask often."""
        if self.lost.is_set():
            raise Stopped("The job was stopped.", "What was finished is kept; resume it to go on.")


@dataclass(slots=True)
class PreparedJob:
    """A job that is being written down. `arguments` may be completed."""

    id: str
    store: JobStore
    worker: str
    arguments: dict[str, Json]

    def progress(self, done: int, total: int, message: str = "") -> None:
        """Say how much was taken in. Raises Stopped when a person asked to stop."""
        if not self.store.beat(self.id, self.worker, done=done, total=total, message=message):
            raise Stopped("Adding the documents was stopped.")


class Runner:
    """Runs jobs in `threads` threads of this process. Safe to share between threads.

    `load` is called before work of an unknown name is refused: it imports what registers work.
    `allow` raises for an ORCID that may not begin work.
    """

    def __init__(
        self,
        store: JobStore,
        threads: int = 4,
        *,
        context: Any = None,
        load: Callable[[], None] = lambda: None,
        clock: Callable[[], str] = utc_now,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
        beat: float = BEAT,
        allow: Callable[[str], None] = lambda curator: None,
    ):
        self.store, self.context, self.clock, self.new_id = store, context, clock, new_id
        self._load, self._allow = load, allow
        self.beat = beat
        self.worker = worker_name(new_id())
        self.threads = threads
        self._waiting = WaitingJobs(store.get)
        self._ended: dict[str, threading.Event] = {}
        self._contexts: dict[str, JobContext] = {}
        self._started: list[threading.Thread] = []
        self._lock = threading.Lock()

    def start(self, name: str, arguments: Json, curator: str = "") -> Job:
        """Write the job down, then run it when a thread is free. Raises Forbidden where this
        person may not begin work.
        """
        self._find(name)
        self._allow(curator)
        job = self.store.add(
            Job(self.new_id(), name, arguments, created=self.clock(), curator=curator)
        )
        self._submit(job.id)
        return job

    @contextmanager
    def preparing(self, name: str, arguments: Json, curator: str = "") -> Iterator[PreparedJob]:
        """Write the job down first, then take in what it needs: `with` gives what to report to.

        When the block ends, the job runs with the arguments that the block completed. When it
        raises, the job has failed; when the process is killed meanwhile, it shows as interrupted.
        """
        self._find(name)
        self._allow(curator)
        job = self.store.add(
            Job(self.new_id(), name, arguments, created=self.clock(), curator=curator)
        )
        self.store.claim(job.id, self.worker)
        preparation = PreparedJob(job.id, self.store, self.worker, dict(arguments))
        try:
            yield preparation
        except BaseException as error:
            message = str(error) if isinstance(error, GroundworkError) else type(error).__name__
            self.store.finish(job.id, self.worker, JobState.FAILED, error=message)
            raise
        if self.store.release(job.id, self.worker, preparation.arguments):
            self._submit(job.id)

    def take_up(self, id: str) -> None:
        """Run a queued job that another process wrote down."""
        if not self._has(id):
            self._submit(id)

    def job(self, id: str) -> Job:
        """The job as it is now; one whose worker is gone shows as interrupted."""
        return self.store.get(id)

    def stop(self, id: str) -> Job:
        """Ask it to stop; it does at its next step. One that waits is stopped at once."""
        self.store.stop(id)
        with self._lock:
            context = self._contexts.get(id)
        if context is not None:
            context.lost.set()
        return self.store.get(id)

    def put_first(self, id: str) -> Job:
        """Begin a job that waits before all others. Raises Refused for one that runs or ended."""
        waiting = self.store.find(states=(JobState.QUEUED,))
        if not self.store.rearrange(id, first_arguments(self.store.get(id), waiting)):
            raise Refused("The job is no longer waiting.", "Look at the list of jobs again.")
        return self.store.get(id)

    def resume(self, id: str, *, done_too: bool = False) -> Job:
        """Run a stopped, failed or interrupted job again; with `done_too` also one that is done.
        One that waits or runs already, because somebody else resumed it, is left alone. Raises
        Refused for one that is done.
        """
        self.store.interrupt()
        job = self.store.get(id)
        if job.state == JobState.DONE and not done_too:
            raise Refused("The job is done.", "There is nothing left to resume.")
        left_waiting = job.state == JobState.QUEUED and not self._has(id)
        if left_waiting or self._requeued(job):
            self._submit(id)
        return self.store.get(id)

    def _requeued(self, job: Job) -> bool:
        """Put it back into the queue. One that lost its worker since `interrupt` looked is looked
        at again: what shows as interrupted can be resumed.
        """
        if self.store.requeue(job.id):
            return True
        return (
            job.state == JobState.INTERRUPTED
            and bool(self.store.interrupt())
            and self.store.requeue(job.id)
        )

    def wait(self, id: str, timeout: float | None = None) -> Job:
        """Block until this process has ended the job (the command line, tests)."""
        with self._lock:
            ended = self._ended.get(id)
        if ended is not None:
            ended.wait(timeout)
        return self.store.get(id)

    def close(self, timeout: float = 10.0) -> None:
        """Stop what runs here, and wait for it up to `timeout` seconds; what waits stays in the
        queue.
        """
        with self._lock:
            running = [(context, self._ended[id]) for id, context in self._contexts.items()]
        for context, _ in running:
            context.lost.set()
        for _, ended in running:
            ended.wait(timeout)

    # -------------------------------------------------------------- inside a thread

    def _find(self, name: str) -> Work:
        if name not in _WORK:
            self._load()
        if name not in _WORK:
            raise InputError(
                f"There is no job called {name}.", "This version of the app does not know it."
            )
        return _WORK[name]

    def _has(self, id: str) -> bool:
        with self._lock:
            return id in self._ended and not self._ended[id].is_set()

    def _submit(self, id: str) -> None:
        """Threads are daemons: leaving the app never waits for a job, whose row then shows as
        interrupted.
        """
        with self._lock:
            self._ended = {key: ended for key, ended in self._ended.items() if not ended.is_set()}
            self._ended[id] = threading.Event()
            if len(self._started) < self.threads:
                self._started.append(threading.Thread(target=self._serve, name="job", daemon=True))
                self._started[-1].start()
        self._waiting.add(id)

    def _serve(self) -> None:
        while True:
            id = self._waiting.next()
            try:
                self._work(id)
            except Exception as error:  # the store itself is in trouble: the heartbeat will tell
                log.error("job %s: %s", id, error)
            finally:
                with self._lock:
                    self._contexts.pop(id, None)
                    self._ended[id].set()

    def _work(self, id: str) -> None:
        if self.store.claim(id, self.worker):
            context = JobContext(self.store.get(id), self.store, self.worker, self.context)
            with self._lock:
                self._contexts[id] = context
            with self._beating(context):
                self._run(context)

    def _run(self, context: JobContext) -> None:
        job, began = context.job, time.monotonic()
        about = {"job": job.id, "work": job.name}
        log.info("a job begins", extra=about)
        state, result, error = self._outcome(context)
        retry_while_away(
            lambda: self.store.finish(job.id, self.worker, state, result=result, error=error)
        )
        seconds = round(time.monotonic() - began, 3)
        log.info("a job ended", extra=about | {"state": str(state), "seconds": seconds})

    def _outcome(self, context: JobContext) -> tuple[JobState, Json, str]:
        """How the work ended, with its result or what went wrong."""
        job = context.job
        try:
            return JobState.DONE, self._find(job.name)(context, job.arguments), ""
        except Stopped:
            return JobState.STOPPED, None, ""
        except InputError as error:
            return JobState.FAILED, {UNUSABLE: True}, str(error)
        except GroundworkError as error:
            return JobState.FAILED, None, str(error)
        except Exception as error:
            log.exception("job %s (%s) failed", job.id, job.name)
            message = f"Something unexpected went wrong ({type(error).__name__})."
            return JobState.FAILED, None, f"{message} The log of the app has the details."

    @contextmanager
    def _beating(self, context: JobContext) -> Iterator[None]:
        """A heartbeat while the work runs; it also notices that somebody asked to stop."""
        over = threading.Event()

        def beat() -> None:
            while not over.wait(self.beat):
                try:
                    if not self.store.beat(context.job.id, self.worker):
                        context.lost.set()
                except GroundworkError as error:
                    log.warning("no heartbeat for job %s: %s", context.job.id, error)

        thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
