"""The few terms whose hierarchy the starters tell, for copies without one."""

from __future__ import annotations

from pathlib import Path

from core.grounding.constraint.excerpt import NOTHING, excerpt_of
from core.grounding.index.vocabulary_registry import STARTERS

HEADING = "prefix\tid\tlabel\tsynonym\tscope\tparents\n"


def test_a_starter_tells_what_is_above_its_terms(tmp_path: Path):
    rows = ("X\tX:1\troot\troot\tlabel\t\n", "X\tX:2\tb\tb\tlabel\tX:1\n",
            "X\tX:3\tc\tc\tlabel\tX:2\n")  # fmt: skip
    (tmp_path / "x.tsv").write_text(HEADING + "".join(rows), encoding="utf-8")
    excerpt = excerpt_of(tmp_path, "x")
    assert "X:3" in excerpt and "X:1" not in excerpt
    assert excerpt.parents("X:3") == {"X:2"}
    assert excerpt.ancestors("X:3") == {"X:1", "X:2"}


def test_no_starter_tells_nothing(tmp_path: Path):
    assert excerpt_of(tmp_path, "x") is NOTHING
    assert excerpt_of(None, "hp") is NOTHING


def test_modes_of_inheritance_and_ages_of_onset_are_distinguished_from_symptoms():
    hp = excerpt_of(STARTERS, "hp")
    assert "HP:0000005" in hp.ancestors("HP:0001419")  # X-linked recessive
    assert "HP:0003674" in hp.ancestors("HP:0003623")  # neonatal onset
    assert "HP:0000118" not in hp.ancestors("HP:0000006")
