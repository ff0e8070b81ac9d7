"""Our templates: each loads without trouble, asks for what it should, and has an example that its
vocabularies know.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core import curie
from core.extraction.spires.prompt import spires_prompt
from core.model import Category
from core.schema.catalogue import schema_examples
from core.schema.definition import RangeKind, Schema
from core.schema.load import load_schema
from core.text.clean import clean_text
from core.text.sentence import split_sentences

FOLDER = Path(__file__).resolve().parents[2] / "schemas"
SHIPPED = {path.name.split(".")[0] for path in (FOLDER / "vocabularies").rglob("*.tsv*")}
NAMES = (
    "recipe",
    "signaling_pathway",
    "disease_treatment",
    "drug_mechanism",
    "chemical_disease",
    "chemical_disease_mesh",
    "environmental_sample",
    "mendelian_disease",
    "organism_habitat",
    "food_disease",
    "gene_regulation",
    "variant_effect",
)


@pytest.fixture(params=NAMES)
def template(request: pytest.FixtureRequest) -> Schema:
    return load_schema(FOLDER / f"{request.param}.yaml")


def own(schema: Schema) -> list[str]:
    return [
        name
        for name, cls in schema.classes.items()
        if cls.uri and f"\n  {name}:\n" in schema.source
    ]


def test_shipped_template_loads_without_problems(template: Schema) -> None:
    assert not template.problems
    assert template.classes[template.root].tree_root
    assert template.description.endswith(".")


def test_every_class_has_a_prompt(template: Schema) -> None:
    for name in own(template):
        text = spires_prompt(template, name, "one\ntwo")
        assert "the value for" not in text, name
        assert text.count(": <") == sum(not slot.skip for slot in template.classes[name].slots)


def test_entities_name_their_vocabularies_and_ids(template: Schema) -> None:
    for name in own(template):
        cls = template.classes[name]
        if cls.is_entity:
            # variants are known by how they are written: no vocabulary lists them
            assert cls.annotators or cls.category is Category.VARIANT, name
            assert cls.id_prefixes, name
            assert cls.category is not Category.THING or name == "MechanismElement", name


def test_every_named_vocabulary_is_a_starter_or_in_the_base_set(template: Schema) -> None:
    for name in own(template):
        for vocabulary in template.classes[name].annotators:
            assert vocabulary in SHIPPED, vocabulary


def test_slots_that_make_statements_have_real_predicates(template: Schema) -> None:
    for name in own(template):
        cls = template.classes[name]
        for slot in cls.slots:
            is_triples = slot.kind is RangeKind.OBJECT and template.classes[slot.range].is_triple
            if cls.is_triple or is_triples or slot.skip:
                continue
            prefix = slot.uri.split(":")[0]
            assert curie.is_curie(slot.uri), slot.uri
            assert prefix in template.prefixes, f"{slot.uri} of {name}"
            assert curie.expand_curie(slot.uri).startswith("http")


def test_meanings_are_relations_that_the_starter_vocabulary_has(template: Schema) -> None:
    known = (FOLDER / "vocabularies" / "relation.tsv").read_text(encoding="utf-8")
    for enum in template.enums.values():
        for value in enum.values:
            if enum.name != "NullDataOptions":
                assert f"\t{value.meaning}\t" in known, value


def test_a_quantity_has_its_unit_beside_it(template: Schema) -> None:
    for cls in template.classes.values():
        for slot in cls.slots:
            assert not slot.unit_slot or cls.slot(slot.unit_slot) is not None


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_a_text_of_some_sentences(name: str) -> None:
    texts = schema_examples(name)
    assert texts
    for text in texts:
        assert clean_text(text) == text
        assert 5 <= len(split_sentences(text)) <= 30
        assert "PMID" not in text
