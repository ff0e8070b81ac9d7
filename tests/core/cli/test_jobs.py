"""Jobs on the command line: listed, stopped, run again."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main
from core.desk import open_desk
from core.jobs.order import goes_first
from core.jobs.runner import JobContext, register_job
from core.model import Job, JobState, Json
from core.settings import load_settings


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in which one job waits."""

    @register_job("count to four")
    def work(context: JobContext, arguments: Json) -> Json:
        return 4

    desk = open_desk(load_settings(tmp_path / "p"))
    desk.store.jobs.add(Job("waiting", "count to four", {}, created=desk.clock()))
    desk.close()
    return tmp_path / "p"


def state(project: Path) -> JobState:
    desk = open_desk(load_settings(project))
    try:
        return desk.store.jobs.get("waiting").state
    finally:
        desk.close()


def test_jobs_are_listed_with_their_ids(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--project", str(project), "jobs"]) == 0
    assert "waiting  count to four · queued" in capsys.readouterr().out


def test_a_job_is_stopped_and_run_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--project", str(project), "jobs", "--stop", "waiting"]) == 0
    assert state(project) is JobState.STOPPED
    assert main(["--project", str(project), "jobs", "--resume", "waiting"]) == 0
    assert state(project) is JobState.DONE
    assert "count to four · done" in capsys.readouterr().err


def test_a_job_that_is_not_there_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--project", str(project), "jobs", "--stop", "none"]) == 1
    assert "none" in capsys.readouterr().err


def test_a_waiting_job_is_put_first(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--project", str(project), "jobs", "--first", "waiting"]) == 0
    desk = open_desk(load_settings(project))
    try:
        assert goes_first(desk.store.jobs.get("waiting"))
    finally:
        desk.close()
    main(["--project", str(project), "jobs", "--stop", "waiting"])
    assert main(["--project", str(project), "jobs", "--first", "waiting"]) == 1
    assert "no longer waiting" in capsys.readouterr().err
