from collections.abc import Iterator

import pytest

from core.model import Job, JobState
from core.store import Store


class Clock:
    """Seconds past noon."""

    def __init__(self) -> None:
        self.seconds = 0

    def __call__(self) -> str:
        return f"2026-11-20T12:{self.seconds // 60:02}:{self.seconds % 60:02}.000Z"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    opened = Store(url, clock=clock)
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
