"""Dictionary recognition: every mention in a text of a name in some vocabularies.

The longest match wins; every occurrence is given; abbreviations that the text defines count as
their long form. Short names and symbols must be written as the vocabulary writes them, and common
English words are not names unless they are written so. Names are looked up in bulk, so that an
abstract takes milliseconds over 600,000 names; a long text goes in sections, between which it tells
how far it is and can be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.collector_pause import collector_paused
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.lexicon import Lexicon
from core.grounding.match import mention_wording
from core.grounding.match.acceptance import SHORT
from core.grounding.match.normalise import TOKEN
from core.grounding.recognise.name_finder import Names, name_finder
from core.grounding.recognise.names_in_text import named_places
from core.grounding.recognise.text_words import Place, TextWords, split_into_words
from core.model import Candidate, Span

# "breast and" before "ovarian cancer": the head of the second goes with the first
_COORDINATED = re.compile(
    r"(?<![\w-])(?:([^\W\d_][\w-]{2,}), )?([^\W\d_][\w-]{2,})(?:,? (?:and/or|and|or) |/)$"
)
_TOGETHER = ("and ", "or ", "/")  # as `_COORDINATED` ends: most names stand behind none
_REACH = 80  # characters before a name in which others of its last word are looked for
_LEAST_TOGETHER = 0.85
_SHARED = "the last word is shared"
_LEAST_LONG = 0.7  # how well the long form of an abbreviation must be met

Progress = Callable[[int, int], None]  # done, of how many in all; may raise Stopped


def unwatched(characters: int, total: int) -> None:
    """The progress of work that is not watched."""


@dataclass(frozen=True, slots=True)
class RecognisedMention:
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
    ) -> list[RecognisedMention]:
        """Every mention in `text` of a name in the constraints' vocabularies; see `annotate`."""
        with collector_paused():  # what is remembered of a text is no garbage
            return recognise_mentions(self.grounder.steady(), text, constraints, progress)


def recognise_mentions(
    grounder: Grounder,
    text: str,
    constraints: Mapping[str, Constraint],
    progress: Progress = unwatched,
) -> list[RecognisedMention]:
    """Mentions in the order of the text; those of one key never overlap. Offsets are code points of
    `text`.

    `progress` counts characters that were read for names, and then characters whose mentions were
    grounded, a key at a time.
    """
    words = split_into_words(text)
    short = mention_wording.definitions(text)
    lexicons = {
        key: [lexicon for _, lexicon in grounder.lexicons(constraint)]
        for key, constraint in constraints.items()
    }
    finder = name_finder(
        tuple(dict.fromkeys(lexicon for many in lexicons.values() for lexicon in many))
    )
    total = len(text) * (1 + len(constraints))
    met: list[tuple[Place, Names]] = []
    for section in words.sections():
        met += named_places(finder, words, short, section)
        progress(words.ends[section[1] - 1] if words.ends else 0, total)
    annotations = []
    for turn, (key, constraint) in enumerate(constraints.items(), 1):
        places = _allowed(met, frozenset(lexicons[key]), constraint)
        places |= _defined(grounder, short, constraint, words)
        places |= _project(grounder, words, constraint)
        meaning = _Meaning(grounder, text, constraint)
        meant_places = _longest_meant(places, meaning)
        for place in meant_places:
            annotations.append(RecognisedMention(Span(*place), key, meaning(place)))
            progress(turn * len(text) + place[1], total)
        annotations += _said_together(grounder, text, key, constraint, meant_places)
    return sorted(
        annotations,
        key=lambda annotation: (annotation.span.start, -annotation.span.end, annotation.key),
    )


def _allowed(
    met: Iterable[tuple[Place, Names]], lexicons: frozenset[Lexicon], constraint: Constraint
) -> set[Place]:
    """The places of those names that a constraint allows."""
    allowed: dict[int, bool] = {}  # by the names, which equal words share
    places = set()
    for place, names in met:
        usable = allowed.get(id(names))
        if usable is None:
            usable = allowed[id(names)] = _any_usable(names, lexicons, constraint)
        if usable:
            places.add(place)
    return places


def _any_usable(names: Names, lexicons: frozenset[Lexicon], constraint: Constraint) -> bool:
    for lexicon, hit in names:
        is_current = hit.replaced_by or not hit.obsolete
        if is_current and lexicon in lexicons and constraint.allows(hit.replaced_by or hit.id):
            return True
    return False


def _defined(
    grounder: Grounder, short: Mapping[str, str], constraint: Constraint, words: TextWords
) -> set[Place]:
    """Occurrences of short forms whose long form is a name."""
    forms: dict[str, list[tuple[str, int]]] = {}  # by their first word, with where it stands
    for form, long in short.items():
        first = TOKEN.search(form)
        if first and _means_a_name(grounder, form, long, constraint):
            forms.setdefault(first[0], []).append((form, first.start()))
    if not forms:
        return set()
    text, edges = words.text, zip(words.starts, words.bare_ends, strict=True)
    places: set[Place] = set()
    for word, at in [(word, at) for at, end in edges if (word := text[at:end]) in forms]:
        for form, lead in forms[word]:
            start = at - lead
            if start >= 0 and _stands_alone(text, form, start):
                places.add((start, start + len(form)))
    return places


