"""Compiling a vocabulary once, however many ask: a lock file keeps two processes from doing the
same work, and a child process keeps it away from the pages.

    python -m core.grounding.index.compile SOURCE INDEX NAME [SOURCE INDEX NAME …]

compiles one after the other and writes how far it is beside each index (`NAME.progress`). Two such
processes share the work of a list: each leaves what the other is at for the end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import GroundworkError, InputError, StoreError
from core.grounding.index import build as lexicon_build
from core.grounding.index.lexicon import Lexicon
from core.grounding.readers.source import watch_bytes

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: two processes may do the same work twice
    fcntl = None  # type: ignore[assignment]

CODE = Path(__file__).resolve().parents[3]
POLL = 0.1  # seconds between looks at a compile that another process does
CHILDREN = 2  # processes that compile a long list
READING = 0.9  # the share of the work that is reading; the rest is sorting and writing

Watch = Callable[[float], None]  # share of the work done, 0–1; may raise Stopped


class VocabularyPreparing(InputError):
    """The vocabulary is being compiled by another process and cannot be used yet."""


@dataclass(frozen=True, slots=True)
class CompileTask:
    """One vocabulary file, the index it is compiled into, and its name."""

    source: Path
    index: Path
    name: str


Compiling = Callable[[CompileTask, Watch], Lexicon]


def index_is_ready(task: CompileTask) -> bool:
    """Whether the index is there and of the file's present content."""
    if not task.index.exists():
        return False
    try:
        return Lexicon(task.index).digest == lexicon_build.index_digest(task.source)
    except (StoreError, InputError, KeyError):
        return False


def compile_once(task: CompileTask, watch: Watch = lambda share: None) -> Lexicon:
    """The lexicon of a file; its index is reopened where it is of the same content, built where it
    is not. While another process builds it this one waits. Raises InputError, StoreError.
    """
    if not index_is_ready(task):
        with _locked(task.index, watch):
            if not index_is_ready(task):
                _build(task, watch)
    return Lexicon(task.index)


def _build(task: CompileTask, watch: Watch) -> None:
    """Build under the lock, telling those who wait how far it is."""
    path, last_told = _progress_file(task.index), [0.0]

    def tell(bytes_read: int, total: int) -> None:
        if time.monotonic() - last_told[0] > 0.3:
            last_told[0] = time.monotonic()
            share = READING * min(1.0, bytes_read / max(1, total))
            with suppress(OSError):
                path.write_text(f"{share:.3f}", encoding="utf-8")
            watch(share)

    try:
        with watch_bytes(tell):
            lexicon_build.build_index(task.source, task.index, name=task.name)
    finally:
        path.unlink(missing_ok=True)


def compile_progress(index: Path) -> float | None:
    """How much of a compile is done (0–1); None when no process compiles this index."""
    if not _is_locked(index):
        return None
    try:
        return float(_progress_file(index).read_text(encoding="utf-8") or 0)
    except (OSError, ValueError):
        return 0.0


def in_children(tasks: Sequence[CompileTask]) -> tuple[subprocess.Popen[bytes], ...]:
    """Start processes that compile these in order, politely; none when there is nothing to do."""
    waiting = [task for task in tasks if not index_is_ready(task)]
    words = [str(word) for t in waiting for word in (t.source, t.index, t.name)]
    for task in waiting:
        _failure_file(task.index).unlink(missing_ok=True)
    command = [sys.executable, "-m", "core.grounding.index.compile", *words]
    return tuple(
        subprocess.Popen(
            command,
            cwd=CODE,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for _ in range(min(CHILDREN, len(waiting), os.cpu_count() or 1))
    )


def compile_failure(index: Path) -> str:
    """Why a child process could not compile this index; empty when it could."""
    try:
        return str(json.loads(_failure_file(index).read_text(encoding="utf-8"))["message"])
    except (OSError, ValueError, KeyError):
        return ""


def main(words: Sequence[str]) -> None:
    """Compile triples of source, index and name. A file that fails does not stop the others."""
    with suppress(OSError):
        os.nice(10)
    tasks = [
        CompileTask(Path(words[place]), Path(words[place + 1]), words[place + 2])
        for place in range(0, len(words) - 2, 3)
    ]
    begun_elsewhere = []
    for task in tasks:
        if _is_locked(task.index):
            begun_elsewhere.append(task)
        else:
            _compile_or_say(task)
    for task in begun_elsewhere:
        _compile_or_say(task)


def _compile_or_say(task: CompileTask) -> None:
    """Compile, or leave beside the index why it cannot be."""
    if not index_is_ready(task):
        _failure_file(task.index).unlink(missing_ok=True)
        try:
            compile_once(task)
        except GroundworkError as error:
            with suppress(OSError):
                _failure_file(task.index).write_text(
                    json.dumps({"message": str(error)}), encoding="utf-8"
                )


# ---------------------------------------------------------------- the lock


def _lock_file(index: Path) -> Path:
    return index.with_name(f".{index.name}.lock")


def _progress_file(index: Path) -> Path:
    return index.with_name(f".{index.name}.progress")


def _failure_file(index: Path) -> Path:
    return index.with_name(f".{index.name}.failed")


@contextmanager
def _locked(index: Path, watch: Watch) -> Iterator[None]:
    """Hold the lock of an index; the system frees it when a process dies."""
    try:
        index.parent.mkdir(parents=True, exist_ok=True)
        file = _lock_file(index).open("a")
    except OSError as error:
        message = f"The index folder {index.parent} cannot be written: {error.strerror}."
        raise StoreError(message) from error
    with file:
        while fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                watch(compile_progress(index) or 0.0)
                time.sleep(POLL)
        yield


def _is_locked(index: Path) -> bool:
    path = _lock_file(index)
    if fcntl is None or not path.exists():
        return _progress_file(index).exists()
    with suppress(OSError), path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


if __name__ == "__main__":
    main(sys.argv[1:])
