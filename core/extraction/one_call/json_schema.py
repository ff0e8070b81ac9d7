"""A JSON Schema of a LinkML class, so that one answer fills the whole tree."""

from __future__ import annotations

import re

from core.extraction.literal import DECIMALS, INTEGERS
from core.model import Json
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot

DEPTH = 6  # nested objects below the root; deeper ones are asked for as text
MOST_FIELDS = 5_000  # what OpenAI takes in a strict schema, of all objects together


def json_schema(schema: Schema, cls: str, depth: int = DEPTH) -> Json:
    """The object that an answer about class `cls` must be; strict: every field is required and may
    be null. It nests less deeply where it would have more than `MOST_FIELDS` fields: sixteen slots
    that each hold an object of sixteen more, seven times over, are 268 million.
    """
    while depth and _field_count(schema, schema.classes[cls], depth, (cls,)) > MOST_FIELDS:
        depth -= 1
    return _object(schema, schema.classes[cls], depth, (cls,))


def _field_count(
    schema: Schema,
    cls: ClassDefinition,
    depth: int,
    line: tuple[str, ...],
    *,
    most: int = MOST_FIELDS,
) -> int:
    """How many fields the object would have, nested ones included; counting ends above `most`."""
    count = 0
    for slot in _asked_slots(cls):
        count += 1
        if _is_nested(schema, slot, depth, line):
            nested = schema.classes[slot.range]
            count += _field_count(schema, nested, depth - 1, (*line, slot.range), most=most - count)
        if count > most:
            break
    return count


def _asked_slots(cls: ClassDefinition) -> list[Slot]:
    return [slot for slot in cls.slots if not slot.skip and not slot.identifier]


def _is_object(schema: Schema, slot: Slot) -> bool:
    return slot.kind is RangeKind.OBJECT and slot.recurse and slot.range in schema.classes


def _is_nested(schema: Schema, slot: Slot, depth: int, line: tuple[str, ...]) -> bool:
    return _is_object(schema, slot) and depth > 0 and line.count(slot.range) < 2


def _object(schema: Schema, cls: ClassDefinition, depth: int, line: tuple[str, ...]) -> Json:
    fields = {slot.name: _field(schema, slot, depth, line) for slot in _asked_slots(cls)}
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
    if _is_nested(schema, slot, depth, line):
        return _object(schema, schema.classes[slot.range], depth - 1, (*line, slot.range))
    if _is_object(schema, slot):
        return {"type": "string"}
    if slot.kind is RangeKind.ENUM and (enum := schema.enums.get(slot.range)) and enum.values:
        meanings = "; ".join(
            f"{v.name}: {one_line(v.description)}" for v in enum.values if v.description
        )
        enum_schema: Json = {"type": "string", "enum": [value.name for value in enum.values]}
        closed = {**enum_schema, "description": meanings} if meanings else enum_schema
        others = [_literal(other) for other in slot.alternatives if other not in schema.enums]
        return {"anyOf": [closed, *others]} if others else closed
    return _literal(slot.datatype)


def _literal(datatype: str) -> Json:
    if datatype in INTEGERS:
        return {"type": "integer"}
    if datatype in DECIMALS:
        return {"type": "number"}
    return {"type": "boolean" if datatype == "xsd:boolean" else "string"}


def one_line(words: str) -> str:
    return re.sub(r"\s+", " ", words).strip()
