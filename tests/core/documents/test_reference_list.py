"""A section is references only if references follow."""

from __future__ import annotations

import pytest

from core.documents.paper import REFERENCES
from core.documents.read_document import ReadDocument, only_paper, papers_of, read_as
from core.documents.readers.plain_text import references_start
from core.documents.reference_list import densest_list, references_end

FINDING = "Tau rose in all of the mice that had been fed."
ENTRIES = [
    "1. Roe AB, Doe C. Tau in mice. Brain. 2001;4(2):5–9.",
    "2. Poe D. Tau again. J Neurosci. 2011;14:55-60. doi:10.1000/x",
]


def read(text: str, name: str = "a.txt") -> ReadDocument:
    return read_as(only_paper(papers_of(text.encode(), name), name))


@pytest.mark.parametrize(
    "below",
    [
        ["Aspirin", "5 mg", FINDING, "As said before (Roe et al., 2001), it fell."],
        [FINDING],
        ["12", "14", "Ibuprofen", "[3]", FINDING, FINDING],
        [],
    ],
)
def test_what_is_no_list_of_references_is_none(below) -> None:
    assert references_end(below) == 0


def test_a_list_ends_where_text_goes_on() -> None:
    wrapped = ["Roe AB, Doe C, Poe D, Moe E: Tau in", "mice of two kinds. Brain 2001;4:5–9."]
    assert references_end([*ENTRIES, "", *wrapped, "", *[FINDING] * 8]) == 5


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_the_head_of_a_column_swallows_nothing(name: str) -> None:
    heading = "# References" if name == "a.md" else "References"
    text = f"Tau in mice\n\nDrug\nDose\n{heading}\nAspirin\n5 mg\n[12]\n\n{FINDING}\n"
    assert FINDING in read(text, name).text


def test_a_text_that_goes_on_after_its_references_loses_nothing() -> None:
    text = "\n".join(["Tau in mice", "", FINDING, "", "References", *ENTRIES, "", "It fell, too."])
    document = read(text)
    assert "It fell, too." in document.text and "Roe AB" not in document.text
    assert references_start(text) == len(text)
    assert references_start(text.removesuffix("It fell, too.")) == text.index("References")


def test_the_references_of_pages_and_word_files_are_known_by_what_they_hold() -> None:
    body = "".join(f"<p>{line}</p>" for line in ENTRIES)
    page = f"<html><body><h1>Tau</h1><h2>References</h2>{body}<p>{FINDING}</p></body></html>"
    assert read(page, "a.html").text.endswith(FINDING)
    whole = read_as(only_paper(papers_of(page.encode(), "a.html"), "a.html"), references=True)
    assert [
        part.kind for part in whole.sections if "Roe AB" in whole.text[part.start : part.end]
    ] == [REFERENCES]


def test_a_list_of_references_is_known_by_its_entries_whatever_stands_above_it() -> None:
    prose = ["Tau rose in all mice (Roe et al., 2001), as was said before.", "It fell later."]
    entries = [f"{n}. Roe A, Doe B. Tau in mice. Brain 200{n};4:5-9." for n in range(1, 8)]
    lines = [*prose, "References and Notes", *entries, *prose]
    assert densest_list(lines) == (3, 10)
    assert densest_list([*prose, *entries[:3]]) == (0, 0)
