"""A workbook (XLSX) that is no list of papers, such as a paper's supplement: each sheet as a table
of rows and columns, merged cells spread.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.ledger import SourcePiece
from core.documents.paper import TEXT, Paper, PaperSection, with_ledger
from core.documents.readers.cell_grid import MOST_CELLS, SourceCell, grid_of_cells, table_section
from core.documents.readers.table import cell_words, check_workbook
from core.errors import InputError
from core.model import Problem

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

MOST_BYTES = 40_000_000  # unpacked: all cells are held at once, as merged ones reach over others
_ROW = re.compile(rb"<(?:[^\s<>/:]+:)?row[\s/>]")
_CELL = re.compile(rb"<(?:[^\s<>/:]+:)?c[\s/>]")
_MERGED = re.compile(rb"<(?:[^\s<>/:]+:)?mergeCell\s[^<>]*?\bref\s*=\s*[\"']([^\"']*)")
_HINT = "If it is a list of papers, say which column has the title, or name that column Title."


def read_workbook(raw: bytes, id: str, name: str) -> Paper:
    """The sheets of a workbook as tables under their names. Raises InputError for a damaged one,
    and for one with more cells than a table may have.
    """
    from openpyxl import load_workbook

    check_workbook(raw, name, MOST_BYTES)
    try:
        too_many = _beyond_reading(raw)
        book = None if too_many else load_workbook(io.BytesIO(raw), data_only=True)
    except Exception as error:  # openpyxl raises whatever a damaged file makes it stumble over
        raise InputError(f"{name} cannot be read as a workbook.", "Save it as CSV.") from error
    if book is None:
        raise InputError(f"{name} has more than {MOST_CELLS:,} {too_many}.", "Split it.")
    if sum(len(rows) * columns for rows, columns in map(_extent, book.worksheets)) > MOST_CELLS:
        raise InputError(f"{name} has more than {MOST_CELLS:,} cells.", "Split it.")
    sheets = [(sheet.title, list(_rows(sheet))) for sheet in book.worksheets]
    message = "No column is named Title, so the workbook is read as tables, not as papers."
    paper = Paper(
        id,
        Path(name).stem,
        tuple(_section(title, rows) for title, rows in sheets if rows),
        kind=TEXT,
        problems=(Problem("read-as-tables", message, where=name, hint=_HINT),),
    )
    return with_ledger(paper, _pieces(sheets))


def _beyond_reading(raw: bytes) -> str:
    """What the sheets have too many of, "" for nothing: counted in their XML, as the workbook's
    library makes an object of each cell, and of each that a merged one reaches over.
    """
    from openpyxl.utils import range_boundaries

    counts = dict.fromkeys(("rows", "cells", "merged cells"), 0)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for part in archive.infolist():
            xml = archive.read(part).replace(b"\0", b"")  # of UTF-16, as if it were UTF-8
            counts["rows"] += sum(1 for _ in _ROW.finditer(xml))
            counts["cells"] += sum(1 for _ in _CELL.finditer(xml))
            for merged in _MERGED.finditer(xml):
                left, top, right, bottom = range_boundaries(unescape(merged[1].decode()))
                counts["merged cells"] += (right - left + 1) * (bottom - top + 1)
                if counts["merged cells"] > MOST_CELLS:
                    break
    return next((what for what, number in counts.items() if number > MOST_CELLS), "")


def _extent(sheet: Worksheet) -> tuple[list[int], int]:
    """The rows (from 1) with words or under a merged cell, to the last with words, and the last
    column with words: two words far apart are no large table.
    """
    places = [place for place, cell in sheet._cells.items() if cell_words(cell.value)]
    last = max((row for row, _ in places), default=0)
    rows = {row for row, _ in places}
    for area in sheet.merged_cells.ranges:
        rows.update(range(area.min_row, min(area.max_row, last) + 1))
    return sorted(rows), max((column for _, column in places), default=0)


def _rows(sheet: Worksheet) -> Iterator[list[SourceCell]]:
    """The rows with words; a merged cell stands once, with its span, as in a web page."""
    numbers, width = _extent(sheet)
    last = numbers[-1] if numbers else 0
    spans, covered = dict[tuple[int, int], tuple[int, int]](), set[tuple[int, int]]()
    for area in sheet.merged_cells.ranges:
        first = (area.min_row, area.min_col)
        bottom, right = min(area.max_row, last), min(area.max_col, width)
        spans[first] = (bottom - area.min_row + 1, right - area.min_col + 1)
        covered.update(place for place in area.cells if place != first)
    for number in numbers:
        cells = []
        for column in range(1, width + 1):
            if (number, column) in covered:
                continue
            cell = sheet.cell(number, column)
            rows, columns = spans.get((number, column), (1, 1))
            strong = bool(cell.font and cell.font.b)
            cells.append(SourceCell(cell_words(cell.value), rows, columns, strong=strong))
        if not cells or any(cell.text for cell in cells):
            yield cells


def _section(title: str, rows: list[list[SourceCell]]) -> PaperSection:
    """A sheet under its name; lines above the table that fill one cell are its caption."""
    above = 0
    while above + 1 < len(rows) and sum(bool(cell.text) for cell in rows[above]) == 1:
        above += 1
    captions = [cell.text for row in rows[:above] for cell in row if cell.text]
    return table_section("", [title, *captions], grid_of_cells(rows[above:]).lines())


def _pieces(sheets: Iterable[tuple[str, list[list[SourceCell]]]]) -> Iterator[SourcePiece]:
    for title, rows in sheets:
        yield SourcePiece(title if rows else "")
        for row in rows:
            yield from (SourcePiece(cell.text) for cell in row)
