"""Rows that name no field: "(a, TREATS, b)", "a -> TREATS -> b", "a TREATS b", one object a row, in
the order asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.extraction.spires.item import (
    CLOSE,
    OPEN,
    has_balanced_brackets,
    split_at_commas,
    tidy_item,
)
from core.model import fold_words
from core.schema.definition import ClassDefinition, PermissibleValue, Schema, Slot

# Each run is begun once: at every place in it, a long one would take time by its square.
LINK = re.compile(r"(?:(?<!\s)\s+)?(?:(?<!-)-+>|(?<!=)=+>|→|⟶)\s*|(?<!\s)\s+\|\s+|\t+")
SHOUTED = re.compile(
    r"\s([A-Z][A-Z_]{3,}(?:\s[A-Z][A-Z_]+)*)\s"
)  # a relation as templates write it: INHIBITS


def row_tuples(
    schema: Schema, cls: ClassDefinition, slots_asked: Sequence[Slot], rows: Sequence[str]
) -> list[list[str]]:
    """The parts of every row, a part a slot of `slots_asked`; [] unless every row has them.

    An object that is no statement must have a part for every slot, for only then is the order sure.
    """
    values = {fold_words(value.name) for slot in slots_asked for value in enum_values(schema, slot)}
    part_rows = [triple_parts(row, values) for row in rows]
    full = (
        3
        if cls.is_claim or any(enum_values(schema, slot) for slot in slots_asked)
        else len(slots_asked)
    )
    if full < 2 or not all(full <= len(row) <= len(slots_asked) for row in part_rows):
        return []
    return [in_order_of_slots(schema, slots_asked, row) for row in part_rows]


def triple_parts(row: str, values: set[str]) -> list[str]:
    bare = row.strip().rstrip(";,.").strip()
    if (
        bare[:1] in OPEN[:2]
        and bare[-1:] in CLOSE[:2]
        and has_balanced_brackets(bare)
        and has_balanced_brackets(bare[1:-1])
    ):
        inner = bare[1:-1]
        parts = inner.split(";") if ";" in inner else split_at_commas(inner)
    elif len(parts := LINK.split(bare)) < 2:
        parts = around_relation(bare, values)
    return [tidy_item(part) for part in parts]


def around_relation(row: str, values: set[str]) -> list[str]:
    """ "a TREATS b" as three parts, if there is one such word only."""
    shouted = [
        match for match in SHOUTED.finditer(row) if not values or fold_words(match[1]) in values
    ]
    if len(shouted) != 1:
        return [row]
    return [row[: shouted[0].start()], shouted[0][1], row[shouted[0].end() :]]


def in_order_of_slots(schema: Schema, slots_asked: Sequence[Slot], row: list[str]) -> list[str]:
    """The parts in the order of the slots: the one that is a slot's permissible value is that
    slot's.
    """
    for at, slot in enumerate(slots_asked[: len(row)]):
        allowed = {fold_words(value.name) for value in enum_values(schema, slot)}
        places = [n for n, part in enumerate(row) if fold_words(part) in allowed]
        if len(places) == 1 and places[0] != at:
            part = row[places[0]]
            other_parts = row[: places[0]] + row[places[0] + 1 :]
            return [*other_parts[:at], part, *other_parts[at:]]
    return row


def enum_values(schema: Schema, slot: Slot) -> tuple[PermissibleValue, ...]:
    enum = schema.enums.get(slot.range)
    return enum.values if enum else ()
