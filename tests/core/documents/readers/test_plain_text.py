"""Plain text: its sections, and its references set apart."""

from __future__ import annotations

import pytest

from core.documents.paper import REFERENCES
from core.documents.readers.plain_text import read_text, references_start

BODY = "The role of tau\n\nTau is bound by Q in 1999 [1].\n"
LIST = "[1] Roe J. Aspirin treats. Lancet. 2002;1:2.\n[2] Doe A. Tau. Brain 2001;4:5.\n"


@pytest.mark.parametrize("heading", ["References", "7. LITERATURE CITED", "Bibliography:", ""])
def test_references_are_set_apart(heading: str) -> None:
    paper = read_text(f"{BODY}\n{heading}\n{LIST}", "doc:1")
    assert [section.kind for section in paper.sections] == ["", REFERENCES]
    assert "Aspirin" not in paper.sections[0].text


@pytest.mark.parametrize(
    "end",
    [
        "1. We gave aspirin in 2001.\nThen we saw it.",
        "3. We gave aspirin in 2001.\n4. We saw it in 2002.",
        "1. We gave aspirin.\n2. We saw it.",
    ],
)
def test_numbered_lines_that_are_no_references_stay_in_the_text(end: str) -> None:
    assert [s.kind for s in read_text(f"{BODY}\n{end}", "doc:1").sections] == [""]


def test_the_heading_row_of_a_table_is_not_a_title() -> None:
    paper = read_text("gene\tdisease\nBRCA1\tbreast cancer\n", "doc:1", "cells")
    assert paper.title == "cells" and "gene\tdisease" in paper.sections[0].text


def test_ids_on_a_line_before_the_first_heading_are_the_papers() -> None:
    text = "The role of tau\n\ndoi: 10.1234/ab PMID: 12\n\nResults\n\nTau falls.\n"
    assert read_text(text, "doc:1").ids == ("PMID:12", "DOI:10.1234/ab")


BODY = "Lithium caused renal failure.\n\n"
LISTED = "1. Roe J. Tau. Brain 2001;4:5.\n2. Doe K. Amyloid. Brain 2003;1:2.\n"


@pytest.mark.parametrize("heading", ["References\n", "7. LITERATURE CITED:\n\n", ""])
def test_where_the_references_at_the_end_of_a_text_begin_is_known(heading: str) -> None:
    assert references_start(BODY + heading + LISTED) == len(BODY)


@pytest.mark.parametrize(
    "text", [BODY, LISTED, BODY + "References\nWe thank all. None is due.\nNo more.\n"]
)
def test_text_without_references_or_with_nothing_else_is_read_in_full(text: str) -> None:
    assert references_start(text) == len(text)
