"""Plain values without a model: titles, "name: value" lines, patterns, numbers, dates, and the
words left over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.extraction.builtin import outline
from core.extraction.literal import read_date
from core.extraction.quantity import Quantity, find_quantities
from core.extraction.tree import Leaf, LeafKind
from core.model import Span
from core.schema.definition import ClassDefinition, EnumDefinition, RangeKind, Slot
from core.text.pattern import find_word

TITLES = ("label", "name", "title")
NUMBERS = {"xsd:decimal", "xsd:float", "xsd:double", "xsd:integer"}
COUNTS = ("value", "amount", "quantity", "count", "number")
_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug"
    "|Sep|Oct|Nov|Dec"
)
# "2021-03-04", "4 March 2021", "March 4, 2021", "4.3.2021"
DATE = re.compile(
    rf"\b(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}} (?:{_MONTHS}) \d{{4}}|(?:{_MONTHS}) \d{{1,2}},?"
    r" \d{4}"
    r"|\d{1,2}\.\d{1,2}\.\d{4})\b"
)
DIMENSIONS = (
    (r"duration|time|\bage\b", {"s", "min", "h", "d", "wk", "mo", "a"}),
    (r"temperature", {"Cel", "K", "[degF]"}),
    (r"depth|height|length|altitude|elevation|distance", {"mm", "cm", "m", "km", "um", "nm"}),
    (r"mass|weight", {"g", "kg", "mg", "ug", "ng", "[lb_av]", "[oz_av]"}),
)
LEFT = re.compile(r"[A-Za-z][\w-]*(?:[ ,]+(?:and )?[A-Za-z][\w-]*){0,3}")
SMALL = {"of", "the", "a", "an", "and", "or", "to", "in", "with", "for", "from"}


def slot_value(
    text: str,
    within: Span,
    slot: Slot,
    cls: ClassDefinition,
    *,
    nested: bool,
    spans: Sequence[Span],
    listed: bool = False,
    title: Span | None = None,
) -> Leaf | None:
    """The first value that a rule finds for a slot; its path is left to the caller. `spans`: words
    with other roles; `listed`: `within` is a line of a list; `title`: what names the object, if not
    `within`.
    """
    if slot.datatype == "xsd:boolean":
        return None
    span = None if nested else outline.value_after(text, within, (slot.name, slot.title))
    if span is None and slot.pattern:
        span = _pattern(text, within, slot.pattern)
    elif span is None and slot.name in TITLES:
        span = title or within
    elif span is None and (slot.datatype in NUMBERS or _is_count(slot, cls)):
        return _number(text, within, slot, cls, listed=listed)
    elif span is None and _is_unit(slot, cls):
        return _unit(text, within, slot, cls, listed=listed)
    elif span is None and slot.datatype in ("xsd:date", "xsd:dateTime"):
        day = DATE.search(text, within.start, within.end)
        span = Span(*day.span()) if day else None
    elif span is None and nested and re.search(r"\bverb\b", slot.description):
        verb = re.compile(r"\s*([^\W\d]+)").match(text, within.start, within.end)
        span = Span(*verb.span(1)) if verb else None
    elif span is None and nested and _leftover(slot, cls):
        span = remaining_words(text, within, spans)
    if span is None or span.start >= span.end:
        return None
    words = span.quote(text)
    return _leaf(slot, words, span, (read_date(words) or "") if slot.datatype == "xsd:date" else "")


def _leaf(slot: Slot, words: str, span: Span, value: str = "") -> Leaf:
    return Leaf(
        "",
        words,
        slot.range,
        kind=LeafKind.LITERAL,
        value=value or " ".join(words.split()),
        spans=(span,),
        score=1.0,
    )


def _pattern(text: str, within: Span, pattern: str) -> Span | None:
    place = find_word(pattern, text, within.start, within.end)
    return Span(*place) if place else None


def _is_count(slot: Slot, cls: ClassDefinition) -> bool:
    return bool(slot.unit_slot) or (
        slot.name in COUNTS and any(_is_unit(sibling, cls) for sibling in cls.slots)
    )


def _is_unit(slot: Slot, cls: ClassDefinition) -> bool:
    owned = {sibling.unit_slot for sibling in cls.slots if sibling.unit_slot}
    return slot.name in owned or slot.name.endswith("unit")


def slot_quantity(
    text: str, within: Span, slot: Slot, cls: ClassDefinition, *, listed: bool
) -> Quantity | None:
    """The number that a slot means: in a line of a list the first whose unit is of the slot's
    dimension, in a sentence only one with a unit, in a whole text one that the slot's name
    introduces.
    """
    units = next((units for pattern, units in DIMENSIONS if re.search(pattern, slot.name)), None)
    quantities = [
        quantity
        for quantity in find_quantities(text, within)
        if units is None or quantity.ucum in units
    ]
    if _is_count(slot, cls) and within.end - within.start < 300:
        return next((quantity for quantity in quantities if quantity.unit or listed), None)
    words = "|".join(_stem(name) for name in (slot.name, slot.title) if name)
    for quantity in quantities:
        before = text[max(within.start, quantity.span.start - 40) : quantity.span.start]
        if re.search(rf"\b(?:{words})\w*\b[^.;\d]*$", before, re.IGNORECASE):
            return quantity
    return None


def _stem(name: str) -> str:
    """`servings` introduces as serves does; short names are kept as they are."""
    words = name.replace("_", " ")
    return re.escape(
        words[: max(4, len(words) - 4)] if " " not in words and len(words) > 6 else words
    )


def _number(
    text: str, within: Span, slot: Slot, cls: ClassDefinition, *, listed: bool
) -> Leaf | None:
    quantity = slot_quantity(text, within, slot, cls, listed=listed)
    if quantity is None or (
        slot.datatype == "xsd:integer" and not quantity.value.lstrip("-").isdigit()
    ):
        return None
    return _leaf(slot, quantity.number.quote(text), quantity.number, quantity.value)


def _unit(
    text: str, within: Span, slot: Slot, cls: ClassDefinition, *, listed: bool
) -> Leaf | None:
    number = next((sibling for sibling in cls.slots if sibling.unit_slot == slot.name), slot)
    quantity = (
        slot_quantity(text, within, number, cls, listed=listed) if number is not slot else None
    )
    quantity = quantity or next(
        (candidate for candidate in find_quantities(text, within) if candidate.unit), None
    )
    return (
        _leaf(slot, quantity.unit.quote(text), quantity.unit, quantity.ucum)
        if quantity and quantity.unit
        else None
    )


def _leftover(slot: Slot, cls: ClassDefinition) -> bool:
    """Whether a slot takes the words that are left: the only plain one beside entities or
    quantities.
    """
    plain_slots = [
        s
        for s in cls.slots
        if s.kind is RangeKind.LITERAL and not (s.skip or s.identifier or s.name in TITLES)
    ]
    plain_slots = [s for s in plain_slots if s.datatype == "xsd:string" and not s.pattern]
    plain_slots = [
        s for s in plain_slots if not s.multivalued and not re.search(r"\bverb\b", s.description)
    ]
    plain_slots = [s for s in plain_slots if not (_is_count(s, cls) or _is_unit(s, cls))]
    return plain_slots == [slot] and any(
        s.kind in (RangeKind.ENTITY, RangeKind.OBJECT) for s in cls.slots
    )


def remaining_words(text: str, within: Span, spans: Sequence[Span]) -> Span | None:
    """The first words of an item that no entity or number has: `2 cups chopped onion` leaves
    `chopped`.
    """
    edges = [within.start, *(at for span in spans for at in (span.start, span.end)), within.end]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        match = LEFT.search(text, start, end) if start < end else None
        if match and match[0].casefold() not in SMALL and len(match[0]) > 2:
            return Span(*match.span())
    return None


def enum_values_in(text: str, enum: EnumDefinition, within: Span) -> Iterator[tuple[str, Span]]:
    """The values of an enum whose name or alias occurs in the text as words, with their place."""
    for value in enum.values:
        for name in (value.name, *value.aliases):
            words = re.escape(name.replace("_", " ")).replace(r"\ ", r"[\s_-]+")
            match = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE).search(
                text, within.start, within.end
            )
            if match and len(name) > 2:
                yield value.name, Span(*match.span())
                break
