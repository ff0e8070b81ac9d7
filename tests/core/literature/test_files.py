"""Files that people bring: JSON lines, text, PDF, BioC, PubTator; damaged and strange ones."""

from __future__ import annotations

import gzip
import io
import json

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from core.errors import InputError, Stopped
from core.literature.source import files
from core.literature.source.pdf import joined, read_pdf, without_headers

BIOC = {
    "documents": [
        {
            "id": "41",
            "passages": [
                {"infons": {"type": "title"}, "text": "A title"},
                {"infons": {"type": "abstract"}, "text": "Words of it."},
            ],
        }
    ]
}
BIOC_XML = """<collection><document><id>42</id><passage><infon key="type">title</infon><text>T</text></passage>
<passage><infon key="section_type">RESULTS</infon><text>Found it.</text></passage></document></collection>"""


def read(raw: bytes, name: str) -> list:
    return list(files.read_bytes(raw, name))


def pdf(*pages: str, password: str = "") -> bytes:
    """A PDF with one line of text a page."""
    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for text in pages:
        page = writer.add_blank_page(600, 800)
        stream = DecodedStreamObject()
        lines = "".join(f"({line}) Tj 0 -14 Td " for line in text.split("\n"))
        stream.set_data(f"BT /F1 12 Tf 50 700 Td {lines}ET".encode("latin-1") if text else b"")
        page[NameObject("/Contents")] = writer._add_object(stream)
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_json_lines_gzipped_or_not(tmp_path):
    rows = b'{"id": "a", "title": "T", "text": "x"}\n\n{"id": 7, "title": "", "text": "y"}\n'
    (tmp_path / "r.jsonl").write_bytes(rows)
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(rows))
    for path in sorted(tmp_path.iterdir()):
        assert [paper.id for paper in files.read(path)] == ["a", "7"]


def test_a_line_that_is_no_row_is_named(tmp_path):
    with pytest.raises(InputError, match="Line 2"):
        read(b'{"id": "a", "text": "x"}\n{"id": "b"', "r.jsonl")
    with pytest.raises(InputError, match="id is missing"):
        read(b'{"text": "x"}', "r.jsonl")


def test_folders_give_their_readable_files_and_nothing_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("Some words.")
    (tmp_path / "b.exe").write_bytes(b"MZ")
    assert [path.name for path in files.expand([tmp_path])] == ["a.txt"]
    with pytest.raises(InputError):
        files.expand([tmp_path / "none"])


def test_bioc_json_and_xml():
    paper = read(json.dumps(BIOC).encode(), "x.json")[0]
    assert (paper.id, paper.title, paper.sections[0].text) == ("PMID:41", "A title", "Words of it.")
    assert read(BIOC_XML.encode(), "x.xml")[0].kind == "full text"
    with pytest.raises(InputError):
        read(json.dumps(BIOC).encode()[:50], "x.json")


def test_pubtator():
    paper = read(b"43|t|A title\n43|a|Words of it.\n43\t0\t3\tfoo\tChemical\tD1\n", "x.pubtator")[0]
    assert (paper.id, paper.title) == ("PMID:43", "A title")


def test_a_text_file_finds_its_title_and_headings():
    paper = read(b"On bread\n\nIntroduction\nIt is old.\n\nResults\nIt is good.\n", "x.txt")[0]
    assert paper.title == "On bread"
    assert [section.name for section in paper.sections] == ["Introduction", "Results"]


@pytest.mark.parametrize("raw", [b"", b"   ", b"\x00\x01\x02", b"\x1f\x8b\x08 broken"])
def test_files_without_words_are_refused(raw):
    with pytest.raises(InputError):
        read(raw, "x.txt")


def test_a_pdf_gives_its_text():
    paper = read(pdf("Tau is found in many neurons here\nResults\nKinase Q does it."), "x.pdf")[0]
    assert "Kinase Q does it." in paper.sections[-1].text and paper.kind == "full text"


def test_a_scanned_pdf_says_that_it_is_scanned():
    with pytest.raises(InputError, match="scanned: its 2 pages"):
        read(pdf("", ""), "x.pdf")


def test_an_encrypted_pdf_says_that_it_is_encrypted():
    with pytest.raises(InputError, match="encrypted"):
        read(pdf("Some words that are there to be read.", password="secret"), "x.pdf")


def test_a_damaged_pdf_is_refused():
    whole = pdf("Some words that are there to be read.")
    with pytest.raises(InputError):
        read(b"%PDF-1.4 nothing", "x.pdf")
    with pytest.raises(InputError):
        read(whole[:200], "x.pdf")


def test_a_pdf_of_500_pages_is_read_with_progress_and_can_be_stopped():
    raw = pdf(*(f"Page {n} speaks of tau and of neurons." for n in range(500)))
    seen = []
    read_pdf(raw, "doc:x", on_page=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (500, 500)

    def stop(done, total):
        raise Stopped("stopped")

    with pytest.raises(Stopped):
        read_pdf(raw, "doc:x", on_page=stop)


def test_running_heads_go_and_hyphenated_words_are_made_whole():
    pages = [f"Journal of Bread {n}\nText of page {n}, unlike others {'x' * n}.\nlast" for n in range(1, 7)]
    assert "Journal of Bread" not in "\n".join(without_headers(pages))
    assert joined(["phos-\nphorylates tau"]) == "phosphorylates tau"


@pytest.mark.parametrize("raw", [gzip.compress(b'{"text": "a"}' * 99)[:20], b"no gzip"])
def test_damaged_rows_are_refused(tmp_path, raw):
    (tmp_path / "r.jsonl.gz").write_bytes(raw)
    with pytest.raises(InputError, match="damaged gzip"):
        list(files.read(tmp_path / "r.jsonl.gz"))
