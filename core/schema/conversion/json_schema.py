"""JSON Schema to LinkML through schema-automator.

The importer knows objects only under `definitions`, one type a property, and local references; so
nested objects are moved there first, and what it cannot say is noted.
"""

from __future__ import annotations

import json
import logging
import re
from typing import Any

from core.errors import InputError

Object = dict[str, Any]
PLAIN = ("string", "number", "integer", "boolean")


def schema(text: str, name: str, notes: list[str]) -> Object:
    """LinkML as plain data. Raises InputError for text that is no JSON Schema."""
    from linkml_runtime.dumpers import json_dumper
    from schema_automator.importers.jsonschema_import_engine import JsonSchemaImportEngine

    try:
        json_schema = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"This is not JSON: {error.msg}.", f"Look at line {error.lineno}."
        ) from error
    except RecursionError as error:
        raise InputError("This JSON is nested too deeply to be read.") from error
    if not isinstance(json_schema, dict):
        raise InputError(
            "This is JSON, but not a JSON Schema.", "A JSON Schema is an object with properties."
        )
    ready = _Preparation(json_schema, name, notes).prepared()
    logging.getLogger().addFilter(_quiet)  # what it complains about is noted here already
    try:
        imported = JsonSchemaImportEngine(use_attributes=True).loads(ready, name)
    except Exception as error:  # the importer raises whatever it meets
        raise InputError(
            f"LinkML's importer cannot read this JSON Schema: {str(error)[:200]}"
        ) from error
    linkml: Object = json.loads(json_dumper.dumps(imported, inject_type=False))
    root = ready["title"] if "properties" in ready else ""
    if root in linkml.get("classes", {}) and json_schema.get("description"):
        linkml["classes"][root]["description"] = str(json_schema["description"])
    return {
        "classes": linkml.get("classes", {}),
        "enums": _enums(linkml),
        "root": root,
        "title": json_schema.get("title"),
    }


def _quiet(record: logging.LogRecord) -> bool:
    return record.module != "jsonschema_import_engine"


def _enums(linkml: Object) -> Object:
    return {
        name: {"permissible_values": {value: {} for value in enum.get("permissible_values", {})}}
        for name, enum in linkml.get("enums", {}).items()
    }


