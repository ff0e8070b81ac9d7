"""The shipped examples say with the base set what they say with the few terms typed for them: a
larger vocabulary takes no statement away and adds no nonsense. The first run on a machine compiles.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.extraction.budget import Limits
from core.extraction.builtin.spec import SPEC
from core.extraction.engine import EngineParts
from core.extraction.mention_grounding import grounding
from core.extraction.tree import Branch, Extraction, Leaf
from core.schema.catalogue import schema_examples, schema_named
from core.settings import load_settings

NAMES = (
    "chemical_disease", "disease_treatment", "drug_mechanism", "environmental_sample",
    "mendelian_disease", "recipe", "signaling_pathway",
)  # fmt: skip
# Words of the examples that larger vocabularies have names for, and that mean no such thing there.
NONSENSE = {"moderate", "frequent", "not", "inhibition", "enzyme", "adulthood"}


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, Desk]:
    def opened(name: str, base_set: bool) -> Desk:
        settings = load_settings(tmp_path_factory.mktemp(name))
        return Desk(replace(settings, base_set=base_set))

    return opened("starters", False), opened("base", True)


@pytest.mark.parametrize("name", NAMES)
def test_the_base_set_takes_no_statement_away_and_adds_no_nonsense(name, desks) -> None:
    for text in schema_examples(name):
        starters, base = (extracted(desk, name, text) for desk in desks)
        assert triples(starters) <= triples(base)
        # starters say little of what is general: signs of a disease stay below what is proposed
        assert len(triples(base) - triples(starters)) <= max(6, len(triples(starters)))
        assert NONSENSE.isdisjoint(mention.text.casefold() for mention in base.mentions)


SAID = {
    "organism_habitat": {
        ("vibrio parahaemolyticus", "found_in", "oysters"),
        ("escherichia coli", "found_in", "intestine"),
        ("not", "staphylococcus aureus", "found_in", "drinking water"),
    },
    "food_disease": {
        ("red meat", "causes", "colorectal cancer"),
        ("nuts", "prevents", "coronary artery disease"),
        ("not", "green tea", "prevents", "breast cancer"),
        ("milk", "exacerbates", "diarrhea"),
    },
    "gene_regulation": {
        ("stat3", "activates", "socs3"),
        ("socs3", "inhibits", "jak2"),
        ("socs1", "inhibits", "jak1"),
        ("not", "shh", "inhibits", "smo"),
    },
    "variant_effect": {
        ("rs7903146", "associated_with", "type 2 diabetes mellitus"),
        ("rs11591147", "prevents", "coronary artery disease"),
        ("t790m", "confers_resistance_to", "gefitinib"),
        ("l858r", "confers_sensitivity_to", "erlotinib"),
        ("rs9923231", "affects_response_to", "warfarin"),
        ("not", "f508del", "confers_sensitivity_to", "ivacaftor"),
    },
}


@pytest.mark.parametrize("name", SAID)
def test_the_example_of_a_schema_of_relations_is_read(name, desks) -> None:
    extraction = extracted(desks[1], name, schema_examples(name)[0])
    found = {
        (*(["not"] if words(branch, "qualifier") == "not" else []), *ends)
        for branch in extraction.tree.walk()
        if isinstance(branch, Branch) and branch.get("subject") and branch.get("object")
        for ends in [tuple(words(branch, slot) for slot in ("subject", "predicate", "object"))]
    }
    assert found >= SAID[name]
    assert not any(ends[::-1] in found for ends in found)  # none is read the other way round


def test_a_flat_vocabulary_gives_no_term_of_another_kind(desks) -> None:
    extraction = extracted(desks[1], "mendelian_disease", schema_examples("mendelian_disease")[0])
    onsets = {mention.text for mention in extraction.mentions if mention.slot.startswith("onset")}
    assert "scoliosis" not in onsets


def extracted(desk: Desk, name: str, text: str) -> Extraction:
    schema, grounder = schema_named(name, desk.schemas), desk.grounder()
    folders: tuple[Path, ...] = tuple(desk.schemas)
    parts = EngineParts(grounder, grounding(schema, grounder), Limits(calls=0), None, folders)
    return SPEC.make(parts).extract(schema, schema.root, text)


def triples(extraction: Extraction) -> set[tuple[str, ...]]:
    """Subject, predicate and object of each statement, in the words of the text."""
    return {
        tuple(words(branch, slot) for slot in ("subject", "predicate", "object"))
        for branch in extraction.tree.walk()
        if isinstance(branch, Branch) and branch.get("subject") and branch.get("object")
    }


def words(branch: Branch, slot: str) -> str:
    return " ".join(leaf.text.casefold() for leaf in branch.get(slot) if isinstance(leaf, Leaf))
