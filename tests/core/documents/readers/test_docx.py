"""Word documents."""

from __future__ import annotations

import io
import zipfile

import pytest

from core.documents.reading import only_paper, papers_of, read_as
from core.errors import InputError

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def run(words: str, level: str = "") -> str:
    raised = f'<w:rPr><w:vertAlign w:val="{level}"/></w:rPr>' if level else ""
    return f"<w:r>{raised}<w:t>{words}</w:t></w:r>"


def paragraph(inside: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}{inside}</w:p>"


def docx(*paragraphs: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        body = f"<w:document {W}><w:body>{''.join(paragraphs)}</w:body></w:document>"
        archive.writestr("word/document.xml", body)
    return packed.getvalue()


def test_a_document_is_read_by_its_styles_with_scripts_on_the_line() -> None:
    deleted = "<w:del><w:r><w:delText>never</w:delText></w:r></w:del>"
    raw = docx(
        paragraph(run("Tau in mice"), "Title"),
        paragraph(run("Methods"), "Heading1"),
        paragraph(run("We took 10") + run("6", "superscript") + run(" cells.") + deleted),
        paragraph(run("References"), "Heading1"),
        paragraph(run("1. Roe. Old.")),
    )
    document = read_as(only_paper(papers_of(raw, "a.docx"), "a.docx"))
    assert document.title == "Tau in mice"
    assert document.text == "Tau in mice\n\nMethods\n\nWe took 10^6 cells."


def test_captions_stand_apart_and_the_doi_on_a_line_of_its_own_is_the_papers() -> None:
    raw = docx(
        paragraph(run("Tau in mice"), "Title"),
        paragraph(run("https://doi.org/10.1000/Ab.1")),
        paragraph(run("Results"), "Heading1"),
        paragraph(run("Tau fell.")),
        paragraph(run("Figure 1. Tau by age."), "Caption"),
        paragraph(run("doi:10.1000/other")),
    )
    paper = only_paper(papers_of(raw, "a.docx"), "a.docx")
    assert (paper.id, paper.doi) == ("DOI:10.1000/ab.1", "10.1000/Ab.1")
    captions = [section.text for section in paper.sections if section.kind == "caption"]
    assert captions == ["Figure 1. Tau by age."]
    cited = docx(paragraph(run("Tau")), paragraph(run("As doi:10.1000/x says, tau fell.")))
    assert only_paper(papers_of(cited, "a.docx"), "a.docx").id.startswith("doc:")


@pytest.mark.parametrize("raw", [b"PK\x03\x04 broken", docx(paragraph(""))])
def test_a_damaged_or_empty_document_is_refused(raw: bytes) -> None:
    with pytest.raises(InputError):
        papers_of(raw, "a.docx")
