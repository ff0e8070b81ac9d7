"""Manners towards a host: a shared pace, and rest after failures. Seconds throughout. NCBI's own
pace (three requests a second, ten with a key) is `POLITE_NCBI` in `core/settings.py`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from core.errors import Unreachable

Keep = Callable[[float, int], None]
Turn = Callable[[], AbstractContextManager[tuple[float, int, Keep]]]  # see `Pace`


class Pace:
    """At least `interval` seconds between the arrivals of requests, for threads and, through
    `file`, for processes of a machine, or through `turn` for those of several: whoever has the turn
    is given the next free moment and how many were taken, and says what they are from then on.

    A request is thought to arrive within `travel` seconds of its sending, or by the time its answer
    begins (`arrived`). Who waits keeps the lock, so that one that wakes up late delays the next and
    does not meet it.
    """

    def __init__(
        self,
        interval: float,
        file: Path | None = None,
        *,
        travel: float = 0.0,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        turn: Turn | None = None,
    ):
        self.shared_turn = turn
        self.interval, self.file, self.travel, self.clock, self.sleep = (
            interval,
            file,
            travel,
            clock,
            sleep,
        )
        self._lock, self._kept, self._mine = threading.Lock(), (0.0, 0), threading.local()

    def wait(self) -> float:
        """Wait for the next free moment, take it, and say how many seconds that took."""
        if self.interval <= 0:
            return 0.0
        began = self.clock()
        with self._turn() as (free, number, keep):
            now = self.clock()
            if free - now > 60 * max(self.interval, 1):  # a clock that was set back
                free = now
            if free > now:
                self.sleep(free - now)
            start = max(free, self.clock())
            self._mine.number = number + 1
            keep(start + self.travel + self.interval, number + 1)
        return max(start - began, 0.0)

    def arrived(self) -> None:
        """The answer to this thread's last request begins: the next may follow, if none has gone
        out since.
        """
        if self.interval <= 0 or self.travel <= 0:
            return
        with self._turn() as (free, number, keep):
            if number == getattr(self._mine, "number", None):
                keep(min(free, self.clock() + self.interval), number)

    @contextmanager
    def _turn(self) -> Iterator[tuple[float, int, Keep]]:
        """The next free moment, how many were taken, and how to keep new ones; nobody else has the
        turn meanwhile.
        """
        with self._lock:
            if self.shared_turn is not None:
                with self.shared_turn() as moment:
                    yield moment
                return
            if self.file is None:
                yield *self._kept, self._keep
                return
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a+") as file, _locked(file):
                yield *_moment(file), partial(_write, file)

    def _keep(self, free: float, number: int) -> None:
        self._kept = (free, number)


class JointPace:
    """Keeps several paces: that of a machine, and that of all machines on one database."""

    def __init__(self, paces: Sequence[Pace]):
        self.paces = tuple(paces)

    @property
    def interval(self) -> float:
        return max(pace.interval for pace in self.paces)

    def wait(self) -> float:
        """Wait until every one of them lets the request go; how many seconds that took."""
        return sum(pace.wait() for pace in self.paces)

    def arrived(self) -> None:
        for pace in self.paces:
            pace.arrived()


def _moment(file: IO[str]) -> tuple[float, int]:
    file.seek(0)
    free, _, number = file.read(100).partition(" ")
    try:
        return float(free or 0), int(number or 0)
    except ValueError:
        return 0.0, 0


def _write(file: IO[str], free: float, number: int) -> None:
    file.seek(0)
    file.truncate()
    file.write(f"{free!r} {number}")
    file.flush()


@contextmanager
def _locked(file: IO[str]) -> Any:
    try:
        import fcntl
    except ImportError:  # Windows: processes of one installation are not held to one pace there
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


class Breaker:
    """After `limit` failures in a row a host is left alone for `rest` seconds; then one request may
    try.
    """

    def __init__(
        self, limit: int = 5, pause: float = 60.0, clock: Callable[[], float] = time.monotonic
    ):
        self.limit, self.rest, self.clock = limit, pause, clock
        self._failures: dict[str, int] = {}
        self._until: dict[str, float] = {}
        self._lock = threading.Lock()

    def check(self, host: str) -> None:
        with self._lock:
            seconds_left = self._until.get(host, 0.0) - self.clock()
            if seconds_left > 0:
                raise Unreachable(
                    f"{host} failed {self.limit} times in a row and is not asked again for"
                    f" {seconds_left:.0f} seconds.",
                    "Try again then.",
                )

    def note(self, host: str, good: bool) -> None:
        with self._lock:
            self._failures[host] = 0 if good else self._failures.get(host, 0) + 1
            if good:
                self._until.pop(host, None)
            if self._failures[host] >= self.limit:
                self._until[host] = self.clock() + self.rest
