from dataclasses import replace

from core.model import Curator, State
from core.store import Store
from tests.core.store.conftest import claim, ground, verdict

ANN, BO = "0000-0002-1825-0097", "0000-0001-5109-3700"


def test_everyone_who_decided_is_a_curator(store: Store):
    store.curators.add(Curator(ANN, "Ann"))
    store.statements.propose([(claim(), [ground(claim())])], "r1")
    store.statements.decide(replace(verdict(claim(), 1), curator=BO), State.APPROVED)
    assert store.curators.all() == [Curator(ANN, "Ann"), Curator(BO)]
