"""Rows of comma- or tab-separated text as people export it: by RFC 4180 first; where a quotation
mark opens a cell and nothing closes it, it is a sign like others that swallows no row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import InputError
from core.text.separated import LONGEST_CELL

_LINE_END = re.compile(r"\r\n|\n|\r")
HEADER_WITHIN = 5  # lines, one of which names the columns
_LINE = re.compile(r"[^\r\n]*+")


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row, the line that it begins on (from 1), and whether a quotation mark in it is lone: it
    opens a cell and nothing on its line closes it.
    """

    cells: list[str]
    line: int
    lone_quote: bool = False


def csv_rows(text: str, sign: str, name: str) -> Iterator[CsvRow]:
    """The rows of a text whose cells `sign` parts, empty lines left out. A cell may run over
    several lines where it is closed as it should be, or where its row is too short without the
    rest. Raises InputError for a cell that is too long; `name` is the file's.

    >>> [row.cells for row in csv_rows('a,b\\n"A lone one,2\\n"x\\ny",3\\n', ",", "a.csv")]
    [['a', 'b'], ['"A lone one', '2'], ['x\\ny', '3']]
    """
    reader = _Reader(text, sign)
    at, line, width = 0, 1, 0
    while at < len(text):
        if reader.line_ends(at):
            at = reader.after_line(at)
            line += 1
            continue
        row, end = reader.row(at, line, width)
        if any(len(cell) > LONGEST_CELL for cell in row.cells):
            raise InputError(
                f"{name} cannot be read: on line {line:,} one cell has more than"
                f" {LONGEST_CELL:,} characters.",
                "A quotation mark that is never closed makes one cell of all that follows it.",
            )
        if line <= HEADER_WITHIN:
            width = max(width, len(row.cells))
        yield row
        line += len(_LINE_END.findall(text, at, end))
        at = end


class _Reader:
    def __init__(self, text: str, sign: str):
        self._text = text
        mark = re.escape(sign)
        self._sign = sign
        self._quoted = re.compile(rf'"([^"]*+(?:""[^"]*+)*+)"(?={mark}|[\r\n]|\Z)')
        self._on_line = re.compile(rf'"([^"\r\n]*+(?:""[^"\r\n]*+)*+)"(?={mark}|[\r\n]|\Z)')
        self._sloppy = re.compile(rf'"((?:[^"]|"(?!{mark}|[\r\n]|\Z)){{0,200000}}+)"')
        self._plain = re.compile(rf"[^{mark}\r\n]*+")

    def line_ends(self, at: int) -> bool:
        return self._text[at] in "\r\n"

    def after_line(self, at: int) -> int:
        end = _LINE_END.match(self._text, at)
        return end.end() if end else at

    def row(self, at: int, line: int, width: int) -> tuple[CsvRow, int]:
        """The row that begins at `at`, and where the next one does."""
        cells, end, lone = self._cells(at, self._quoted)
        if not lone and (end <= self._line_end(at) or not width or len(cells) == width):
            return CsvRow(cells, line), self.after_line(end)
        first_cells, first_end, lone = self._cells(at, self._on_line)
        if len(first_cells) != width:  # its own line alone is too short, or too long
            if end > first_end and len(cells) == width:
                return CsvRow(cells, line), self.after_line(end)
            sloppy_cells, sloppy_end, open_still = self._cells(at, self._sloppy)
            if not open_still and len(sloppy_cells) == width:
                return CsvRow(sloppy_cells, line), self.after_line(sloppy_end)
        return CsvRow(first_cells, line, lone), self.after_line(first_end)

    def _line_end(self, at: int) -> int:
        found = _LINE.match(self._text, at)
        return found.end() if found else at

    def _cells(self, at: int, quoted: re.Pattern[str]) -> tuple[list[str], int, bool]:
        """The cells of a row, where it ends, and whether a quotation mark opens one of them that
        nothing closes.
        """
        cells, lone = list[str](), False
        while True:
            if cell := quoted.match(self._text, at):
                cells.append(cell[1].replace('""', '"'))
            else:
                cell = self._plain.match(self._text, at)
                words = cell[0] if cell else ""
                lone = lone or (words.startswith('"') and words.count('"') % 2 == 1)
                cells.append(words)
            at = cell.end() if cell else at
            if self._text[at : at + 1] != self._sign:
                return cells, at, lone
            at += 1
