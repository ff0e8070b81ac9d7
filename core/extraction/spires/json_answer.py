"""An answer that is JSON, whole or inside prose, as the same blocks that lines give."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Protocol, Self

from core.extraction.block import Block
from core.extraction.spires.field import SlotNames
from core.extraction.spires.line import FENCES
from core.extraction.spires.notes import AnswerNotes
from core.model import Json
from core.schema.definition import RangeKind, Schema, Slot

START = re.compile(r"[{\[]")
MAX_STARTS = 50
MAX_DEPTH = 40
HALF = re.compile(  # of a character that takes two escapes, without its other half
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
COMMA = re.compile(r",(\s*[}\]])")
NAMES = ("label", "name", "text", "value", "title")


class BlockReader(Protocol):
    """What turns the fields of an answer into blocks and keeps what could not be placed."""

    schema: Schema
    names: SlotNames
    notes: AnswerNotes

    def values(self, slot: Slot, lines: list[str]) -> Iterable[str | Block]: ...

    def block(self, gathered: dict[str, list[str | Block]]) -> Iterator[Block]: ...

    def about(self, cls: str) -> Self:
        """A reader of a part of the answer, about another class."""
        ...


def read_json(text: str, names: SlotNames) -> tuple[Json, list[str]] | None:
    """Every JSON in `text` that names a field of the class, and the words around; None if there is
    none.
    """
    text = HALF.sub(r"\\ufffd", text)
    at = after = 0
    values: list[Json] = []
    around: list[str] = []
    failed = 0
    while failed < MAX_STARTS:
        start = START.search(text, at)
        if not start:
            break
        value, end = decode_json(text, start.start(), mend=failed < 2)
        if end and (fitting := fitting_object(value, names)) is not None:
            values += fitting if isinstance(fitting, list) else [fitting]
            around.append(text[after : start.start()])
            after = end
        else:
            failed += 1
        at = end or start.end()
    words_around = [FENCES.sub("", part).strip(" \n,") for part in (*around, text[after:])]
    return (values, [part for part in words_around if part]) if values else None


def decode_json(text: str, start: int, *, mend: bool) -> tuple[Json, int]:
    """The JSON value that begins at `start` and where it ends; (None, 0) if there is none."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    if not mend or not (comma := COMMA.search(text, start)) or comma.start() > start + 100_000:
        return None, 0
    try:
        mended = COMMA.sub(r" \1", text[start:])  # as long as before: a comma for a space
        value, end = json.JSONDecoder(strict=False).raw_decode(mended)
        return value, start + end
    except (ValueError, RecursionError):
        return None, 0


def fitting_object(value: Json, names: SlotNames, depth: int = 0) -> Json:
    """`value`, or what it wraps, if it is an object (or a list of objects) with a field of the
    class.
    """
    if isinstance(value, dict):
        if any(names.find(str(key)) for key in value):
            return value
        inner = [
            fitting
            for sub in value.values()
            if depth < 3 and (fitting := fitting_object(sub, names, depth + 1)) is not None
        ]
        return inner[0] if len(inner) == 1 and len(value) == 1 else None
    if isinstance(value, list) and value and any(isinstance(sub, dict) for sub in value):
        return (
            value
            if any(fitting_object(sub, names, depth + 1) is not None for sub in value if depth < 3)
            else None
        )
    if (
        isinstance(value, list)
        and value
        and len(names.asked) == 1
        and all(isinstance(sub, str) for sub in value)
    ):
        return {names.asked[0].name: value}
    return None


def json_values(reader: BlockReader, value: Json, depth: int = 0) -> Iterator[Block]:
    """The blocks of a JSON object, or of a list of them."""
    for entry in value if isinstance(value, list) else [value]:
        if not isinstance(entry, dict):
            if not scalar_null(entry):
                reader.notes.problem(
                    "unplaced", f"This part of the answer could not be placed: {shown_value(entry)}"
                )
            continue
        gathered: dict[str, list[str | Block]] = {}
        for key, sub in entry.items():
            slot = reader.names.find(str(key))
            if slot is None:
                if not scalar_null(sub):
                    reader.notes.problem(
                        "unplaced", f"No field is called {key}: {shown_value(sub)}"
                    )
                continue
            gathered.setdefault(slot.name, []).extend(field_values(reader, slot, sub, depth))
        yield from reader.block(gathered)


def field_values(reader: BlockReader, slot: Slot, value: Json, depth: int) -> Iterator[str | Block]:
    if depth > MAX_DEPTH:
        reader.notes.problem(
            "too-deep", f"{slot.name}: nested too deeply to be read: {shown_value(value)}"
        )
    elif isinstance(value, list):
        for sub in value:
            yield from field_values(reader, slot, sub, depth + 1)
    elif (
        isinstance(value, dict)
        and slot.kind is RangeKind.OBJECT
        and slot.range in reader.schema.classes
    ):
        inner = reader.about(slot.range)
        yield from json_values(inner, _by_name(value, inner.names), depth + 1)
        reader.notes.take_in(inner.notes)
    elif isinstance(value, dict):
        yield from entity_name(reader, slot, value)
    elif scalar_null(value):
        reader.notes.not_stated.append((slot.name, shown_value(value)))
    else:
        yield from reader.values(slot, [value if isinstance(value, str) else shown_value(value)])


def _by_name(value: dict[str, Json], names: SlotNames) -> Json:
    """Objects keyed by their names (`{"Arm A": {…}, "Arm B": {…}}`) as a list of objects; anything
    else as it is.
    """
    named = next((slot.name for name in NAMES if (slot := names.find(name))), "")
    are_objects = value and all(isinstance(sub, dict) for sub in value.values())
    if not named or not are_objects or any(names.find(key) for key in value):
        return value
    return [{named: key} | sub for key, sub in value.items() if isinstance(sub, dict)]


def entity_name(reader: BlockReader, slot: Slot, value: dict[str, Json]) -> Iterator[str | Block]:
    """An entity written as an object: its name is the value, the rest is reported."""
    keys = [*NAMES, *(key for key in value if key.casefold().endswith(("name", "label")))]
    name = next((key for key in keys if isinstance(value.get(key), str) and value[key].strip()), "")
    if name:
        yield from reader.values(slot, [value[name]])
    other_fields = {key: sub for key, sub in value.items() if key != name and not scalar_null(sub)}
    if other_fields:
        reader.notes.problem(
            "unplaced", f"{slot.name}: only a name was expected: {shown_value(other_fields)}"
        )


def scalar_null(value: Json) -> bool:
    return value is None or value == "" or value == [] or value == {}


def shown_value(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
