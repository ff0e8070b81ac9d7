"""From a question to concepts: words that belong together in this corpus are weighed as one.

Consecutive words are one concept when the second follows the first in at least COHESION of the
chunks that hold the rarer of the two ("renal failure"). A concept of n units weighs 1/√n of each,
so that a long name of one thing does not outvote the short name of another. In a plain question,
words that say what is asked for and not about what ("role", "mechanism") weigh ASKING of that;
keywords that a curator or a model named keep their weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.literature.index.statistics import Pair, Statistics
from core.literature.index.tokens import (
    ASKING_WORDS,
    STOP_WORDS,
    asked_units,
    fold,
    symbol_parts,
    text_units,
)
from core.literature.query.keyword import Keyword

COHESION = 0.05
ASKING = 0.3
_WORD = re.compile(r"\w+(?:[-‐‑–'/]\w+)*[+]*")


@dataclass(frozen=True, slots=True)
class Concept:
    """A keyword and the units it is asked by; `row` are its units as they stand in a text, `names`
    those of each synonym. `counted`: part of coverage. `weak`: units that weigh less. `partial`:
    pieces of a symbol, which only add to chunks that hold something that was asked for.
    """

    keyword: Keyword
    units: tuple[str, ...]
    row: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    counted: bool = True
    weak: frozenset[str] = frozenset()
    partial: bool = False

    def share(self, unit: str) -> float:
        """What a unit's weight is multiplied with."""
        return float(max(1, len(self.units)) ** -0.5) * (ASKING if unit in self.weak else 1.0)

    @property
    def only_asks(self) -> bool:
        """Whether it says what is asked for, and nothing of what about."""
        return bool(self.weak) and self.weak >= set(self.units)


def content_words(text: str) -> list[str]:
    """The words of a question that say something, as written, in order."""
    return [
        word for word in _WORD.findall(text) if fold(word) not in STOP_WORDS and text_units(word)
    ]


def neighbours(text: str) -> list[Pair]:
    """Pairs of consecutive units of a question."""
    found = text_units(text)
    return list(dict.fromkeys(pairwise(found)))


def extract(text: str, statistics: Statistics) -> tuple[Keyword, ...]:
    """Keywords by rules: the content words, cohesive neighbours joined. Each phrase once, in
    order.
    """
    phrases: list[list[str]] = []
    for word in content_words(text):
        if phrases and _cohere(text_units(phrases[-1][-1]), text_units(word), statistics):
            phrases[-1].append(word)
        else:
            phrases.append([word])
    found = {" ".join(phrase).casefold(): " ".join(phrase) for phrase in reversed(phrases)}
    return tuple(Keyword(words, by_rules=True) for words in reversed(found.values()))


def _cohere(before: Sequence[str], after: Sequence[str], statistics: Statistics) -> bool:
    if not before or not after:
        return False
    rarer = min(statistics.spread.get(before[-1], 0), statistics.spread.get(after[0], 0))
    return rarer > 0 and statistics.pairs.get((before[-1], after[0]), 0.0) / rarer >= COHESION


def concepts(
    named: Sequence[Keyword],
    phrases: Sequence[Keyword],
    statistics: Statistics,
    more: Mapping[str, Sequence[str]] | None = None,
) -> list[Concept]:
    """The keywords of a question as concepts: those that were `named`, else the `phrases` that
    rules found; words of the question outside named keywords count for the score alone.

    `more`: other names of a keyword, by its text case-folded. A unit belongs to the first concept
    that has it.
    """
    by_rules = [_concept(keyword, not named) for keyword in phrases]
    seen: set[str] = set()
    kept = []
    for concept in [*map(_concept, named), *by_rules]:
        fresh = tuple(dict.fromkeys(unit for unit in concept.units if unit not in seen))
        seen.update(fresh)
        if fresh:
            others = (more or {}).get(concept.keyword.text.casefold(), ())
            kept.append(_named(replace(concept, units=fresh), others))
    return [*kept, *_partial([*named, *phrases], seen, statistics)]


def _concept(keyword: Keyword, counted: bool = True) -> Concept:
    asked = tuple(asked_units(keyword.text)) or tuple(fold(keyword.text).split())
    weak = (
        ASKING_WORDS.intersection(asked) if keyword.by_rules and not keyword.fixed else frozenset()
    )
    row = tuple(text_units(keyword.text)) or asked
    return Concept(keyword, asked, row, counted=counted, weak=weak)


def _partial(
    keywords: Sequence[Keyword], seen: set[str], statistics: Statistics
) -> Iterator[Concept]:
    """Pieces of the symbols that the corpus holds: `SARS-CoV` says something of SARS-CoV-2."""
    for keyword in keywords:
        for whole, rows in symbol_parts(keyword.text):
            if statistics.spread.get(whole, 0):
                for unit in rows[0] if rows else ():
                    if unit not in seen and (unit.isdigit() or len(unit) > 1):
                        seen.add(unit)
                        piece = frozenset((unit,))
                        yield Concept(
                            Keyword(unit), (unit,), (unit,), (), False, weak=piece, partial=True
                        )


def _named(concept: Concept, more: Sequence[str]) -> Concept:
    """The concept with its keyword's synonyms and `more` as names, which its keyword then shows."""
    if not concept.counted:
        return concept
    synonyms = tuple(dict.fromkeys((*concept.keyword.synonyms, *more)))
    names = tuple(dict.fromkeys(tuple(text_units(name)) for name in synonyms))
    return replace(
        concept,
        keyword=replace(concept.keyword, synonyms=synonyms),
        names=tuple(n for n in names if n),
    )
