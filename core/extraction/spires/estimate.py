"""What a SPIRES run will take, before it starts: how many values its lists may have is read off the
text.
"""

from __future__ import annotations

import re

from core.extraction.engine import Estimate, Limits, estimate_tokens
from core.extraction.spires.prompt import asked_slots, prompt
from core.schema.definition import RangeKind, Schema, Slot
from core.text.sentence import split_sentences

COMMA = re.compile(r"[,;]\s|\n|\band\b")
ANSWER = 60  # tokens of an answer, about
NESTED = 2  # values of a list inside a list


def estimate(schema: Schema, cls: str, text: str, limits: Limits) -> Estimate:
    """Each list has one value at the least, as a rule one for each of its share of the sentences,
    and at the most one for every comma. Never above the limits.
    """
    lists = sum(slot.multivalued for slot in nested_slots(schema, cls)) or 1
    pieces = len(split_sentences(text))
    least, _ = estimate_below(schema, cls, limits, 1, 1)
    most, _ = estimate_below(schema, cls, limits, pieces + len(COMMA.findall(text)), NESTED + 1)
    calls, tokens = estimate_below(schema, cls, limits, max(pieces // lists, 1), NESTED)
    tokens += estimate_tokens(text) * 2
    return Estimate(
        *(min(calls, limits.calls), min(tokens, limits.tokens)),
        *(min(n, limits.calls) for n in (least, most)),
    )


def estimate_below(
    schema: Schema, cls: str, limits: Limits, values: int, nested: int, depth: int = 0
) -> tuple[int, int]:
    """Calls and tokens of a question with all that it leads to; `values` in a list of the root,
    `nested` further in.
    """
    calls, tokens = 1, estimate_tokens(prompt(schema, cls, "")) + ANSWER
    for slot in nested_slots(schema, cls) if depth < min(limits.depth, 3) else ():
        more, size = estimate_below(schema, slot.range, limits, values, nested, depth + 1)
        many = (nested if depth else values) if slot.multivalued else 1
        calls, tokens = calls + many * more, tokens + many * size
    return calls, tokens


def nested_slots(schema: Schema, cls: str) -> list[Slot]:
    """The slots whose values are questions of their own."""
    slots = asked_slots(schema.classes[cls])
    return [
        s for s in slots if s.kind is RangeKind.OBJECT and s.recurse and s.range in schema.classes
    ]
