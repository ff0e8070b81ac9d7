from __future__ import annotations

from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError, Refused
from core.services.extract import schemas
from core.settings import load_settings

OWN = """id: https://example.org/own
name: own
title: My own
prefixes:
  linkml: https://w3id.org/linkml/
imports: [linkml:types, core]
default_range: string
classes:
  Note:
    tree_root: true
    attributes:
      label:
        description: what it is called
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return open_desk(load_settings(tmp_path / "desk"))


def test_the_templates_can_be_picked_with_a_summary_and_an_example(desk: Desk) -> None:
    choices = {choice.name: choice for choice in schemas.schema_choices(desk)}
    assert choices["chemical_disease"].summary
    assert schemas.example_texts("recipe")


def test_a_schema_shows_its_prompt_and_tree_before_it_is_kept(desk: Desk) -> None:
    checked = schemas.checked_schema(desk, OWN)
    assert checked.usable
    assert checked.outline == ("label: string",)
    assert "label: <what it is called>" in checked.prompt


def test_outline_of_classes_inside_one_another_is_cut(desk: Desk) -> None:
    """Sixteen slots on each of seven levels are a hundred million lines."""
    nested = "".join(
        f"  Level{n}:\n    attributes:\n"
        + "".join(f"      slot{k}: {{range: Level{n + 1}, inlined: true}}\n" for k in range(16))
        for n in range(8)
    )
    text = f"{OWN}      down: {{range: Level0, inlined: true}}\n{nested}  Level8: {{}}\n"
    outline = schemas.checked_schema(desk, text).outline
    assert len(outline) == schemas.MOST_LINES + 1
    assert outline[-1] == "… and more: the first 1000 lines are shown."


def test_schema_with_errors_is_reported_and_not_saved(desk: Desk) -> None:
    assert not schemas.checked_schema(desk, "classes: [").usable
    with pytest.raises(InputError):
        schemas.save_schema(desk, "broken", "classes: [")
    assert not (desk.folder / "schemas" / "broken.yaml").exists()


def test_a_kept_schema_can_be_picked(desk: Desk) -> None:
    schemas.save_schema(desk, "own", OWN)
    assert next(choice for choice in schemas.schema_choices(desk) if choice.name == "own").own


@pytest.mark.parametrize("name", ["../evil", "/etc/x", "A", ""])
def test_schema_names_cannot_leave_the_project_folder(desk: Desk, name: str) -> None:
    with pytest.raises(InputError):
        schemas.save_schema(desk, name, OWN)


def test_a_template_of_the_app_is_not_overwritten(desk: Desk) -> None:
    with pytest.raises(Refused):
        schemas.save_schema(desk, "recipe", OWN)


def test_a_schema_in_another_language_is_recognised_and_others_stay_as_they_are() -> None:
    assert schemas.foreign_format("", OWN) == "" and schemas.as_linkml("own.yaml", OWN) == OWN
    assert schemas.foreign_format("", '{"type": "object"}') == "JSON Schema"
    assert schemas.foreign_format("tables.sql", "") == "SQL DDL"


def test_missing_converter_is_named_with_its_install_command() -> None:
    assert schemas.how_to_install("SHACL") == ""
    assert schemas.how_to_install("SQL DDL") in ("", 'pip install "schema-automator>=0.5.7,<1"')


def test_shapes_can_be_kept_as_a_schema_of_ones_own(desk: Desk) -> None:
    shapes = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <https://example.org/s#> .
    ex:Trial a sh:NodeShape ; sh:property [ sh:path ex:drug ; sh:maxCount 1 ] ."""
    linkml = schemas.as_linkml("my shapes.ttl", shapes)
    assert schemas.checked_schema(desk, linkml).usable
    assert schemas.save_schema(desk, "shapes", linkml) == "shapes"


def test_a_schema_that_keeps_its_reader_busy_is_refused_with_the_limit(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schemas, "SECONDS", 1.0)
    classes = (f"  A{n + 1}: {{is_a: A{n}, attributes: {{s{n}: {{}}}}}}\n" for n in range(2_000))
    draft = schemas.checked_schema(
        desk, f"id: http://x.org/x\nname: x\nclasses:\n  A0: {{}}\n{''.join(classes)}"
    )
    assert not draft.usable
    assert "takes more than 1 seconds" in draft.problems[0].message


def test_unions_of_unions_are_looked_at_once_each(desk: Desk) -> None:
    unions = "".join(f"  A{n + 1}: {{union_of: [A{n}, A{n}]}}\n" for n in range(60))
    entity = "  A0: {attributes: {id: {identifier: true}}}\n"
    draft = schemas.checked_schema(desk, f"id: http://x.org/x\nname: x\nclasses:\n{entity}{unions}")
    assert draft.usable
