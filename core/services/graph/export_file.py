"""Files that are complete or absent: written next to the old one, then put in its place."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from glob import escape
from pathlib import Path

from core.errors import StoreError

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed
    fcntl = None  # type: ignore[assignment]


def replace_file(path: Path, pieces: Iterable[bytes]) -> int:
    """Write a file; the number of bytes. Raises StoreError, and then the old file is unchanged.

    A full disk or a killed process leaves the old file whole, and at most a `.part` file beside it,
    which the next writing of this file takes away.
    A link's own file is replaced, not the link; what is no file (`/dev/stdout`, a pipe) is written
    into, never replaced.
    """
    beside = ""
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                return sum(device.write(piece) for piece in pieces)
        path = path.resolve()
        remove_leftovers(path)
        handle, beside = tempfile.mkstemp(".part", f".{path.name[:100]}.", path.parent)
        with os.fdopen(handle, "wb") as file, ExitStack() as held:
            with suppress(OSError):  # a file system without locks
                held.enter_context(hold_lock(Path(beside)))
            size = sum(file.write(piece) for piece in pieces)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        Path(beside).replace(path)
    except OSError as error:
        raise StoreError(
            f"{path} could not be written: {error.strerror or error}.",
            f"{room_hint(error)}An older file with this name is unchanged.",
        ) from error
    finally:
        if beside:
            Path(beside).unlink(missing_ok=True)
    return size


def room_hint(error: OSError) -> str:
    """What to do where a disk, a quota or the largest size of a file was the trouble, else ""."""
    full = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return "Free some space, or write it to another disk. " if error.errno in full else ""


def remove_leftovers(path: Path) -> None:
    """Remove what a killed process left next to a file, but not what a running one writes."""
    for abandoned in path.parent.glob(f".{escape(path.name[:100])}.*.part"):
        with suppress(OSError), hold_lock(abandoned):
            abandoned.unlink()


def hold_lock(path: Path) -> ExitStack:
    """Lock a file or a folder until what is returned is closed, or the process ends. Raises OSError
    where another process holds it.
    """
    held = ExitStack()
    if fcntl is not None:
        handle = os.open(path, os.O_RDONLY)
        held.callback(os.close, handle)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held.close()
            raise
    return held
