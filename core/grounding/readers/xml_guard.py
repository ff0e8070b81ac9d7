"""XML of vocabularies while it streams: its prologue is looked at before a parser sees it, so that
no entity that the file declares can grow or name files of this machine.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from core.text.xml_guard import refuse_entities

_END = re.compile(rb"<(?![!?])[A-Za-z]")  # the root element: nothing is declared after it
_MOST = 1 << 20  # bytes of a prologue


class GuardedXml:
    """A file whose prologue was looked at. Raises InputError when its entities could do harm."""

    def __init__(self, file: BinaryIO, path: Path):
        self._file = file
        self._head = b""
        while not _END.search(self._head) and len(self._head) < _MOST:
            piece = file.read(1 << 14)
            if not piece:
                break
            self._head += piece
        refuse_entities(self._head, path.name)

    def read(self, size: int = -1) -> bytes:
        if not self._head:
            return self._file.read(size)
        if size < 0:
            head, self._head = self._head, b""
            return head + self._file.read()
        head, self._head = self._head[:size], self._head[size:]
        return head
