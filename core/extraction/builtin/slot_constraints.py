"""Which mentions may fill a list of the thing that a text is about, where a sentence says more than
a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.extraction.builtin.outline import title_line
from core.model import Span
from core.schema.definition import ClassDefinition, Slot
from core.text.sentence import sentence_at

_KIND_OF = re.compile(
    r"\b(?:is|are|was|were|as|being)\s+(?:also\s+)?(?:an?|the|one of"
    r" (?:the|several|many))\s(?:[\w-]+\s){0,6}$"
    r"|\b(?:form|type|kind|subtype|group|class|variant|example)s?"
    r" of\s(?:the\s|an?\s)?(?:[\w-]+\s){0,4}$"
    r"|\b(?:belongs? to|member of)\s(?:the\s)?(?:[\w-]+\s){0,4}$",
    re.IGNORECASE,
)
_WARNING = re.compile(
    r"\bcontra-?indicat|\b(?:must|should|may|can) ?not be (?:given|used|taken)\b|\bnot"
    r" recommended\b"
    r"|\bavoid(?:ed|ing)?\b|\b(?:must|should) not (?:take|receive|use)\b",
    re.IGNORECASE,
)
_WARNS = re.compile(r"contra-?indicat|must not|avoid", re.IGNORECASE)


def fitting_mentions(
    text: str, cls: ClassDefinition, slot: Slot, spans: Sequence[Span]
) -> tuple[Span, ...]:
    """The mentions of one thing, of `spans`, that may fill a slot of the object that the whole text
    is about.

    Nothing is a part or a kind of itself; a group is named by "is a" or "a type of"; what must not
    be given goes to the slot for it, where the class has one.
    """
    if cls.is_entity and title_line(text) in spans:
        return ()
    if slot.uri.endswith("subClassOf"):
        return tuple(
            span
            for span in spans
            if _KIND_OF.search(text[sentence_at(text, span).start : span.start])
        )
    if any(is_warning_slot(one) for one in cls.slots if one.range == slot.range):
        return tuple(span for span in spans if _warned(text, span) == is_warning_slot(slot))
    return tuple(spans)


def _warned(text: str, span: Span) -> bool:
    return bool(_WARNING.search(sentence_at(text, span).quote(text)))


def is_warning_slot(slot: Slot) -> bool:
    """Whether a slot is for what must not be given or done."""
    return bool(_WARNS.search(f"{slot.name} {slot.uri}") or _WARNS.search(slot.description))
