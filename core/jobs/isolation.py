"""Files of strangers are parsed in a child process, with a limit on memory and on time.

A small file can make a parser work for hours or fill the memory (a PDF whose pages unpack a million
times, OWL with nested entities). In a child that costs one error message. What the child sends back
is read as data: only nouns of ours and plain values are made from it.
"""

from __future__ import annotations

import importlib
import io
import math
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from core.errors import GroundworkError, InputError
from core.settings import CODE

SECONDS = 120.0  # without a result
MEGABYTES = 1500  # of address space, of which Python itself takes about 300
FAILS_TO_BE_READ = "is not read"
HINT = "It may be damaged or malicious. Split it, or download it from its source."
LONGEST_REASON = 200  # characters of what a parser says
LONGEST_END = 10_000  # bytes of standard error that are kept
OUT_OF_MEMORY = (b"memory allocation of", b"std::bad_alloc")  # in Rust's words, and in C++'s
LONGEST_ITEM = 500_000_000  # bytes of one result
_HEADER = struct.Struct("!cQ")
_PLAIN = {
    "builtins": {"tuple", "frozenset", "set", "list", "dict", "str", "int", "float", "bytes"},
    "collections": {"OrderedDict"},
    "copyreg": {"_reconstructor", "__newobj__"},
    "pathlib": {"PosixPath", "PurePosixPath"},
}


def run_in_child(
    function: Callable[..., Any],
    *arguments: Any,
    name: str = "The file",
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
    progress: Callable[[int, int], None] | None = None,
    failing: str = FAILS_TO_BE_READ,
    hint: str = HINT,
    nice: int = 0,
) -> Any:
    """`function(*arguments)`, done in a child process. `function` is public and at the top of its
    module; arguments and result are nouns and plain values.

    Raises what the function raises of our own errors, and InputError that names the limit that was
    met (in the words of `failing` and `hint`), or says that the parser broke down. With `progress`
    the function gets an argument `on_page` to call with (done, total); what `progress` raises ends
    the child. With `nice` (of 19 at most) it gives way to those who work with the server.
    """
    for result in stream_from_child(
        _run_once,
        (_place(function), arguments, progress is not None),
        name=name,
        seconds=seconds,
        megabytes=megabytes,
        failing=failing,
        hint=hint,
        nice=nice,
    ):
        if progress is None or not isinstance(result, _Step):
            return result
        progress(result.done, result.total)
    raise InputError(f"{name} cannot be read: its reader returned nothing.")


def stream_from_child(
    function: Callable[..., Iterator[Any]],
    arguments: tuple[Any, ...],
    *,
    name: str = "The file",
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
    failing: str = FAILS_TO_BE_READ,
    hint: str = HINT,
    nice: int = 0,
) -> Iterator[Any]:
    """What `function(*arguments)` yields, one by one as the child makes it. `seconds` is the
    longest wait for the next one; the child's memory stays below `megabytes`.
    """
    command = [sys.executable, "-X", "utf8", "-m", "core.jobs.isolation"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=CODE
    ) as child:
        watch, last_words = _Watch(child, seconds), _LastWords(child)
        try:
            assert child.stdin and child.stdout
            with suppress(BrokenPipeError), child.stdin:
                pickle.dump((_place(function), arguments, megabytes, nice), child.stdin)
            while (item := _received(child.stdout, watch)) is not None:
                kind, value = item
                if kind == b"e":
                    raise value
                if kind == b"m":
                    raise _too_large(name, failing, megabytes, hint)
                if kind == b"x":
                    raise InputError(f"{name} {failing}: its reader failed ({value}).", hint)
                if kind == b"z":
                    return
                yield value
            if watch.over:
                raise InputError(
                    f"{name} {failing}: it takes more than {seconds:g} seconds.",
                    hint,
                )
            if last_words.tell_of_memory():
                raise _too_large(name, failing, megabytes, hint)
            raise InputError(
                f"{name} {failing}: it crashed{_signal_words(child)} and gave no reason.",
                f"It may need more than the {megabytes:,} MB of memory that it is given. {hint}",
            )
        finally:
            watch.end()
            child.kill()


def _too_large(name: str, failing: str, megabytes: int, hint: str) -> InputError:
    return InputError(f"{name} {failing}: it needs more than {megabytes:,} MB of memory.", hint)


def _signal_words(child: subprocess.Popen[bytes]) -> str:
    """What ended a process, where the system says so: ` (SIGSEGV)`."""
    with suppress(ValueError, subprocess.TimeoutExpired):
        return f" ({signal.Signals(-child.wait(5)).name})"
    return ""


