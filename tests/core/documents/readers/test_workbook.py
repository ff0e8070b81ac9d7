"""A workbook that lists no papers is read as tables of rows and columns."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import openpyxl
import pytest

from core.documents.paper import Paper
from core.documents.read_document import only_paper, papers_of, read_as
from core.documents.readers.workbook import read_workbook
from core.errors import InputError


def workbook(
    *rows: list[object], merged: str = "", more: list[list[object]] | None = None
) -> Paper:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Events"
    for row in rows:
        sheet.append(row)
    if merged:
        sheet.merge_cells(merged)
    if more:
        second = book.create_sheet("Doses")
        for row in more:
            second.append(row)
    out = io.BytesIO()
    book.save(out)
    return only_paper(papers_of(out.getvalue(), "supplement.xlsx"), "supplement.xlsx")


HEAD = ["Drug", "Nausea", "Rash", "Death"]


def test_an_empty_cell_stays_empty_and_each_value_has_its_headings() -> None:
    paper = workbook(HEAD, ["Alpha", None, None, 4], ["Beta", 3, 1.5, 0])
    (section,) = paper.sections
    assert (section.name, section.kind) == ("Events", "table")
    assert section.text.split("\n\n") == [
        "Columns: Drug | Nausea | Rash | Death",
        "Alpha – Death: 4",
        "Beta – Nausea: 3 | Rash: 1.5 | Death: 0",
    ]


def test_a_merged_cell_is_of_each_row_that_it_reaches_over() -> None:
    rows = [["TP53", "R175H", 3], [None, "R248Q", 5], ["KRAS", "G12D", 7]]
    table = workbook(["Gene", "Variant", "Count"], *rows, merged="A2:A3")
    (read,) = read_as(table).json()["tables"]
    assert "TP53" in read["rows"][1][0]


def test_lines_above_a_table_are_its_caption_and_each_sheet_is_a_table() -> None:
    title = ["Table S1. Events by drug"]
    paper = workbook(title, HEAD, ["Alpha", 1, 2, 4], more=[["Drug", "Dose"], ["Alpha", "5 mg"]])
    assert [section.name for section in paper.sections] == ["Events", "Doses"]
    assert paper.sections[0].text.startswith("Table S1. Events by drug\n\nColumns:")


def test_every_letter_has_an_account_and_the_reading_is_told() -> None:
    paper = workbook(HEAD, ["Alpha", None, None, 4])
    assert paper.ledger is not None and (paper.ledger.missing, paper.ledger.examples) == (0, ())
    assert [problem.code for problem in paper.problems] == ["read-as-tables"]


def test_a_workbook_with_a_column_of_titles_lists_papers() -> None:
    paper = workbook(["Title", "Abstract"], ["Tau in mice", "It rose."])
    assert paper.title == "Tau in mice" and paper.sections[0].text == "It rose."


@pytest.mark.parametrize("area", ["A1:XFD1048576", "A&#49;:XFD1048576"])
def test_a_merged_cell_over_the_whole_sheet_is_refused_before_it_is_loaded(area: str) -> None:
    raw = _with_part(lambda xml: xml.replace("A1:B1", area))
    with pytest.raises(InputError, match="more than 500,000 merged cells"):
        read_workbook(raw, "x", "supplement.xlsx")


def test_more_rows_than_a_table_may_have_are_refused_before_they_are_loaded() -> None:
    raw = _with_part(lambda xml: xml.replace("</sheetData>", "<row/>" * 500_001 + "</sheetData>"))
    with pytest.raises(InputError, match="more than 500,000 rows"):
        read_workbook(raw, "x", "supplement.xlsx")


def test_two_words_far_apart_are_no_large_table() -> None:
    book = openpyxl.Workbook()
    book.active["A1"], book.active["A1048576"] = "Tau rose.", "Actin fell."
    book.active["XFD9"].font = openpyxl.styles.Font(bold=True)
    out = io.BytesIO()
    book.save(out)
    (section,) = read_workbook(out.getvalue(), "x", "supplement.xlsx").sections
    assert section.text == "Tau rose.\n\nActin fell."


def _with_part(change: Callable[[str], str]) -> bytes:
    """A workbook with one merged cell whose sheet's XML was changed."""
    book = openpyxl.Workbook()
    book.active.append(["Drug", "Nausea"])
    book.active.merge_cells("A1:B1")
    saved, out = io.BytesIO(), io.BytesIO()
    book.save(saved)
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            words = old.read(part).decode()
            new.writestr(part, change(words) if "sheet1" in part.filename else words)
    return out.getvalue()
