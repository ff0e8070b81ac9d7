"""Which id of a thing is offered first where a term is searched for a slot."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk import Desk
from core.model import Candidate, MatchKind, Term
from core.services.vocabularies import same_things
from core.settings import load_settings
from core.store import SameVerdict

FOUND = Candidate(Term("MESH:D99", "shaking fit"), MatchKind.LABEL, 1.0, "shaking fit")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """With two ids of one thing, each in some vocabulary."""
    desk = Desk(load_settings(tmp_path))
    monkeypatch.setattr(same_things, "label_of", lambda desk, id: "shaking fit")
    monkeypatch.setattr(same_things, "_is_living", lambda desk, id: True)
    desk.store.equivalences.add("MESH:D99", "HP:99", SameVerdict.SAME, "0000-0002-1825-0097")
    return desk


@pytest.mark.parametrize(
    ("prefixes", "ids"),
    [
        (("HP", "MESH"), ["HP:99", "MESH:D99"]),
        (("hp", "mesh"), ["HP:99", "MESH:D99"]),
        (("MESH", "HP"), ["MESH:D99"]),
    ],
)
def test_the_order_of_a_slot_decides(project: Desk, prefixes: tuple[str, ...], ids: list[str]):
    offered = same_things.preferred_first(project, [FOUND], prefixes)
    assert [candidate.term.id for candidate in offered] == ids
