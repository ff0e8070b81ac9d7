"""A time limit that is one of the clock: over connecting, headers and body together.

A socket's own time limit starts anew with each byte, so that a host that drips is never too late
for it. Here a timer shuts the connection when the time of the whole request is over.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Any

_current = threading.local()


class Deadline:
    """`with Deadline(seconds) as deadline:` around one request of this thread: connections of
    `DeadlineConnection` that are used inside it are shut when it passes, which `passed` tells.
    """

    def __init__(self, seconds: float):
        self.passed, self._socket, self._outer = False, None, None
        self.ends = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._outer = getattr(_current, "one", None)
        _current.one = self
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        _current.one = self._outer

    _socket: socket.socket | None
    _outer: Deadline | None  # of a download, while something else is asked

    def watch(self, connected: socket.socket | None) -> None:
        """This connection is the one to shut; at once where the time is over."""
        self._socket = connected
        if self.passed:
            self._cut()

    def left(self) -> float:
        """Seconds, never less than a hundredth (a socket takes 0 for *do not wait*)."""
        return max(self.ends - time.monotonic(), 0.01)

    def _cut(self) -> None:
        self.passed = True
        if self._socket is not None:
            with suppress(OSError):  # below TLS, which another thread is reading
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class DeadlineConnection:
    """A connection that obeys the deadline of its thread. Where none is set (downloads that take
    as long as they take) its answer must still begin within `LONGEST_HEADERS` seconds.
    """

    LONGEST_HEADERS = 60.0

    timeout: Any
    sock: socket.socket | None

    def _new_conn(self) -> socket.socket:
        deadline = getattr(_current, "one", None)
        if deadline is not None:
            self.timeout = deadline.left()
        connected: socket.socket = super()._new_conn()  # type: ignore[misc]
        if deadline is not None:
            deadline.watch(connected)
        return connected

    def getresponse(self) -> Any:
        deadline = getattr(_current, "one", None)
        if deadline is not None:
            deadline.watch(self.sock)
            return super().getresponse()  # type: ignore[misc]
        with Deadline(self.LONGEST_HEADERS) as alone:
            alone.watch(self.sock)
            answer = super().getresponse()  # type: ignore[misc]
        if alone.passed:
            raise TimeoutError("the headers took too long")
        return answer
