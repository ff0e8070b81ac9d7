"""A file of the project, written whole or not at all: beside the old one, then in its place."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A text file that takes the place of `path` once it is written: a reader, and a crash, find
    the old one or the new one. Its folder is made where it is missing. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _beside(path) as beside, beside.open("w", encoding="utf-8") as part:
        yield part


def copy_whole(source: Path, target: Path) -> None:
    """Copy a file into the place of another. Raises OSError."""
    with _beside(target) as beside, source.open("rb") as file, beside.open("wb") as part:
        shutil.copyfileobj(file, part)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A new file beside `path` that replaces it at the end, or goes if that is never reached."""
    handle, name = tempfile.mkstemp(".part", ".", path.parent)
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
