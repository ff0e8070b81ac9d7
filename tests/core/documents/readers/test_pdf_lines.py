"""Numbers in the margin, hyphens at line ends, and the ledger of a PDF's lines."""

from __future__ import annotations

import pytest

from core.documents.readers.pdf import join_lines, read_pdf
from core.documents.readers.pdf_layout import lay_out
from core.documents.readers.pdf_page import PageLine, _Glyph, _Run, _written
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


def test_numbers_beside_their_lines_are_no_words_either() -> None:
    words = [f"words of line {number * 7} go on" for number in range(1, 13)]
    lines = page("A heading of its own", "Roe A, Doe B", "Leiden", *words)
    margin = [
        PageLine(str(number), 8.0, line.top, left=0.05, right=0.06)
        for number, line in enumerate(lines[3:], start=1)
    ]
    beside = [*lines[:3], *(one for pair in zip(lines[3:], margin, strict=True) for one in pair)]
    sections = lay_out([beside]).sections
    assert "words of line 7 go on\nwords of line 14 go on" in sections[0].text


def test_references_under_an_unknown_heading_are_set_apart_whatever_their_size() -> None:
    entries = [f"{n}. Roe A, Doe B. Tau in mice. Brain 200{n};4:5-9." for n in range(1, 9)]
    lines = page("Tau rose in all of the mice.", "It fell in none.", "Works we lean on", *entries)
    for line in lines[3:]:
        line.size = 8.0
    body, references = lay_out([page(*["Words go on and on."] * 9), lines]).sections
    assert (references.name, references.kind) == ("Works we lean on", "references")
    assert references.text.startswith("1. Roe A") and "lean" not in body.text


def run_of(*places: tuple[str, float, float]) -> _Run:
    """Letters with their base and the height of their box, one after another."""
    run = _Run(base=places[0][1], size=places[0][2])
    for at, (letter, base, size) in enumerate(places):
        glyph = _Glyph(
            at, letter, size, base, left=5.0 * at, right=5.0 * at + 5, bold=False, apart=False
        )
        level = run.level_of(glyph) if run.glyphs else 0
        assert level is not None
        run.glyphs.append((glyph, level))
    return run


@pytest.mark.parametrize("size", [6.0, 9.0, 10.0])
def test_a_raised_letter_is_raised_whatever_its_size(size: float) -> None:
    run = run_of(("m", 0.0, 10.0), ("L", 0.0, 10.0), ("-", 4.0, size), ("1", 4.0, size))
    assert _written(run) == "mL^-1"
