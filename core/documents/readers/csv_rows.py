"""Rows of comma- or tab-separated text as people export it: by RFC 4180 first; where a quotation
mark opens a cell and nothing closes it, it is a sign like others that swallows no row.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.errors import InputError
from core.text.separated import LONGEST_CELL

_LINE_END = re.compile(r"\r\n|\n|\r")
HEADER_WITHIN = 5  # lines, one of which names the columns
_LINE = re.compile(r"[^\r\n]*+")
LONGEST_SLOPPY = 200_000  # characters of a cell whose marks are not doubled


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row, the line that it begins on (from 1), and whether a quotation mark in it is lone: it
    opens a cell that nothing closes, or that others stand in which are not doubled.
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
        self._closing = re.compile(rf'"(?={mark}|[\r\n]|\Z)')
        self._plain = re.compile(rf"[^{mark}\r\n]*+")
        self._width = self._no_row_before = 0

    def line_ends(self, at: int) -> bool:
        return self._text[at] in "\r\n"

    def after_line(self, at: int) -> int:
        end = _LINE_END.match(self._text, at)
        return end.end() if end else at

    @cached_property
    def _closings(self) -> array[int]:
        """Where a cell may end whose marks are not doubled."""
        return array("q", (found.start() for found in self._closing.finditer(self._text)))

    def row(self, at: int, line: int, width: int) -> tuple[CsvRow, int]:
        """The row that begins at `at`, and where the next one does."""
        cells, end, lone = self._cells(at, self._quoted)
        if not lone and (end <= self._line_end(at) or not width or len(cells) == width):
            return CsvRow(cells, line), self.after_line(end)
        first_cells, first_end, first_lone = self._cells(at, self._on_line)
        if len(first_cells) != width:  # its own line alone is too short, or too long
            if end > first_end and len(cells) == width:
                return CsvRow(cells, line, lone), self.after_line(end)
            sloppy_cells, sloppy_end, open_still = self._cells(at, None)
            if (
                not open_still
                and len(sloppy_cells) == width
                and not self._row_within(self.after_line(first_end), sloppy_end, width)
            ):
                return CsvRow(sloppy_cells, line, lone_quote=True), self.after_line(sloppy_end)
        return CsvRow(first_cells, line, first_lone), self.after_line(first_end)

    def _row_within(self, start: int, end: int, width: int) -> bool:
        """Whether a line that begins between is a whole row by itself: then the cell that would
        swallow it is not closed. Starts only grow; lines that are known to be no row of this width
        are not read again.
        """
        if width != self._width:
            self._width, self._no_row_before = width, 0
        at = max(start, self._no_row_before)
        while at < end:
            cells, line_end, lone = self._cells(at, self._on_line)
            even = self._text.count('"', at, line_end) % 2 == 0  # an odd one ends what began before
            if len(cells) == width and even and not lone:
                break
            at = self.after_line(line_end)
        self._no_row_before = at
        return at < end

    def _line_end(self, at: int) -> int:
        found = _LINE.match(self._text, at)
        return found.end() if found else at

    def _cells(self, at: int, quoted: re.Pattern[str] | None) -> tuple[list[str], int, bool]:
        """The cells of a row, where it ends, and whether a quotation mark opens one of them that
        nothing closes. Without a pattern the next mark at the end of a cell closes it.
        """
        cells, lone = list[str](), False
        while True:
            if end := self._quoted_end(at, quoted):
                cells.append(self._text[at + 1 : end - 1].replace('""', '"'))
            else:
                cell = self._plain.match(self._text, at)
                words = cell[0] if cell else ""
                lone = lone or (words.startswith('"') and words.count('"') % 2 == 1)
                cells.append(words)
                end = at + len(words)
            at = end
            if self._text[at : at + 1] != self._sign:
                return cells, at, lone
            at += 1

    def _quoted_end(self, at: int, quoted: re.Pattern[str] | None) -> int:
        """Where the quoted cell ends that begins at `at`; 0 where none does."""
        if not self._text.startswith('"', at):
            return 0
        if quoted is not None:
            cell = quoted.match(self._text, at)
            return cell.end() if cell else 0
        number = bisect_right(self._closings, at)
        if number == len(self._closings) or self._closings[number] - at > LONGEST_SLOPPY:
            return 0
        return self._closings[number] + 1
