from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from core.cli import main
from core.desk import open_desk
from core.documents.paper import Paper, PaperSection
from core.errors import InputError
from core.services.documents.upload import (
    PMID,
    file_id,
    read_uploaded_text,
    source_curie,
    text_to_extract,
)
from core.settings import load_settings
from tests.core.literature.standin import paper_xml


def test_a_text_file_is_its_words() -> None:
    assert read_uploaded_text("note.txt", "Naïve\r\nwords".encode("latin-1")).text == "Naïve\nwords"


@pytest.mark.parametrize("data", [b"", b"\0\1\2", b"%PDF-1.7 broken"])
def test_upload_without_text_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        read_uploaded_text("strange.pdf" if data.startswith(b"%") else "strange.txt", data)


def test_two_files_of_one_name_keep_ids_of_their_own() -> None:
    assert file_id("A note.txt", b"one") != file_id("A note.txt", b"two")
    assert file_id("A note.txt", b"one").startswith("doc:a-note-txt-")


def test_a_paper_is_its_title_and_sections() -> None:
    paper = Paper(
        "PMID:1", "A title.", (PaperSection("Methods", "We looked."), PaperSection("", "We saw."))
    )
    assert text_to_extract(paper) == "A title.\n\nMethods\n\nWe looked.\n\nWe saw."


@pytest.mark.parametrize("words", ["123", "PMID:123", "pmid 123"])
def test_a_pmid_is_read_as_people_write_it(words: str) -> None:
    match = PMID.fullmatch(words)
    assert match is not None
    assert match[1] == "123"


@pytest.mark.parametrize(
    ("words", "curie"),
    [
        ("", ""),
        ("12345", "PMID:12345"),
        ("https://doi.org/10.1000/x.1", "DOI:10.1000/x.1"),
        ("PMC:123", "PMC:123"),
    ],
)
def test_source_of_a_text_becomes_a_curie(words: str, curie: str) -> None:
    assert source_curie(words) == curie


@pytest.mark.parametrize("words", ["my paper", "<script>", "javascript:alert(1) x"])
def test_source_that_is_not_an_identifier_is_refused(words: str) -> None:
    with pytest.raises(InputError):
        source_curie(words)


def test_a_title_that_the_text_begins_with_stands_once() -> None:
    paper = Paper(
        "doc:1",
        "A title. And more",
        (PaperSection("", "A title.\nAnd more of it."), PaperSection("Methods", "We.")),
    )
    assert text_to_extract(paper) == "A title. And more of it.\n\nMethods\n\nWe."


def test_a_paper_comes_by_its_pmid_and_the_call_is_on_record(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    httpserver: HTTPServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paper = paper_xml(
        41, date(2020, 1, 2), "Lidocaine and headache", abstract="Lidocaine causes headache."
    )
    answer = f"<PubmedArticleSet>{paper}</PubmedArticleSet>"
    httpserver.expect_request("/efetch.fcgi").respond_with_data(answer, content_type="text/xml")
    monkeypatch.setenv("GROUNDWORK_NCBI_EUTILS_URL", httpserver.url_for("").rstrip("/"))
    monkeypatch.setenv("GROUNDWORK_NCBI_BLAST_URL", httpserver.url_for("/blast"))
    monkeypatch.setenv("GROUNDWORK_NCBI_INTERVAL", "0")
    where = [
        "--project",
        str(tmp_path / "p"),
        "extract",
        "--engine",
        "builtin",
        "--schema",
        "chemical_disease",
    ]
    assert main([*where, "--pmid", "41"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [mention["text"] for mention in content["mentions"]][:1] == ["Lidocaine"]
    desk = open_desk(load_settings(tmp_path / "p"))
    (fetched,) = desk.store.runs.find("fetch")
    assert fetched.engine == "PubMed"
    assert len(desk.store.calls.of_run(fetched.id)) == 1
