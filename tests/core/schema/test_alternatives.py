"""Slots whose values may be of several kinds (`any_of`)."""

from __future__ import annotations

import pytest

from core.extraction.one_call.json_schema import json_schema
from core.schema.definition import RangeKind, Schema, Slot
from core.schema.load import load_schema

TEXT = """
name: visits
imports: [linkml:types, core]
classes:
  Visit:
    tree_root: true
    attributes:
      weight: {range: Any, any_of: [{range: float}, {range: Reason}]}
      site: {any_of: [{range: Site}, {range: Reason}]}
      ward: {any_of: [{range: Site}, {range: string}]}
      illness: {any_of: [{range: Illness}, {range: Reason}]}
      day: {any_of: [{range: date}]}
  Illness: {is_a: NamedEntity}
  Any: {class_uri: linkml:Any}
enums:
  Site: {permissible_values: {arm: {}, leg: {}}}
  Reason: {permissible_values: {refused: {}, missing: {}}}
"""


@pytest.fixture(scope="module")
def visits() -> Schema:
    return load_schema(TEXT)


def slot(schema: Schema, name: str) -> Slot:
    slot = schema.classes["Visit"].slot(name)
    assert slot is not None
    return slot


def test_a_value_set_may_stand_beside_a_number(visits: Schema) -> None:
    weight = slot(visits, "weight")
    assert (weight.kind, weight.range) == (RangeKind.ENUM, "Reason")
    assert weight.alternatives == ("xsd:double",)
    assert weight.prompt.endswith("refused, missing; or a number")


def test_two_value_sets_are_one(visits: Schema) -> None:
    values = visits.enums[slot(visits, "site").range].values
    assert [value.name for value in values] == ["arm", "leg", "refused", "missing"]


def test_a_value_set_may_stand_beside_other_words(visits: Schema) -> None:
    assert slot(visits, "ward").alternatives == ("xsd:string",)


def test_a_closed_set_may_stand_beside_a_named_thing(visits: Schema) -> None:
    illness = slot(visits, "illness")
    assert (illness.kind, illness.range) == (RangeKind.ENTITY, "Illness")
    assert illness.alternatives == ("Reason",)


def test_one_kind_of_literal_is_the_range(visits: Schema) -> None:
    assert slot(visits, "day").datatype == "xsd:date"


def test_one_call_may_answer_with_either(visits: Schema) -> None:
    weight = json_schema(visits, "Visit")["properties"]["weight"]["anyOf"][0]
    assert weight["anyOf"] == [
        {"type": "string", "enum": ["refused", "missing"]},
        {"type": "number"},
    ]
