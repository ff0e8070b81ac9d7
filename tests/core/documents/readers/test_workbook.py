"""A workbook that lists no papers is read as tables of rows and columns."""

from __future__ import annotations

import io

import openpyxl

from core.documents.paper import Paper
from core.documents.read_document import only_paper, papers_of, read_as


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
