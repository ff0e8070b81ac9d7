"""The HTTP package's client, watched from the connection on.

Its own time limit starts anew with each byte, and it waits for an answer behind any number of
interim ones (`100 Continue`). Here the silence watch shuts a connection whose answer has not begun
in time, or comes so slowly that it is none; sending may take as long as it takes.

This imports the HTTP package, so it is imported on first use.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import httpcore2
import httpx2
from openai import DefaultHttpxClient

from core.llm.answer_size import read_within_limit
from core.llm.silence import WATCH, WatchedAnswer

SLOWEST = 20_000  # bytes a second, on the mean: slower is no answer
_current = threading.local()


class DrippingAnswer(httpx2.ReadTimeout):
    """The endpoint sent bytes to the end of the time limit, and no answer."""


class _Watch(WatchedAnswer):
    """The watch over one request, until its answer begins, or has come where it comes whole."""

    def __init__(self, limit: float, as_stream: bool):
        super().__init__(None, limit)
        self.limit, self.as_stream, self.begun = limit, as_stream, False

    def sends(self, size: int) -> None:
        self.heard(self.limit + size / SLOWEST)

    def begins(self) -> None:
        self.begun = True
        self.heard(self.limit)

    def came(self, size: int) -> None:
        if self.begun:
            self.deadline += size / SLOWEST


class WatchedClient(DefaultHttpxClient):
    """A client whose requests each have `limit` seconds, from when they are sent, until the answer
    begins; a body that is read at once has as long again, and a second for each `SLOWEST` bytes.
    """

    def __init__(self, limit: float):
        self._limit = limit
        hooks: dict[str, list[Callable[..., Any]]] = {"response": [_answer_begins]}
        super().__init__(timeout=limit, follow_redirects=False, event_hooks=hooks)
        for transport in (self._transport, *self._mounts.values()):  # also those of proxies
            pool = getattr(transport, "_pool", None)
            if pool is not None and hasattr(pool, "_network_backend"):  # private: may be gone
                pool._network_backend = _WatchedBackend()

    def send(self, request: httpx2.Request, *, stream: bool = False, **how: Any) -> httpx2.Response:
        watched = _current.watch = _Watch(self._limit, stream)
        WATCH.add(watched)
        try:
            answer = super().send(request, stream=stream, **how)
            if watched.expired:  # shut in a way that looks like an end
                raise TimeoutError
            return answer
        except Exception as error:
            if watched.expired:
                raise DrippingAnswer("bytes, and no answer", request=request) from error
            raise
        finally:
            WATCH.done(watched)
            _current.watch = None


def _current_watch() -> _Watch | None:
    """That of the request of this thread; a stream that is read has another."""
    return getattr(_current, "watch", None)


def _answer_begins(response: httpx2.Response) -> None:
    watched = _current_watch()
    if watched is not None:
        watched.begins()
    read_within_limit(response, watched is not None and watched.as_stream)


class _WatchedBackend(httpcore2.SyncBackend):
    """Makes connections that tell the watch of their thread that they are the one in use."""

    def connect_tcp(self, *where: Any, **how: Any) -> httpcore2.NetworkStream:
        return _WatchedConnection(super().connect_tcp(*where, **how))


class _WatchedConnection(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream):
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        watched = _current_watch()
        if watched is None:
            return self._stream.read(max_bytes, timeout)
        watched.use(self.get_extra_info("socket"))
        piece = self._stream.read(max_bytes, timeout)
        watched.came(len(piece))
        return piece

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if watched := _current_watch():
            watched.use(self.get_extra_info("socket"))
            watched.sends(len(buffer))
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(self, *how: Any, **more: Any) -> httpcore2.NetworkStream:
        return _WatchedConnection(self._stream.start_tls(*how, **more))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
