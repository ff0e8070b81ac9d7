"""Dictionary recognition: every mention in a text of a name in some vocabularies.

The longest match wins; every occurrence is given; abbreviations that the text defines count as their long form.
Short names and symbols must be written as the vocabulary writes them, and common English words are not names unless
they are written so. Names are looked up in bulk, so that an abstract takes milliseconds over 200,000 names;
a long text goes in sections, between which it tells how far it is and can be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from core.grounding import normalise, phrase, species
from core.grounding.acceptance import acceptable
from core.grounding.constraint import Constraint
from core.grounding.lexicon import Hit, Lexicon
from core.grounding.wording import ADJECTIVES, DOUBTFUL, FORMULAS, LEARNED, STOP
from core.model import Candidate, Span

if TYPE_CHECKING:
    from core.grounding.grounder import Grounder

LONGEST = 14  # words of a name
_GLUE = re.compile(r"[^\S\n]*\n?[^\S\n]*|[-–—‐‑/:'’.*+()\[\],]{1,3}|, | ?[-–—/] ?")
_SOLID = 4  # words that may be written together in the vocabulary
_SECTION = 1500  # words that are looked up at once, at least
_POSSESSIVE = re.compile(r"['’‘`´ʼ][sS]?$")
_LEAST_LONG = 0.7  # how well the long form of an abbreviation must be met


Progress = Callable[[int, int], None]  # done, of how many in all; may raise Stopped


def unwatched(done: int, total: int) -> None:
    """The progress of work that nobody watches."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A mention: where it is, under which key of the constraints it was found, and what it may mean, best first."""

    span: Span
    key: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text: where they stand, how they fold, and which follow the one before within a phrase."""

    text: str
    spans: Sequence[tuple[int, int]]
    folded: tuple[str, ...]
    joined: Sequence[bool]

    def span(self, first: int, last: int) -> Span:
        """From the first word to the last, both included; a possessive ending stays outside."""
        start, end = self.spans[first][0], self.spans[last][1]
        ending = _POSSESSIVE.search(self.text, max(start, end - 2), end)
        return Span(start, ending.start() if ending else end)

    def sections(self) -> Iterator[tuple[int, int]]:
        """Ranges of words that no name runs over the edge of."""
        begin = 0
        for place in range(len(self.spans)):
            if place - begin >= _SECTION and not self.joined[place]:
                yield begin, place
                begin = place
        yield begin, len(self.spans)


def annotate(
    grounder: Grounder, text: str, constraints: Mapping[str, Constraint], progress: Progress = unwatched
) -> list[Annotation]:
    """Mentions in the order of the text; those of one key never overlap. Offsets are code points of `text`.

    `progress` counts characters that were read for names, and then characters whose mentions were grounded, a key at
    a time.
    """
    words = _words(text)
    short = _short_forms(text)
    lexicons = {key: [lexicon for _, lexicon in grounder.lexicons(known)] for key, known in constraints.items()}
    distinct = list(dict.fromkeys(lexicon for many in lexicons.values() for lexicon in many))
    total = len(text) * (1 + len(constraints))
    met: dict[Lexicon, list[tuple[Span, Hit]]] = {lexicon: [] for lexicon in distinct}
    for section in words.sections():
        for lexicon, span, hit in _met(distinct, words, short, section):
            met[lexicon].append((span, hit))
        progress(words.spans[section[1] - 1][1] if words.spans else 0, total)
    found = []
    for turn, (key, constraint) in enumerate(constraints.items(), 1):
        places = {span for lexicon in lexicons[key] for span, hit in met[lexicon] if _usable(hit, constraint)}
        places |= _defined(grounder, short, constraint, text)
        places |= _project(grounder, words, constraint)
        for one in _grounded(grounder, text, key, constraint, _longest(places)):
            found.append(Annotation(*one))
            progress(turn * len(text) + one[0].end, total)
    return sorted(found, key=lambda one: (one.span.start, -one.span.end, one.key))


def _words(text: str) -> _Words:
    spans = [found.span() for found in normalise.TOKEN.finditer(text)]
    folded = tuple(normalise.word(text[start:end]) for start, end in spans)
    glued = [False] + [_GLUE.fullmatch(text, before[1], after[0]) is not None for before, after in pairwise(spans)]
    return _Words(text, spans, folded, glued)


def _met(
    lexicons: Sequence[Lexicon], words: _Words, short: Mapping[str, str], section: tuple[int, int]
) -> Iterator[tuple[Lexicon, Span, Hit]]:
    """Every place in a section where a name of a vocabulary stands, with the name; places may overlap."""
    windows: dict[str, dict[int, list[tuple[int, int]]]] = {"ordered": {}, "solid": {}, "bag": {}}
    for column, first, last, number in _windows(lexicons, words, *section):
        windows[column].setdefault(number, []).append((first, last))
    meant = _in_other_words(words, short, *section)
    for lexicon in lexicons:
        for column, places in windows.items():
            for hit in lexicon.hits(column, places):
                for first, last in places[hit.number]:
                    span = words.span(first, last)
                    surface = span.quote(words.text)
                    if surface not in short and acceptable(surface, hit, column):
                        yield lexicon, span, hit
        for hit in lexicon.hits("ordered", meant):
            yield from ((lexicon, span, hit) for span in meant[hit.number])


def _in_other_words(words: _Words, short: Mapping[str, str], begin: int, end: int) -> dict[int, list[Span]]:
    """Single words that stand for a name written otherwise: formulas and learned words, by the key of the name."""
    meant: dict[int, list[Span]] = {}
    for place in range(begin, end):
        surface = words.text[slice(*words.spans[place])]
        names = [*FORMULAS.get(surface, "").split("|"), LEARNED.get(words.folded[place], "")]
        for name in filter(None, names):
            if surface not in short and surface not in DOUBTFUL:
                meant.setdefault(normalise.keys(name).ordered, []).append(words.span(place, place))
    return meant


def _windows(lexicons: Sequence[Lexicon], words: _Words, begin: int, end: int) -> Iterator[tuple[str, int, int, int]]:
    """Runs of joined words that may be names, each with the number of its key in one column."""
    folded = words.folded
    longest = _longest_names(lexicons, set(folded[begin:end]))
    stops = [word in STOP for word in folded[begin:end]]
    symbols = [len(word) <= 2 or not word.isalpha() for word in folded[begin:end]]
    for first in range(begin, end):
        most, ordered, solid, symbol = longest[folded[first]], "", "", False
        for last in range(first, min(first + max(most, _SOLID + 2), end)):
            if last > first and not words.joined[last]:
                break
            ordered = f"{ordered} {folded[last]}" if ordered else folded[last]
            solid += folded[last]
            symbol = symbol or symbols[last - begin]
            if last - first < most:
                yield "ordered", first, last, normalise.number(ordered)
            if last - first < _SOLID and symbol and len(solid) > 3:
                yield "solid", first, last, normalise.number(solid)
            inside = stops[first + 1 - begin : last - begin]
            if 2 <= last - first <= 5 and not stops[first - begin] and not stops[last - begin] and any(inside):
                yield "bag", first, last, normalise.number(" ".join(normalise.bagged(folded[first : last + 1])))
        if folded[first] in ADJECTIVES:
            yield "ordered", first, first, normalise.number(ADJECTIVES[folded[first]])


def _longest_names(lexicons: Sequence[Lexicon], words: set[str]) -> dict[str, int]:
    """Word → words of the longest name that begins with it."""
    numbers = {word: normalise.number(word) for word in words}
    known = [lexicon.starts(numbers.values()) for lexicon in lexicons]
    return {
        word: min(LONGEST, max((one.get(number, 0) for one in known), default=0)) for word, number in numbers.items()
    }


def _usable(hit: Hit, constraint: Constraint) -> bool:
    return constraint.allows(hit.replaced_by or hit.id) and not (hit.obsolete and not hit.replaced_by)


def _short_forms(text: str) -> Mapping[str, str]:
    return phrase.definitions(text)


def _defined(grounder: Grounder, short: Mapping[str, str], constraint: Constraint, text: str) -> set[Span]:
    """Occurrences of short forms whose long form is a name."""
    found: set[Span] = set()
    for form, long in short.items():
        first = next(iter(grounder.ground(long, constraint, limit=1)), None)
        if first and first.score >= _LEAST_LONG:
            places = re.finditer(rf"(?<![^\W_]){re.escape(form)}(?![^\W_])", text)
            found |= {Span(*place.span()) for place in places}
    return found


def _project(grounder: Grounder, words: _Words, constraint: Constraint) -> set[Span]:
    """Places of the project's own synonyms, where the store can list them."""
    listed = getattr(grounder.synonyms, "synonyms", None)
    if listed is None:
        return set()
    own = {one.normal for one in listed() if constraint.allows(one.term.id)}
    longest = max((name.count(" ") + 1 for name in own), default=0)
    return {
        words.span(first, last)
        for first in range(len(words.folded))
        for last in range(first, min(first + longest, len(words.folded)))
        if " ".join(words.folded[first : last + 1]) in own and all(words.joined[first + 1 : last + 1])
    }


