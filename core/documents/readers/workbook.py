"""A workbook (XLSX) that is no list of papers, such as a paper's supplement: each sheet as a table
of rows and columns, merged cells spread.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
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
_HINT = "If it is a list of papers, say which column has the title, or name that column Title."


def read_workbook(raw: bytes, id: str, name: str) -> Paper:
    """The sheets of a workbook as tables under their names. Raises InputError for a damaged one,
    and for one with more cells than a table may have.
    """
    from openpyxl import load_workbook

    check_workbook(raw, name, MOST_BYTES)
    try:
        book = load_workbook(io.BytesIO(raw), data_only=True)
    except Exception as error:  # openpyxl raises whatever a damaged file makes it stumble over
        raise InputError(f"{name} cannot be read as a workbook.", "Save it as CSV.") from error
    if sum(sheet.max_row * sheet.max_column for sheet in book.worksheets) > MOST_CELLS:
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


def _rows(sheet: Worksheet) -> Iterator[list[SourceCell]]:
    """The rows with words; a merged cell stands once, with its span, as in a web page."""
    spans = {
        (area.min_row, area.min_col): (area.size["rows"], area.size["columns"])
        for area in sheet.merged_cells.ranges
    }
    covered = {
        place
        for area in sheet.merged_cells.ranges
        for place in area.cells
        if place != (area.min_row, area.min_col)
    }
    for number, values in enumerate(sheet.iter_rows(), start=1):
        cells = []
        for column, cell in enumerate(values, start=1):
            if (number, column) in covered:
                continue
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