class _LastWords:
    """The end of what a child writes to standard error: a library that finds no memory ends the
    process there, and no exception says so.
    """

    def __init__(self, child: subprocess.Popen[bytes]):
        assert child.stderr
        self._pipe, self._end = child.stderr, b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def tell_of_memory(self) -> bool:
        self._thread.join(5)
        return any(words in self._end for words in OUT_OF_MEMORY)

    def _read(self) -> None:
        with suppress(OSError, ValueError):  # closed meanwhile
            while piece := os.read(self._pipe.fileno(), 1 << 16):
                self._end = (self._end + piece)[-LONGEST_END:]


class _Watch:
    """Kills the child when it is silent for too long. One thread watches all messages: one for each
    would cost more than most messages do.
    """

    def __init__(self, child: subprocess.Popen[bytes], seconds: float):
        self.over = False
        self._child, self._seconds = child, seconds
        self._latest = math.inf  # when the next message is due, by the monotonic clock
        self._ended = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def begin(self) -> None:
        """The child is waited for."""
        self._latest = time.monotonic() + self._seconds

    def pause(self) -> None:
        """It is not: its message is being worked on."""
        self._latest = math.inf

    def end(self) -> None:
        self._ended.set()

    def _look(self) -> None:
        wait = self._seconds
        while not self._ended.wait(wait):
            left = self._latest - time.monotonic()
            if left <= 0:
                self.over = True
                self._child.kill()
                return
            wait = min(left, self._seconds)


def _received(pipe: IO[bytes], watch: _Watch) -> tuple[bytes, Any] | None:
    """The next message of the child; None when it is gone."""
    watch.begin()
    try:
        head = pipe.read(_HEADER.size)
        if len(head) < _HEADER.size:
            return None
        kind, size = _HEADER.unpack(head)
        if size > LONGEST_ITEM:
            raise InputError("The file was not read: it contains too much.", "Split it.")
        body = pipe.read(size)
    finally:
        watch.pause()
    try:
        return (kind, _Careful(io.BytesIO(body)).load()) if len(body) == size else None
    except pickle.UnpicklingError:
        return None


class _Careful(pickle.Unpickler):
    """Makes only what readers give: our nouns, errors and enums, and plain values."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("core.") and "." not in name:
            named_class = getattr(importlib.import_module(module), name)
            if isinstance(named_class, type):
                return named_class
        elif name in _PLAIN.get(module, ()):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not passed on")


def _place(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def _import_function(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class _Step:
    done: int
    total: int


def _run_once(place: str, arguments: tuple[Any, ...], watched: bool) -> Iterator[Any]:
    def on_page(done: int, total: int) -> None:
        _send(_PIPE[0], b"i", _Step(done, total))

    yield _import_function(place)(*arguments, **{"on_page": on_page} if watched else {})


# ------------------------------------------------------------------ in the child

_PIPE: list[IO[bytes]] = []  # to the parent


def _limit(megabytes: int) -> None:
    """Memory and processor time of this process (not on Windows, where only the wait is
    limited).
    """
    try:
        import resource
    except ImportError:
        return
    size = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _send(pipe: IO[bytes], kind: bytes, value: Any = None) -> None:
    body = pickle.dumps(value)
    pipe.write(_HEADER.pack(kind, len(body)))
    pipe.write(body)
    pipe.flush()


def _main() -> None:
    pipe = sys.stdout.buffer
    _PIPE.append(pipe)
    sys.stdout = sys.stderr  # what a parser prints is no message
    place, arguments, megabytes, nice = pickle.load(sys.stdin.buffer)
    _limit(megabytes)
    if nice and hasattr(os, "nice"):  # not on Windows
        os.nice(nice)
    try:
        for item in _import_function(place)(*arguments):
            _send(pipe, b"i", item)
    except MemoryError:
        _send(pipe, b"m")
    except GroundworkError as error:
        _send(pipe, b"e", error)
    except RecursionError:
        _send(pipe, b"e", InputError("The file is nested too deeply to be read."))
    except Exception as error:  # whatever a parser of others stumbles over
        _send(pipe, b"x", f"{type(error).__name__}: {error}"[:LONGEST_REASON])
    else:
        _send(pipe, b"z")


if __name__ == "__main__":
    from core.jobs import isolation  # not as __main__: what is sent back is of this module

    isolation._main()
