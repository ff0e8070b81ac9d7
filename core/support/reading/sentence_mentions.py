"""One sentence with its mentions: the words between them, and which are coordinated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.model import Span
from core.support.reading.rule_table import (
    RuleTable,
)

JOINT = re.compile(
    r"[\s()/,-]*|[\s()/,]*(?:(?:,|/|\band\b|\bor\b|\bnor\b|\bbut not\b|\bplus\b|\bas well"
    r" as\b)\s*)+(?:[\w-]+\s+)?[\s()]*"
)

# ", aortic dilation, flat feet and": one blank between two words, so that nothing is tried twice
_ITEM = (
    r"(?!(?:is|are|was|were|has|had|have|with|in|of|by|who|which|that|but|not|no|without|than|after"
    r"|while)\b)[\w-]+"
)
UNKNOWN_ITEMS = re.compile(
    rf"(?:,\s(?!(?:and|or)\s){_ITEM}(?:\s{_ITEM}){{0,3}}){{1,4}},?\s(?:and|or|as well as)\s"
)


@dataclass(frozen=True, slots=True)
class SentenceMentions:
    """One sentence of a text with the mentions that may be subjects and objects in it."""

    text: str
    sentence: Span
    subjects: Sequence[Span]
    objects: Sequence[Span]
    rules: RuleTable

    def between(self, start: int, end: int, spans: Sequence[Span]) -> list[Span]:
        return sorted(
            (s for s in spans if start <= s.start and s.end <= end), key=lambda s: s.start
        )

    def names(self, span: Span) -> list[Span]:
        """What the sentence names before a mention."""
        return self.between(self.sentence.start, span.start, (*self.subjects, *self.objects))


def lists_unknown(words: str) -> bool:
    """Whether only further items of a list stand between two names, be it in words that are no
    name here.

    >>> lists_unknown(", aortic dilation and "), lists_unknown(" died early and ")
    (True, False)
    """
    return UNKNOWN_ITEMS.fullmatch(words.casefold()) is not None


def are_coordinated(scene: SentenceMentions, start: int, end: int, spans: Sequence[Span]) -> bool:
    """Whether only commas, "and", "or" and other mentions are in between."""
    words = scene.text[start:end]
    for span in reversed(scene.between(start, end, spans)):
        words = words[: span.start - start] + " " + words[span.end - start :]
    return bool(JOINT.fullmatch(words.casefold()))
