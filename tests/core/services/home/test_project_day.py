"""The project's day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.desk import Desk
from core.model import Job, JobState, Reason, Verdict
from core.services.home import project_day
from core.services.home.project_day import WeekCount
from core.services.review import undo
from core.services.review.decision import Judgement, decide
from core.store.unit import JobUnit, UnitState
from tests import reviewing
from tests.reviewing import ANNA, BEN, RELIEVES

THURSDAY = date(2026, 1, 8)  # a week after the clock of the tests


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    extraction = reviewing.filled(tmp_path)
    yield extraction
    extraction.close()


def judge(desk: Desk, curator: object, verdict: Verdict) -> None:
    version = desk.store.statements.get(RELIEVES.id).version
    reason = Reason.NO_RELATION if verdict is Verdict.REJECT else None
    decide(desk, RELIEVES.id, version, Judgement(verdict, reason), curator=curator)


def test_an_empty_project_has_nothing_to_do(tmp_path: Path) -> None:
    empty = reviewing.empty(tmp_path)
    assert project_day.tasks_to_do(empty) == []
    empty.close()


def test_home_lists_failures_before_open_work(desk: Desk) -> None:
    desk.store.jobs.add(Job("j1", "extract", {}, JobState.INTERRUPTED))
    judge(desk, ANNA, Verdict.APPROVE)
    judge(desk, BEN, Verdict.REJECT)
    words = [task.words for task in project_day.tasks_to_do(desk)]
    assert words == [
        "Resume 1 interrupted job",
        "Review 5 proposed statements",
        "Settle 1 statement that people judged differently",
    ]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (JobState.QUEUED, ["Watch the batch that is being read"]),
        (JobState.DONE, ["Look at 2 documents of the last batch without a whole result"]),
        (JobState.STOPPED, []),
    ],
)
def test_the_last_batch_is_one_click_away(
    tmp_path: Path, state: JobState, words: list[str]
) -> None:
    desk = reviewing.empty(tmp_path)
    desk.store.jobs.add(Job("old", "extract batch", {}, JobState.DONE, created="2026-01-01"))
    desk.store.jobs.add(Job("new", "extract batch", {}, state, created="2026-01-02"))
    states = [UnitState.DONE, UnitState.PARTLY, UnitState.FAILED]
    desk.store.units.add(
        [JobUnit("new", n, str(n), state=unit_state) for n, unit_state in enumerate(states)]
    )
    desk.store.units.add([JobUnit("old", 0, "0", state=UnitState.FAILED)])
    tasks = project_day.tasks_to_do(desk)
    assert [task.words for task in tasks] == words
    assert all((task.page, task.query) == ("Extract", (("batch", "new"),)) for task in tasks)
    desk.close()


def test_progress_is_counted_by_week_and_person(desk: Desk) -> None:
    judge(desk, ANNA, Verdict.APPROVE)
    judge(desk, BEN, Verdict.REJECT)
    week = "2025-12-29"
    assert project_day.weekly_progress(desk, THURSDAY) == [
        WeekCount(week, "approved", "Anna", 1),
        WeekCount(week, "decided", "Anna", 1),
        WeekCount(week, "decided", "Ben", 1),
        WeekCount(week, "proposed", "", 6),
    ]


def test_progress_chart_leaves_out_old_weeks(desk: Desk) -> None:
    assert project_day.weekly_progress(desk, date(2027, 1, 1)) == []


def test_progress_leaves_out_what_was_taken_back(desk: Desk) -> None:
    judge(desk, ANNA, Verdict.APPROVE)
    judge(desk, ANNA, Verdict.REJECT)
    undo.undo_last(desk, ANNA)
    week = {
        (count.what, count.who): count.count
        for count in project_day.weekly_progress(desk, THURSDAY)
    }
    assert week["decided", ANNA.name] == 1
    assert week["approved", ANNA.name] == 1
    undo.undo_last(desk, ANNA)
    assert {count.what for count in project_day.weekly_progress(desk, THURSDAY)} == {"proposed"}
