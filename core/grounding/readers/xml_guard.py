"""XML of vocabularies while it streams: its prologue is looked at before a parser sees it, so that
no entity that the file declares can grow or name files of this machine; and elements stand in each
other only so deep, because the parser of RDF/XML takes time with the square of that.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError
from core.text.xml_guard import refuse_entities

_END = re.compile(rb"<(?![!?])[A-Za-z]")  # the root element: nothing is declared after it
_MOST = 1 << 20  # bytes of a prologue, and of a tag
# What follows its <. Nothing is given back: a tag without an end takes no second look.
_TAG = re.compile(rb"""[^"'>]*+(?:"[^"]*+"[^"'>]*+|'[^']*+'[^"'>]*+)*+>""")
DEEPEST = 5_000  # elements in each other; the ontologies of OBO have a dozen


class GuardedXml:
    """A file whose prologue was looked at. Raises InputError when its entities could do harm, and
    while it is read where its elements stand too deep in each other.
    """

    def __init__(self, file: BinaryIO, path: Path):
        self._file, self._name = file, path.name
        self._head = self._unended = b""
        self._depth = 0
        while not _END.search(self._head) and len(self._head) < _MOST:
            piece = file.read(1 << 14)
            if not piece:
                break
            self._head += piece
        refuse_entities(self._head, path.name)

    def read(self, size: int = -1) -> bytes:
        if not self._head:
            return self._measured(self._file.read(size))
        if size < 0:
            head, self._head = self._head, b""
            return self._measured(head + self._file.read())
        head, self._head = self._head[:size], self._head[size:]
        return self._measured(head)

    def _measured(self, piece: bytes) -> bytes:
        """The piece, once what it opens and closes has been counted. A tag that it cuts is counted
        with the next.
        """
        *tags, unended = (self._unended + piece).split(b"<")
        whole = _TAG.match(unended)
        self._unended = whole.group() if whole else unended
        self._depth += sum(map(_deeper, tags))
        if self._depth > DEEPEST or len(self._unended) > _MOST:
            raise InputError(
                f"{self._name}: elements are nested more than {DEEPEST:,} deep, or a tag is longer"
                " than a megabyte.",
                "No vocabulary needs that. Get the file again from its source.",
            )
        return piece


def _deeper(tag: bytes) -> int:
    """How much deeper what follows a `<` stands after this tag: 1, 0 or -1."""
    if tag[:1] == b"/":
        return -1
    if not tag[:1].isalpha():  # comments, instructions, the document type, text before a tag
        return 0
    whole = _TAG.match(tag)
    return 0 if whole and whole.group().endswith(b"/>") else 1
