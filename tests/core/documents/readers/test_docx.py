"""Word documents."""

from __future__ import annotations

import io
import zipfile

import pytest

from core.documents.read_document import ReadDocument, only_paper, papers_of, read_as
from core.errors import InputError

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def run(words: str, level: str = "") -> str:
    raised = f'<w:rPr><w:vertAlign w:val="{level}"/></w:rPr>' if level else ""
    return f"<w:r>{raised}<w:t>{words}</w:t></w:r>"


def paragraph(inside: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}{inside}</w:p>"


M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def math(tag: str, *parts: tuple[str, str]) -> str:
    inside = "".join(
        f"<m:{name}>{words if words[0] == '<' else f'<m:r><m:t>{words}</m:t></m:r>'}</m:{name}>"
        for name, words in parts
    )
    return f"<m:{tag}>{inside}</m:{tag}>"


def docx(*paragraphs: str, **notes: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        body = f"<w:document {W} {M}><w:body>{''.join(paragraphs)}</w:body></w:document>"
        archive.writestr("word/document.xml", body)
        for name, words in notes.items():
            root = f"<w:{name} {W}><w:n>{paragraph(run(words))}</w:n></w:{name}>"
            archive.writestr(f"word/{name}.xml", root)
    return packed.getvalue()


def read(raw: bytes) -> ReadDocument:
    return read_as(only_paper(papers_of(raw, "a.docx"), "a.docx"))


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


@pytest.mark.parametrize(
    ("formula", "formula_text"),
    [
        (math("f", ("num", "a"), ("den", "b")), "a/b"),
        (math("f", ("num", "a+1"), ("den", "2b")), "(a+1)/2b"),
        (math("sSup", ("e", "10"), ("sup", "6")), "10^6"),
        (math("sSup", ("e", "10"), ("sup", "-6")), "10^-6"),
        (math("sSub", ("e", "x"), ("sub", "1")), "x1"),
        (math("sSub", ("e", "10"), ("sub", "2")), "10_2"),
        (math("rad", ("e", math("sSup", ("e", "x"), ("sup", "2")))), "√(x^2)"),
        (math("d", ("e", "a+b")), "(a+b)"),
    ],
)
def test_formulas_keep_their_numbers_true(formula: str, formula_text: str) -> None:
    inside = run("The rate is ") + f"<m:oMath>{formula}</m:oMath>" + run(" a day.")
    document = read(docx(paragraph(inside), paragraph(run("So."))))
    assert f"The rate is {formula_text} a day." in document.text


def test_footnotes_are_a_section_and_endnotes_are_references() -> None:
    raw = docx(paragraph(run("It rose.")), footnotes="Kept at 37 degrees.", endnotes="Roe, 1999.")
    document = read(raw)
    assert [section.label for section in document.sections][-1] == "Footnotes"
    assert "Kept at 37 degrees." in document.text and "Roe" not in document.text
