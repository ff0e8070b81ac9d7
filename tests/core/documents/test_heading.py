"""Sections by their usual names."""

from __future__ import annotations

import pytest

from core.documents.heading import ids_on_own_lines, part_of
from core.documents.paper import FULL_TEXT, Paper, PaperSection, assemble_paper
from core.literature.index.chunking import cut_into_chunks


@pytest.mark.parametrize(
    ("heading", "part"),
    [
        ("INTRODUCTION", "Introduction"),
        ("1. Background", "Introduction"),
        ("2 Materials and Methods", "Methods"),
        ("Methods & Materials", "Methods"),
        ("II. Patients and methods:", "Methods"),
        ("STAR★Methods", "Methods"),
        ("Experimental procedures", "Methods"),
        ("3. Results.", "Results"),
        ("Results and Discussion", "Results and discussion"),
        ("4) DISCUSSION", "Discussion"),
        ("Conclusion", "Conclusions"),
        ("Concluding remarks", "Conclusions"),
        ("3.2. Tau falls in mice", "Tau falls in mice"),
        ("A role for tau", "A role for tau"),
        ("14-3-3 proteins bind", "14-3-3 proteins bind"),
        ("5-HT receptors", "5-HT receptors"),
        ("C. elegans mutants", "C. elegans mutants"),
        ("V. cholerae", "V. cholerae"),
        ("II. Patients and methods:", "Methods"),
        ("Case report", "Case report"),
        ("", ""),
    ],
)
def test_parts_by_their_heading(heading, part):
    assert part_of(heading) == part


def test_a_chunk_has_the_usual_section_name_and_the_text_its_own_heading():
    sections = (
        PaperSection("2. MATERIALS AND METHODS", "We looked."),
        PaperSection("3. Results", "It fell."),
    )
    version, body = assemble_paper(Paper("PMID:1", "T", sections, FULL_TEXT))
    assert version.text == "T\n2. MATERIALS AND METHODS\nWe looked.\n3. Results\nIt fell."
    assert next((chunk.section, chunk.id) for chunk in cut_into_chunks(version, body)) == (
        "Methods",
        "PMID:1#methods@0",
    )


def test_ids_on_a_line_of_their_own_are_the_documents():
    ids, doi = ids_on_own_lines("doi: 10.1234/Ab. PMID: 12; PMCID: PMC7\n\nTau falls.", "doc:1")
    assert ids == ("PMID:12", "PMCID:PMC7", "DOI:10.1234/ab")
    assert doi == "10.1234/Ab"


def test_ids_within_a_sentence_are_those_of_others():
    assert ids_on_own_lines("As in PMID: 12 (doi: 10.1234/ab).", "doc:1") == (("doc:1",), "")
