"""A small file of the project, written whole or not at all."""

from __future__ import annotations

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
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=".", suffix=".part", encoding="utf-8", delete=False
    ) as part:
        beside = Path(part.name)
        try:
            yield part
        except BaseException:
            beside.unlink()
            raise
    beside.replace(path)
