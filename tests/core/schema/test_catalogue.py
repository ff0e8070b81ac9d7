"""The schemas at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.curie import PREFIXES
from core.errors import NotFound
from core.schema.catalogue import all_schemas, schema_examples, schema_named


def test_the_templates_are_listed_with_a_summary() -> None:
    entries = {entry.name: entry for entry in all_schemas()}
    assert "core" not in entries
    assert entries["recipe"].title == "Food recipe"
    assert all(entry.summary and not entry.trouble for entry in entries.values())


def test_the_projects_own_go_first(tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text(
        "name: recipe\ntitle: Mine\nclasses: {A: {attributes: {b: }}}\n"
    )
    assert next(e for e in all_schemas([tmp_path]) if e.name == "recipe").title == "Mine"
    assert schema_named("recipe", [tmp_path]).title == "Mine"


def test_a_broken_schema_is_listed_with_its_trouble(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("a: b: c")
    assert "line 1" in next(e for e in all_schemas([tmp_path]) if e.name == "bad").trouble


def test_a_schema_is_found_by_name_or_file(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("name: x\nclasses: {A: {attributes: {b: }}}\n")
    assert (
        schema_named(path).name
        == schema_named("x", [tmp_path]).name
        == schema_named("x.yaml", [tmp_path]).name
        == "x"
    )


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    import os

    path = tmp_path / "x.yaml"
    path.write_text("name: x\ntitle: old\nclasses: {A: {attributes: {b: }}}\n")
    assert schema_named(path).title == "old"
    path.write_text("name: x\ntitle: new\nclasses: {A: {attributes: {b: }}}\n")
    os.utime(path, ns=(1, 1))
    assert schema_named(path).title == "new"


@pytest.mark.parametrize("name", ["nothing", "", "../core/model", "/etc/passwd"])
def test_an_unknown_name_lists_those_there_are(name: str) -> None:
    with pytest.raises(NotFound, match="recipe"):
        schema_named(name)


def test_example_texts_belong_to_their_schema() -> None:
    assert "lentil" in schema_examples("recipe")[0]
    assert schema_examples("nothing") == []


def test_our_schemas_expand_every_shared_prefix_as_exports_do() -> None:
    """HGNC had three addresses, so that a gene's IRI depended on which schema came first."""
    entries = [entry for entry in all_schemas() if not entry.trouble]
    expanded = {
        (entry.name, prefix): address
        for entry in entries
        for prefix, address in schema_named(entry.name).prefixes.items()
        if prefix in PREFIXES
    }
    assert len(expanded) > 30
    assert expanded == {key: PREFIXES[key[1]] for key in expanded}
