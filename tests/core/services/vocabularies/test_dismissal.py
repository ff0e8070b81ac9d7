"""Installations that ended without success leave the page when a curator says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.desk import Desk
from core.model import Job, JobState
from core.services.vocabularies import dismissal
from core.settings import load_settings


def test_a_failed_installation_is_taken_off_the_page_and_stays_off(tmp_path: Path) -> None:
    desk = Desk(load_settings(tmp_path))
    failed = Job("1", "vocabulary-install", {}, state=JobState.FAILED)
    other = replace(failed, id="2")
    assert dismissal.shown_jobs(desk, [failed, other]) == [failed, other]
    dismissal.dismiss_job(desk, "1")
    dismissal.dismiss_job(desk, "1")
    assert dismissal.shown_jobs(Desk(load_settings(tmp_path)), [failed, other]) == [other]


def test_dismissed_installation_is_shown_when_it_runs_again(tmp_path: Path) -> None:
    desk = Desk(load_settings(tmp_path))
    dismissal.dismiss_job(desk, "1")
    running = Job("1", "vocabulary-install", {}, state=JobState.RUNNING)
    assert dismissal.shown_jobs(desk, [running]) == [running]


def test_a_broken_file_takes_nothing_off(tmp_path: Path) -> None:
    desk = Desk(load_settings(tmp_path))
    dismissal.dismiss_job(desk, "1")
    (desk.vocabularies / dismissal.FILE).write_text("[1, {", encoding="utf-8")
    failed = Job("1", "vocabulary-install", {}, state=JobState.FAILED)
    assert dismissal.shown_jobs(desk, [failed]) == [failed]
