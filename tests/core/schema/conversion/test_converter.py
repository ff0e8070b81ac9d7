"""Schemas from elsewhere become templates; nothing is fetched, nothing but tables is made."""

from __future__ import annotations

import builtins
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, SettingsError
from core.model import Severity
from core.schema.conversion import converter
from core.schema.conversion.converter import SourceFormat, convert_schema, format_of
from core.schema.definition import RangeKind, Schema
from core.schema.load import load_schema

JSON = json.dumps({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Study report",
    "type": "object",
    "required": ["disease"],
    "properties": {
        "disease": {"type": "string", "description": "the disease that was studied"},
        "drugs": {"type": "array", "items": {"$ref": "#/$defs/drug given"}},
        "phase": {"enum": ["one", "two"]},
        "site": {"type": "object", "properties": {"city": {"type": "string"}}},
        "size": {"type": ["integer", "null"]},
        "elsewhere": {"$ref": "https://example.org/other.json#/X"},
    },
    "$defs": {
        "drug given": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "dose": {"type": "number"}},
        }
    },
})  # fmt: skip
SQL = """
-- a dump; with a semicolon
CREATE TABLE public.gene (
  id serial PRIMARY KEY, symbol varchar(20) NOT NULL, found date
) ENGINE=InnoDB;
CREATE TABLE IF NOT EXISTS `link` (gene integer, score double precision, note text DEFAULT 'a;b');
ALTER TABLE ONLY public.link ADD CONSTRAINT k FOREIGN KEY (gene) REFERENCES public.gene(id);
INSERT INTO gene VALUES (1, 'X', NULL);
"""
SHACL = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ex: <https://example.org/s#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
<https://example.org/s> owl:imports <https://example.org/never-fetched> .
ex:TrialShape a sh:NodeShape ; sh:targetClass ex:Trial ;
  sh:property [
    sh:path ex:testedDrug ; sh:node ex:DrugShape ; sh:minCount 1 ;
    sh:description "what was given" ] ,
              [ sh:path ex:size ; sh:datatype xsd:integer ; sh:maxCount 1 ] ,
              [ sh:path ex:outcome ; sh:in ( "good" "bad" ) ; sh:maxCount 1 ] ,
              [ sh:path ( ex:size ex:outcome ) ; sh:minCount 1 ] .
ex:DrugShape a sh:NodeShape ; sh:targetClass ex:Drug ;
  sh:property [ sh:path ex:name ; sh:datatype xsd:string ] .
