"""What known relations may be called."""

from __future__ import annotations

import pytest

from core.model import Category, Term
from core.schema.load import load_schema
from core.services.vocabularies.relations import RelationNames
from core.settings import CODE

SCHEMA = CODE / "schemas" / "drug_mechanism.yaml"


@pytest.fixture(scope="module")
def names() -> RelationNames:
    return RelationNames(lambda: [load_schema(SCHEMA)])


def relation(curie: str, label: str) -> Term:
    return Term(curie, label, Category.RELATION)


@pytest.mark.parametrize(
    "label", ["treats", "TREATS", "is substance that treats", "Is_Substance_That_Treats", ""]
)
def test_a_relation_goes_by_any_of_its_names(names: RelationNames, label: str) -> None:
    assert names.is_called(relation("RO:0002606", label))


def test_a_relation_does_not_go_by_the_name_of_another(names: RelationNames) -> None:
    assert not names.is_called(relation("RO:0002606", "causes death by"))
    assert not names.is_called(relation("biolink:treats", "causes"))


def test_a_relation_that_nobody_names_goes_by_any_name(names: RelationNames) -> None:
    assert names.is_called(relation("EX:1", "causes death by"))
    assert names.name("EX:1") == ""


def test_an_id_alone_reads_as_the_list_calls_it(names: RelationNames) -> None:
    assert names.name("RO:0003309") == "exacerbates condition"
    assert names.name("biolink:has_phenotype") == "has phenotype"


def test_a_schema_gives_its_own_names(names: RelationNames) -> None:
    (slot,) = [
        slot
        for cls in load_schema(SCHEMA).classes.values()
        for slot in cls.slots
        if slot.uri == "RO:0002606"
    ][:1]
    assert names.is_called(relation("RO:0002606", slot.name))
