"""The gate in parts that many check: what is stored, and that a report stays the same."""

from __future__ import annotations

import pytest

from core.model import Job, JobState, Verdict
from core.services.graph import gate_memory
from core.services.graph.gate_memory import GateMemory, rule_stamp
from core.services.releases import export_job
from core.services.releases.export_job import ExportRequest
from core.services.review import decision
from core.services.shared.unit_task import knows_units
from core.store.unit import EndedUnit, JobUnit, UnitState
from tests import reviewing
from tests.reviewing import ANNA, NOT_NAUSEA, RELIEVES


@pytest.fixture
def desk(tmp_path, monkeypatch):
    desk = reviewing.filled(tmp_path / "p")
    approve(desk, RELIEVES)
    monkeypatch.setattr(gate_memory, "BATCH", 2)
    monkeypatch.setattr(gate_memory, "is_shared", lambda desk, parts: parts > 1)
    yield desk
    desk.close()


def approve(desk, statement) -> None:
    version = desk.store.statements.get(statement.id).version
    decision.decide(desk, statement.id, version, decision.Judgement(Verdict.APPROVE), curator=ANNA)


@pytest.fixture
def parts(desk) -> list[JobUnit]:
    """The parts of a gate job, claimed by one worker."""
    gate_memory.forget_other_rules(desk, rule_stamp(desk))
    desk.store.jobs.add(Job("j", gate_memory.JOB, {}))
    names = desk.store.gate_results.unchecked()
    spans = [(names[0], names[1]), (names[2], names[-1])]
    desk.store.units.add([JobUnit("j", n, " ".join(span)) for n, span in enumerate(spans)])
    return desk.store.units.claim("j", "a", 2)


def test_statements_are_checked_in_parts_and_nothing_is_left(desk):
    count = len(desk.store.gate_results.unchecked())
    gate_memory.check_ahead(desk)
    (job,) = desk.store.jobs.find(name=gate_memory.JOB)
    assert desk.store.units.counts(job.id)[UnitState.DONE] == -(-count // 2)
    assert desk.store.gate_results.unchecked() == []


def test_a_report_after_parts_is_that_of_one_process(desk):
    alone = GateMemory(kept=False).report(desk)
    gate_memory.check_ahead(desk)
    together = GateMemory().report(desk)
    assert (together.entries, together.rejections) == (alone.entries, alone.rejections)


def test_few_statements_make_no_job(desk):
    gate_memory.check_ahead(desk)
    approve(desk, NOT_NAUSEA)
    gate_memory.check_ahead(desk)
    assert len(desk.store.jobs.find(name=gate_memory.JOB)) == 1
    assert desk.store.gate_results.unchecked() == [NOT_NAUSEA.id]


def test_an_export_checks_in_parts_of_its_own_job(desk, monkeypatch):
    monkeypatch.setattr(export_job, "in_child", lambda *all: (0, 0, ""))
    job = desk.runner.wait(export_job.start_export(desk, ExportRequest("ttl")).id, 60)
    assert job.state is JobState.DONE, job.error
    assert desk.store.units.counts(job.id)[UnitState.DONE] > 1
    assert desk.store.gate_results.unchecked() == []


def test_gate_result_is_stored_with_the_state_of_its_part(desk, parts):
    first, second = (gate_memory.check_part(desk, part, lambda: None) for part in parts)
    assert len(desk.store.gate_results.all()) == 0
    desk.store.units.turn("j", "a", [first.ended(parts[0])], 0)
    assert len(desk.store.gate_results.all()) == 2
    desk.store.units.turn("j", "lost", [second.ended(parts[1])], 0)
    assert len(desk.store.gate_results.all()) == 2


def test_a_part_checked_with_other_vocabularies_stores_nothing(desk, parts):
    ended: EndedUnit = gate_memory.check_part(desk, parts[0], lambda: None).ended(parts[0])
    desk.store.gate_results.clear("other rules")
    desk.store.units.turn("j", "a", [ended], 0)
    assert desk.store.gate_results.all() == []


@pytest.mark.parametrize("name", [gate_memory.JOB, export_job.JOB])
def test_a_worker_knows_the_parts(name):
    assert knows_units(name)
