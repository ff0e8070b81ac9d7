"""The words of a sentence around two names, as signs that learned weights count: those between
them, with their order, and those next to them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.model import Span
from core.support.reading.stance_patterns import NEGATION, NO_NEGATION

STEM = 6  # letters of a longer word that count: inhibit, inhibits and inhibition are one sign
MOST_WORDS = 12  # between two names, beyond which they are only far
PHRASE = 4  # words between two names that count as one sign too
BESIDE = 2  # words before the first and behind the second
_WORD = re.compile(r"[^\W\d_][\w]*|[-/(),;:]")
_REACH = 40  # characters beside the names
_PLACES = ("next", "second")
_PLAIN_WORD = re.compile(r"\b[a-z]{4,}\b")


def pair_words(text: str, sentence: Span, subject: Span, object_: Span) -> Iterator[str]:
    """Names of signs, the same for the same words; `>` says that the subject comes first."""
    forward = subject.start <= object_.start
    first, second = (subject, object_) if forward else (object_, subject)
    way = ">" if forward else "<"
    between = _stems(text[first.end : second.start]) if first.end < second.start else []
    if len(between) > MOST_WORDS:
        yield f"{way} far"
    else:
        yield from (f"{way} between {word}" for word in between)
        if len(between) <= PHRASE:
            yield f"{way} phrase {' '.join(between)}"
    before = text[max(sentence.start, first.start - _REACH) : first.start]
    yield from (f"{way} before {word}" for word in _stems(before)[-BESIDE:])
    behind = text[second.end : min(sentence.end, second.end + _REACH)]
    yield from (f"{way} behind {word}" for word in _stems(behind)[:BESIDE])
    words = f"{before} {text[first.end : second.start]}".casefold()
    if NEGATION.search(NO_NEGATION.sub(" ", words)):
        yield "denial near"


def words_beside(text: str, spans: Sequence[Span], role: str) -> dict[str, float]:
    """The words next to the mentions of one thing, each with the share of its mentions beside which
    it stands: "therapy" behind half of a drug's mentions.
    """
    times = Counter(sign for span in spans for sign in _signs_beside(text, span.start, span.end))
    return {f"{role} {sign}": count / len(spans) for sign, count in times.items()}


@lru_cache(maxsize=4096)
def _signs_beside(text: str, start: int, end: int) -> frozenset[str]:
    before = _stems(text[max(start - _REACH, 0) : start])[: -BESIDE - 1 : -1]
    behind = _stems(text[end : end + _REACH])[:BESIDE]
    return frozenset(
        f"{word} {place} {way}"
        for way, words in (("before", before), ("behind", behind))
        for place, word in zip(_PLACES, words, strict=False)
    )


def name_words(name: str) -> Iterator[str]:
    """The plain words of an object's name, which tell its sort: "toxicity", "infection"."""
    yield from (f"object named {word[:STEM]}" for word in _PLAIN_WORD.findall(name.casefold()))


def _stems(words: str) -> list[str]:
    return [word[:STEM] for word in _WORD.findall(words.casefold())]
