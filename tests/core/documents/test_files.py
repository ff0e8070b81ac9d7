"""Files that people bring: JSON lines, text, PDF, BioC, PubTator; damaged and strange ones."""

from __future__ import annotations

import gzip
import io
import json
import stat
import tarfile
import zipfile

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from core.documents import files
from core.documents.readers.pdf import join_lines, read_pdf, without_headers
from core.errors import InputError, Stopped

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
BIOC_XML = """<collection><document><id>42</id><passage><infon key="type">title</infon>
<text>T</text></passage>
<passage><infon key="section_type">RESULTS</infon><text>Found it.</text></passage></document>
</collection>"""


def read(raw: bytes, name: str) -> list:
    return list(files.read_bytes(raw, name))


def pdf(*pages: str, password: str = "", owner: str = "") -> bytes:
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
    if owner:
        writer.encrypt("", owner, algorithm="AES-256")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_json_lines_gzipped_or_not(tmp_path):
    rows = b'{"id": "a", "title": "T", "text": "x"}\n\n{"id": 7, "title": "", "text": "y"}\n'
    (tmp_path / "r.jsonl").write_bytes(rows)
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(rows))
    for path in sorted(tmp_path.iterdir()):
        assert [paper.id for paper in files.read(path)] == ["a", "7"]


def test_a_malformed_row_is_reported_by_number_and_the_others_are_kept():
    rows = b'{"id": "a", "text": "x"}\n{"id": "b"\n[1]\n{"id": "c"}\n{"id": "d", "text": "y"}'
    papers = read(rows, "r.jsonl")
    assert [paper.id for paper in papers if paper.id] == ["a", "d"]
    reported = [(problem.code, problem.where) for paper in papers for problem in paper.problems]
    assert reported == [
        (code, f"line {n} of r.jsonl")
        for n, code in ((2, "not-json"), (3, "no-row"), (4, "no-row"))
    ]


def test_a_row_without_an_id_is_kept_under_one_made_of_its_words():
    first, second = read(b'{"text": "x"}\n{"id": true, "text": "x"}', "r.jsonl")
    assert (
        first.id == second.id and first.id.startswith("doc:") and first.problems[0].code == "no-id"
    )


def test_a_line_in_another_encoding_is_read_and_costs_no_other_line():
    rows = '{"id": 1, "text": "β"}\n'.encode() + '{"id": 2, "text": "Möbius"}'.encode("latin-1")
    assert [paper.sections[0].text for paper in read(rows, "r.jsonl")] == ["β", "Möbius"]


def test_folders_give_their_readable_files_and_nothing_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("Some words.")
    (tmp_path / "b.exe").write_bytes(b"MZ")
    assert [path.name for path in files.expand_folders([tmp_path])] == ["a.txt"]
    with pytest.raises(InputError):
        files.expand_folders([tmp_path / "none"])


def test_bioc_json_and_xml():
    paper = read(json.dumps(BIOC).encode(), "x.json")[0]
    assert (paper.id, paper.title, paper.sections[0].text) == ("PMID:41", "A title", "Words of it.")
    assert read(BIOC_XML.encode(), "x.xml")[0].kind == "full text"
    with pytest.raises(InputError):
        read(json.dumps(BIOC).encode()[:50], "x.json")


def test_pubtator_line_pair_is_read_as_a_paper():
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
    with pytest.raises(InputError, match="contains no text: its 2 pages are scanned or empty"):
        read(pdf("", ""), "x.pdf")


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("content_too", [False, True])
def test_a_page_that_is_turned_is_read_as_it_is_read_upright(turn, content_too):
    """By a viewer alone, or where the lines themselves are turned, as in a scan upside down."""
    words = "Tau is found in many neurons here\n" + "Kinase Q does it.\n" * 45
    writer = PdfWriter(clone_from=io.BytesIO(pdf(words)))
    writer.pages[0].rotate(turn)
    if content_too:
        writer.pages[0].transfer_rotation_to_content()
    turned = io.BytesIO()
    writer.write(turned)
    upright, paper = (read(raw, "x.pdf")[0] for raw in (pdf(words), turned.getvalue()))
    assert [section.text for section in paper.sections] == [
        section.text for section in upright.sections
    ]
    assert paper.sections[-1].text.count("Kinase Q does it.") == 45


def test_an_encrypted_pdf_says_that_it_is_encrypted():
    with pytest.raises(InputError, match="encrypted"):
        read(pdf("Some words that are there to be read.", password="secret"), "x.pdf")


def test_a_pdf_that_is_only_locked_against_changes_is_read():
    paper = read(pdf("Some words that are there to be read.", owner="publisher"), "x.pdf")[0]
    assert "there to be read" in paper.sections[-1].text


