"""Every core of this machine, or of many, at the units of one job.

Work that computes goes to processes (one holds Python's lock), work that waits for answers to
threads of this process. With a scheduler the same loop runs as tasks on its workers. Whoever is
lost, the rows say what is left.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol

from core import COMMAND
from core.errors import GroundworkError, Stopped
from core.jobs.runner import JobContext
from core.jobs.units import AT_ONCE, states_summary, work_through
from core.store.database import retry_while_away
from core.store.unit import OVER, UnitRepository, UnitState

LOOK = 0.5  # seconds between two looks at how far it is
FEW = 150  # short units that take somewhat longer than a process takes to begin
MOST_RESTARTS = 20  # of workers that ended early


class WorkerCluster(Protocol):
    """Workers elsewhere that run `work_through` for a job."""

    def keep_busy(self, job: str) -> None:
        """Start a task on every free worker of the cluster, as long as units wait."""

    def close(self) -> None: ...


def usable_cores() -> int:
    """Processors that this process may use."""
    with suppress(AttributeError):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processes_for(waiting: int, worth: int = FEW) -> int:
    """How many processes are worth their start for so many units, of which `worth` take somewhat
    longer than a start; 0: do them in a thread.
    """
    process_count = min(usable_cores(), waiting // worth)
    return process_count if process_count > 1 else 0


def run_units(
    context: JobContext,
    units: UnitRepository,
    *,
    threads: int = 1,
    processes: int = 0,
    command: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    cluster: WorkerCluster | None = None,
    noun: str = "documents",
    worth: int = FEW,
    clock: Callable[[], float] = time.monotonic,
) -> dict[UnitState, int]:
    """Work through the units of the job until all are over; counts by state.

    `threads` work here; with `processes` as many run `command` instead, and with `cluster` its
    workers do. `noun` is what units are, for people; `worth` of them a process is started for.
    Raises Stopped when a person asked to stop.
    """
    job = context.job
    workers: WorkerPool
    if cluster is not None:
        workers = _OnCluster(cluster, job.id)
    elif processes > 1:
        workers = _Processes(command, environment, processes, worth)
    else:
        workers = _Threads(context, units, threads)
    wait = LOOK / 16
    began, at_start = clock(), _over(retry_while_away(lambda: units.counts(job.id)))

    def look() -> dict[UnitState, int]:
        units.free(job.id)
        counts = units.counts(job.id)
        finished, total = _over(counts), sum(counts.values())
        words = _progress_words(counts, noun, finished - at_start, clock() - began)
        context.progress(
            finished, total, " · ".join(filter(None, (words, units.running_message(job.id))))
        )
        return counts

    try:
        while True:
            counts = retry_while_away(look)
            if _over(counts) == sum(counts.values()):
                return counts
            workers.keep_busy(counts[UnitState.WAITING])
            time.sleep(wait)
            wait = min(2 * wait, LOOK)
    finally:
        workers.close()
        retry_while_away(lambda: units.free(job.id))


class WorkerPool(Protocol):
    """Whoever does the work."""

    def keep_busy(self, waiting: int) -> None: ...

    def close(self) -> None: ...


class _Threads:
    def __init__(self, context: JobContext, units: UnitRepository, threads: int):
        self._context, self._units, self._threads = context, units, threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="units")
        self._working: list[Future[int]] = []

    def keep_busy(self, waiting: int) -> None:
        for future in [future for future in self._working if future.done()]:
            self._working.remove(future)
            with suppress(Stopped):
                future.result()  # trouble of the database ends the job
        while waiting and len(self._working) < self._threads:
            job, number = self._context.job, len(self._working)
            self._working.append(
                self._pool.submit(
                    work_through,
                    self._units,
                    self._context.context,
                    job.id,
                    job.name,
                    f"{self._context.worker.replace('/', '-')}-{number}-{time.monotonic_ns()}",
                    at_once=AT_ONCE if self._threads == 1 else 1,
                    check=self._context.check,
                )
            )

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


class _Processes:
    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None,
        processes: int,
        worth: int,
    ):
        self._command, self._environment, self._worth = list(command), environment, worth
        self._processes, self._started = processes, 0
        self._children: list[subprocess.Popen[bytes]] = []

    def keep_busy(self, waiting: int) -> None:
        self._children = [child for child in self._children if child.poll() is None]
        process_count = min(self._processes, -(-waiting // self._worth)) if waiting else 0
        while len(self._children) < process_count:
            if self._started >= self._processes + MOST_RESTARTS:
                raise GroundworkError(
                    "The processes that do the work keep crashing.",
                    f"The log of the app has the details; `{COMMAND} doctor` looks for causes.",
                )
            self._started += 1
            self._children.append(
                subprocess.Popen(
                    self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    env=dict(self._environment) if self._environment else None,
                )
            )  # fmt: skip

    def close(self) -> None:
        for child in self._children:
            child.terminate()
        for child in self._children:
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


class _OnCluster:
    def __init__(self, cluster: WorkerCluster, job: str):
        self._cluster, self._job = cluster, job

    def keep_busy(self, waiting: int) -> None:
        if waiting:
            self._cluster.keep_busy(self._job)

    def close(self) -> None:
        self._cluster.close()


def _over(counts: Mapping[UnitState, int]) -> int:
    return sum(counts[state] for state in OVER)


def _progress_words(counts: dict[UnitState, int], noun: str, finished: int, seconds: float) -> str:
    """`3 of 10 documents, 1.5 a second, about 5 seconds left`."""
    total, over = sum(counts.values()), _over(counts)
    words = f"{over:,} of {total:,} {noun}"
    if counts[UnitState.FAILED]:
        words += f", {counts[UnitState.FAILED]:,} failed"
    if finished and seconds > 1 and over < total:
        rate = finished / seconds
        words += f", {rate:.2g} a second, about {spoken_duration((total - over) / rate)} left"
    return words if over < total else states_summary(counts)


def spoken_duration(seconds: float) -> str:
    """`45 seconds`, `12 minutes`, `3.5 hours`."""
    if seconds < 90:
        return "1 second" if round(seconds) == 1 else f"{seconds:.0f} seconds"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"
