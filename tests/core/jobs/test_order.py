"""The order in which waiting jobs are begun, and a person who changes it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import Refused
from core.jobs.order import jobs_in_order
from core.jobs.runner import JobContext, Runner, register_job
from core.model import Job, JobState, Json
from core.store import Store

BEGUN, GO_ON = threading.Event(), threading.Event()
DONE: list[str] = []


@register_job("hold up")
def hold_up(context: JobContext, arguments: Json) -> Json:
    BEGUN.set()
    GO_ON.wait(10)
    return None


@register_job("note its name")
def note_its_name(context: JobContext, arguments: Json) -> Json:
    DONE.append(arguments["name"])
    return None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'groundwork.db'}")
    yield opened
    opened.close()


@pytest.fixture
def busy(store: Store) -> Iterator[Runner]:
    """One hand, and it holds up all others."""
    BEGUN.clear()
    GO_ON.clear()
    DONE.clear()
    opened = Runner(store.jobs, 1)
    opened.start("hold up", {})
    assert BEGUN.wait(5)
    yield opened
    GO_ON.set()
    opened.close()


def names_done(runner: Runner, *ids: str) -> list[str]:
    GO_ON.set()
    for id in ids:
        runner.wait(id, 10)
    return DONE


def queued(busy: Runner, *names: str) -> list[str]:
    return [busy.start("note its name", {"name": name}).id for name in names]


def test_waiting_jobs_are_begun_as_they_came(busy: Runner) -> None:
    assert names_done(busy, *queued(busy, "a", "b", "c")) == ["a", "b", "c"]


def test_a_job_that_is_put_first_is_begun_before_the_others(busy: Runner) -> None:
    ids = queued(busy, "a", "b", "c")
    busy.put_first(ids[2])
    assert names_done(busy, *ids) == ["c", "a", "b"]


def test_the_one_that_was_put_first_last_goes_before_the_other(busy: Runner) -> None:
    ids = queued(busy, "a", "b", "c")
    busy.put_first(ids[1])
    busy.put_first(ids[2])
    assert names_done(busy, *ids) == ["c", "b", "a"]


def test_a_job_behind_all_others_can_be_put_first(busy: Runner) -> None:
    night = busy.start("note its name", {"name": "night", "last": True}).id
    ids = [night, *queued(busy, "a")]
    busy.put_first(night)
    assert names_done(busy, *ids) == ["night", "a"]


def test_what_another_process_put_first_is_begun_first(busy: Runner, store: Store) -> None:
    ids = queued(busy, "a", "b")
    Runner(store.jobs).put_first(ids[1])
    assert names_done(busy, *ids) == ["b", "a"]


def test_a_job_that_runs_cannot_be_put_first(busy: Runner, store: Store) -> None:
    (running,) = store.jobs.find(states=(JobState.RUNNING,))
    with pytest.raises(Refused, match="no longer waiting"):
        busy.put_first(running.id)


def test_a_worker_takes_what_was_put_first_before_what_runs_and_what_is_last() -> None:
    jobs = [
        Job("first", "x", {"first": 1}),
        Job("last", "x", {"last": True}),
        Job("new", "x", {}),
        Job("runs", "x", {}, state=JobState.RUNNING),
    ]
    assert [job.id for job in jobs_in_order(jobs)] == ["first", "new", "runs", "last"]
