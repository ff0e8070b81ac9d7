"""XML from outside without entities of its own: a file that declares some is refused before a
parser sees it (one of a kilobyte can grow to gigabytes, or name files of this machine).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError

_ENTITY = re.compile(rb"<!ENTITY\s")
_END = re.compile(rb"<(?![!?])[A-Za-z]")  # the root element: nothing is declared after it
_MOST = 1 << 20  # bytes of a prologue


class GuardedXml:
    """A file whose prologue was looked at. Raises InputError when it declares an entity."""

    def __init__(self, file: BinaryIO, path: Path):
        self._file = file
        self._head = b""
        while not _END.search(self._head) and len(self._head) < _MOST:
            piece = file.read(1 << 14)
            if not piece:
                break
            self._head += piece
        refuse_entities(self._head, path)

    def read(self, size: int = -1) -> bytes:
        if not self._head:
            return self._file.read(size)
        found, self._head = (
            (self._head, b"") if size < 0 else (self._head[:size], self._head[size:])
        )
        return found + self._file.read() if size < 0 else found


def refuse_entities(content: bytes, path: Path) -> None:
    """Raises InputError when the prologue of `content` declares an entity."""
    end = _END.search(content)
    if _ENTITY.search(content, 0, end.start() if end else len(content)):
        raise InputError(
            f"{path.name} declares XML entities, which are not read.",
            "Save it without a DTD, or as OBO.",
        )
