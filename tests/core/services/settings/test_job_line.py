import pytest

from core.model import Document, Job, JobState, Run
from core.services.extract import batch, run
from core.services.extract.earlier import extract_query
from core.services.settings.job_line import (
    job_line,
    job_outcome,
    job_subject,
    may_help_again,
)
from tests import reviewing


def test_finished_job_shows_its_result_and_no_progress():
    job = Job("j", "extract", {}, JobState.DONE, done=0, total=3750, message="0 of 3750",
              result={"run": "r", "mentions": 6, "problems": 1}, created="2026-11-22T06:30:00Z")  # fmt: skip  # noqa: E501
    assert job_line(job) == "extract · done · 2026-11-22 06:30"
    assert job_outcome(job) == "6 mentions, 1 note"


def test_running_job_shows_how_far_it_is():
    job = Job("j", "extract batch", {}, JobState.RUNNING, done=3, total=1200, message="3 of 1,200")
    assert job_line(job).startswith("extract batch · running · 3 of 1,200")
    assert job_outcome(job) == "3 of 1,200"


def test_an_interrupted_job_does_not_say_when_it_will_be_done():
    forecast = "3 of 1,200 documents, 5 a second, about 4 minutes left"
    job = Job("j", "extract batch", {}, JobState.INTERRUPTED, done=3, total=1200, message=forecast)
    assert "3 of 1,200" in job_line(job)
    assert job_outcome(job) == ""


def test_job_shows_who_began_it():
    job = Job("j", "literature-update", {}, JobState.INTERRUPTED, created="2026-11-22T06:30:00Z")
    assert (
        job_line(job, "Anna Alder")
        == "literature update · interrupted · Anna Alder · 2026-11-22 06:30"
    )


def test_job_names_its_text_its_files_and_its_schema(tmp_path):
    desk = reviewing.empty(tmp_path)
    desk.store.documents.add(Document("PMID:1", "A note"))
    desk.store.runs.add(Run("r", "extract", "builtin", document="PMID:1"))
    files = [{"name": "one.pdf"}, {"name": "two.pdf"}, {"name": "three.pdf"}]
    subjects = [
        job_subject(desk, Job("j", run.JOB, {"run": "r", "schema": "trial"})),
        job_subject(desk, Job("j", run.JOB, {"run": "gone", "schema": "trial"})),
        job_subject(desk, Job("j", "bring in documents", {"items": files})),
        job_subject(desk, Job("j", "classify", {})),
    ]
    desk.close()
    assert subjects == ["A note · trial", "trial", "one.pdf and 2 more", ""]


def test_a_batch_and_an_extraction_are_opened_where_they_are_shown():
    assert extract_query(Job("b", batch.JOB, {})) == {"batch": "b"}
    assert extract_query(Job("e", run.JOB, {"run": "r"})) == {"run": "r", "job": "e"}
    assert extract_query(Job("t", "model test", {"model": "m"})) == {}


@pytest.mark.parametrize(
    ("name", "result", "helps"),
    [
        ("import", {"unusable": True}, False),
        ("vocabulary-add", {"unusable": True}, False),
        ("import", None, True),
        ("extract", {"unusable": True}, True),  # its schema may be mended meanwhile
    ],
)
def test_a_file_that_cannot_be_read_is_not_tried_again(name, result, helps):
    job = Job("j1", name, {}, JobState.FAILED, result=result)
    assert may_help_again(job) is helps
