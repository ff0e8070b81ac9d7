"""XML cut into its records, so that a large file is never held whole and a damaged record costs no
other one.

A record is what one paper stands in: a PubmedArticle, a JATS article, a BioC document, a TEI. Sets,
wrappers (OAI-PMH, efetch) and several documents one after another are looked through for them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from core.errors import InputError

BLOCK = 1_000_000  # bytes
MOST_BYTES = 200_000_000  # of one record
MOST_AROUND = 20_000
_OVERLAP = 120  # bytes kept so that no tag is cut by a block's end
_NAMES = rb"PubmedArticle|PubmedBookArticle|MedlineCitation|DeleteCitation|article|document|TEI"
# What may begin at "<": a comment, CDATA (which may hold "<"), or a record
_BEGIN = re.compile(rb"<(?:(!--)|(!\[CDATA\[)|(?:[\w.-]+:)?(" + _NAMES + rb")(?=[\s>/]))")
_EMPTY = re.compile(rb"<[^<>]*/>")
_ENTITY = re.compile(rb"<!ENTITY\s", re.IGNORECASE)
# The encoding that the first line names: <?xml version="1.0" encoding="latin-1"?>
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding=[\"']([\w.-]+)")
# An answer that is an error in good XML: <ERROR>Invalid id</ERROR>
_SAID = re.compile(
    r"<(?:\w+:)?error\b[^>]*>\s*([^<]{1,300})|<Reply\b[^>]*\berror=\"([^\"]{1,300})\"",
    re.IGNORECASE,
)
_MARKS = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}


@dataclass(frozen=True, slots=True)
class XmlRecord:
    """One record's XML. `is_complete` is False when the document ends, or the next record begins,
    before it does.
    """

    name: str
    text: str
    is_complete: bool = True


class XmlRecords:
    """The records of a stream, in order, to be gone through once. `around` is what stands outside
    of them.
    """

    def __init__(self, stream: BinaryIO):
        self.around = ""
        self._stream, self._buffer, self._at, self._encoding = stream, b"", 0, ""

    def __iter__(self) -> Iterator[XmlRecord]:
        self._open()
        while True:
            begin = _BEGIN.search(self._buffer, self._at)
            if begin is None:
                self._pass(max(self._at, len(self._buffer) - _OVERLAP))
                if not self._more():
                    self._pass(len(self._buffer))
                    return
                continue
            self._pass(begin.start())
            if begin[3]:
                yield from self._record(begin[3])
            else:
                self._skip(b"-->" if begin[1] else b"]]>")

    @property
    def sender_message(self) -> str:
        """What the sender says went wrong, outside of records; "" for nothing."""
        match = _SAID.search(self.around)
        return " ".join((match[1] or match[2]).split()) if match else ""

    def _record(self, name: bytes) -> Iterator[XmlRecord]:
        """The record that begins here. One that begins inside of it means that this one was cut
        off.
        """
        if empty := _EMPTY.match(self._buffer, self._at):
            self._at = empty.end()
            return
        edge = re.compile(
            rb"<(/)(?:[\w.-]+:)?" + name + rb"\s*>|<(?:[\w.-]+:)?" + name + rb"(?=[\s>/])"
        )
        look = len(name)  # from here on
        while (match := edge.search(self._buffer, self._at + look)) is None:
            look = max(look, len(self._buffer) - self._at - _OVERLAP)
            if not self._more():
                break
        is_whole = match is not None and bool(match[1])
        end = len(self._buffer) if match is None else match.end() if is_whole else match.start()
        text, self._at = self._decoded(self._buffer[self._at : end]), end
        yield XmlRecord(name.decode(), text, is_whole)

    def _skip(self, until: bytes) -> None:
        while (end := self._buffer.find(until, self._at)) < 0 and self._more():
            continue
        self._at = end + len(until) if end >= 0 else len(self._buffer)

    def _pass(self, place: int) -> None:
        if len(self.around) < MOST_AROUND:
            self.around += self._decoded(self._buffer[self._at : place])
        self._at = place

    # -------------------------------------------------------------- bytes

    def _open(self) -> None:
        """Find the encoding; texts in one that is not made of ASCII's bytes are put into UTF-8."""
        self._more()
        wide = next(
            (encoding for mark, encoding in _MARKS.items() if self._buffer.startswith(mark)), ""
        )
        if wide:
            text = (self._buffer + self._stream.read()).decode(wide, "replace")
            self._stream, self._buffer = io.BytesIO(text.encode("utf-8", "replace")), b""
            self._more()
            return
        declared = _DECLARED.match(self._buffer[:300])
        self._encoding = declared[1].decode("ascii").casefold() if declared else ""

    def _more(self) -> bool:
        """Read another block; what was passed is let go."""
        if len(self._buffer) - self._at > MOST_BYTES:
            raise InputError(
                "The XML contains a record that never ends.", "Download or save it again."
            )
        block = self._stream.read(BLOCK)
        edge = self._buffer[-20:]
        if _ENTITY.search(edge + block):
            raise InputError(
                "The XML declares its own entities, which are not read.", "Save it without them."
            )
        self._buffer, self._at = self._buffer[self._at :] + block, 0
        return bool(block)

    def _decoded(self, raw: bytes) -> str:
        """By the declaration, else UTF-8, else Windows-1252: each record by itself."""
        encodings = (
            "utf-8" if self._encoding in ("utf-8", "utf8", "us-ascii") else self._encoding,
            "utf-8",
            "cp1252",
        )
        for encoding in filter(None, encodings):
            try:
                return raw.decode(encoding)
            except (LookupError, UnicodeError):
                continue
        return raw.decode("latin-1")
