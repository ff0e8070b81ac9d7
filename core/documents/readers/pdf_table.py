"""Tables of a PDF by geometry: words that stand apart on a line are cells, cells that stand above
each other a column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from core.documents.readers.cell_grid import SourceCell, grid_of_cells
from core.documents.readers.pdf_page import PageLine, PlacedWords
from core.text.grid import HEADS

SAME_ROW = 0.004  # share of the page's height by which words of one row may differ
LEAST_ROWS = 3
CLOSER = 0.85  # of the distance of rows: lines of one cell
LEAST_SHARE = 0.6  # of the rows of a table that have several cells
Row = list[PlacedWords]


@dataclass(frozen=True, slots=True)
class PdfTable:
    """What lines below the caption of a table were read as: words that go on with the caption, the
    rows with each value behind its headings, () where columns or headings are not plain, and the
    lines of cells then; notes stand below.
    """

    caption: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[str, ...]
    notes: tuple[str, ...]


def read_table_lines(groups: Sequence[Sequence[PageLine]]) -> PdfTable:
    """`groups` are lines that stand below each other: of one page, and of one column of it."""
    rows = [row for lines in groups for row in _rows(lines)]
    several = [at for at, row in enumerate(rows) if len(row) > 1]
    first, last = (several[0], several[-1] + 1) if several else (0, 0)
    inside = rows[first:last]
    lines = grid_of_cells(cells).lines() if (cells := _grid(inside, len(several))) else []
    is_plain = bool(lines) and lines[0].startswith(HEADS)
    return PdfTable(
        tuple(map(_words, rows[:first])),
        tuple(lines if is_plain else ()),
        () if is_plain else tuple(map(_words, inside)),
        tuple(map(_words, rows[last:])),
    )


def _grid(rows: Sequence[Row], several: int) -> list[list[SourceCell]]:
    """The rows as cells of columns; [] where they are not plain."""
    if several < LEAST_ROWS or several < LEAST_SHARE * len(rows):
        return []
    columns = _columns(rows)
    cells = [_cells(row, columns) for row in rows]
    return cells if len(columns) > 1 and all(cells) else []


def _words(row: Row) -> str:
    return " ".join(part.text for part in row)


def _rows(lines: Sequence[PageLine]) -> list[Row]:
    """Words at one height, from left to right, from the top down: a file may hold a heading of two
    lines before the heading beside it.
    """
    rows: list[tuple[float, Row]] = []
    for line in sorted(lines, key=lambda line: line.top):
        if rows and line.top - rows[-1][0] < SAME_ROW:
            rows[-1][1].extend(line.placed)
        else:
            rows.append((line.top, list(line.placed)))
    return _wrapped([(top, sorted(row, key=lambda part: part.left)) for top, row in rows])


def _wrapped(rows: Sequence[tuple[float, Row]]) -> list[Row]:
    """Rows whose cells have several lines as one: such lines stand closer than rows do, by the
    usual distance of rows that have all their cells.
    """
    most = max((len(row) for _, row in rows), default=0)
    steps = [
        below - top
        for (top, row), (below, next_row) in pairwise(rows)
        if len(row) == len(next_row) == most > 1
    ]
    usual = median(steps) if steps else 0.0
    joined, above = list[Row](), 0.0
    for top, row in rows:
        onto = [_above(part, joined[-1]) for part in row] if joined else []
        if onto and top - above < CLOSER * usual and None not in onto:
            for part, at in zip(row, onto, strict=True):
                if at is not None:
                    joined[-1][at] = _together(joined[-1][at], part)
        else:
            joined.append(list(row))
        above = top
    return joined


def _above(part: PlacedWords, row: Row) -> int | None:
    """The one cell of a row above words; None for none and for several."""
    over = [at for at, p in enumerate(row) if p.left < part.right and part.left < p.right]
    return over[0] if len(over) == 1 else None


def _together(upper: PlacedWords, lower: PlacedWords) -> PlacedWords:
    left, right = min(upper.left, lower.left), max(upper.right, lower.right)
    return PlacedWords(f"{upper.text} {lower.text}", left, right)


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """The places of columns, by the rows with as many cells as most rows of several have."""
    counts = Counter(len(row) for row in rows if len(row) > 1)
    usual = max(counts, key=lambda count: (counts[count], count))
    places: list[tuple[float, float]] = []
    for part in sorted((p for row in rows if len(row) == usual for p in row), key=lambda p: p.left):
        if places and part.left < places[-1][1]:
            places[-1] = (places[-1][0], max(places[-1][1], part.right))
        else:
            places.append((part.left, part.right))
    return places if len(places) == usual else []


def _cells(row: Row, columns: Sequence[tuple[float, float]]) -> list[SourceCell]:
    """A row as cells of these columns; [] where two share one, or one stands in none."""
    taken: list[int] = [-1] * len(columns)
    for number, part in enumerate(row):
        over = [
            at for at, place in enumerate(columns) if part.left < place[1] and place[0] < part.right
        ]
        if not over or any(taken[at] >= 0 for at in over):
            return []
        for at in over:
            taken[at] = number
    cells = list[SourceCell]()
    for number, run in groupby(taken):
        width = len(list(run))
        words = row[number].text if number >= 0 else ""
        cells += [SourceCell(words, columns=width)] if words else [SourceCell("")] * width
    return cells
