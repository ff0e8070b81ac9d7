"""The names of several vocabularies in one text, found together: runs of words that no name can be
are told apart by one look at a filter of all vocabularies, and what words name is remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from core.grounding.index.lexicon import Lexicon
from core.grounding.index.name_filter import may_be_named, merge_filters
from core.grounding.index.name_lookup import NameHit
from core.grounding.match import normalise
from core.grounding.match.acceptance import acceptable
from core.grounding.match.fingerprint import joined_fingerprint, stem_fingerprint
from core.grounding.match.word_forms import STOP
from core.grounding.recognise.text_words import Place, TextWords
from core.grounding.recognise.word_runs import BAGS, WordRunArrays, WordRuns

SOLID = 5  # words that the vocabulary may write together: "IL 6" for IL-6
_MOST_KEPT = 100_000  # runs of words, as texts write them, whose names are remembered
_MOST_SETS = 16  # of vocabularies that are searched together

Names = tuple[tuple[Lexicon, NameHit], ...]  # of some words, by vocabulary


class NameFinder:
    """Finds the names of its vocabularies. Shared by threads: what it remembers never changes."""

    def __init__(self, lexicons: Sequence[Lexicon]):
        self.lexicons = tuple(lexicons)
        self._filters = {
            column: merge_filters([lexicon.filter(column) for lexicon in lexicons])
            for column in ("solid", "stem")
        }
        self._meant: dict[str, Names] = {}
        self._named: dict[str, Names] = {}

    def places(self, words: TextWords, section: tuple[int, int]) -> Iterator[tuple[Place, Names]]:
        """Where a section of a text writes a name that a careful reader takes it for, and all names
        that it may be there. Places may overlap.
        """
        begin, end = section
        runs = WordRuns(words.folded[begin:end], words.joined[begin:end])
        written = {
            (first, last): words.written(first, last)
            for first, last in self._possible(begin, runs.solid(), runs.bags())
        }
        names_by_surface = self._meant
        new = {
            surface: place for place, surface in written.items() if surface not in names_by_surface
        }
        if (
            len(names_by_surface) + len(new) > _MOST_KEPT
        ):  # another thread may still read the old ones
            names_by_surface = {
                surface: names_by_surface[surface]
                for surface in written.values()
                if surface in names_by_surface
            }
            self._meant = names_by_surface
        if new:
            names_by_surface.update(self._looked_up(words, new))
        for place, surface in written.items():
            if names := names_by_surface[surface]:
                yield words.place(*place), names

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
        self, begin: int, solid: WordRunArrays, bags: WordRunArrays
    ) -> list[tuple[int, int]]:
        """The runs, as first and last word, that some vocabulary may have as a name."""
        places: list[tuple[int, int]] = []
        for runs, column in ((solid, "solid"), (bags, "stem")):
            through = may_be_named(self._filters[column], runs.key)
            first, last = runs.first[through] + begin, runs.last[through] + begin
            places += zip(first.tolist(), last.tolist(), strict=True)
        return places

    def _looked_up(
        self, words: TextWords, new: Mapping[str, tuple[int, int]]
    ) -> Mapping[str, Names]:
        """What words name that are met for the first time."""
        runs = [words.folded[first : last + 1] for first, last in new.values()]
        bare = [words.place(*place) for place in new.values()]
        surfaces = [words.text[start:end] for start, end in bare]
        names: list[list[tuple[Lexicon, NameHit]]] = [[] for _ in runs]
        for place, lexicon, hit, column in _hits(self.lexicons, runs):
            if acceptable(surfaces[place], hit, column):
                names[place].append((lexicon, hit))
        return dict(zip(new, map(tuple, names), strict=True))


@lru_cache(maxsize=_MOST_SETS)
def name_finder(lexicons: tuple[Lexicon, ...]) -> NameFinder:
    """The finder of these vocabularies, with what it remembers."""
    return NameFinder(lexicons)


def _hits(
    lexicons: Sequence[Lexicon], runs: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, Lexicon, NameHit, str]]:
    """The names that runs of folded words are: the place of the run, the name, and how they were
    met: `ordered`, `solid` or `bag`.
    """
    import numpy as np

    solid = np.array([joined_fingerprint(words) for words in runs], dtype="i8")
    bags = [place for place, words in enumerate(runs) if may_be_bag(words)]
    stems = np.array([stem_fingerprint(runs[place]) for place in bags], dtype="i8")
    for lexicon in lexicons:
        for place, hit in lexicon.met("solid", solid):
            own, words = normalise.name_words(hit.text), runs[place]
            if own == words:
                yield place, lexicon, hit, "ordered"
            elif "".join(own) == "".join(words) and may_be_solid(words):
                yield place, lexicon, hit, "solid"
        for number, hit in lexicon.met("stem", stems):
            own, words = normalise.name_words(hit.text), runs[bags[number]]
            if _joins_two_things(words) and not _joins_two_things(own):
                continue  # "bladder cancer and skin lesions" names no skin cancer
            if own != words and normalise.bag_of_words(own) == normalise.bag_of_words(words):
                yield bags[number], lexicon, hit, "bag"


def _joins_two_things(words: Sequence[str]) -> bool:
    return "and" in words or "or" in words


def may_be_bag(words: Sequence[str]) -> bool:
    """Whether the order of these words and the stop words among them may not matter."""
    return (
        len(words) in BAGS
        and STOP.isdisjoint((words[0], words[-1]))
        and not STOP.isdisjoint(words[1:-1])
    )


def may_be_solid(words: Sequence[str]) -> bool:
    """Whether a vocabulary may write these words together."""
    return (
        len(words) <= SOLID
        and sum(map(len, words)) > 3
        and STOP.isdisjoint((words[0], words[-1]))  # "arrest in" is no arrestin
        and any(len(word) <= 2 or not word.isalpha() for word in words)
    )
