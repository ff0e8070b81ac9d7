"""Prompts, against the reference's (OntoGPT 1.1.0) where its recorded prompts are at hand."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from core.errors import NotFound
from core.extraction.spires.prompt import LONG, SHORT, spires_prompt
from core.schema.definition import Schema
from core.schema.load import load_schema

SCHEMA = """
id: https://example.org/small
name: small
imports: [linkml:types, core]
classes:
  Visit:
    tree_root: true
    attributes:
      place: {description: where it was}
      drugs: {range: Drug, multivalued: true}
      genes: {multivalued: true}
      mood: {range: Mood}
      note: {annotations: {prompt: anything else}}
      hidden: {annotations: {prompt.skip: true}}
  Drug: {is_a: NamedEntity}
enums:
  Mood: {permissible_values: {good: , bad: }}
"""


@pytest.fixture(scope="module")
def small() -> Schema:
    return load_schema(SCHEMA)


def test_prompt_layout_is_that_of_spires(small: Schema) -> None:
    assert spires_prompt(small, "", "Aspirin in Bonn.\nFelt good.") == (
        f"{LONG}\n\n"
        "place: <where it was>\n"
        "drugs: <semicolon-separated list of drugs>\n"
        "genes: <semicolon-separated list of genes>\n"
        "mood: <the value for mood Must be one of: good, bad>\n"
        "note: <anything else>\n"
        "\n\nText:\nAspirin in Bonn.\nFelt good.\n\n===\n\n"
    )


def test_a_short_line_is_a_piece_to_split(small: Schema) -> None:
    assert spires_prompt(small, "Drug", "x" * 60).startswith(SHORT)
    assert spires_prompt(small, "Drug", "x" * 61).startswith(LONG)


def test_context_stands_before_the_text(small: Schema) -> None:
    asked = spires_prompt(small, "Drug", "aspirin", context="We gave aspirin to mice.")
    assert asked.index("We gave aspirin to mice.") < asked.index("Text:\naspirin\n")


def test_an_unknown_class_is_named(small: Schema) -> None:
    with pytest.raises(NotFound, match="no class Nurse"):
        spires_prompt(small, "Nurse", "text")


# ------------------------------------------------------------------ the reference


@cache
def _template(folder: Path, name: str) -> Schema:
    return load_schema(folder / f"{name}.yaml")


def mended(reference: str) -> str:
    """The reference's prompt with the listed deviations applied
    (core.schema.from_linkml.DEVIATIONS).
    """
    reference = re.sub(r"(?<=: <semicolon-separated list of )(\w+s)s(?=>\n)", r"\1", reference)
    return re.sub(r"(?<=\S)Must be one of: (?=[^>\n]*>\n)", " Must be one of: ", reference)


def _rows(shared: Path) -> list[dict[str, str]]:
    path = shared / "data" / "spires" / "golden_prompts.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_reference_prompt_is_ours_but_for_the_listed_deviations(shared: Path) -> None:
    folder = shared / "data" / "spires" / "templates"
    different = []
    for row in _rows(shared):
        schema = _template(folder, row["template"])
        for kind, text in (("long", "LINE ONE\nLINE TWO"), ("short", "short text")):
            if spires_prompt(schema, row["cls"], text) != mended(row[kind]):
                different.append((row["template"], row["cls"], kind))
    assert not different


def test_roots_are_those_of_the_reference(shared: Path) -> None:
    folder = shared / "data" / "spires" / "templates"
    for row in _rows(shared):
        if row["root"]:
            assert _template(folder, row["template"]).root == row["cls"]


def test_slots_are_those_of_the_reference(shared: Path) -> None:
    folder = shared / "data" / "spires" / "templates"
    for row in _rows(shared):
        slots = _template(folder, row["template"]).classes[row["cls"]].slots
        ours = [
            (s.name, s.multivalued, s.required or s.identifier, s.identifier, s.inlined)
            for s in slots
        ]
        keys = ("name", "multivalued", "required", "identifier", "inlined")
        if row["cls"] == "Container" and row["template"] == "personinfo":
            continue  # inlined_as_list: inlined by LinkML's rules, not by the reference's
        theirs = [
            {**slot, "required": slot["required"] or slot["identifier"]} for slot in row["slots"]
        ]
        assert ours == [tuple(slot[key] for key in keys) for slot in theirs], row["cls"]
