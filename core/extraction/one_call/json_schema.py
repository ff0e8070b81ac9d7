"""A JSON Schema of a LinkML class, so that one answer fills the whole tree."""

from __future__ import annotations

import re

from core.extraction.literal import DECIMALS, INTEGERS
from core.model import Json
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot

DEPTH = 6  # nested objects below the root; deeper ones are asked for as text


def json_schema(schema: Schema, cls: str, depth: int = DEPTH) -> Json:
    """The object that an answer about class `cls` must be; strict: every field is required and may
    be null.
    """
    return _object(schema, schema.classes[cls], depth, (cls,))


def _object(schema: Schema, cls: ClassDefinition, depth: int, line: tuple[str, ...]) -> Json:
    fields = {
        slot.name: _field(schema, slot, depth, line)
        for slot in cls.slots
        if not slot.skip and not slot.identifier
    }
    object_schema = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    words = cls.prompt or cls.description
    return {**object_schema, "description": one_line(words)} if words else object_schema


def _field(schema: Schema, slot: Slot, depth: int, line: tuple[str, ...]) -> Json:
    value = _value(schema, slot, depth, line)
    words = one_line(slot.prompt or slot.description)
    if slot.multivalued:
        field_schema: Json = {"type": "array", "items": value}
    else:
        field_schema = {"anyOf": [value, {"type": "null"}]}
    return {**field_schema, "description": words} if words else field_schema


def _value(schema: Schema, slot: Slot, depth: int, line: tuple[str, ...]) -> Json:
    if slot.kind is RangeKind.OBJECT and slot.recurse and slot.range in schema.classes:
        if depth > 0 and line.count(slot.range) < 2:
            return _object(schema, schema.classes[slot.range], depth - 1, (*line, slot.range))
        return {"type": "string"}
    if slot.kind is RangeKind.ENUM and (enum := schema.enums.get(slot.range)) and enum.values:
        meanings = "; ".join(
            f"{v.name}: {one_line(v.description)}" for v in enum.values if v.description
        )
        enum_schema: Json = {"type": "string", "enum": [value.name for value in enum.values]}
        return {**enum_schema, "description": meanings} if meanings else enum_schema
    if slot.datatype in INTEGERS:
        return {"type": "integer"}
    if slot.datatype in DECIMALS:
        return {"type": "number"}
    if slot.datatype == "xsd:boolean":
        return {"type": "boolean"}
    return {"type": "string"}


def one_line(words: str) -> str:
    return re.sub(r"\s+", " ", words).strip()
