"""Typing errors: a word that no chunk holds is replaced by the nearest word that some chunk does.

Near: one slip (a letter more, less, other, or two swapped), two from nine letters on. Of several near words one with
the same letters (swapped, doubled) is taken first, then the one whose chunks hold most of the question's other words,
then the same first letter, then the commoner. A word
with digits is only taken for one with the same digits: another gene symbol is not a spelling.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.literature.index import Index
from core.literature.statistics import Statistics, add_up, measure
from core.literature.words import groups, plain_parts, units, units_of_group

SHORTEST, LONG = 3, 9
_RUN = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Repair:
    """`word` as typed (folded) and what is looked for instead."""

    word: str
    instead: str


def repairs(text: str, parts: Sequence[Index]) -> list[Repair]:
    """A repair for every word of `text` that the corpus does not hold and that has a near neighbour."""
    unknown = [word for word in dict.fromkeys(_words(text)) if len(word) >= SHORTEST and not _held(word, parts)]
    if not unknown:
        return []
    context = _Context([unit for unit in units(text) if _spread(unit, parts)], parts)
    return [Repair(word, instead) for word in unknown if (instead := nearest(word, parts, context))]


def _words(text: str) -> list[str]:
    """Plain words, and words of letters and digits whole (trim8), folded."""
    found: list[str] = []
    for group in groups(text):
        for run in _RUN.findall(group):
            mixed = run.isalnum() and not run.isalpha() and not run.isdigit()
            found += [run] if mixed else plain_parts(run)
    return [word for word in found if not word.isdigit()]


def _spread(unit: str, parts: Sequence[Index]) -> int:
    return sum(part.spread(part.unit(unit)) for part in parts)


def _unit(word: str) -> str:
    """The unit that stands for a whole word: its stem, or letters and digits joined."""
    return (units_of_group(word) or ("",))[-1]


def _held(word: str, parts: Sequence[Index]) -> bool:
    return _spread(_unit(word), parts) > 0


def nearest(word: str, parts: Sequence[Index], context: _Context | None = None) -> str:
    """The corpus's word nearest to `word`, or ""."""
    most = 2 if len(word) >= LONG else 1
    found: dict[str, tuple[float, int, float, int, int, str]] = {}
    for part in parts:
        for name, distance, _ in process.extract(
            word, part.vocabulary, scorer=OSA.distance, score_cutoff=most, limit=None, processor=None
        ):
            if name in found or _DIGITS.findall(name) != _DIGITS.findall(word) or len(name) < SHORTEST:
                continue
            fit = context.fit(_unit(name)) if context else 0.0
            other = int(set(name) != set(word))
            found[name] = (distance, other, -fit, int(name[0] != word[0]), -_spread(_unit(name), parts), name)
    return min(found.values(), default=(0.0, 0, 0.0, 0, 0, ""))[5]


class _Context:
    """How well a word goes with the other words of a question: their idf in the best chunk that holds it."""

    def __init__(self, known: Sequence[str], parts: Sequence[Index]):
        self.parts = parts
        statistics: Statistics = add_up(measure(part, set(known)) for part in parts)
        self.weights = []
        for part in parts:
            weights = np.zeros(len(part), dtype=np.float32)
            for unit in dict.fromkeys(known):
                number = part.unit(unit)
                if number >= 0:
                    weights[part.postings(number)[0]] += statistics.idf(unit)
            self.weights.append(weights)

    def fit(self, unit: str) -> float:
        best = 0.0
        for part, weights in zip(self.parts, self.weights, strict=True):
            number = part.unit(unit)
            if number >= 0:
                best = max(best, float(weights[part.postings(number)[0]].max(initial=0.0)))
        return round(best, 3)
