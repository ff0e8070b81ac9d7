"""Numbers in the margin, hyphens at line ends, and the ledger of a PDF's lines."""

from __future__ import annotations

import pytest

from core.documents.readers.pdf import join_lines, read_pdf
from core.documents.readers.pdf_layout import lay_out
from core.documents.readers.pdf_page import PageLine
from tests.core.documents.test_files import pdf


def page(*texts: str) -> list[PageLine]:
    return [
        PageLine(text, 10.0, top=0.2 + 0.02 * at, left=0.1, right=0.8)
        for at, text in enumerate(texts)
    ]


NUMBERED = [f"{number} words of line {number * 7} go on" for number in range(1, 13)]


def test_the_numbers_of_lines_are_no_words_and_are_accounted_for() -> None:
    layout = lay_out([page(*NUMBERED)])
    words = "\n".join(section.text for section in layout.sections)
    assert "words of line 7 go on\nwords of line 14 go on" in words
    numbers = [piece.words for piece in layout.pieces if piece.reason == "numbers of lines"]
    assert numbers == [str(number) for number in range(1, 13)]


def test_numbers_that_begin_single_lines_stay() -> None:
    lines = [f"The level was {number} in all of them" for number in range(10)]
    lines[3:3] = ["12 mg in men and", "13 mg in women, as"]
    words = "\n".join(section.text for section in lay_out([page(*lines)]).sections)
    assert "12 mg in men and\n13 mg in women, as" in words


@pytest.mark.parametrize(
    ("broken", "joined"),
    [
        ("the p-\nvalue", "the p-value"),
        ("a well-\nknown", "a well-known"),
        ("5-\nfluorouracil and TNF-\nalpha", "5-fluorouracil and TNF-alpha"),
        ("an anti-\ninflammatory drug", "an anti-inflammatory drug"),
        ("a medi-\ncation", "a medication"),
        ("T-\nand B-cells", "T-\nand B-cells"),
    ],
)
def test_hyphens_at_line_ends(broken: str, joined: str) -> None:
    assert join_lines([broken]) == joined


def test_a_file_without_a_cross_reference_table_is_read() -> None:
    whole = pdf("Tau is found in many neurons here and there.")
    table, trailer = (
        whole.rindex(b"xref\n", 0, whole.rindex(b"startxref")),
        whole.rindex(b"trailer"),
    )
    cut = whole[:table] + whole[trailer : whole.rindex(b"startxref")]
    paper = read_pdf(cut, "doc:1", "a.pdf")
    assert "many neurons" in paper.sections[0].text


def test_each_line_of_a_file_has_an_account() -> None:
    paper = read_pdf(pdf("Tau is found in many neurons here and there."), "doc:1", "a.pdf")
    assert paper.ledger is not None and paper.ledger.missing == 0
