"""Work waits for a database that restarts, and not for one that refuses."""

from __future__ import annotations

import pytest

from core.errors import Stopped, StoreError, StoreUnreachable
from core.store.database import retry_while_away


class Clock:
    """Time passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def away_for(seconds: float, clock: Clock) -> str:
    if clock() < seconds:
        raise StoreUnreachable("It does not answer.")
    return "stored"


def test_write_succeeds_once_the_server_is_back():
    clock = Clock()
    stored = retry_while_away(lambda: away_for(7.0, clock), 60.0, clock=clock, sleep=clock.sleep)
    assert (stored, clock()) == ("stored", 7.0)


def test_a_server_that_stays_away_is_reported():
    clock = Clock()
    with pytest.raises(StoreUnreachable):
        retry_while_away(lambda: away_for(90.0, clock), 60.0, clock=clock, sleep=clock.sleep)
    assert clock() == 60.0


def test_a_full_disk_is_reported_at_once():
    clock = Clock()

    def full() -> None:
        raise StoreError("There is no space left.")

    with pytest.raises(StoreError, match="no space"):
        retry_while_away(full, clock=clock, sleep=clock.sleep)
    assert clock() == 0.0


def test_a_person_who_stops_the_job_need_not_wait():
    clock = Clock()

    def stop() -> None:
        raise Stopped("The job was stopped.")

    with pytest.raises(Stopped):
        retry_while_away(lambda: away_for(90.0, clock), check=stop, clock=clock, sleep=clock.sleep)
    assert clock() == 0.0
