"""Typing errors: a word that no chunk holds is replaced by the nearest word that some chunk does.

A question word is taken only for one with the same letters (`wich`, `waht`).

Near: one slip (a letter more, less, other, or two swapped), two from nine letters on. Of several
near words one with the same letters (swapped, doubled) is taken first, then the one whose chunks
hold most of the question's other words, then the same first letter, then the commoner. A word with
digits is only taken for one with the same digits.

A word that may be a word of its own is left as typed and its nearest word offered ("bake" for
"base", "paris" for "pairs"): taken is a word that stands beside a fifth of the question's other
words, one of six letters or more with the same letters (metfromin), or one of seven; but a word
made of one that chunks hold is its own ("treatable" is not "testable", as chunks hold "treat").

A symbol that no chunk holds is left as typed too, for another symbol is not its spelling. That is
what has three letters or fewer, a Greek letter or a + after it, or begins with capitals that the
nearest word does not begin with (NETosis, ketosis); and what has digits, or capitals in five
letters, unless a chunk holds the nearest word beside a fifth of the question's other words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.literature.index.reader import ChunkIndex
from core.literature.index.statistics import CorpusStatistics, add_up, measure_index
from core.literature.index.tokens import (
    GREEK_NAMES,
    STOP_WORDS,
    plain_parts,
    text_units,
    units_of_group,
    word_groups,
)

SHORTEST, SAME_LETTERS, TAKEN, LONG = 3, 6, 7, 9  # letters
SYMBOL = 5  # letters that a symbol in capitals has, at most
# of the idf of a question's other words, beside which a nearest word is taken
SHARE = 0.2
QUESTION_WORDS = tuple(sorted(word for word in STOP_WORDS if len(word) > SHORTEST))  # wich: which
_RUN = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_ENDING = re.compile(r"(?<=\w{4})(?:able|ible|less|ness)\Z")  # of a word made from another


@dataclass(frozen=True, slots=True)
class SpellingRepair:
    """`word` as typed (folded) and what is searched for instead; `offered` only, when it may be a
    symbol or a word of its own.
    """

    word: str
    instead: str
    offered: bool = False


def suggested_spellings(text: str, parts: Sequence[ChunkIndex]) -> list[SpellingRepair]:
    """What is near each word of `text` that the corpus does not hold, taken or offered."""
    unknown = [
        word
        for word in dict.fromkeys(_words(text))
        if len(word) >= SHORTEST and not _is_in_corpus(word, parts)
    ]
    if not unknown:
        return []
    context = _Context(
        [unit for unit in text_units(text) if not unit.isdigit() and _spread(unit, parts)], parts
    )
    suggestions = [
        (word, suggestion) for word in unknown if (suggestion := nearest_word(word, parts, context))
    ]
    sure_symbols, doubtful = _worded(text, _is_symbol), _worded(text, _may_be_symbol)
    begun_by_symbol = _worded(text, _begins_with_symbol)

    def is_offered(word: str, instead: str) -> bool:
        if word in sure_symbols or (word in begun_by_symbol and word[0] != instead[0]):
            return True
        if _is_made_of_known(word, parts):
            return True
        if word in doubtful:
            return not context.goes_with(_unit(instead))
        return not _is_taken(word, instead, context)

    return [
        SpellingRepair(word, suggestion, is_offered(word, suggestion))
        for word, suggestion in suggestions
    ]


def _is_taken(word: str, instead: str, context: _Context) -> bool:
    if instead in QUESTION_WORDS:
        return True
    same_letters = sorted(word) == sorted(instead)
    alone = len(instead) >= (SAME_LETTERS if same_letters else TAKEN)
    return alone or context.goes_with(_unit(instead))


def _worded(text: str, is_so: Callable[[str, str], bool]) -> set[str]:
    """The words, folded, of those runs of letters that are so; the sign after a run is given
    too.
    """
    runs = ((match[0], text[match.end() : match.end() + 1]) for match in _RUN.finditer(text))
    return {word for run, after in runs if is_so(run, after) for word in _words(run)}


def _is_symbol(run: str, after: str) -> bool:
    return (
        len(run) <= SHORTEST or after == "+" or any(letter in GREEK_NAMES for letter in run.lower())
    )


def _may_be_symbol(run: str, after: str) -> bool:
    return any(map(str.isdigit, run)) or (len(run) <= SYMBOL and sum(map(str.isupper, run)) > 1)


def _begins_with_symbol(run: str, after: str) -> bool:
    return run[:2].isupper() and not run.isupper()  # NETosis, whose NET is no misspelt "ket"


def _words(text: str) -> list[str]:
    """Plain words, and words of letters and digits whole (trim8), folded."""
    plain_words: list[str] = []
    for group in word_groups(text):
        for run in _RUN.findall(group):
            mixed = run.isalnum() and not run.isalpha() and not run.isdigit()
            plain_words += [run] if mixed else plain_parts(run)
    return [word for word in plain_words if not word.isdigit()]


def _spread(unit: str, parts: Sequence[ChunkIndex]) -> int:
    return sum(part.spread(part.unit(unit)) for part in parts)


def _unit(word: str) -> str:
    """The unit of a whole word: its stem, or letters and digits joined."""
    return (units_of_group(word) or ("",))[-1]


def _is_in_corpus(word: str, parts: Sequence[ChunkIndex]) -> bool:
    return _spread(_unit(word), parts) > 0


def _is_made_of_known(word: str, parts: Sequence[ChunkIndex]) -> bool:
    base = _ENDING.sub("", word)
    return base != word and any(_is_in_corpus(form, parts) for form in (base, f"{base}e"))


def nearest_word(word: str, parts: Sequence[ChunkIndex], context: _Context | None = None) -> str:
    """The corpus's word nearest to `word`, or ""."""
    most = 2 if len(word) >= LONG else 1
    fits: dict[str, tuple[float, int, float, int, int, str]] = {}
    asking = [name for name in QUESTION_WORDS if set(name) == set(word)]
    for names in (*(part.vocabulary for part in parts), asking):
        for name, distance, _ in process.extract(
            word,
            names,
            scorer=OSA.distance,
            score_cutoff=most,
            limit=None,
            processor=None,
        ):
            if (
                name in fits
                or _DIGITS.findall(name) != _DIGITS.findall(word)
                or len(name) < SHORTEST
            ):
                continue
            fit = context.fit(_unit(name)) if context else 0.0
            other_letters = int(set(name) != set(word))
            fits[name] = (
                distance,
                other_letters,
                -fit,
                int(name[0] != word[0]),
                -_spread(_unit(name), parts),
                name,
            )
    return min(fits.values(), default=(0.0, 0, 0.0, 0, 0, ""))[5]


class _Context:
    """How well a word goes with the other words of a question: their idf in the best chunk that
    holds it.
    """

    def __init__(self, known_units: Sequence[str], parts: Sequence[ChunkIndex]):
        self.parts = parts
        statistics: CorpusStatistics = add_up(
            measure_index(part, set(known_units)) for part in parts
        )
        self.whole = sum(statistics.idf(unit) for unit in dict.fromkeys(known_units))
        self.weights = []
        for part in parts:
            weights = np.zeros(len(part), dtype=np.float32)
            for unit in dict.fromkeys(known_units):
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

    def goes_with(self, unit: str) -> bool:
        return 0 < self.whole * SHARE <= self.fit(unit)
