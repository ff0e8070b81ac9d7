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
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.literature.index.statistics import CorpusStatistics, Pair
from core.literature.index.tokens import (
    APOSTROPHES,
    ASKING_WORDS,
    STOP_WORDS,
    asked_units,
    fold_token,
    symbol_parts,
    text_units,
)
from core.literature.query.keyword import Keyword
from core.literature.query.named_thing import NamedThing

COHESION, SUPPORT = 0.05, 2
LONGEST_PHRASE = 3  # words
ASKING = 0.3
_WORD = re.compile(rf"\w+(?:(?:[-‐‑–/{APOSTROPHES}]|\^[-−–+]?)\w+)*[+]*")  # also 10^-6
_POSSESSIVE = re.compile(rf"\A[{APOSTROPHES}][sS]\b")  # of a thing that was named before


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
    beside: Mapping[str, int] = field(default_factory=dict)

    def share(self, unit: str) -> float:
        """What a unit's weight is multiplied with."""
        together = max(1, self.beside.get(unit, len(self.units)))
        return float(together**-0.5) * (ASKING if unit in self.weak else 1.0)

    @property
    def only_asks(self) -> bool:
        """Whether it says what is asked for, and nothing of what about."""
        return bool(self.weak) and self.weak >= set(self.units)


def content_words(text: str) -> list[str]:
    """The words of a question that say something, as written, in order."""
    return [
        word
        for word in _WORD.findall(text)
        if fold_token(word) not in STOP_WORDS and text_units(word)
    ]


def neighbouring_units(text: str) -> list[Pair]:
    """Pairs of consecutive units of a question."""
    units = text_units(text)
    return list(dict.fromkeys(pairwise(units)))


def extract_keywords(
    text: str, statistics: CorpusStatistics, named_things: Sequence[NamedThing] = ()
) -> tuple[Keyword, ...]:
    """Keywords by rules: what vocabularies know is named, and the other words that say something,
    joined where the corpus has them together. Each once, in the order of the text.
    """
    keywords: list[Keyword] = []
    start = 0
    for thing in sorted(named_things, key=lambda thing: thing.span.start):
        if thing.span.start >= start:
            keywords += _phrases(text[start : thing.span.start], statistics)
            keywords.append(Keyword(thing.keyword, by_rules=True, kind=thing.kind))
            start = thing.span.end
    keywords += _phrases(text[start:], statistics)
    distinct = {keyword.text.casefold(): keyword for keyword in reversed(keywords)}
    return tuple(reversed(distinct.values()))


def _phrases(text: str, statistics: CorpusStatistics) -> list[Keyword]:
    """The words of a stretch of a question that say something; neighbours that the corpus has
    together often enough are one phrase of at most LONGEST_PHRASE words.
    """
    phrases: list[list[str]] = []
    end = 0
    text = _POSSESSIVE.sub("", text)
    for match in _WORD.finditer(text):
        word = match[0]
        if fold_token(word) in STOP_WORDS or not text_units(word):
            continue
        joined = bool(phrases) and not text[end : match.start()].strip()
        end = match.end()
        joined = joined and len(phrases[-1]) < LONGEST_PHRASE
        if joined and _cohere(phrases[-1][-1], word, statistics):
            phrases[-1].append(word)
        else:
            phrases.append([word])
    return [Keyword(" ".join(phrase), by_rules=True) for phrase in phrases]


def _cohere(before: str, after: str, statistics: CorpusStatistics) -> bool:
    """Whether two words belong together: the second follows the first in at least COHESION of the
    chunks that hold the rarer, and in SUPPORT of them; in one, where both are written with capitals
    (`Liverpool Elbow`). Symbols and words that ask are no part of a phrase, for a chunk or two say
    nothing of them.
    """
    units_before, second = text_units(before), text_units(after)
    if not units_before or not second or _stands_alone(before) or _stands_alone(after):
        return False
    together = statistics.pairs.get((units_before[-1], second[0]), 0.0)
    least = 1 if before.istitle() and after.istitle() else SUPPORT
    return together >= least and _follows(units_before[-1], second[0], statistics)


def _stands_alone(word: str) -> bool:
    symbol = any(map(str.isdigit, word)) or any(map(str.isupper, word[1:]))
    return symbol or ASKING_WORDS.issuperset(text_units(word))


def runs_of(text: str, statistics: CorpusStatistics) -> dict[str, int]:
    """Unit of a question → how many units stand in a row with it of which each follows the one
    before in the corpus as well, words without a meaning of their own left out.
    """
    runs: list[list[str]] = []
    for word in content_words(text):
        units = text_units(word)
        if runs and _follows(runs[-1][-1], units[0], statistics):
            runs[-1] += asked_units(word) or units
        else:
            runs.append(list(asked_units(word) or units))
    return {unit: len(set(run)) for run in reversed(runs) for unit in run}


def _follows(unit_before: str, second: str, statistics: CorpusStatistics) -> bool:
    rarer = min(statistics.spread.get(unit_before, 0), statistics.spread.get(second, 0))
    return rarer > 0 and statistics.pairs.get((unit_before, second), 0.0) / rarer >= COHESION


def concepts(  # noqa: PLR0917
    text: str,
    chosen_keywords: Sequence[Keyword],
    phrases: Sequence[Keyword],
    statistics: CorpusStatistics,
    more: Mapping[str, Sequence[str]] | None = None,
) -> list[Concept]:
    """The keywords of a question as concepts: those that were `chosen_keywords`, else the `phrases`
    that rules found; words of the question outside named keywords count for the score alone.

    `more`: other names of a keyword, by its text case-folded. A unit belongs to the first concept
    that has it.
    """
    runs = runs_of(text, statistics)
    by_rules = [replace(_concept(keyword, not chosen_keywords), beside=runs) for keyword in phrases]
    used_units: set[str] = set()
    distinct = []
    for concept in [*map(_concept, chosen_keywords), *by_rules]:
        fresh = tuple(dict.fromkeys(unit for unit in concept.units if unit not in used_units))
        used_units.update(fresh)
        if fresh:
            others = (more or {}).get(concept.keyword.text.casefold(), ())
            distinct.append(_with_names(replace(concept, units=fresh), others))
    return [*distinct, *_partial([*chosen_keywords, *phrases], used_units, statistics)]


def _concept(keyword: Keyword, counted: bool = True) -> Concept:
    keyword_units = tuple(asked_units(keyword.text)) or tuple(fold_token(keyword.text).split())
    weak = (
        ASKING_WORDS.intersection(keyword_units)
        if keyword.by_rules and not keyword.fixed
        else frozenset()
    )
    row = tuple(text_units(keyword.text)) or keyword_units
    return Concept(keyword, keyword_units, row, counted=counted, weak=weak)


def _partial(
    keywords: Sequence[Keyword], used_units: set[str], statistics: CorpusStatistics
) -> Iterator[Concept]:
    """Pieces of the symbols that the corpus holds: `SARS-CoV` says something of SARS-CoV-2."""
    for keyword in keywords:
        for symbol, rows in symbol_parts(keyword.text):
            if statistics.spread.get(symbol, 0):
                for unit in rows[0] if rows else ():
                    if unit not in used_units and (unit.isdigit() or len(unit) > 1):
                        used_units.add(unit)
                        piece = frozenset((unit,))
                        yield Concept(
                            Keyword(unit), (unit,), (unit,), counted=False, weak=piece, partial=True
                        )


def _with_names(concept: Concept, more: Sequence[str]) -> Concept:
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
