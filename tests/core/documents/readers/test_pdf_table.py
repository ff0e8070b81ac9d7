"""Tables of a PDF: words that stand above each other are columns; no cell loses its headings."""

from __future__ import annotations

from core.documents.readers.pdf_layout import lay_out
from core.documents.readers.pdf_page import PageLine, PlacedWords
from core.documents.readers.pdf_table import read_table_lines

LEFT = (0.1, 0.3, 0.5, 0.7)


def row(top: float, *cells: str) -> PageLine:
    parts = tuple(
        PlacedWords(words, left, left + 0.1)
        for words, left in zip(cells, LEFT, strict=False)
        if words
    )
    words = " ".join(part.text for part in parts)
    line = PageLine(words, 8.0, top, parts[0].left, parts[-1].right)
    line.parts = parts if len(parts) > 1 else ()
    return line


HEAD = ("Drug", "Nausea", "Rash", "Death")


def test_an_empty_cell_stays_empty() -> None:
    lines = [row(0.2, *HEAD), row(0.22, "Alpha", "", "", "4"), row(0.24, "Beta", "3", "1", "0")]
    table = read_table_lines([[*lines, row(0.26, "Of 7 mice.")]])
    assert table.rows == (
        "Columns: Drug | Nausea | Rash | Death",
        "Alpha – Death: 4",
        "Beta – Nausea: 3 | Rash: 1 | Death: 0",
    )
    assert (table.notes, table.cells) == (("Of 7 mice.",), ())


def test_headings_that_a_file_holds_one_by_one_are_one_row() -> None:
    heads = [PageLine(words, 8.0, 0.2, at, at + 0.1) for words, at in zip(HEAD, LEFT, strict=True)]
    lines = [*heads, row(0.22, "Alpha", "1", "2", "4"), row(0.24, "Beta", "3", "1", "0")]
    assert read_table_lines([lines]).rows[0] == "Columns: Drug | Nausea | Rash | Death"


def test_lines_of_one_cell_stand_closer_than_rows() -> None:
    lines = [
        row(0.2, *HEAD),
        row(0.22, "Alpha", "1", "2", "4"),
        row(0.231, "acetate"),
        row(0.25, "Beta", "3", "1", "0"),
        row(0.27, "Gamma", "3", "1", "0"),
    ]
    assert "Alpha acetate – Nausea: 1 | Rash: 2 | Death: 4" in read_table_lines([lines]).rows


def test_cells_without_plain_columns_are_no_text_of_the_paper() -> None:
    words = PageLine("Tau rose in all mice that were kept here.", 10.0, 0.5, 0.1, 0.8)
    caption = PageLine("Table 1. Events by drug", 8.0, 0.18, 0.1, 0.4, bold=True)
    lines = [row(0.2, "4", "", "3"), row(0.22, "", "5", "6"), row(0.24, "7", "8")]
    layout = lay_out([[words] * 6, [words, caption, *lines]])
    kinds = {section.kind: section for section in layout.sections}
    assert kinds["cells"].text == "4 3\n5 6\n7 8"
    assert "4 3" not in kinds[""].text + kinds["caption"].text
