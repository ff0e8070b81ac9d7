"""Ends connections that stay silent for longer than they may.

The HTTP package knows one limit for all that is read; an answer has two, for its beginning and
within it. Signs of life that say nothing (comments of a stream) do not count.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Any

LOOK = 0.25  # seconds between looks at all that is watched, at the most


class WatchedAnswer:
    """One answer that is being read. `expired` is whether it was ended for its silence."""

    def __init__(self, connection: Any, seconds: float):
        self._connection = connection
        self.deadline = time.monotonic() + seconds
        self.expired = False

    def heard(self, between: float) -> None:
        """Something was said: from now on it may be silent for `between` seconds."""
        self.deadline = time.monotonic() + between

    def use(self, connection: Any) -> None:
        """It is read from this connection, which is closed at once where the time is over."""
        self._connection = connection
        if self.expired:
            self.end()

    def end(self) -> None:
        """Close the connection, which wakes the thread that reads from it."""
        self.expired = True
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)


class SilenceWatch:
    """One thread for all answers that are under way; it ends when there are none."""

    def __init__(self) -> None:
        self._watched: set[WatchedAnswer] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self, response: Any, seconds: float) -> WatchedAnswer:
        """Watch a response whose answer is about to be read (of the HTTP package)."""
        stream = response.extensions.get("network_stream")
        watched = WatchedAnswer(stream.get_extra_info("socket") if stream else None, seconds)
        if stream is not None:  # None: a transport of a test
            self.add(watched)
        return watched

    def add(self, watched: WatchedAnswer) -> None:
        with self._lock:
            self._watched.add(watched)
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="silence", daemon=True)
                self._thread.start()

    def done(self, watched: WatchedAnswer) -> None:
        with self._lock:
            self._watched.discard(watched)

    def _look(self) -> None:
        idle = 0
        while True:
            time.sleep(LOOK)
            with self._lock:
                late = [
                    watched_answer
                    for watched_answer in self._watched
                    if watched_answer.deadline < time.monotonic()
                ]
                self._watched.difference_update(late)
                idle = 0 if self._watched or late else idle + 1
                if idle > 40:  # ten seconds without an answer under way
                    self._thread = None
                    return
            for watched in late:
                watched.end()


WATCH = SilenceWatch()
