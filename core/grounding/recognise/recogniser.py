"""Dictionary recognition: every mention in a text of a name in some vocabularies.

The longest match wins; every occurrence is given; abbreviations that the text defines count as
their long form. Short names and symbols must be written as the vocabulary writes them, and common
English words are not names unless they are written so. Names are looked up in bulk, so that an
abstract takes milliseconds over 200,000 names; a long text goes in sections, between which it tells
how far it is and can be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.lexicon import Lexicon, NameHit
from core.grounding.match import phrase
from core.grounding.match.acceptance import SHORT
from core.grounding.recognise.names_in_text import TextWords, named_places, words_of
from core.model import Candidate, Span

_LEAST_LONG = 0.7  # how well the long form of an abbreviation must be met

Progress = Callable[[int, int], None]  # done, of how many in all; may raise Stopped


def unwatched(done: int, total: int) -> None:
    """The progress of work that nobody watches."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A mention: where it is, under which key of the constraints it was found, and what it may
    mean, best first.
    """

    span: Span
    key: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Recogniser:
    """Finds the names of terms in texts, with the candidates that its grounder ranks."""

    grounder: Grounder

    def annotate(
        self, text: str, constraints: Mapping[str, Constraint], progress: Progress = unwatched
    ) -> list[Annotation]:
        """Every mention in `text` of a name in the constraints' vocabularies; see `annotate`."""
        return annotate(self.grounder.steady(), text, constraints, progress)


def annotate(
    grounder: Grounder,
    text: str,
    constraints: Mapping[str, Constraint],
    progress: Progress = unwatched,
) -> list[Annotation]:
    """Mentions in the order of the text; those of one key never overlap. Offsets are code points of
    `text`.

    `progress` counts characters that were read for names, and then characters whose mentions were
    grounded, a key at a time.
    """
    words = words_of(text)
    short = _short_forms(text)
    lexicons = {
        key: [lexicon for _, lexicon in grounder.lexicons(known)]
        for key, known in constraints.items()
    }
    distinct = list(dict.fromkeys(lexicon for many in lexicons.values() for lexicon in many))
    total = len(text) * (1 + len(constraints))
    met: dict[Lexicon, list[tuple[Span, NameHit]]] = {lexicon: [] for lexicon in distinct}
    for section in words.sections():
        for lexicon, span, hit in named_places(distinct, words, short, section):
            met[lexicon].append((span, hit))
        progress(words.spans[section[1] - 1][1] if words.spans else 0, total)
    found = []
    for turn, (key, constraint) in enumerate(constraints.items(), 1):
        places = {
            span
            for lexicon in lexicons[key]
            for span, hit in met[lexicon]
            if _usable(hit, constraint)
        }
        places |= _defined(grounder, short, constraint, text)
        places |= _project(grounder, words, constraint)
        for one in _grounded(grounder, text, key, constraint, _longest(places)):
            found.append(Annotation(*one))
            progress(turn * len(text) + one[0].end, total)
    return sorted(found, key=lambda one: (one.span.start, -one.span.end, one.key))


def _usable(hit: NameHit, constraint: Constraint) -> bool:
    return constraint.allows(hit.replaced_by or hit.id) and not (
        hit.obsolete and not hit.replaced_by
    )


def _short_forms(text: str) -> Mapping[str, str]:
    return phrase.definitions(text)


def _defined(
    grounder: Grounder, short: Mapping[str, str], constraint: Constraint, text: str
) -> set[Span]:
    """Occurrences of short forms whose long form is a name."""
    spans: set[Span] = set()
    for form, long in short.items():
        first = next(iter(grounder.ground(long, constraint, limit=1)), None)
        if first and first.score >= _LEAST_LONG:
            places = re.finditer(rf"(?<![^\W_]){re.escape(form)}(?![^\W_])", text)
            spans |= {Span(*place.span()) for place in places}
    return spans


def _project(grounder: Grounder, words: TextWords, constraint: Constraint) -> set[Span]:
    """Places of the project's own synonyms."""
    own: dict[str, set[str]] = {}
    for synonym in grounder.synonyms.all():
        if constraint.allows(synonym.term.id):
            own.setdefault(synonym.normal, set()).add(synonym.words)
    longest = max((name.count(" ") + 1 for name in own), default=0)
    return {
        span
        for first in range(len(words.folded))
        for last in range(first, min(first + longest, len(words.folded)))
        if (taught := own.get(" ".join(words.folded[first : last + 1])))
        and all(words.joined[first + 1 : last + 1])
        and _as_taught((span := words.span(first, last)).quote(words.text), taught)
    }


def _as_taught(surface: str, taught: Collection[str]) -> bool:
    """Short names are written as the curator wrote them, and one letter is no name: "P" may mean
    phlorizin in one text, and everything else in others.
    """
    return len(surface) > SHORT or (len(surface) > 1 and surface in taught)


def _longest(places: Collection[Span]) -> list[Span]:
    """The longest places, from the left, none overlapping another."""
    spans: list[Span] = []
    taken = bytearray(max((place.end for place in places), default=0))
    for span in sorted(places, key=lambda one: (one.start - one.end, one.start)):
        if 1 not in taken[span.start : span.end]:
            spans.append(span)
            taken[span.start : span.end] = b"\1" * (span.end - span.start)
    return sorted(spans, key=lambda one: one.start)


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
            known[at] = grounder.ground(
                words, constraint, context=text, span=span, limit=5, loose=False
            )
        if known[at]:
            yield span, key, known[at]
