"""From a question to concepts: words that belong together in this corpus are weighed as one.

Consecutive words are one concept when the second follows the first in at least COHESION of the chunks that hold the
rarer of the two ("renal failure"). A concept of n units weighs 1/√n of each, so that a long name of one thing does not
outvote the short name of another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.literature.keyword import Keyword, Question, usable
from core.literature.statistics import Pair, Statistics
from core.literature.words import STOP_WORDS, fold, units

COHESION = 0.05
_WORD = re.compile(r"\w+(?:[-‐‑–'/]\w+)*[+]*")


@dataclass(frozen=True, slots=True)
class Concept:
    """A keyword and its units; `names` are the units of each synonym. `counted`: part of coverage."""

    keyword: Keyword
    units: tuple[str, ...]
    names: tuple[tuple[str, ...], ...] = ()
    counted: bool = True

    @property
    def share(self) -> float:
        """What each unit's weight is multiplied with: 1/√n."""
        return max(1, len(self.units)) ** -0.5


def content_words(text: str) -> list[str]:
    """The words of a question that say something, as written, in order."""
    return [word for word in _WORD.findall(text) if fold(word) not in STOP_WORDS and units(word)]


def neighbours(text: str) -> list[Pair]:
    """Pairs of consecutive units of a question."""
    found = units(text)
    return list(dict.fromkeys(pairwise(found)))


def extract(text: str, statistics: Statistics) -> tuple[Keyword, ...]:
    """Keywords by rules: the content words, cohesive neighbours joined. Each phrase once, in order."""
    phrases: list[list[str]] = []
    for word in content_words(text):
        if phrases and _cohere(units(phrases[-1][-1]), units(word), statistics):
            phrases[-1].append(word)
        else:
            phrases.append([word])
    found = {" ".join(phrase).casefold(): " ".join(phrase) for phrase in reversed(phrases)}
    return tuple(Keyword(words) for words in reversed(found.values()))


def _cohere(before: Sequence[str], after: Sequence[str], statistics: Statistics) -> bool:
    if not before or not after:
        return False
    rarer = min(statistics.spread.get(before[-1], 0), statistics.spread.get(after[0], 0))
    return rarer > 0 and statistics.pairs.get((before[-1], after[0]), 0.0) / rarer >= COHESION


def concepts(question: Question, statistics: Statistics) -> list[Concept]:
    """The keywords of a question as concepts; words of the question outside them count for the score alone.

    A unit belongs to the first concept that has it.
    """
    keywords = question.keywords or extract(question.text, statistics)
    found = [concept for keyword in keywords if (concept := _concept(keyword)) is not None]
    if question.keywords:
        rest = extract(question.text, statistics)
        found += [Concept(k, tuple(units(k.text)), counted=False) for k in rest]
    seen: set[str] = set()
    kept = []
    for concept in found:
        fresh = tuple(dict.fromkeys(unit for unit in concept.units if unit not in seen))
        seen.update(fresh)
        if fresh:
            kept.append(Concept(concept.keyword, fresh, concept.names, concept.counted))
    return kept


def _concept(keyword: Keyword) -> Concept | None:
    if not usable(keyword):
        words = tuple(fold(keyword.text).split())
        return Concept(keyword, words) if words else None
    names = tuple(dict.fromkeys(tuple(units(name)) for name in keyword.synonyms))
    return Concept(keyword, tuple(units(keyword.text)), tuple(name for name in names if name))
