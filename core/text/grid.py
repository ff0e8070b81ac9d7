"""Tables in a text: one line a row, each value behind the heading of its column and the heading of
its row, so that no cell is read without them; and such lines read back as rows and columns.

    Columns: Drug | Nausea | Rash | Death
    Alpha – Death: 4
    Beta – Nausea: 3 | Rash: 1
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.model import Span

HEADS = "Columns:"
_BETWEEN, _OF_ROW, _VALUE = " | ", " – ", ": "
_CUT = re.compile(r"\s\|(?=\s|$)")
_SENTENCE_END = re.compile(r"(?<![A-Z])[.!?。]\s+[^\sa-z]")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: the heading of each column, "" for none, and rows of as many cells. The first `stub`
    cells of a row, 0 or more, are its heading.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    stub: int = 1


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell of a grid that is read from a text; row and column count from 0. `span` is where its
    words are, in half-open code points.
    """

    row: int
    column: int
    span: Span


@dataclass(frozen=True, slots=True)
class PlacedGrid:
    """A table as it stands in a text: `span` is from its line of headings to its last row."""

    grid: Grid
    span: Span
    cells: tuple[PlacedCell, ...]


def grid_lines(grid: Grid) -> list[str]:
    """A table as lines: its headings, where it has any, then its rows. Empty cells are not written;
    what is written stands behind its headings.

    >>> grid_lines(Grid(("Drug", "Nausea", "Death"), (("Alpha", "", "4"), ("Beta", "3", "0"))))
    ['Columns: Drug | Nausea | Death', 'Alpha – Death: 4', 'Beta – Nausea: 3 | Death: 0']
    """
    columns = [_heading(name) for name in grid.columns]
    head = f"{HEADS} {_BETWEEN.join(columns)}".rstrip() if any(columns) else ""
    if head and len(columns) == 1:
        head += _BETWEEN.rstrip()  # by which a line of headings is known
    lines = (_row_line(columns, row, grid.stub) for row in grid.rows)
    return [line for line in (head, *lines) if line]


def _row_line(columns: Sequence[str], row: Sequence[str], stub: int) -> str:
    cells = [_one_line(cell) for cell in row]
    name = ", ".join(dict.fromkeys(filter(None, cells[:stub])))
    values = [
        f"{column}{_VALUE}{cell}" if column else cell
        for column, cell in zip(columns[stub:], cells[stub:], strict=True)
        if cell
    ]
    words = _BETWEEN.join(values)
    if len(values) == 1 and _SENTENCE_END.search(words):
        words += _BETWEEN.rstrip()
    if not words:
        return f"{name}{_OF_ROW}".rstrip() if name and any(columns) else name
    return f"{name}{_OF_ROW}{words}" if name else words


def _heading(words: str) -> str:
    return _one_line(words).rstrip(": ")


def _one_line(words: str) -> str:
    """Without what parts the cells of a line."""
    return " ".join(words.split()).replace(" | ", "|").strip("| ")


def is_table_row(line: str) -> bool:
    """Whether a line is a row of a table, or its headings: it is never cut into sentences.

    >>> is_table_row("Alpha – Nausea: 3 | Death: 4"), is_table_row("Given P(A | B), it fell.")
    (True, False)
    """
    cut = _CUT.search(line)
    return cut is not None and (_VALUE in line[: cut.start()] or line.startswith(HEADS))


def row_spans(text: str) -> list[Span]:
    """Where the rows of tables are in a text, in order."""
    if _BETWEEN.rstrip() not in text:
        return []
    lines = re.finditer(r"[^\n]+", text)
    return [Span(line.start(), line.end()) for line in lines if is_table_row(line[0])]


def is_heading_row(line: str) -> bool:
    """Whether a line holds the headings of a table and states nothing."""
    return line.startswith(HEADS) and _CUT.search(line) is not None


