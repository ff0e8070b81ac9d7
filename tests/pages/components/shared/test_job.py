"""What the job panel shows of a job in each state."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.model import Job, JobState
from pages.components.shared import page
from pages.components.shared.job import ended_line, progress_line


def script() -> None:
    import streamlit as st

    from pages.components.shared.job import job_panel
    from pages.components.shared.page import begin_page

    job = job_panel(begin_page("Trial"), st.query_params["job"], "Reading")
    st.text(f"state {job.state if job else 'none'}")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "trial"))
    page.reopen_desks()
    return AppTest.from_function(script, default_timeout=20)


def shown(app: AppTest, job: str) -> list[str]:
    app.query_params["job"] = job
    app.run()
    assert not app.exception
    return [text.value for text in app.text]


def test_missing_job_is_explained(app: AppTest) -> None:
    words = shown(app, "nothing")
    assert "state none" in words
    assert any("nothing" in word for word in words)


def test_a_stopped_job_can_be_resumed(app: AppTest) -> None:
    desk = page.screen.open_project(page.screen.project_folder("", {}), {})
    desk.store.jobs.add(Job("j1", "nobody's work", {}, created=desk.clock()))
    desk.store.jobs.stop("j1")
    assert "state stopped" in shown(app, "j1")
    assert any(button.label == "Resume" for button in app.button)


def test_finished_job_does_not_say_that_it_is_stopping() -> None:
    stopped = Job("j", "x", {}, JobState.STOPPED, done=3, total=12, message="stopping…")
    assert ended_line(stopped, "") == "Stopped after 3 of 12."


def test_interrupted_job_says_how_far_it_came_before_it_says_why() -> None:
    lost = Job("j", "x", {}, JobState.INTERRUPTED, done=109, total=200)
    words = "Interrupted after 109 of 200, perhaps because the app was closed."
    assert ended_line(lost, "") == words
    words = "Installing MeSH: interrupted, perhaps because the app was closed."
    assert ended_line(lost, "Installing MeSH") == words


@pytest.mark.parametrize(
    ("job", "line"),
    [
        (Job("j", "x", {}, JobState.RUNNING, done=3, total=12), "Reading: 3 of 12"),
        (
            Job("j", "x", {}, JobState.RUNNING, done=3, total=12, message="3 of 12 answers"),
            "Reading · 3 of 12 answers",
        ),
        (Job("j", "x", {}, JobState.QUEUED), "Reading (waiting for its turn)"),
        (Job("j", "x", {}, JobState.RUNNING, message="![x](a.b)"), r"Reading · \!\[x\]\(a\.b\)"),
    ],
)
def test_progress_is_one_plain_line(job: Job, line: str) -> None:
    assert progress_line(job, "Reading") == line
