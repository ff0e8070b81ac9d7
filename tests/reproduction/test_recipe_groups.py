"""SPIRES §3, step 5: recipes as OWL, merged with FoodOn, classified by a reasoner: which are made
with wheat, which with meat. Shipped schema, base set, built-in engine, command line throughout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli import main
from core.desk import open_desk
from core.kb.reasoning.reasoner import usable_reasoners
from core.model import Curator, Verdict
from core.services.review import decision
from core.services.review.decision import Judgement
from core.settings import load_settings

ANNA = Curator("0000-0002-1825-0097", "Anna")
RECIPE = (
    "{name}\nA dish for the evening. Serves 2.\n\nIngredients\n{foods}\n\nMethod\n1. Cook it.\n"
)
RECIPES = {
    "Beef pizza": ("300 g wheat flour food product", "200 g ground beef", "1 onion, chopped"),
    "Cheese pasta": ("200 g durum wheat", "50 g cheese"),
    "Chicken soup": ("300 g chicken meat food product", "1 onion, chopped"),
    "Lentil soup": ("200 g red lentil", "1 onion, chopped"),
}
FOOD = "FOODON:00002420>RO:0002473"  # ingredients › food
WHEAT, MAMMAL, POULTRY = "FOODON:00001141", "FOODON:00001006", "FOODON:00001131"


@pytest.fixture(scope="module")
def base_set() -> Iterator[None]:
    """Tests have the starters only, unless they say so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWORK_BASE_SET", "on")
        yield


@pytest.fixture(scope="module")
def project(base_set, tmp_path_factory) -> Path:
    """The recipes, extracted, sent and approved; the classes defined."""
    folder = tmp_path_factory.mktemp("recipes")
    for name, foods in RECIPES.items():
        file = folder / "text.txt"
        file.write_text(
            RECIPE.format(name=name, foods="\n".join(f"- {food}" for food in foods)), "utf-8"
        )
        verb = ["extract", "--schema", "recipe", "--engine", "builtin", "--input", str(file)]
        assert main(["--project", str(folder), *verb, "--send"]) == 0
    desk = open_desk(load_settings(folder))
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    desk.close()
    define(folder, "wheat-based", "--tie", f"{FOOD}={WHEAT}")
    define(folder, "meat", "--either", "--tie", f"{FOOD}={MAMMAL}", "--tie", f"{FOOD}={POULTRY}")
    return folder


def define(folder: Path, name: str, *more: str) -> None:
    kind = ("--kind", "schema:Recipe")
    assert main(["--project", str(folder), "define", name, *kind, *more]) == 0


def classified(folder: Path, capsys, reasoner: str = "pyelk") -> dict:
    capsys.readouterr()
    verb = ["classify", "--reasoner", reasoner, "--format", "json"]
    assert main(["--project", str(folder), *verb]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("reasoner", ["pyelk", "hermit", "elk"])
def test_recipes_are_grouped_as_wheat_based_and_as_meat(project, capsys, reasoner):
    """By pyELK, by HermiT where Java is, and by Java's ELK where GROUNDWORK_REASONER_JAR has it."""
    here = [usable.name for usable in usable_reasoners(load_settings(project).reasoner_jars)]
    if reasoner not in here:
        pytest.skip(f"{reasoner} is not here; there is {', '.join(here)}")
    classification = classified(project, capsys, reasoner)
    groups = {
        name: [member["label"] for member in members]
        for name, members in classification["groups"].items()
    }
    assert groups == {
        "wheat-based": ["Beef pizza", "Cheese pasta"],
        "meat": ["Beef pizza", "Chicken soup"],
    }
    assert classification["module"] > 10  # is_a axioms of FoodOn
    assert classification["contradictions"] == []


def test_recipe_class_members_give_their_reason(project, capsys):
    capsys.readouterr()
    assert main(["--project", str(project), "classify", "--why"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (pizza,) = [line for line in lines if line.startswith("wheat-based\tBeef pizza")]
    assert "wheat flour food product is a wheat food product" in pizza


def test_contradictory_recipe_is_named_with_its_reasons(project, capsys):
    define(project, "meatless", "--tie", f"{FOOD}=FOODON:00001282", "--apart", "meat")
    try:
        contradictions = classified(project, capsys)["contradictions"]
        because = {
            contradiction["label"]: contradiction["because"] for contradiction in contradictions
        }
        assert because.keys() == {"Beef pizza", "meatless"}  # so defined, the class can be nothing
        assert "nothing is both meatless and meat" in because["Beef pizza"]
    finally:
        assert main(["--project", str(project), "define", "--remove", "meatless"]) == 0


def test_every_contradictory_recipe_has_its_reasons(project, capsys):
    """Four things cannot be: the fourth stood without a reason."""
    define(project, "wheatless", "--apart", "wheat-based")
    define(project, "meatless", "--apart", "meat")
    try:
        capsys.readouterr()
        assert main(["--project", str(project), "classify"]) == 0
        rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
        because = {row[1]: row[2] for row in rows if row[0] == "cannot be"}
        assert because.keys() == {"Beef pizza", "Cheese pasta", "Chicken soup", "wheat-based"}
        assert all("nothing is both" in reason for reason in because.values())
    finally:
        for name in ("wheatless", "meatless"):
            assert main(["--project", str(project), "define", "--remove", name]) == 0
