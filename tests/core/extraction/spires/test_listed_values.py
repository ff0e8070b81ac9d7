"""Words that elsewhere say that nothing is stated, in a schema that lists them as values."""

from __future__ import annotations

import json

import pytest

from core.extraction.assemble import assemble_extraction
from core.extraction.spires.parse import parse_answer
from core.schema.definition import Schema
from core.schema.load import load_schema

TEXT = """
name: sheet
imports: [linkml:types]
classes:
  Sheet:
    tree_root: true
    attributes:
      drinks: {range: Drinks}
      oedema: {range: Seen}
      culture: {range: Culture}
      country: {range: Country}
      salt: {range: Element}
      agreed: {range: boolean}
      complaints: {range: Complaint, multivalued: true}
      stay: {any_of: [{range: integer}, {range: Seen}]}
      place: {range: string}
enums:
  Drinks: {permissible_values: {often: {}, unknown: {}, not stated: {}}}
  Seen: {permissible_values: {present: {}, absent: {}}}
  Culture: {permissible_values: {grown: {}, N/A: {}}}
  Country: {permissible_values: {NO: {}, SE: {}}}
  Element: {permissible_values: {Na: {}, K: {}}}
  Complaint: {permissible_values: {itch: {}, none: {}}}
"""
WORDS = {
    "drinks": "not stated", "oedema": "absent", "culture": "n/a", "country": "NO", "agreed": "No",
    "complaints": "itch; none", "stay": "12 days",
}  # fmt: skip
READ = {
    "drinks": "not stated", "oedema": "absent", "culture": "N/A", "country": "NO",
    "agreed": "false", "complaints": ["itch", "none"], "stay": "12",
}  # fmt: skip


@pytest.fixture(scope="module")
def sheet() -> Schema:
    return load_schema(TEXT)


def read(schema: Schema, completion: str) -> dict[str, str | list[str]]:
    """Slot → what the tree has."""
    blocks = parse_answer(schema, "Sheet", completion).blocks
    if not blocks:
        return {}
    tree = assemble_extraction(schema, blocks[0], "A text.").tree
    values = {name: [leaf.value for leaf in leaves] for name, leaves in tree.slots}
    return {name: found if len(found) > 1 else found[0] for name, found in values.items()}


def test_listed_values_are_read_from_lines(sheet: Schema) -> None:
    assert read(sheet, "\n".join(f"{name}: {words}" for name, words in WORDS.items())) == READ


def test_listed_values_are_read_from_json(sheet: Schema) -> None:
    answer = WORDS | {"complaints": ["itch", "none"], "agreed": False, "stay": 12}
    assert read(sheet, json.dumps(answer)) == READ


@pytest.mark.parametrize(
    ("slot", "words"),
    [
        ("country", "No"), ("country", "None"), ("salt", "N/A"), ("salt", "NA"), ("place", "NA"),
        ("oedema", "unknown"), ("agreed", "none"), ("drinks", "N/A"),
    ],
)  # fmt: skip
def test_words_that_are_not_listed_state_nothing(sheet: Schema, slot: str, words: str) -> None:
    assert read(sheet, f"{slot}: {words}") == {}


def test_a_number_beside_a_value_set_is_typed_and_no_problem(sheet: Schema) -> None:
    block = parse_answer(sheet, "Sheet", "stay: 12").blocks[0]
    extraction = assemble_extraction(sheet, block, "She stayed 12 days.")
    assert not extraction.problems
    assert [(leaf.cls, leaf.value) for leaf in extraction.tree.leaves()] == [("xsd:integer", "12")]
