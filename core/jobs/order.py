"""Whose turn it is: the order in which the jobs that wait are begun.

A person may put a job behind all others (`last`) or, while it waits, before them (`first`). Both
are kept among the job's arguments, so that every process that works on the project knows them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from core.errors import GroundworkError
from core.model import Job, JobState, Json

FIRST = "first"  # a number: the larger goes first
LAST = "last"


def waits_for_others(job: Job) -> bool:
    """Whether a person put this job behind all others, such as a batch for the night."""
    return isinstance(job.arguments, dict) and bool(job.arguments.get(LAST))


def goes_first(job: Job) -> int:
    """Above 0 where a person put this job before others; the larger goes first."""
    first = job.arguments.get(FIRST) if isinstance(job.arguments, dict) else 0
    return first if isinstance(first, int) else 0


def job_turn(job: Job) -> tuple[bool, int]:
    """What jobs are sorted by: the smallest is begun first."""
    return waits_for_others(job), -goes_first(job)


def jobs_in_order(jobs: Sequence[Job]) -> list[Job]:
    """Jobs, given newest first, as they are worked on: oldest first, those that nobody has begun
    before those that run; what a person put first at the beginning, what was put last at the end.
    """
    oldest_first = jobs[::-1]
    return sorted(oldest_first, key=lambda job: (*job_turn(job), job.state is not JobState.QUEUED))


def first_arguments(job: Job, waiting: Sequence[Job]) -> Json:
    """The job's arguments where it is to be begun before the others that wait."""
    arguments = dict(job.arguments) if isinstance(job.arguments, dict) else {}
    arguments.pop(LAST, None)
    return arguments | {FIRST: 1 + max(map(goes_first, waiting), default=0)}


class WaitingJobs:
    """Ids of the jobs that wait for a thread of this process; `get` reads a job from the store."""

    def __init__(self, get: Callable[[str], Job]):
        self._get = get
        self._ids: dict[str, None] = {}  # in the order in which they were queued
        self._added = threading.Condition()

    def add(self, id: str) -> None:
        with self._added:
            self._ids[id] = None
            self._added.notify()

    def next(self) -> str:
        """The one whose turn it is; blocks while none waits. The store is asked, as another
        process may have put one first.
        """
        with self._added:
            self._added.wait_for(lambda: self._ids)
            try:
                id = min(self._ids, key=lambda id: job_turn(self._get(id)))
            except GroundworkError:  # the store is away: the oldest
                id = next(iter(self._ids))
            del self._ids[id]
            return id
