"""A thing that statements name by several ids is one point of the graph, which names them all."""

from __future__ import annotations

import pytest

from core.desk import Desk
from core.grounding.equivalents import Equivalents
from core.model import Category, Statement, Term
from core.services.graph.explore_memory import ExploreMemory
from core.services.review import decision
from core.services.review.decision import Judgement, Verdict
from tests.reviewing import ANNA, DOCUMENT, TREATS, filled, quoted

SEIZURES = Term("MESH:D012640", "Seizures", Category.PHENOTYPE)
SEIZURE = Term("HP:0001250", "Seizure", Category.PHENOTYPE)
SAME = Equivalents(same=[("HP:0001250", "MESH:D012640")])


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setattr(Desk, "equivalents", lambda self: SAME)
    return filled(tmp_path)


def approve(desk, drug, thing):
    claim = Statement(Term(f"X:{drug}", drug, Category.CHEMICAL), TREATS, thing, document=DOCUMENT)
    desk.store.statements.propose([(claim, [quoted(claim, "Aspirin")])])
    record = desk.store.statements.get(claim.id)
    decision.decide(desk, claim.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    return claim.id


def test_the_preferred_id_stands_for_all_and_the_others_are_named(desk):
    ids = {approve(desk, "one", SEIZURES), approve(desk, "two", SEIZURE)}
    graph = ExploreMemory().graph(desk)
    point = graph.points["HP:0001250"]
    assert point.degree == 2
    assert point.notes == ("also MESH:D012640",)
    assert "MESH:D012640" not in graph.points
    assert ids <= graph.statements.keys()


def test_an_id_that_comes_later_moves_what_was_drawn(desk):
    memory = ExploreMemory()
    approve(desk, "one", SEIZURES)
    assert "MESH:D012640" in memory.graph(desk).points
    approve(desk, "two", SEIZURE)
    assert memory.graph(desk).points["HP:0001250"].degree == 2
    approve(desk, "three", SEIZURES)
    assert memory.graph(desk).points["HP:0001250"].degree == 3
