"""Dictionary recognition: every mention in a text of a name in some vocabularies.

The longest match wins; every occurrence is given; abbreviations that the text defines count as their long form.
Short names and symbols must be written as the vocabulary writes them, and common English words are not names unless
they are written so. Names are looked up in bulk, so that an abstract takes milliseconds over 200,000 names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_LEAST_LONG = 0.7  # how well the long form of an abbreviation must be met


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
        quote = self.text[start:end]
        bare = re.sub(r"['’‘`´ʼ][sS]?$", "", quote)
        return Span(start, start + len(bare))


def annotate(grounder: Grounder, text: str, constraints: Mapping[str, Constraint]) -> list[Annotation]:
    """Mentions in the order of the text; those of one key never overlap. Offsets are code points of `text`."""
    words = _words(text)
    short = _short_forms(text)
    met: dict[str, list[tuple[Span, Hit]]] = {}
    found = []
    for key, constraint in constraints.items():
        places: set[Span] = set()
        for _, lexicon in grounder.lexicons(constraint):
            if lexicon.name not in met:
                met[lexicon.name] = list(_met(lexicon, words, short))
            places |= {span for span, hit in met[lexicon.name] if _usable(hit, lexicon, constraint)}
        places |= _defined(grounder, short, constraint, text)
        places |= _project(grounder, words, constraint)
        found += [Annotation(*one) for one in _grounded(grounder, text, key, constraint, _longest(places))]
    return sorted(found, key=lambda one: (one.span.start, -one.span.end, one.key))


def _words(text: str) -> _Words:
    spans = [found.span() for found in normalise.TOKEN.finditer(text)]
    folded = tuple(normalise.word(text[start:end]) for start, end in spans)
    glued = [False] + [_GLUE.fullmatch(text, before[1], after[0]) is not None for before, after in pairwise(spans)]
    return _Words(text, spans, folded, glued)


def _met(lexicon: Lexicon, words: _Words, short: Mapping[str, str]) -> Iterator[tuple[Span, Hit]]:
    """Every place where a name of the vocabulary stands, with the name; places may overlap."""
    windows: dict[str, dict[int, list[tuple[int, int]]]] = {"ordered": {}, "solid": {}, "bag": {}}
    for column, first, last, number in _windows(lexicon, words):
        windows[column].setdefault(number, []).append((first, last))
    for column, places in windows.items():
        for hit in lexicon.hits(column, places):
            for first, last in places[hit.number]:
                span = words.span(first, last)
                surface = span.quote(words.text)
                if surface not in short and acceptable(surface, hit, column):
                    yield span, hit
    yield from _in_other_words(lexicon, words, short)


def _in_other_words(lexicon: Lexicon, words: _Words, short: Mapping[str, str]) -> Iterator[tuple[Span, Hit]]:
    """Single words that stand for a name written otherwise: formulas and learned words."""
    meant: dict[int, list[Span]] = {}
    for place, (start, end) in enumerate(words.spans):
        surface = words.text[start:end]
        if surface in short or surface in DOUBTFUL:
            continue
        names = [*FORMULAS.get(surface, "").split("|"), LEARNED.get(words.folded[place], "")]
        for name in filter(None, names):
            meant.setdefault(normalise.number(normalise.key(name)), []).append(words.span(place, place))
    for hit in lexicon.hits("ordered", meant):
        yield from ((span, hit) for span in meant[hit.number])


def _windows(lexicon: Lexicon, words: _Words) -> Iterator[tuple[str, int, int, int]]:
    numbers = [normalise.number(word) for word in words.folded]
    starts = lexicon.starts(numbers)
    for first in range(len(numbers)):
        longest = min(LONGEST, starts.get(numbers[first], 0))
        for last in range(first, min(first + max(longest, _SOLID + 2), len(numbers))):
            if last > first and not words.joined[last]:
                break
            part = words.folded[first : last + 1]
            if last - first < longest:
                yield "ordered", first, last, normalise.number(" ".join(part))
            if last - first < _SOLID and _may_be_solid(part):
                yield "solid", first, last, normalise.number("".join(part))
            if (
                2 <= last - first <= 5
                and not STOP.isdisjoint(part[1:-1])
                and part[0] not in STOP
                and part[-1] not in STOP
            ):
                yield "bag", first, last, normalise.number(" ".join(normalise.bagged(part)))
        if words.folded[first] in ADJECTIVES:
            yield "ordered", first, first, normalise.number(ADJECTIVES[words.folded[first]])


def _may_be_solid(part: tuple[str, ...]) -> bool:
    """Symbols are written with and without hyphens: some word of it is short or has a digit."""
    return any(len(word) <= 2 or not word.isalpha() for word in part) and sum(map(len, part)) > 3


def _usable(hit: Hit, lexicon: Lexicon, constraint: Constraint) -> bool:
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


def _longest(places: Iterable[Span]) -> list[Span]:
    """The longest places, from the left, none overlapping another."""
    kept: list[Span] = []
    for span in sorted(places, key=lambda one: (one.start - one.end, one.start)):
        if not any(span.overlaps(other) for other in kept):
            kept.append(span)
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
    met = {span: hit.id for lexicon in lexicons for span, hit in _met(lexicon, words, {}) if hit.id in known}
    return tuple(sorted((dict(species.named(text)) | met).items(), key=lambda place: place[0].start))
