"""PubMed's text format. Every record here is made up."""

from __future__ import annotations

import pytest

from core.documents import files
from core.documents.readers.nbib import read_medline

TEXT = """PMID- 11
OWN - NLM
TI  - A study of tau in the
      brains of mice.
LID - 10.1/AbC [doi]
AB  - BACKGROUND: Little is known. It is said that IL-10: rises.
      METHODS AND RESULTS: We looked.
AU  - Roe AB
CN  - The Group
LA  - eng
PT  - Retracted Publication
TA  - J Made Up
DP  - 2001 Jan-Feb
PMC - PMC77
CRDT- 2001/02/03 12:00
RIN - J Made Up. 2002. PMID: 99

PMID- 12
TI  - Another
AB  - Plain words.

TI  - not a record of its own
"""


def read(text: str) -> list:
    return list(files.read_bytes(text.encode(), "pubmed-tau.nbib"))


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_fields_go_over_several_lines(ends):
    paper, other = read(TEXT.replace("\n", ends))
    assert paper.title == "A study of tau in the brains of mice." and paper.authors == (
        "Roe AB",
        "The Group",
    )
    assert [(section.name, section.text) for section in paper.sections] == [
        ("Background", "Little is known. It is said that IL-10: rises."),
        ("Methods and results", "We looked."),
    ]
    assert paper.ids == ("DOI:10.1/abc", "PMCID:PMC77", "PMID:11")
    assert (paper.year, paper.journal, paper.entered) == ("2001", "J Made Up", "2001-02-03")
    assert paper.flags == ("retracted",) and other.sections[0].text == "Plain words."


def test_original_title_is_used_where_there_is_no_english_one():
    (paper,) = read("PMID- 12\nTI  - [Not Available].\nTT  - Une étude de la tau.\n")
    assert paper.title == "Une étude de la tau."


def test_a_record_without_a_pmid_is_kept_or_reported():
    kept, refused = read("PMID- \nTI  - Words\n\nPMID- x\n")
    assert kept.id.startswith("doc:") and refused.problems[0].code == "no-words"


def test_links_to_other_papers_are_read() -> None:
    fields = (
        "PMID- 42\nTI  - Notice\nROF - Doe J. J Tests. 2020;3:4. doi: 10.1000/x. PMID: 41\n"
        "CIN - J Tests. 2021;1:2. PMID: 43\n"
    )
    (paper,) = read_medline(fields.encode())
    assert paper.links == (("RetractionOf", "PMID:41"), ("CommentIn", "PMID:43"))
    assert paper.notices == ("PMID:41",)
