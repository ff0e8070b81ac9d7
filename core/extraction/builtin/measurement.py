"""Measurements in sentences: a quantity with a unit, and the variable that the words before it give
it to ("a temperature of 66 °C and 68 °C"). A number, a date or a place alone is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.extraction.quantity import Quantity, find_quantities
from core.model import Span
from core.schema.definition import ClassDefinition, RangeKind, Slot

# Between a variable and its quantity: "of", "was about", " (", ": "
_OF = re.compile(
    r"(?:\s\([^()]{1,15}\))?(?:\s(?:in|at|of)\s(?:the\s)?[\w-]+)?\s?"  # " (SD) in the controls"
    r"(?:(?:of|was|were|is|are|reached|averaged|measured|exceeded|at|=|:|\()\s?)+"
    r"(?:(?:about|around|approximately|ca\.?|only|up to|nearly|on average)\s)?",
    re.IGNORECASE,
)
_AND = re.compile(r"\s?(?:,|and|or|to|,\sand)\s")  # between two quantities of one variable
_WITHOUT_UNIT = re.compile(r"ph\b", re.IGNORECASE)  # the one variable that is measured in no unit
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def measured_slots(cls: ClassDefinition) -> tuple[Slot, Slot] | None:
    """The slots of a class for what is measured and for the number; None for a class that is no
    measurement.
    """
    number = next((slot for slot in cls.slots if slot.unit_slot), None)
    things = [
        slot
        for slot in cls.slots
        if slot.kind is RangeKind.ENTITY and number and slot.name != number.unit_slot
    ]
    return (things[0], number) if number and len(things) == 1 and things[0].required else None


def measurements(
    text: str, sentence: Span, variables: Sequence[Span]
) -> Iterator[tuple[Span, Quantity]]:
    """Each quantity of a sentence with the variable that has it, in text order; `variables` are
    where the sentence names what can be measured.
    """
    before: tuple[Span, Quantity] | None = None
    for quantity in find_quantities(text, sentence):
        joint = text[before[1].span.end : quantity.span.start] if before else ""
        variable = _variable_before(text, quantity, variables)
        if variable is None and before and _AND.fullmatch(joint) and _alike(before[1], quantity):
            variable = before[0]
        before = (variable, quantity) if variable else None
        has_unit = quantity.unit or (variable and _WITHOUT_UNIT.match(variable.quote(text)))
        if variable and has_unit and _NUMBER.fullmatch(quantity.value):
            yield variable, quantity


def _alike(quantity: Quantity, other: Quantity) -> bool:
    """Whether two quantities may be of one variable: "50 m and 4 °C" are not."""
    return not quantity.ucum or quantity.ucum == other.ucum


def _variable_before(text: str, quantity: Quantity, variables: Sequence[Span]) -> Span | None:
    near = max((v for v in variables if v.end <= quantity.span.start), key=_end, default=None)
    if near is None:
        return None
    between = text[near.end : quantity.span.start]
    is_joined = _OF.fullmatch(between) or (
        between == " " and _WITHOUT_UNIT.match(near.quote(text))  # "pH 5.6"
    )
    return near if is_joined else None


def _end(span: Span) -> int:
    return span.end
