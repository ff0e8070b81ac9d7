"""The graph of a project from process to process: read from its file, and never another's."""

from __future__ import annotations

import json

import pytest

from core.model import Verdict
from core.services.graph import explore_memory
from core.services.graph.explore_memory import ExploreMemory
from core.services.review import decision
from core.services.review.decision import Judgement
from tests import reviewing
from tests.reviewing import ANNA, RELIEVES


@pytest.fixture(autouse=True)
def small_graphs_are_kept(monkeypatch):
    monkeypatch.setattr(explore_memory, "KEPT_FROM", 1)


def approved(folder):
    desk = reviewing.filled(folder)
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    return desk


@pytest.fixture
def desk(tmp_path):
    desk = approved(tmp_path / "project")
    yield desk
    desk.close()


def decide(desk, verdict: Verdict) -> None:
    version = desk.store.statements.get(RELIEVES.id).version
    decision.decide(desk, RELIEVES.id, version, Judgement(verdict), curator=ANNA)


def drawn_anew(desk, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(explore_memory, "FILE", "none.json")
        return ExploreMemory().graph(desk)


def nothing_is_drawn(monkeypatch) -> None:
    def draws(*_):
        raise AssertionError("everything was drawn again")

    monkeypatch.setattr(ExploreMemory, "_draw", draws)


def test_a_new_process_reads_the_file_and_only_what_was_decided_since(desk, monkeypatch):
    ExploreMemory().graph(desk)
    decide(desk, Verdict.UNSURE)
    expected = drawn_anew(desk, monkeypatch)
    nothing_is_drawn(monkeypatch)
    graph = ExploreMemory().graph(desk)
    assert graph == expected
    assert RELIEVES.id not in graph.statements
    decide(desk, Verdict.APPROVE)
    assert RELIEVES.id in ExploreMemory().graph(desk).statements


@pytest.mark.parametrize("content", [b"", b"[]", b'{"graph": {}}', b"\xff"])
def test_a_damaged_file_costs_time_and_nothing_else(desk, monkeypatch, content):
    expected = drawn_anew(desk, monkeypatch)
    (desk.indexes / explore_memory.FILE).write_bytes(content)
    assert ExploreMemory().graph(desk) == expected


def test_the_file_of_another_history_is_not_believed(desk, tmp_path, monkeypatch):
    """A database that was put back from a copy has other decisions under the same numbers."""
    memory = ExploreMemory()
    memory.graph(desk)
    other = approved(tmp_path / "other")
    decide(other, Verdict.UNSURE)
    expected = drawn_anew(other, monkeypatch)
    other.indexes.mkdir(exist_ok=True)
    kept = json.loads((desk.indexes / explore_memory.FILE).read_bytes())
    (other.indexes / explore_memory.FILE).write_text(json.dumps(kept | {"decision": "d-none"}))
    assert ExploreMemory().graph(other) == expected
    kept["graph"]["statements"] = kept["graph"]["statements"][:1]
    for name in ("sources", "targets", "labels", "relations", "said"):
        kept["graph"][name] = kept["graph"][name][:1]
    (other.indexes / explore_memory.FILE).write_text(json.dumps(kept))
    assert ExploreMemory().graph(other) == expected
    other.close()


def test_a_full_disk_does_not_stop_the_drawing(desk, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(explore_memory, "replace_file", full)
    assert ExploreMemory().graph(desk) == drawn_anew(desk, monkeypatch)