class _Preparation:
    """One JSON Schema, made plain: every object is a definition, every property has one type."""

    def __init__(self, json_schema: Object, name: str, notes: list[str]):
        self.given, self.notes = json_schema, notes
        self.root = _camel(str(json_schema.get("title") or name))
        local = {**_dict(json_schema, "definitions"), **_dict(json_schema, "$defs")}
        self.local = local | _dict(
            _dict(json_schema, "components"), "schemas"
        )  # OpenAPI keeps them there
        self.names = {key: _camel(key) for key in self.local}
        self.definitions: Object = {}
        self.lists: dict[str, list[str]] = {}

    def prepared(self) -> Object:
        for key, value in self.local.items():
            if self._is_object(value):
                self._define(self.names[key], value)
        top = self._merged(self.given)
        if "$ref" in top and not top.get("properties"):
            top = self._merged(self._target(str(top["$ref"])) or {})
        ready: Object = {"title": self.root, "definitions": self.definitions}
        if top.get("type") == "array" and isinstance(top.get("items"), dict):
            top = {"properties": {"items": top}}
        if isinstance(top.get("properties"), dict):
            ready["properties"] = self._properties(top, self.root)
            ready["required"] = top.get("required", [])
            ready["definitions"].pop(self.root, None)
        return ready

    def _define(self, name: str, value: Object) -> None:
        if name in self.definitions:
            return
        self.definitions[name] = {}
        merged = self._merged(value)
        definition = {
            "type": "object",
            "required": merged.get("required", []),
            "properties": self._properties(merged, name),
        }
        self.definitions[name] = definition | (
            {"description": str(value["description"])} if value.get("description") else {}
        )

    def _properties(self, value: Object, owner: str) -> Object:
        return {
            key: self._property(property_schema, key, owner)
            for key, property_schema in value.get("properties", {}).items()
        }

    def _property(self, schema: Any, key: str, owner: str) -> Object:
        value = self._chosen_alternative(schema if isinstance(schema, dict) else {}, key)
        described = {"description": str(value["description"])} if value.get("description") else {}
        if "$ref" in value:
            return self._reference(value, key, owner) | described
        kind = value.get("type")
        if isinstance(value.get("properties"), dict):
            name = _camel(f"{owner} {key}")
            self._define(name, value)
            return {"$ref": f"#/definitions/{name}"} | described
        if kind == "array" or "items" in value:
            items = value.get("items", {})
            inner = self._property(
                items[0] if isinstance(items, list) and items else items, key, owner
            )
            inner = inner.get("items", inner) if inner.get("type") == "array" else inner
            return {"type": "array", "items": self._of_one_list(inner, key) | described}
        if "enum" in value or "const" in value:
            values = [
                str(value_text)
                for value_text in value.get("enum", [value.get("const")])
                if value_text is not None
            ]
            return {"type": "string", "enum": values} | described
        if kind not in PLAIN:
            self.notes.append(f"the type of {owner}.{key}; it is read as text.")
        return {"type": kind if kind in PLAIN else "string"} | described

    def _of_one_list(self, inner: Object, key: str) -> Object:
        """The importer names the values of a list by its property alone: a second, different list
        is plain words.
        """
        if "enum" in inner and self.lists.setdefault(key, inner["enum"]) != inner["enum"]:
            self.notes.append(f"the values of a second list {key}.")
            return {"type": "string"}
        return inner

    def _reference(self, value: Object, key: str, owner: str) -> Object:
        reference = str(value["$ref"])
        target = self._target(reference)
        if target is None:
            self.notes.append(
                f"{owner}.{key} refers to {reference}, which is not in this file; it is plain"
                " words."
            )
            return {"type": "string"}
        if target is self.given:
            return {"$ref": f"#/definitions/{self.root}"}
        if not self._is_object(target):
            return self._property(
                {**target, **{k: v for k, v in value.items() if k != "$ref"}}, key, owner
            )
        return {"$ref": f"#/definitions/{self.names[_last_part(reference)]}"}

    def _target(self, reference: str) -> Object | None:
        if reference == "#":
            return self.given
        definition = self.local.get(_last_part(reference)) if reference.startswith("#/") else None
        return definition if isinstance(definition, dict) else None

    def _chosen_alternative(self, value: Object, key: str) -> Object:
        """The one of several alternatives that is taken; null is no alternative."""
        kinds = value.get("type")
        if isinstance(kinds, list):
            value = {**value, "type": next((kind for kind in kinds if kind != "null"), "string")}
        for word in ("anyOf", "oneOf", "allOf"):
            ways = [
                way
                for way in value.get(word) or []
                if isinstance(way, dict) and way.get("type") != "null"
            ]
            if ways:
                if len(ways) > 1:
                    self.notes.append(f"all but the first of the {len(ways)} ways to write {key}.")
                return self._chosen_alternative(ways[0], key) | {
                    k: v for k, v in value.items() if k != word
                }
        return value

    def _merged(self, value: Object) -> Object:
        """An object with the properties of all that it is made of."""
        parts = [part for part in value.get("allOf") or [] if isinstance(part, dict)]
        properties: Object = {}
        required: list[str] = []
        for part in [
            self._merged((self._target(str(p["$ref"])) or {}) if "$ref" in p else p) for p in parts
        ]:
            properties |= _dict(part, "properties")
            required += part.get("required", [])
        if not parts:
            return value
        required = [*required, *value.get("required", [])]
        return {
            **value,
            "properties": properties | _dict(value, "properties"),
            "required": required,
        }

    def _is_object(self, value: Any) -> bool:
        return isinstance(value, dict) and bool({"properties", "allOf"} & value.keys())


def _last_part(reference: str) -> str:
    return reference.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def _dict(value: Object, key: str) -> Object:
    mapping = value.get(key)
    return mapping if isinstance(mapping, dict) else {}


def _camel(words: str) -> str:
    camel = "".join(
        part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", words) if part
    )
    return camel if camel[:1].isalpha() else f"Class{camel}"
