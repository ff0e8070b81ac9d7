"""Pathways that a text names in short: "the Notch pathway" is the Notch signaling pathway of the
vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.extraction.builtin.groups import MentionGroup
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import RecognisedMention
from core.model import Category, Span
from core.text.phrases import one_of

# "Notch pathway", "TGF-beta signalling", "Hedgehog signal transduction"
_SHORT = re.compile(
    r"\b(?P<name>[A-Za-z][\w/-]*[\w](?:\s[a-zαβγ])?)\s(?:(?:signall?ing\s)?pathways?|signall?ing"
    r"|signal transduction(?:\spathway)?)\b"
)
_FULL = "{} signaling pathway"
_NO_NAMES = one_of("""
    the a an this that these its their of in and cell cellular intracellular extracellular canonical
    non-canonical downstream upstream major different diverse several hormonal other metabolic
    biological developmental inflammatory signall?ing normal new novel
""")
_NO_NAME = re.compile(_NO_NAMES, re.IGNORECASE)

Annotate = Callable[[str, dict[str, Constraint]], Sequence[RecognisedMention]]


def pathways_named_in_short(
    text: str,
    cls: str,
    constraint: Constraint,
    *,
    annotate: Annotate,
    known: Sequence[MentionGroup],
) -> list[MentionGroup]:
    """The `known` groups and those of class `cls` that the text names in short; one that is known
    gets the places of its short name.
    """
    if constraint.category is not Category.PATHWAY:
        return list(known)
    groups = {(group.cls, group.key): group for group in known}
    taken = {span for group in known if group.cls == cls for span in group.spans}
    for match in _SHORT.finditer(text):
        name, span = match["name"], Span(*match.span())
        if _NO_NAME.fullmatch(name) or any(span.overlaps(other) for other in taken):
            continue
        full = _FULL.format(name)
        for mention in annotate(full, {cls: constraint}):
            if mention.span == Span(0, len(full)):
                key = mention.candidates[0].term.id
                found = groups.get((cls, key), MentionGroup(key, cls, (), mention.candidates))
                spans = tuple(sorted({*found.spans, span}, key=lambda place: place.start))
                groups[cls, key] = replace(found, spans=spans)
    return list(groups.values())