def test_a_damaged_pdf_is_refused():
    whole = pdf("Some words that are there to be read.")
    with pytest.raises(InputError):
        read(b"%PDF-1.4 nothing", "x.pdf")
    with pytest.raises(InputError):
        read(whole[:200], "x.pdf")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "is empty"),
        (b"\0" * 5000, "is empty"),
        (b"<!DOCTYPE html><html>Sign in</html>", "is a web page"),
        (b"PK\x03\x04word/document.xml", "is a Word document"),
        (b"\x89PNG\r\n", "is a picture"),
    ],
)
def test_a_false_pdf_is_refused_with_its_real_kind(raw, message):
    with pytest.raises(InputError, match=message):
        read(raw, "x.pdf")


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        ("phos-\nphorylates", "phosphorylates"),
        ("IL-\n10", "IL-10"),
        ("anti-\nTNF", "anti-TNF"),
        ("wild-type and wild-\ntype", "wild-type and wild-type"),
        ("co\u00ad\noperate e\ufb03cient \ufb01nding", "cooperate efficient finding"),
    ],
)
def test_words_split_over_a_line_end_are_rejoined(lines, whole):
    assert join_lines([lines]) == whole


def test_a_pdf_of_500_pages_is_read_with_progress_and_can_be_stopped():
    raw = pdf(*(f"Page {n} speaks of tau and of neurons." for n in range(500)))
    seen = []
    read_pdf(raw, "doc:x", on_page=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (500, 500)

    def stop(done, total):
        raise Stopped("stopped")

    with pytest.raises(Stopped):
        read_pdf(raw, "doc:x", on_page=stop)


def test_running_heads_are_removed_and_hyphenated_words_rejoined():
    pages = [
        f"Journal of Bread {n}\nText of page {n}, unlike others {'x' * n}.\nlast"
        for n in range(1, 7)
    ]
    assert "Journal of Bread" not in "\n".join(without_headers(pages))
    assert join_lines(["phos-\nphorylates tau"]) == "phosphorylates tau"


def test_a_cut_off_gzip_file_is_read_up_to_the_cut(tmp_path):
    rows = b"".join(
        b'{"id": "p%d", "text": "word %d"}\n' % (n, n * 7919 % 1000) for n in range(2000)
    )
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(rows)[:-2000])
    papers = list(files.read(tmp_path / "r.jsonl.gz"))
    assert len([paper for paper in papers if paper.id]) > 1000
    assert papers[-1].problems[0].code == "cut-off"


def test_file_named_gz_that_is_not_gzip_is_refused():
    assert read(b"no gzip", "r.jsonl.gz")[0].problems[0].code == "not-json"
    with pytest.raises(InputError, match="cut off"):
        read(gzip.compress(b"<PubmedArticleSet>" + b" " * 10_000)[:30], "r.xml.gz")


def test_gzip_members_one_after_another_are_one_file():
    packed = gzip.compress(b'{"id": "a", "text": "x"}\n') + gzip.compress(
        b'{"id": "b", "text": "y"}\n'
    )
    assert [paper.id for paper in read(packed, "r.jsonl.gz")] == ["a", "b"]


def archive(kind: str) -> bytes:
    """Two readable files, a picture, and a damaged file."""
    inside = {
        "a/one.txt": b"Tau fell.",
        "a/two.nxml": b"<article><body><p>Up.</p></body></article>",
        "b.png": b"x",
        "c.json": b"{",
    }
    file = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(file, "w") as packed:
            for name, raw in inside.items():
                packed.writestr(name, raw)
    else:
        with tarfile.open(fileobj=file, mode="w:gz") as packed:
            for name, raw in inside.items():
                member = tarfile.TarInfo(name)
                member.size = len(raw)
                packed.addfile(member, io.BytesIO(raw))
    return file.getvalue()


@pytest.mark.parametrize("name", ["papers.zip", "papers.tar.gz", "papers.tgz"])
def test_papers_in_an_archive_are_read_and_unreadable_files_reported(name):
    papers = read(archive(name.rpartition(".")[2]), name)
    assert [paper.sections[0].text for paper in papers if paper.id] == ["Tau fell.", "Up."]
    assert papers[-1].problems[0].where == "c.json"


@pytest.mark.parametrize("name", ["papers.zip", "papers.tar.gz"])
def test_link_in_an_archive_is_reported_and_not_read_as_a_paper(name):
    file = io.BytesIO()
    if name.endswith(".zip"):
        with zipfile.ZipFile(file, "w") as packed:
            link = zipfile.ZipInfo("link.txt")
            link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
            packed.writestr(link, "/etc/passwd")
            packed.writestr("one.txt", "Tau fell.")
    else:
        with tarfile.open(fileobj=file, mode="w:gz") as packed:
            member = tarfile.TarInfo("link.txt")
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            packed.addfile(member)
            member = tarfile.TarInfo("one.txt")
            member.size = 9
            packed.addfile(member, io.BytesIO(b"Tau fell."))
    papers = read(file.getvalue(), name)
    assert [paper.sections[0].text for paper in papers if paper.id] == ["Tau fell."]
    reported = [(p.code, p.where) for paper in papers for p in paper.problems]
    assert reported == [("link-in-archive", "link.txt")]
