"""From the lines of a PDF to sections and paragraphs. All words are our own."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest

from core.documents.readers.pdf import join_lines
from core.documents.readers.pdf_layout import lay_out
from core.documents.readers.pdf_page import PageLine, _close, _glyphs, _place
from core.text.script import marks_written_out


def text_of(*lines: tuple[str, bool]) -> str:
    page = [
        PageLine(text, 10.0, 0.2 + 0.02 * row, 0.1, 0.5, bold)
        for row, (text, bold) in enumerate(lines)
    ]
    return "\n".join(section.text for section in lay_out([page]).sections)


def test_a_bold_sub_heading_is_not_part_of_the_sentence_after_it():
    lines = ("Plant material", True), ("The three cultivars of basil were grown in rows of", False)
    assert "Plant material\n\nThe three" in text_of(("They grew.", False), *lines)


def test_a_heading_in_capitals_is_not_part_of_the_sentence_after_it():
    text = text_of(("It ended.", False), ("HYDRIDE ION CONDUCTORS", False), ("Since then", False))
    assert "CONDUCTORS\n\nSince" in text


def test_the_parts_of_an_abstract_are_set_apart():
    assert "Results\n\nTau fell" in text_of(("It was seen.", False), ("Results: Tau fell", False))


def test_a_sentence_that_ends_without_a_blank_ends():
    assert join_lines(["were dark yellow.The oils of it, e.g. IL.Ten of U.S.A. (x.Y)"]) == (
        "were dark yellow. The oils of it, e.g. IL.Ten of U.S.A. (x.Y)"
    )


@pytest.mark.parametrize(
    ("codes", "letters"),
    [
        ([0x35, 0xD835, 0xDF07, 0x67], "5μg"),  # the slanted mu of a formula, in two halves
        ([0xDBA0, 0xDC20], "\ufffd"),
        ([0xD835, 0x67], "g"),
    ],
)
def test_a_letter_in_two_halves_is_one_letter(codes, letters):
    raw = SimpleNamespace(
        FS_RECTF=lambda: SimpleNamespace(left=0.0, right=1.0, top=1.0, bottom=0.0),
        FPDFText_GetUnicode=lambda page, index: codes[index],
        FPDFText_GetCharOrigin=lambda *where: True,
        FPDFText_GetLooseCharBox=lambda *where: True,
        FPDFText_GetFontWeight=lambda page, index: 400,
    )
    upright = partial(_place, 0, 1.0, 1.0)
    assert "".join(glyph.letter for glyph in _glyphs(None, raw, len(codes), upright)) == letters


@pytest.mark.parametrize(
    ("before", "raised", "written"),
    [
        ("in Iran", "16", "in Iran"),
        ("the oil", "34–36", "the oil"),
        ("10", "6", "10^6"),
        ("cm", "2", "cm^2"),
    ],
)
def test_raised_numbers_of_references_go_and_powers_stay(before, raised, written):
    parts = list(before)
    _close(parts, raised, 1)
    assert marks_written_out("".join(parts)) == written
