"""The names of several vocabularies in one text, found together: runs of words that no name can be
are told apart by one look at a filter of all vocabularies, and what words name is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.grounding.index.lexicon import Lexicon
from core.grounding.index.name_filter import may_be_named, merge_filters
from core.grounding.index.name_lookup import NameHit
from core.grounding.match import normalise
from core.grounding.match.acceptance import acceptable
from core.grounding.match.word_forms import STOP
from core.grounding.recognise.text_words import Place, TextWords, possessive_ending
from core.grounding.recognise.word_runs import WordRunArrays, WordRuns

SOLID = 5  # words that the vocabulary may write together: "IL 6" for IL-6
_MOST_KEPT = 100_000  # runs of words, as texts write them, whose names are remembered
_MOST_SETS = 16  # of vocabularies that are searched together

# What tells no names apart that differ in nothing else: "CD4(+) T cell" and "CD4+ T cell"
_LIGHT_SIGNS = re.compile(r"[\s()\[\]{}\-–—‐‑]+")
_STOPS = frozenset(".,;:?! ")
# "Wilson disease, an autosomal recessive disorder": what is said of a thing is not in its name
_APPOSITION = re.compile(r"[,;:(–—]\s*an?\s", re.IGNORECASE)
_GOES_ON = re.compile(r"\s+[^\W\dA-Z_]|[,;:)\]]")  # a sentence, behind a stop

Names = tuple[tuple[Lexicon, NameHit], ...]  # of some words, by vocabulary
_Edges = tuple[str, str]  # the signs before the first word of a name, and behind its last
_Met = tuple[Names, tuple[_Edges, ...]]  # the names of some words, and what edges these have


class NameFinder:
    """Finds the names of its vocabularies. Shared by threads: what it remembers never changes."""

    def __init__(self, lexicons: Sequence[Lexicon]):
        self.lexicons = tuple(lexicons)
        self._filters = {
            column: merge_filters([lexicon.filter(column) for lexicon in lexicons])
            for column in ("solid", "stem")
        }
        self._meant: dict[str, _Met] = {}
        self._named: dict[str, Names] = {}

    def places(self, words: TextWords, section: tuple[int, int]) -> list[tuple[Place, Names]]:
        """Where a section of a text writes a name that a careful reader takes it for, and all names
        that it may be there. Places may overlap.
        """
        begin, end = section
        runs = WordRuns(
            words.folded[begin:end],
            words.joined[begin:end],
            words.linked[begin:end],
            words.spaced[begin:end],
        )
        met_by_surface = self._meant
        text, starts, ends = words.text, words.starts, words.ends
        written: dict[tuple[int, int], str] = {}
        new: dict[str, _NewRun] = {}
        for column, runs_of_column in (("solid", runs.solid()), ("stem", runs.bags())):
            for first, last, key in self._possible(begin, runs_of_column, column):
                surface = written[first, last] = text[starts[first] : ends[last]]
                if surface not in met_by_surface:
                    if surface not in new:
                        folded = words.folded[first : last + 1]
                        bare = words.text[slice(*words.place(first, last))]
                        divided = not all(words.joined[first + 1 : last + 1])
                        new[surface] = _NewRun(folded, bare, divided, {})
                    new[surface].keys[column] = key
        if len(met_by_surface) + len(new) > _MOST_KEPT:  # another thread may still read the old
            met_by_surface = {
                surface: met_by_surface[surface]
                for surface in written.values()
                if surface in met_by_surface
            }
            self._meant = met_by_surface
        if new:
            met_by_surface.update(self._looked_up(new))
        return [
            (place, names)
            for run, surface in written.items()
            if (names := (met := met_by_surface[surface])[0])
            for place in _with_signs(text, words.place(*run), met[1])
        ]

    def names_of(self, normal: str) -> Names:
        """The names whose folded words are `normal` (see normalise.name_key)."""
        names = self._named.get(normal)
        if names is None:
            names = tuple(
                (lexicon, hit) for lexicon in self.lexicons for hit in lexicon.names(normal)
            )
            if len(self._named) < _MOST_KEPT:
                self._named[normal] = names
        return names

    def _possible(
        self, begin: int, runs: WordRunArrays, column: str
    ) -> Iterator[tuple[int, int, int]]:
        """The runs, as first word, last word and number, that may be names of some vocabulary.

        What gets through the filter of all is looked up in that of each: many names set most of
        the bits of the one.
        """
        import numpy as np

        through = may_be_named(self._filters[column], runs.key)
        if len(self.lexicons) > 1:
            keys, known = runs.key[through], np.zeros(len(through), dtype=bool)
            for lexicon in self.lexicons:
                known[may_be_named(lexicon.filter(column), keys)] = True
            through = through[known]
        first, last = runs.first[through] + begin, runs.last[through] + begin
        return zip(first.tolist(), last.tolist(), runs.key[through].tolist(), strict=True)

    def _looked_up(self, new: Mapping[str, _NewRun]) -> Mapping[str, _Met]:
        """What words name that are met for the first time."""
        names: dict[str, list[tuple[Lexicon, NameHit]]] = {surface: [] for surface in new}
        for lexicon in self.lexicons:
            for column, meets in (("solid", _as_solid), ("stem", _as_bag)):
                for surface, run in self._known_to(lexicon, column, new):
                    for hit in lexicon.met(column, run.keys[column], run.folded):
                        how = meets(run, hit.text)
                        if how and acceptable(run.bare, hit, how):
                            names[surface].append((lexicon, hit))
        return {surface: (tuple(hits), _edges_of(hits)) for surface, hits in names.items()}

    def _known_to(
        self, lexicon: Lexicon, column: str, new: Mapping[str, _NewRun]
    ) -> Sequence[tuple[str, _NewRun]]:
        """The runs whose number in a column one vocabulary may have."""
        runs = [(surface, run) for surface, run in new.items() if column in run.keys]
        if len(self.lexicons) == 1 or not runs:
            return runs  # the filter of all was that of the one
        import numpy as np

        keys = np.array([run.keys[column] for _, run in runs], dtype="i8")
        return [runs[place] for place in may_be_named(lexicon.filter(column), keys)]


class _NewRun(NamedTuple):
    """A run of words that is met for the first time: folded, as written without a possessive
    ending, whether signs stand in it that mostly divide names, and its number in each column that
    may have it.
    """

    folded: tuple[str, ...]
    bare: str
    divided: bool
    keys: dict[str, int]


@lru_cache(maxsize=_MOST_SETS)
def name_finder(lexicons: tuple[Lexicon, ...]) -> NameFinder:
    """The finder of these vocabularies, with what it remembers."""
    return NameFinder(lexicons)


def _as_solid(run: _NewRun, name: str) -> str:
    """How words are met by a name of the same number of letters: `ordered`, `solid`, or not at
    all.
    """
    if name.casefold() == run.bare.casefold():
        return "ordered"
    if run.divided and _telling_signs(name) != _telling_signs(run.bare):
        return ""  # "of type 1. Diabetes" names no type of it
    own, words = normalise.name_words(name), run.folded
    if own == words:
        return "ordered"
    return "solid" if "".join(own) == "".join(words) and may_be_one_word(words) else ""


def _telling_signs(text: str) -> list[str]:
    """What stands between the words of a text, without what only spells a name otherwise."""
    return [_LIGHT_SIGNS.sub("", signs) for signs in normalise.cut_at_words(text)[2:-1:2]]


def _edges_of(hits: Sequence[tuple[Lexicon, NameHit]]) -> tuple[_Edges, ...]:
    """The signs that names have before their first word and behind their last: "(+)-" and ""."""
    edges = set()
    for text in {hit.text for _, hit in hits}:
        if not (text[0].isalnum() and text[-2:].isalnum()):
            cut = normalise.cut_at_words(text)
            edges.add((cut[0], possessive_ending(cut[-2]) + cut[-1] if len(cut) > 1 else ""))
    return tuple(sorted(edges - {("", "")}))


def _with_signs(text: str, place: Place, edges: Sequence[_Edges]) -> Iterator[Place]:
    """A place, and those that take in the signs around it that a name has: "Ca2+", "(+)-pinene"."""
    yield place
    start, end = place
    for before, behind in edges:
        begun, ended = start - len(before), end + len(behind)
        if begun < 0 or not text.startswith(before, begun) or not text.startswith(behind, end):
            continue
        if behind and _STOPS.issuperset(behind) and not _GOES_ON.match(text, ended):
            continue  # the stop is the sentence's
        yield begun, ended


def _as_bag(run: _NewRun, name: str) -> str:
    """Whether they are met by a name of the same number of stems: `bag`, or not at all."""
    if _APPOSITION.search(run.bare):
        return ""
    own, words = normalise.name_words(name), run.folded
    if _joins_two_things(words) and not _joins_two_things(own):
        return ""  # "bladder cancer and skin lesions" names no skin cancer
    same = normalise.bag_of_words(own) == normalise.bag_of_words(words)
    return "bag" if own != words and same else ""


def _joins_two_things(words: Sequence[str]) -> bool:
    return "and" in words or "or" in words


def may_be_one_word(words: Sequence[str]) -> bool:
    """Whether a vocabulary may write these words together."""
    return (
        len(words) <= SOLID
        and sum(map(len, words)) > 3
        and STOP.isdisjoint((words[0], words[-1]))  # "arrest in" is no arrestin
        and any(len(word) <= 2 or not word.isalpha() for word in words)
    )
