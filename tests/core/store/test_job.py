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
    opened.add_job(Job("j1", "extract", {"text": "x"}))
    yield opened
    opened.close()


def test_a_job_is_claimed_by_one_worker(store: Store) -> None:
    assert store.claim_job("j1", "w1")
    assert not store.claim_job("j1", "w2")
    assert store.job("j1").state == JobState.RUNNING


def test_a_beat_keeps_progress_and_hears_a_stop(store: Store) -> None:
    store.claim_job("j1", "w1")
    assert store.beat_job("j1", "w1", done=1, total=3, message="reading")
    assert (store.job("j1").done, store.job("j1").message) == (1, "reading")
    store.stop_job("j1")
    assert not store.beat_job("j1", "w1")


def test_a_dead_heartbeat_shows_as_interrupted_and_resumes(store: Store, clock: Clock) -> None:
    store.claim_job("j1", "w1")
    clock.seconds = 60
    assert store.job("j1").state == JobState.INTERRUPTED
    assert store.jobs()[0].state == JobState.INTERRUPTED
    assert not store.requeue_job("j1")  # not written down yet: a late beat may still come
    assert store.interrupt_jobs() == 1
    assert store.requeue_job("j1")
    assert store.claim_job("j1", "w2")


def test_a_worker_that_lost_its_job_cannot_end_it(store: Store, clock: Clock) -> None:
    store.claim_job("j1", "w1")
    clock.seconds = 60
    store.interrupt_jobs()
    store.requeue_job("j1")
    store.claim_job("j1", "w2")
    assert not store.finish_job("j1", "w1", JobState.DONE, result=1)
    assert store.finish_job("j1", "w2", JobState.DONE, result=2)
    assert store.job("j1").result == 2


def test_a_waiting_job_is_stopped_at_once(store: Store) -> None:
    store.stop_job("j1")
    assert store.job("j1").state == JobState.STOPPED
    assert not store.claim_job("j1", "w1")