def _stands_alone(text: str, form: str, start: int) -> bool:
    """Whether a short form stands in the text here, and is no part of a longer word."""
    end = start + len(form)
    return text.startswith(form, start) and not text[end : end + 1].isalnum()


def _means_a_name(grounder: Grounder, short: str, long: str, constraint: Constraint) -> bool:
    """Whether a long form is a name; or means, loosely, what the short form is a name of."""
    best = next(iter(grounder.ground(long, constraint, limit=1, loose=False)), None)
    if best and best.score >= _LEAST_LONG:
        return True
    own = {candidate.term.id for candidate in grounder.ground(short, constraint, loose=False)}
    candidates = grounder.ground(long, constraint, limit=1) if own else ()
    return any(
        candidate.score >= _LEAST_LONG and candidate.term.id in own for candidate in candidates
    )


def _project(grounder: Grounder, words: TextWords, constraint: Constraint) -> set[Place]:
    """Places of the project's own synonyms."""
    own: dict[str, set[str]] = {}
    for synonym in grounder.synonyms.all():
        if constraint.allows(synonym.term.id):
            own.setdefault(synonym.normal, set()).add(synonym.words)
    if not own:
        return set()
    longest = max(name.count(" ") + 1 for name in own)
    return {
        place
        for first in range(len(words.folded))
        for last in range(first, min(first + longest, len(words.folded)))
        if (taught := own.get(" ".join(words.folded[first : last + 1])))
        and all(words.joined[first + 1 : last + 1])
        and _as_taught(words.text[slice(*(place := words.place(first, last)))], taught)
    }


def _as_taught(surface: str, taught: Collection[str]) -> bool:
    """Short names are written as the curator wrote them, and one letter is no name: "P" may mean
    phlorizin in one text, and everything else in others.
    """
    return len(surface) > SHORT or (len(surface) > 1 and surface in taught)


def _longest(places: Collection[Place]) -> list[Place]:
    """The longest places, from the left, none overlapping another."""
    longest: list[Place] = []
    covered = bytearray(max((end for _, end in places), default=0))
    for size, start, end in sorted((start - end, start, end) for start, end in places):
        if 1 not in covered[start:end]:
            longest.append((start, end))
            covered[start:end] = b"\1" * -size
    return sorted(longest)


def _longest_meant(places: Collection[Place], meaning: _Meaning) -> list[Place]:
    """The longest places that mean something: where the longest means nothing that is allowed, the
    places inside it count ("induced cardiac arrest" is a procedure, and no disease).
    """
    candidates = set(places)
    while True:
        longest = _longest(candidates)
        void = {place for place in longest if not meaning(place)}
        if not void:
            return longest
        candidates -= void


def _said_together(
    grounder: Grounder, text: str, key: str, constraint: Constraint, places: Sequence[Place]
) -> Iterator[RecognisedMention]:
    """The first of names that share their last word: "breast" in "breast and ovarian cancers" is
    breast cancer, where a vocabulary has that name and the word is not taken otherwise.
    """
    last_ones = [place for place in places if text.endswith(_TOGETHER, 0, place[0])]
    occupied = bytearray(len(text) if last_ones else 0)
    for start, end in places if last_ones else ():
        occupied[start:end] = b"\1" * (end - start)
    for start, end in last_ones:
        words = text[start:end].split()
        before = _COORDINATED.search(text, max(0, start - _REACH), start)
        if len(words) < 2 or before is None:
            continue
        for group in (1, 2):
            first, last = before.span(group)
            if first < 0 or 1 in occupied[first:last]:
                continue
            name = f"{text[first:last]} {words[-1]}"
            candidates = grounder.ground(name, constraint, limit=5, loose=False)
            if candidates and candidates[0].score >= _LEAST_TOGETHER:
                occupied[first:last] = b"\1" * (last - first)
                yield RecognisedMention(
                    Span(first, last),
                    key,
                    tuple(replace(candidate, differed=_SHARED) for candidate in candidates),
                )


class _Meaning:
    """What the places of a text mean. Equal words are grounded once, or once for each species that
    they are of.
    """

    def __init__(self, grounder: Grounder, text: str, constraint: Constraint):
        self.grounder, self.text, self.constraint = grounder, text, constraint
        self._told_apart = bool(grounder.taxa(constraint))
        self._known: dict[tuple[str, str], tuple[Candidate, ...]] = {}
        self._at: dict[Place, tuple[Candidate, ...]] = {}

    def __call__(self, place: Place) -> tuple[Candidate, ...]:
        if (candidates := self._at.get(place)) is None:
            candidates = self._at[place] = self._grounded(place)
        return candidates

    def _grounded(self, place: Place) -> tuple[Candidate, ...]:
        start, end = place
        words, span, taxon = self.text[start:end], None, ""
        if self._told_apart:
            span = Span(start, end)
            taxon = self.grounder.species_at(self.text, span, self.constraint)[0]
        if (candidates := self._known.get((words, taxon))) is None:
            candidates = self._known[words, taxon] = self.grounder.ground(
                words, self.constraint, context=self.text, span=span, limit=5, loose=False
            )
        return candidates
