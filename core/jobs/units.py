"""Working through the units of a job: the same code in a thread, a process, and on a cluster.

Who works claims a unit, does it, and stores its result with its state in one transaction
(`store.unit`). Nothing else is shared, so any number may work, and any may be lost.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.errors import GroundworkError, InputError, Stopped, StoreUnreachable
from core.model import Job, Json
from core.store.database import retry_while_away
from core.store.gate_result import GateResults
from core.store.process import worker_name
from core.store.unit import EndedUnit, JobUnit, UnitRepository, UnitState

RENEW = 5.0  # seconds between two signs of life
SECONDS_STORED_TOGETHER = (
    0.5  # seconds of short units that are stored together: what a kill makes do again
)
AT_ONCE = 32  # short units that are stored together
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UnitResult:
    """How a unit ended; `results` are (kind, JSON) of its run, `gate` is what the gate said."""

    state: UnitState
    message: str = ""
    results: tuple[tuple[str, Json], ...] = ()
    gate: GateResults | None = None

    def ended(self, unit: JobUnit) -> EndedUnit:
        return EndedUnit(unit, self.state, self.message, results=self.results, gate=self.gate)


UnitWork = Callable[[Any, JobUnit, Callable[[], None]], UnitResult]  # context, unit, check


def _one_thread(context: Any, arguments: Json) -> int:
    return 1


@dataclass(frozen=True, slots=True)
class UnitKind:
    """How units of a job are done; `threads` says how many a process does side by side."""

    work: UnitWork
    threads: Callable[[Any, Json], int] = _one_thread  # of the context and the job's arguments


_KINDS: dict[str, UnitKind] = {}


def register_units(
    name: str, threads: Callable[[Any, Json], int] = _one_thread
) -> Callable[[UnitWork], UnitWork]:
    """Decorator: the function that does one unit of jobs of this name. It may raise our errors,
    which make the unit failed, and Stopped, which gives it back.
    """

    def keep(work: UnitWork) -> UnitWork:
        _KINDS[name] = UnitKind(work, threads)
        return work

    return keep


def has_units(name: str) -> bool:
    return name in _KINDS


def threads_for(context: Any, job: Job) -> int:
    """How many units of this job a process does side by side."""
    return _KINDS[job.name].threads(context, job.arguments)


def work_through(  # noqa: PLR0917
    units: UnitRepository,
    context: Any,
    job: str,
    name: str,
    worker_id: str,
    *,
    at_once: int = 1,
    check: Callable[[], None] = lambda: None,
    renew: float = RENEW,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """Do units of a job, named `name`, until none waits; how many were stored. Up to `at_once` that
    are short are claimed and stored together, as many as take about
    `SECONDS_STORED_TOGETHER`. `check` may raise Stopped.
    """
    if name not in _KINDS:
        raise InputError(f"There are no units of {name}.", "This version does not know them.")
    worker, stored = worker_name(worker_id), 0
    with _alive(units, job, worker, renew) as stopped:

        def checked() -> None:
            check()
            if stopped.is_set():
                raise Stopped("The job was stopped.", "What was finished is kept.")

        try:
            claimed = retry_while_away(lambda: units.claim(job, worker), check=checked)
            while claimed:
                began, ended = clock(), list[EndedUnit]()
                try:
                    for unit in claimed:
                        checked()
                        result = retry_while_away(
                            partial(_run_unit, _KINDS[name].work, context, unit, checked),
                            check=checked,
                        )
                        ended.append(result.ended(unit))
                except Stopped:
                    units.turn(job, worker, ended, 0)
                    raise
                seconds_per_unit = max(clock() - began, 0.001) / len(ended)
                most = min(
                    at_once,
                    max(1, int(SECONDS_STORED_TOGETHER / seconds_per_unit)),
                    2 * len(claimed),
                )
                count, claimed = retry_while_away(partial(units.turn, job, worker, ended, most))
                stored += count
        finally:
            with suppress(StoreUnreachable):  # then its lease ends
                units.give_back(job, worker)
    return stored


def _run_unit(work: UnitWork, context: Any, unit: JobUnit, check: Callable[[], None]) -> UnitResult:
    try:
        return work(context, unit, check)
    except (Stopped, StoreUnreachable):
        raise
    except GroundworkError as error:
        return UnitResult(UnitState.FAILED, str(error))
    except Exception as error:
        log.exception("unit %s of job %s failed", unit.number, unit.job)
        message = f"Something unexpected went wrong ({type(error).__name__})."
        return UnitResult(UnitState.FAILED, f"{message} The log of the app has the details.")


@contextmanager
def _alive(
    units: UnitRepository, job: str, worker: str, seconds: float
) -> Iterator[threading.Event]:
    """Leases are renewed while the work runs; the event is set once somebody asked to stop."""
    over, stopped = threading.Event(), threading.Event()

    def beat() -> None:
        while not over.wait(seconds):
            try:
                if not units.renew(job, worker):
                    stopped.set()
            except GroundworkError as error:
                log.warning("no sign of life for job %s: %s", job, error)

    thread = threading.Thread(target=beat, name="lease", daemon=True)
    thread.start()
    try:
        yield stopped
    finally:
        over.set()
        thread.join()


def states_summary(counts: dict[UnitState, int]) -> str:
    """`98 done, 2 failed`: the states that there are, in the order of work."""
    return ", ".join(f"{count:,} {state}" for state, count in counts.items() if count)
