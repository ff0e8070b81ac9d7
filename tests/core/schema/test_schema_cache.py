"""A schema that was read before comes back as it was, until something that it rests on changes."""

from __future__ import annotations

from pathlib import Path

from core.schema import schema_cache
from core.schema.load import load_schema

OWN = Path(__file__).parents[3] / "schemas"
IMPORTING = """
id: https://example.org/one
name: one
prefixes: {linkml: 'https://w3id.org/linkml/'}
imports: ['linkml:types', other]
classes: {One: {tree_root: true, slots: [name]}}
"""
OTHER = """
id: https://example.org/other
name: other
imports: ['linkml:types']
slots: {name: {description: %s}}
"""


def test_every_template_is_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    for path in (OWN / "chemical_disease.yaml", OWN / "recipe.yaml"):
        assert load_schema(path, cache_folder=tmp_path) == load_schema(path)
        text = path.read_text(encoding="utf-8")
        assert schema_cache.find_cached(tmp_path, text, path.name, (OWN,)) == load_schema(path)


def test_an_import_that_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(IMPORTING)
    (tmp_path / "other.yaml").write_text(OTHER % "first")
    first = load_schema(file, cache_folder=tmp_path / "kept")
    (tmp_path / "other.yaml").write_text(OTHER % "second")
    second = load_schema(file, cache_folder=tmp_path / "kept")
    descriptions = [schema.classes["One"].slots[0].description for schema in (first, second)]
    assert descriptions == ["first", "second"]


def test_a_damaged_entry_is_read_again(tmp_path: Path) -> None:
    path = OWN / "recipe.yaml"
    whole = load_schema(path, cache_folder=tmp_path)
    (entry,) = tmp_path.glob("*.json")
    entry.write_text('{"imports": {}, "schema": {"name": 1}}')
    assert load_schema(path, cache_folder=tmp_path) == whole
