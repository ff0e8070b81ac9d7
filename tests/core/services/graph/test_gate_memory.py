"""The gate remembers what it examined, and no longer than it may."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.kb.gate.gate import Gate
from core.model import Evidence, Span, TextGround, TextVersion, Verdict
from core.services.graph import gate_memory
from core.services.graph.gate_memory import GateMemory
from core.services.graph.knowledge_base import gate_passage
from core.services.review import decision
from tests import reviewing
from tests.reviewing import ANNA, NOT_NAUSEA, RELIEVES


@pytest.fixture
def desk(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    yield desk
    desk.close()


@pytest.fixture
def examined(monkeypatch) -> list[str]:
    """Ids of the statements that were examined."""
    seen: list[str] = []
    examine = Gate.examine

    def noting(self, reviewed):
        seen.append(reviewed.id)
        return examine(self, reviewed)

    monkeypatch.setattr(Gate, "examine", noting)
    return seen


def approve(desk, statement) -> None:
    version = desk.store.statements.get(statement.id).version
    decision.decide(desk, statement.id, version, decision.Judgement(Verdict.APPROVE), curator=ANNA)


def test_one_decision_examines_one_statement(desk, examined):
    memory = GateMemory()
    memory.report(desk)
    examined.clear()
    approve(desk, RELIEVES)
    report = memory.report(desk)
    assert examined == [RELIEVES.id]
    assert [entry.statement.id for entry in report.entries] == [RELIEVES.id]


def test_a_memory_says_the_same_as_a_fresh_gate(desk):
    memory = GateMemory()
    for statement in (RELIEVES, NOT_NAUSEA):
        memory.report(desk)
        approve(desk, statement)
    assert memory.report(desk) == gate_passage(desk)


def test_a_new_text_is_looked_at_only_for_what_could_not_be_proven(desk, examined):
    approve(desk, RELIEVES)
    away = replace(RELIEVES, negated=True)
    words = "Aspirin does not."
    ground = TextGround("doc:elsewhere", "cd" * 32, Span(0, len(words)), words)
    desk.store.statements.propose([(away, [Evidence(away.id, ground)])])
    approve(desk, away)
    memory = GateMemory()
    memory.report(desk)
    examined.clear()
    desk.store.documents.add_text(TextVersion("cd" * 32, "doc:elsewhere", words))
    report = memory.report(desk)
    assert examined == [away.id]
    assert away.id in {entry.statement.id for entry in report.entries}


def test_a_new_process_does_not_examine_again_and_says_the_same(desk, examined):
    approve(desk, RELIEVES)
    before = GateMemory().report(desk)
    examined.clear()
    assert GateMemory().report(desk) == before
    assert examined == []


def test_gate_results_of_other_rules_are_discarded(desk, examined, monkeypatch):
    GateMemory().report(desk)
    first = len(examined)
    monkeypatch.setattr(gate_memory, "RULES", gate_memory.RULES + 1)
    GateMemory().report(desk)
    assert len(examined) == 2 * first


def test_a_changed_vocabulary_makes_every_statement_be_examined_again(desk, examined):
    memory = GateMemory()
    memory.report(desk)
    first = len(examined)
    file = next(
        path
        for path in desk.vocabulary_registry.files().values()
        if path.is_relative_to(desk.folder)
    )
    file.write_text(file.read_text() + "CHEBI\tCHEBI:2\ttwo\ttwo\tlabel\n")
    memory.report(desk)
    assert len(examined) == 2 * first


def test_an_entry_is_made_only_when_it_is_asked_for(desk, monkeypatch):
    approve(desk, RELIEVES)
    GateMemory().report(desk)  # reads what it examines
    bodies_read: list[str] = []
    read = gate_memory.read_entry
    monkeypatch.setattr(
        gate_memory, "read_entry", lambda body: bodies_read.append(body) or read(body)
    )
    report = GateMemory().report(desk)
    assert len(report.entries) == 1
    assert bodies_read == []
    assert report.entries[0].statement == RELIEVES
    assert len(bodies_read) == 1


def test_gate_finds_a_late_commit_by_statement_version(desk, examined):
    memory = GateMemory()
    memory.report(desk)
    approve(desk, RELIEVES)
    memory._reached = desk.store.queue.changes()[0]  # as where another's commit came late
    examined.clear()
    assert [entry.statement.id for entry in memory.report(desk).entries] == [RELIEVES.id]
    assert examined == [RELIEVES.id]
