"""Uploaded files are read by a job: progress, page ranges, Stop, and clear words for what cannot be
read.
"""

from __future__ import annotations

import json
import re

import pytest

from core.desk import open_desk
from core.errors import InputError, NotFound
from core.literature.query.keyword import LiteratureQuery
from core.model import JobState
from core.services.literature import namespaces, searching, upload
from core.services.literature.upload import read_page_range, start_upload
from core.settings import Settings
from tests.core.documents.test_files import pdf

PAGES = [
    f"Page {n} speaks of topic{'abcdefghij'[n % 10]} and of many other things."
    for n in range(1, 13)
]


@pytest.fixture
def desk(tmp_path):
    desk = open_desk(Settings(project=tmp_path / "p"))
    namespaces.create_namespace(desk, "pdfs")
    yield desk
    desk.close()


def done(desk, files, pages=""):
    return desk.runner.wait(start_upload(desk, "pdfs", files, pages=pages).id, 60)


def said(desk, raw, pages="", name="x.pdf") -> str:
    return "\n".join(upload.added_lines(done(desk, [(name, raw)], pages)))


@pytest.mark.parametrize(
    "text,pages",
    [("", None), ("3", (3, 3)), ("3-10", (3, 10)), (" 3 – 4 ", (3, 4)), ("3-", (3, 999_999))],
)
def test_page_ranges_as_typed(text, pages):
    assert read_page_range(text) == pages


@pytest.mark.parametrize("text", ["x", "0", "5-3", "1,2", "-3"])
def test_malformed_page_range_is_refused(text):
    with pytest.raises(InputError):
        read_page_range(text)


def test_only_the_pages_asked_for_are_read(desk):
    assert "1 paper read" in said(desk, pdf(*PAGES), "2-3")
    text = (
        searching.search_namespaces(desk, ["pdfs"], LiteratureQuery("topicc")).results[0].chunk.text
    )
    assert "topicc" in text and "topicd" in text and "topice" not in text


def test_pages_that_the_file_does_not_have_are_reported(desk):
    assert re.search(r"12 pages.* no page 40", said(desk, pdf(*PAGES), "40-50"))


def test_a_scanned_an_encrypted_and_a_damaged_pdf_are_reported_and_the_others_read(desk):
    files = [
        ("s.pdf", pdf("", "")),
        ("e.pdf", pdf("Secret words", password="x")),
        ("d.pdf", b"%PDF-1.4 broken"),
        ("good.jsonl", json.dumps({"id": "PMID:1", "title": "T", "text": "Fine words."}).encode()),
    ]
    lines = upload.added_lines(done(desk, files))
    for line, words in zip(lines, ("scanned", "encrypted", "damaged", "1 paper read"), strict=True):
        assert words in line


def test_a_file_without_a_paper_is_not_a_success(desk):
    files = [("names.csv", b"Title,Abstract\n"), ("names.ris", b"TY  - JOUR\nTI  - \nER  - \n")]
    lines = upload.added_lines(done(desk, files))
    assert lines[0].startswith("⛔") and "no paper below" in lines[0]
    assert lines[1].startswith("⛔") and "no title and" in lines[2]


def test_five_hundred_pages_show_progress_and_stop_between_two_pages(desk, monkeypatch):
    from core.jobs.runner import JobContext

    seen, before = [], JobContext.progress

    def progress(self, done, total, message=""):
        if "pages of" in message:
            seen.append((done, total))
            if done == 7:
                desk.runner.stop(self.job.id)
        before(self, done, total, message)

    monkeypatch.setattr(JobContext, "progress", progress)
    job = done(desk, [("long.pdf", pdf(*["Many words stand on this page here."] * 500))])
    assert job.state is JobState.STOPPED and seen[0] == (1, 500) and seen[-1][0] <= 9
    assert namespaces.papers_of_namespace(desk, "pdfs") == 0


def test_a_stopped_upload_is_resumed_from_the_kept_file(desk, monkeypatch):
    from core.jobs.runner import JobContext

    before = JobContext.progress
    monkeypatch.setattr(
        JobContext, "progress", lambda self, *a: (desk.runner.stop(self.job.id), before(self, *a))
    )
    job = done(desk, [("x.pdf", pdf(*PAGES))])
    monkeypatch.setattr(JobContext, "progress", before)
    assert job.state is JobState.STOPPED
    desk.runner.resume(job.id)
    assert desk.runner.wait(job.id, 60).result["files"][0]["read"] == 1


def test_uploads_do_not_pile_up(desk):
    done(desk, [("x.pdf", pdf(*PAGES))])
    assert list((desk.folder / "uploads" / "literature").iterdir()) == []


def test_a_namespace_deleted_meanwhile_is_reported(desk):
    with pytest.raises(NotFound):
        start_upload(desk, "gone", [("x.pdf", b"%PDF-")])


def test_a_file_name_cannot_leave_the_project(desk):
    job = done(desk, [("../../../evil.jsonl", b'{"id": "PMID:1", "title": "T", "text": "x y z"}')])
    assert (
        job.result["files"][0]["name"] == "evil.jsonl"
        and not (desk.folder.parent / "evil.jsonl").exists()
    )


def test_an_upload_says_that_grobid_was_busy_and_reads_the_pages_itself(tmp_path):
    from tests.core.literature.loopback import serving

    with serving(lambda asked: (503, b"busy")) as address:
        desk = open_desk(Settings(project=tmp_path / "g", grobid_url=address))
        namespaces.create_namespace(desk, "pdfs")
        desk._once("web grobid []", lambda: desk._open_web("grobid", ())).sleep = lambda seconds: (
            None
        )
        notice = said(desk, pdf(*PAGES))
        desk.close()
    assert "1 paper read" in notice and "GROBID could not" in notice