"""
importers = pytest.mark.skipif(
    not converter.can_convert(SourceFormat.SQL), reason=f"needs {converter.INSTALL}"
)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)


def loaded(text: str, kind: SourceFormat, name: str = "mine") -> Schema:
    loaded_schema = load_schema(convert_schema(text, kind, name))
    assert not [problem for problem in loaded_schema.problems if problem.severity is Severity.ERROR]
    return loaded_schema


def test_shapes_become_classes_with_their_slots() -> None:
    loaded_schema = loaded(SHACL, SourceFormat.SHACL)
    drug, size, outcome = (
        loaded_schema.classes["Trial"].slot(name) for name in ("tested_drug", "size", "outcome")
    )
    assert loaded_schema.root == "Trial"
    assert drug and (drug.range, drug.kind, drug.multivalued, drug.required) == (
        "Drug",
        RangeKind.OBJECT,
        True,
        True,
    )
    assert drug.description == "what was given"
    assert size and (size.datatype, size.multivalued) == ("xsd:integer", False)
    assert outcome and [value.name for value in loaded_schema.enums[outcome.range].values] == [
        "good",
        "bad",
    ]


def test_converted_schema_lists_what_was_left_out_at_its_top() -> None:
    assert "# Not taken over: a property of Trial" in convert_schema(SHACL, SourceFormat.SHACL)


@importers
def test_a_json_schema_becomes_a_template() -> None:
    loaded_schema = loaded(JSON, SourceFormat.JSON_SCHEMA)
    root = loaded_schema.classes["StudyReport"]
    disease, drugs, site, size = (root.slot(name) for name in ("disease", "drugs", "site", "size"))
    assert loaded_schema.root == "StudyReport"
    assert disease and disease.required and disease.description == "the disease that was studied"
    assert drugs and (drugs.range, drugs.multivalued, drugs.kind) == (
        "DrugGiven",
        True,
        RangeKind.OBJECT,
    )
    assert site and [slot.name for slot in loaded_schema.classes[site.range].slots] == ["city"]
    assert size and size.datatype == "xsd:integer"


@importers
def test_a_reference_to_another_file_is_words_and_is_reported() -> None:
    text = convert_schema(JSON, SourceFormat.JSON_SCHEMA)
    elsewhere = load_schema(text).classes["StudyReport"].slot("elsewhere")
    assert elsewhere and elsewhere.kind is RangeKind.LITERAL
    assert "https://example.org/other.json" in text.partition("\nid:")[0]


@importers
@pytest.mark.parametrize(
    "bad",
    [
        {"properties": {"a": {"allOf": [{"$ref": "#"}], "type": "object", "properties": {}}}},
        {"allOf": [{"required": True, "properties": {"a": []}}]},
        {"$defs": {"a": {"$ref": "#/$defs/a"}}, "properties": {"b": {"$ref": "#/$defs/a"}}},
        {"properties": {"a": {"type": 7, "items": [], "enum": None}}},
    ],
)
def test_odd_json_schemas_are_read_or_refused_in_words(bad: Any) -> None:
    try:
        loaded(json.dumps(bad), SourceFormat.JSON_SCHEMA)
    except InputError as error:
        assert str(error)


@importers
def test_tables_become_classes_and_their_keys_ranges() -> None:
    loaded_schema = loaded(SQL, SourceFormat.SQL)
    symbol, day = (loaded_schema.classes["gene"].slot(name) for name in ("symbol", "found"))
    gene, score = (loaded_schema.classes["link"].slot(name) for name in ("gene", "score"))
    assert gene and gene.range == "gene" and score and score.range == "float"
    assert symbol and symbol.required and day and day.datatype == "xsd:date"
    assert loaded_schema.root == "link"


@importers
@pytest.mark.parametrize(
    "bad",
    [
        "CREATE TABLE a (x TEXT); ATTACH DATABASE '{0}' AS b; CREATE TABLE b.c (y TEXT)",
        "CREATE TABLE a (x TEXT); VACUUM INTO '{0}'",
    ],
)
def test_sql_ddl_converts_create_table_only(bad: str, tmp_path: Path) -> None:
    convert_schema(bad.format(tmp_path / "out.db"), SourceFormat.SQL)
    assert not list(tmp_path.iterdir())


@importers
def test_a_table_of_a_query_is_refused() -> None:
    with pytest.raises(InputError, match="CREATE TABLE"):
        convert_schema("CREATE TABLE a AS SELECT 1", SourceFormat.SQL)


def test_without_the_importers_the_command_to_install_them_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.startswith("schema_automator"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    for kind, text in ((SourceFormat.JSON_SCHEMA, JSON), (SourceFormat.SQL, SQL)):
        with pytest.raises(SettingsError, match="pip install"):
            convert_schema(text, kind)


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.json", "", SourceFormat.JSON_SCHEMA),
        ("a.SQL", "", SourceFormat.SQL),
        ("a.ttl", "", SourceFormat.SHACL),
        ("a.yaml", "{}", None),
        ("", JSON, SourceFormat.JSON_SCHEMA),
        ("", '{"id": "https://example.org/x", "classes": {}}', None),
        ("", SQL, SourceFormat.SQL),
        ("", SHACL, SourceFormat.SHACL),
        ("", "id: https://example.org/x\nname: x", None),
    ],
)
def test_kind_of_a_file_is_recognised_by_name_or_content(
    name: str, text: str, kind: SourceFormat | None
) -> None:
    assert format_of(name, text) == kind


@pytest.mark.parametrize(
    "kind",
    [
        SourceFormat.SHACL,
        *(SourceFormat.JSON_SCHEMA, SourceFormat.SQL) * converter.can_convert(SourceFormat.SQL),
    ],
)
@pytest.mark.parametrize("text", ["", "neither this nor that", "[" * 100_000, "@prefix : <"])
def test_file_that_is_not_a_schema_is_refused_by_the_converter(
    kind: SourceFormat, text: str
) -> None:
    with pytest.raises(InputError):
        convert_schema(text, kind)


def test_shapes_nested_too_deeply_are_refused_in_plain_words() -> None:
    nested = "[ sh:path <urn:p> ; sh:node [ a sh:NodeShape ; sh:property " * 3_000
    text = (
        "@prefix sh: <http://www.w3.org/ns/shacl#> . <urn:a> a sh:NodeShape ; sh:property "
        + nested
        + "[ sh:path <urn:q> ]"
        + " ] ]" * 3_000
        + " ."
    )
    with pytest.raises(InputError, match="SHACL is nested"):
        convert_schema(text, SourceFormat.SHACL)
