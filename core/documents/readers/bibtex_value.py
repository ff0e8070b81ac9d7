"""Entries of a BibTeX file with their fields as BibTeX itself puts them together: pieces joined
with `#`, macros of `@string`, the first of a field that stands twice, two entries under one key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bibtexparser.model import Block

# White space that BibTeX allows within the beginning of an entry, and the parser does not
_BEGINNING = re.compile(
    r"^([ \t]*)@([ \t]{0,20})([A-Za-z]{1,40})([ \t\r\n]{0,20})([{(])", re.MULTILINE
)
_NO_ENTRY = ("comment", "string", "preamble")
_PIECE = re.compile(r'\s*(?:(?P<sign>#)|(?P<open>[{"])|(?P<bare>[^\s#{"]+))')
_CLOSING = re.compile(r'(?<!\\)[{}"]')
# The styles define them
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


LONGEST_VALUE = 1_000_000  # characters; macros of macros double themselves without end
MOST_ADDED = 20_000_000  # characters that the macros of a file may add to it in all


@dataclass(frozen=True, slots=True)
class BibtexEntry:
    """An entry: the line it begins on (from 1), its key, and its fields with folded names; None for
    fields that cannot be told apart.
    """

    line: int
    key: str
    fields: dict[str, str] | None


def bibtex_entries(text: str) -> Iterator[BibtexEntry]:
    """Every entry that begins in the file, in order; those that cannot be read without fields."""
    from bibtexparser.model import Entry, ParsingFailedBlock, String
    from bibtexparser.splitter import Splitter

    text = _BEGINNING.sub(r"\1@\3\5\2\4", text)
    begun = set(_lines_of_entries(text))
    macros, room = {month: month for month in _MONTHS}, MOST_ADDED

    def joined(written: str) -> str:
        """As it is written once the macros of the file have added what they may."""
        nonlocal room
        if room <= 0:
            return written
        value = joined_value(written, macros)
        room -= max(0, len(value) - len(written))
        return value

    for failed in Splitter(text).split().blocks:
        block: Block | None = failed
        if isinstance(failed, ParsingFailedBlock):
            block = failed.ignore_error_block
        line = (failed.start_line or 0) + 1
        if isinstance(block, String):
            macros[block.key.casefold()] = joined(str(block.value))
        elif isinstance(block, Entry):
            begun.discard(line)
            fields: dict[str, str] = {}
            for field in block.fields:
                value = joined(str(field.value))
                if value.strip():
                    fields.setdefault(field.key.casefold(), value)
            yield BibtexEntry(line, block.key, fields)
        elif isinstance(failed, ParsingFailedBlock):
            begun.discard(line)
            yield BibtexEntry(line, "", None)
    for line in sorted(begun):
        yield BibtexEntry(line, "", None)


def _lines_of_entries(text: str) -> Iterator[int]:
    """The lines on which entries begin, counted in the raw file."""
    line, counted_to = 1, 0
    for match in _BEGINNING.finditer(text):
        line += text.count("\n", counted_to, match.start())
        counted_to = match.start()
        if match[3].casefold() not in _NO_ENTRY:
            yield line


def joined_value(written: str, macros: dict[str, str]) -> str:
    """A field's value: its pieces one after another; a macro that nothing defines stays as it is
    written, and so does what is no value of BibTeX or longer than one may be.

    >>> joined_value('{The } # "end" # x', {"x": " of X"})
    'The end of X'
    """
    parts, at, length, awaits_sign = list[str](), 0, 0, False
    written = written.strip()
    while at < len(written):
        piece = _PIECE.match(written, at)
        if piece is None or bool(piece["sign"]) != awaits_sign:
            return written
        at = piece.end()
        if piece["open"]:
            end = _end_of_piece(written, at, piece["open"])
            if end < 0:
                return written
            parts.append(written[at:end])
            at = end + 1
        elif piece["bare"]:
            parts.append(macros.get(piece["bare"].casefold(), piece["bare"]))
        length += len(parts[-1]) if not awaits_sign else 0
        if length > LONGEST_VALUE:
            return written
        awaits_sign = not awaits_sign
    return "".join(parts)


def _end_of_piece(text: str, start: int, opening: str) -> int:
    """Where a piece that opens with a brace or a quotation mark ends; -1 where it does not."""
    depth = 0
    for match in _CLOSING.finditer(text, start):
        if match[0] == ('"' if opening == '"' else "}") and depth == 0:
            return match.start()
        depth += {"{": 1, "}": -1}.get(match[0], 0)
    return -1