def _longest(places: Collection[Span]) -> list[Span]:
    """The longest places, from the left, none overlapping another."""
    kept: list[Span] = []
    taken = bytearray(max((place.end for place in places), default=0))
    for span in sorted(places, key=lambda one: (one.start - one.end, one.start)):
        if 1 not in taken[span.start : span.end]:
            kept.append(span)
            taken[span.start : span.end] = b"\1" * (span.end - span.start)
    return sorted(kept, key=lambda one: one.start)


def _grounded(
    grounder: Grounder, text: str, key: str, constraint: Constraint, places: Sequence[Span]
) -> Iterator[tuple[Span, str, tuple[Candidate, ...]]]:
    """Equal words are grounded once, or once for each species that they are of."""
    known: dict[tuple[str, str], tuple[Candidate, ...]] = {}
    taxa = grounder.taxa(constraint)
    for span in places:
        words = span.quote(text)
        at = (words, grounder.species_at(text, span, constraint)[0] if taxa else "")
        if at not in known:
            known[at] = grounder.ground(words, constraint, context=text, span=span, limit=5, loose=False)
        if known[at]:
            yield span, key, known[at]


@lru_cache(maxsize=64)
def organisms(text: str, lexicons: tuple[Lexicon, ...], taxa: frozenset[str]) -> tuple[species.Place, ...]:
    """Where `text` names an organism: by a common name, or by a vocabulary's name for one of `taxa`.

    Others are left out: a virus or a kingdom named beside a gene does not say whose gene it is.
    """
    words, known = _words(text), taxa | species.LABELS.keys()
    met = {
        span: hit.id
        for section in words.sections()
        for _, span, hit in _met(lexicons, words, {}, section)
        if hit.id in known
    }
    return tuple(sorted((dict(species.named(text)) | met).items(), key=lambda place: place[0].start))
