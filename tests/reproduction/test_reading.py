"""Published PDFs beside the JATS of the same articles (skipped without them)."""

from __future__ import annotations

import gzip

import pytest

from core.documents.read_document import only_paper, papers_of
from core.evaluation.pdf_reading import compare_reading

# One whose Greek letters are those of formulas; one with an abstract in parts.
ARTICLES = ("PMC5485486", "PMC5080681")
WHOLE, ONE_UNIT = 0.96, 0.88


@pytest.fixture(scope="module")
def sums(shared):
    rows = []
    for name in ARTICLES:
        pdf = shared / "data" / "pdf" / f"{name}.pdf"
        xml = gzip.decompress(pdf.with_suffix(".xml.gz").read_bytes())
        paper = only_paper(papers_of(pdf.read_bytes(), pdf.name), pdf.name)
        rows.append(compare_reading(paper, only_paper(papers_of(xml, "a.xml"), "a.xml")))
    return [sum(column) for column in zip(*rows, strict=True)]


def test_sentences_of_an_article_are_whole_in_its_pdf(sums):
    sentences, whole, one_unit, *_ = sums
    assert whole >= WHOLE * sentences and one_unit >= ONE_UNIT * sentences


def test_title_doi_and_references_of_each_are_found(sums):
    assert sums[3:] == [len(ARTICLES)] * 3
