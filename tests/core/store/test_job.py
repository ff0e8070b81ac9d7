from collections.abc import Iterator

import pytest
from sqlalchemy import Connection

from core.model import Job, JobState
from core.store import Store

NOON = 1_795_176_000.0


class Clock:
    """The database's: seconds past noon."""

    seconds = 0

    def __call__(self, connection: Connection) -> float:
        return NOON + self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    opened = Store(url)
    opened.jobs.seconds = clock
    opened.jobs.add(Job("j1", "extract", {"text": "x"}))
    yield opened
    opened.close()


def test_a_job_is_claimed_by_one_worker(store: Store) -> None:
    assert store.jobs.claim("j1", "w1")
    assert not store.jobs.claim("j1", "w2")
    assert store.jobs.get("j1").state == JobState.RUNNING


def test_a_beat_keeps_progress_and_hears_a_stop(store: Store) -> None:
    store.jobs.claim("j1", "w1")
    assert store.jobs.beat("j1", "w1", done=1, total=3, message="reading")
    assert (store.jobs.get("j1").done, store.jobs.get("j1").message) == (1, "reading")
    store.jobs.stop("j1")
    assert not store.jobs.beat("j1", "w1")


def test_a_dead_heartbeat_shows_as_interrupted_and_resumes(store: Store, clock: Clock) -> None:
    store.jobs.claim("j1", "w1")
    clock.seconds = 60
    assert store.jobs.get("j1").state == JobState.INTERRUPTED
    assert store.jobs.find()[0].state == JobState.INTERRUPTED
    assert not store.jobs.requeue("j1")  # not written down yet: a late beat may still come
    assert store.jobs.interrupt() == 1
    assert store.jobs.requeue("j1")
    assert store.jobs.claim("j1", "w2")


@pytest.mark.parametrize("machine", ["2001-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"])
def test_a_machine_whose_clock_differs_neither_steals_a_job_nor_strands_one(
    url: str, store: Store, clock: Clock, machine: str
) -> None:
    elsewhere = Store(url, clock=lambda: machine)
    elsewhere.jobs.seconds = clock
    elsewhere.jobs.claim("j1", "elsewhere/1/1/w")
    assert store.jobs.interrupt() == 0
    assert store.jobs.get("j1").state == JobState.RUNNING
    clock.seconds = 60
    assert elsewhere.jobs.interrupt() == 1
    elsewhere.close()


def test_a_clock_that_was_set_back_strands_no_job(store: Store, clock: Clock) -> None:
    store.jobs.claim("j1", "elsewhere/1/1/w")
    clock.seconds = -3600
    assert store.jobs.get("j1").state == JobState.INTERRUPTED
    assert store.jobs.beat("j1", "elsewhere/1/1/w")  # it lives, and says so by the new time
    assert store.jobs.get("j1").state == JobState.RUNNING
    clock.seconds = -7200
    assert store.jobs.interrupt() == 1
    assert [job.id for job in store.jobs.lost_within(900)] == ["j1"]


def test_a_worker_that_lost_its_job_cannot_end_it(store: Store, clock: Clock) -> None:
    store.jobs.claim("j1", "w1")
    clock.seconds = 60
    store.jobs.interrupt()
    store.jobs.requeue("j1")
    store.jobs.claim("j1", "w2")
    assert not store.jobs.finish("j1", "w1", JobState.DONE, result=1)
    assert store.jobs.finish("j1", "w2", JobState.DONE, result=2)
    assert store.jobs.get("j1").result == 2


def test_a_waiting_job_is_stopped_at_once(store: Store) -> None:
    store.jobs.stop("j1")
    assert store.jobs.get("j1").state == JobState.STOPPED
    assert not store.jobs.claim("j1", "w1")
