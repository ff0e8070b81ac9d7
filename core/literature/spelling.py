"""Typing errors: a word that no chunk holds is replaced by the nearest word that some chunk does.

Nearest: the smallest Damerau–Levenshtein distance (one slip; two from nine letters on), the same first letter first,
then the more common word. Words of fewer than four letters and words with digits other than by one letter slip are
left alone: another gene symbol is not a spelling.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.literature.index import Index
from core.literature.words import plain_words, units_of_group

SHORTEST, LONG = 4, 9


@dataclass(frozen=True, slots=True)
class Repair:
    """`word` as typed (folded) and what is looked for instead."""

    word: str
    instead: str


def repairs(text: str, parts: Sequence[Index]) -> list[Repair]:
    """A repair for every word of `text` that the corpus does not hold and that has a near neighbour."""
    found = []
    for word in dict.fromkeys(plain_words(text)):
        if len(word) >= SHORTEST and word.isalpha() and not _held(word, parts):
            instead = nearest(word, parts)
            if instead:
                found.append(Repair(word, instead))
    return found


def _held(word: str, parts: Iterable[Index]) -> bool:
    units = units_of_group(word)
    return any(part.unit(unit) >= 0 for part in parts for unit in units)


def nearest(word: str, parts: Sequence[Index]) -> str:
    """The corpus's word nearest to `word`, or ""."""
    most = 2 if len(word) >= LONG else 1
    found: dict[str, tuple[float, int, int, str]] = {}
    for part in parts:
        names = part.vocabulary
        for name, distance, _ in process.extract(
            word, names, scorer=OSA.distance, score_cutoff=most, limit=50, processor=None
        ):
            common = max((part.spread(part.unit(unit)) for unit in units_of_group(name)), default=0)
            known = found.get(name)
            common += -known[2] if known else 0
            found[name] = (distance, int(name[0] != word[0]), -common, name)
    return min(found.values(), default=(0.0, 0, 0, ""))[3]