def grids_in(text: str) -> Iterator[PlacedGrid]:
    """The tables of a text, in order: those whose headings are given."""
    lines = [(m.start(), m[0]) for m in re.finditer(r"[^\n]*\S[^\n]*", text)]
    place = 0
    while place < len(lines):
        start, line = lines[place]
        place += 1
        if not is_heading_row(line):
            continue
        columns = tuple(piece.strip() for piece in _CUT.split(line[len(HEADS) :]))
        rows, cells, end = list[tuple[str, ...]](), list[PlacedCell](), start + len(line)
        while place < len(lines) and (read := _read_row(columns, *lines[place])) is not None:
            row, spans = read
            cells += [PlacedCell(len(rows), column, span) for column, span in spans]
            rows.append(row)
            end = lines[place][0] + len(lines[place][1])
            place += 1
        if columns[1:] == ("",) and not any(cell.column for cell in cells):
            columns, rows = columns[:1], [row[:1] for row in rows]
        stub = int(all(cell.column for cell in cells) or any(row[0] for row in rows))
        yield PlacedGrid(Grid(columns, tuple(rows), stub), Span(start, end), tuple(cells))


def grid_at(text: str, span: Span) -> PlacedGrid | None:
    """The table of a text in which a span lies, None where it lies in none."""
    if HEADS not in text:
        return None
    return next((placed for placed in grids_in(text) if placed.span.overlaps(span)), None)


def caption_above(text: str, start: int) -> str:
    """The paragraph before a table that begins at `start`, which is its caption.

    >>> caption_above("It rose.\\n\\nTable 1. Deaths\\n\\nColumns: a | b", 27)
    'Table 1. Deaths'
    """
    above = text[:start].rstrip()
    return above[above.rfind("\n") + 1 :]


def _read_row(
    columns: Sequence[str], start: int, line: str
) -> tuple[tuple[str, ...], list[tuple[int, Span]]] | None:
    """The cells of a line, and where they are; None for a line that is no row of these columns."""
    row, spans = [""] * len(columns), list[tuple[int, Span]]()
    if is_heading_row(line):
        return None
    begin = _values_begin(columns, line)
    if begin is None and line.rstrip().endswith(_OF_ROW.rstrip()):
        row[0] = line.rstrip().removesuffix(_OF_ROW.rstrip()).strip()
        return tuple(row), [(0, Span(start, start + len(row[0])))]
    if begin is None:
        return None
    if begin:
        row[0] = line[: begin - len(_OF_ROW)]
        spans.append((0, Span(start, start + len(row[0]))))
    column, at = 0 if not begin else 1, begin
    for piece in [*_CUT.split(line[begin:])]:
        margin = len(piece) - len(piece.lstrip())
        words = piece.strip()
        if words:
            found = _column_of(columns, words, column)
            if found is None:
                return None
            column, named = found
            row[column] = words[named:]
            spans.append(
                (column, Span(start + at + margin + named, start + at + margin + len(words)))
            )
            column += 1
        at += len(piece) + len(_BETWEEN.rstrip())
    return tuple(row), spans


def _values_begin(columns: Sequence[str], line: str) -> int | None:
    """Where the values of a row begin, after its own heading; 0 for a row without one."""
    first = _CUT.split(line, maxsplit=1)[0]
    for match in re.finditer(re.escape(_OF_ROW), first):
        found = _column_of(columns, first[match.end() :], 1)
        if found and (found[1] or not columns[found[0]]):
            return match.end()
    found = _column_of(columns, first, 0)
    return 0 if found and found[1] else None


def _column_of(columns: Sequence[str], words: str, begin: int) -> tuple[int, int] | None:
    """The first column, from `begin` on, whose heading words begin with, and the length of that;
    else the next without a heading.
    """
    for number in range(begin, len(columns)):
        heading = columns[number] + _VALUE
        if columns[number] and words.startswith(heading):
            return number, len(heading)
    bare = next((n for n in range(begin, len(columns)) if not columns[n]), None)
    return None if bare is None else (bare, 0)
