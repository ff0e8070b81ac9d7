"""Units: a row a document, claimed with a lease, stored once."""

import pytest

from core.model import Document, Job, Run
from core.store import Store
from core.store.process import worker_is_gone, worker_name
from core.store.unit import EndedUnit, JobUnit, UnitEntry, UnitState
from core.text.clean import text_version


@pytest.fixture
def job(store: Store) -> str:
    store.jobs.add(Job("j", "extract batch", {}))
    store.units.add([JobUnit("j", n, f"doc{n}", f"run{n}") for n in range(3)])
    return "j"


def test_unit_is_claimed_by_one_worker_only(store: Store, job: str):
    first = store.units.claim(job, "a", 2)
    second = store.units.claim(job, "b", 2)
    assert [unit.number for unit in (*first, *second)] == [0, 1, 2]
    assert store.units.claim(job, "c") == []


def test_result_is_stored_with_the_state_and_only_once(store: Store, job: str):
    unit = store.units.claim(job, "a")[0]
    assert store.units.finish(unit, "a", UnitState.DONE, "2 mentions", results=[("r", {"n": 1})])
    assert not store.units.finish(unit, "a", UnitState.DONE, results=[("r", {"n": 2})])
    assert store.runs.result("run0", "r") == {"n": 1}
    assert store.units.counts(job)[UnitState.DONE] == 1


def test_result_of_a_worker_that_was_given_up_is_not_stored(store: Store, job: str):
    unit = store.units.claim(job, "slow", lease=-1)[0]
    assert store.units.claim(job, "quick")[0].number == unit.number
    assert not store.units.finish(unit, "slow", UnitState.DONE, results=[("r", 1)])
    assert store.runs.result("run0", "r") is None


def test_lease_from_a_clock_that_was_set_back_strands_nothing(store: Store, job: str):
    store.units.claim(job, "a", 3, lease=86_400)
    assert [store.units.claim(job, "b")[0].number for _ in range(3)] == [0, 1, 2]


def test_units_of_a_process_that_is_gone_wait_at_once(store: Store, job: str):
    parts = worker_name("x").split("/")
    dead = "/".join([parts[0], parts[1], "1", "x"])  # another start: the number was given again
    assert (
        worker_is_gone(dead)
        and not worker_is_gone(worker_name("x"))
        and not worker_is_gone("elsewhere/1/1/x")
    )
    store.units.claim(job, dead, 3)
    assert len([store.units.claim(job, worker_name("y")) for _ in range(3)]) == 3
    assert store.units.claim(job, worker_name("z")) == []


def test_unit_that_ends_its_workers_fails_at_last_and_costs_no_other_an_attempt(
    store: Store, job: str
):
    taken = [store.units.claim(job, "a", 3, lease=-1)]
    while len(taken) < 5:
        taken.append(store.units.claim(job, "a", 3, lease=-1))
    assert [[unit.number for unit in units] for units in taken] == [[0, 1, 2], *[[0]] * 4]
    assert [unit.number for unit in store.units.claim(job, "a", 3)] == [1]
    counts = store.units.counts(job)
    assert counts[UnitState.FAILED] == 1 and counts[UnitState.WAITING] == 1


def test_unit_that_is_given_back_was_not_attempted(store: Store, job: str):
    store.units.claim(job, "a", 3)
    assert store.units.give_back(job, "a") == 3
    assert len(store.units.claim(job, "a", 3)) == 3


def test_units_that_ended_are_stored_with_the_next_claim(store: Store, job: str):
    first, second = store.units.claim(job, "a", 2)
    ended = [
        EndedUnit(first, UnitState.DONE, "", (("r", 1),)),
        EndedUnit(second, UnitState.FAILED, "no answer"),
    ]
    stored, claimed = store.units.turn(job, "a", ended, 5)
    assert stored == 2 and [unit.number for unit in claimed] == [2]
    assert store.runs.result("run0", "r") == 1
    assert store.units.turn(job, "b", ended, 0) == (0, [])  # b never held them


def test_stopped_job_gives_no_units(store: Store, job: str):
    store.jobs.claim(job, "w")
    store.jobs.stop(job)
    assert store.units.claim(job, "a") == []
    assert not store.units.renew(job, "a")


def test_failed_units_can_be_tried_again(store: Store, job: str):
    unit = store.units.claim(job, "a")[0]
    store.units.finish(unit, "a", UnitState.FAILED, "no answer")
    assert store.units.retry(job) == 1
    assert store.units.claim(job, "a")[0].number == 0


def test_documents_are_taken_in_with_their_units_or_not_at_all(store: Store):
    text = text_version("", "Aspirin treats pain.")
    run = Run("r1", "extract", "builtin", text_version=text.sha)
    entry = UnitEntry(JobUnit("", 0, "PMID:1", "r1"), Document("PMID:1"), text, run)
    store.units.take_in("j", [entry, UnitEntry(JobUnit("", 1, "x", state=UnitState.REFUSED))])
    assert store.documents.text(text.sha).document == "PMID:1"
    assert store.runs.get("r1").document == "PMID:1"
    broken = UnitEntry(JobUnit("", 0, "again"), Document("PMID:2"), text, Run("r2", "extract", "b"))
    with pytest.raises(Exception, match="UNIQUE"):
        store.units.take_in("j", [broken])
    assert store.documents.own_ids(["PMID:2"]) == {}
