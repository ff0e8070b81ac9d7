"""Dictionary recognition: every mention in a text of a name in some vocabularies.

The longest match wins; every occurrence is given; abbreviations that the text defines count as
their long form. Short names and symbols must be written as the vocabulary writes them, and common
English words are not names unless they are written so. Names are looked up in bulk, so that an
abstract takes milliseconds over 600,000 names; a long text goes in sections, between which it tells
how far it is and can be stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from core.collector_pause import collector_paused
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.lexicon import Lexicon
from core.grounding.match import mention_wording
from core.grounding.match.acceptance import SHORT
from core.grounding.match.normalise import TOKEN, fold_words
from core.grounding.match.rare_words import LIGHT, stems
from core.grounding.recognise.name_finder import Names, name_finder
from core.grounding.recognise.names_in_text import named_places
from core.grounding.recognise.said_together import (
    NameSaidTogether,
    numbered_together,
    with_shared_head,
)
from core.grounding.recognise.text_words import Place, TextWords, split_into_words
from core.model import Candidate, Category, Span
from core.text.abbreviation import find_abbreviations

_LEAST_LONG = 0.7  # how well the long form of an abbreviation must be met
_MOST_WORDS = 0.6  # the share of its telling words that a name of the short form must have

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
        defined, explained = _defined(grounder, short, constraint, words)
        places |= defined
        places |= _project(grounder, words, constraint)
        meaning = _Meaning(grounder, text, constraint, explained)
        together = numbered_together(text, places, meaning.of_name)
        places = _outside(places, together)
        meant_places = _longest_meant(places, meaning)
        for place in meant_places:
            annotations.append(RecognisedMention(Span(*place), key, meaning(place)))
            progress(turn * len(text) + place[1], total)
        together += with_shared_head(text, meant_places, meaning.of_name)
        annotations += [
            RecognisedMention(Span(*name.place), key, name.candidates) for name in together
        ]
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
        if hit.id in lexicon.relations and constraint.category is not Category.RELATION:
            continue  # "part of" is no mention of a thing
        is_current = hit.replaced_by or not hit.obsolete
        if is_current and lexicon in lexicons and constraint.allows(hit.replaced_by or hit.id):
            return True
    return False


def _defined(
    grounder: Grounder, short: Mapping[str, str], constraint: Constraint, words: TextWords
) -> tuple[set[Place], dict[Place, str]]:
    """Occurrences of short forms whose long form is a name; and those of long forms that are none,
    but that say what their short form is a name of, with that short form.
    """
    forms: dict[str, list[tuple[str, int]]] = {}  # by their first word, with where it stands
    explaining: set[str] = set()
    for form, long in short.items():
        first = TOKEN.search(form)
        if not first:
            continue
        is_name = _is_name(grounder, long, constraint)
        if is_name or _means_a_name(grounder, form, long, constraint):
            forms.setdefault(first[0], []).append((form, first.start()))
            explaining |= set() if is_name else {form}
    if not forms:
        return set(), {}
    text, edges = words.text, zip(words.starts, words.bare_ends, strict=True)
    places: set[Place] = set()
    for word, at in [(word, at) for at, end in edges if (word := text[at:end]) in forms]:
        for form, lead in forms[word]:
            start = at - lead
            if start >= 0 and _stands_alone(text, form, start):
                places.add((start, start + len(form)))
    definitions = find_abbreviations(text) if explaining else {}
    explained = {
        (found.long_span.start, found.long_span.end): form
        for form, found in definitions.items()
        if form in explaining
    }
    return places | explained.keys(), explained


def _stands_alone(text: str, form: str, start: int) -> bool:
    """Whether a short form stands in the text here, and is no part of a longer word."""
    end = start + len(form)
    return text.startswith(form, start) and not text[end : end + 1].isalnum()


def _is_name(grounder: Grounder, long: str, constraint: Constraint) -> bool:
    best = next(iter(grounder.ground(long, constraint, limit=1, loose=False)), None)
    return best is not None and best.score >= _LEAST_LONG


def _means_a_name(grounder: Grounder, short: str, long: str, constraint: Constraint) -> bool:
    """Whether a long form that is no name means what the short form is a name of: loosely, or by
    most of its words ("thiopurine methyltransferase" for thiopurine S-methyltransferase).
    """
    own = {candidate.term.id for candidate in grounder.ground(short, constraint, loose=False)}
    if not own:
        return False
    candidates = grounder.ground(long, constraint, limit=1)
    if any(c.score >= _LEAST_LONG and c.term.id in own for c in candidates):
        return True
    words = stems(fold_words(long)) - LIGHT
    names = (
        stems(fold_words(name))
        for _, lexicon in grounder.lexicons(constraint)
        for id in own
        for name in lexicon.names_of(id)
        if " " in name
    )
    return any(len(words & name) >= max(1, _MOST_WORDS * len(words)) for name in names)


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


def _outside(places: Collection[Place], together: Iterable[NameSaidTogether]) -> set[Place]:
    """The places that touch none of the names said together."""
    taken = [name.place for name in together]
    return {
        (start, end)
        for start, end in places
        if not any(start < last and first < end for first, last in taken)
    }


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


class _Meaning:
    """What the places of a text mean. Equal words are grounded once, or once for each species that
    they are of.
    """

    def __init__(
        self,
        grounder: Grounder,
        text: str,
        constraint: Constraint,
        explained: Mapping[Place, str],
    ):
        self.grounder, self.text, self.constraint = grounder, text, constraint
        self.explained = explained  # long forms that are no names, with their short forms
        self._told_apart = bool(grounder.taxa(constraint))
        self._known: dict[tuple[str, str], tuple[Candidate, ...]] = {}
        self._at: dict[Place, tuple[Candidate, ...]] = {}

    def __call__(self, place: Place) -> tuple[Candidate, ...]:
        if (candidates := self._at.get(place)) is None:
            candidates = self._at[place] = self._grounded(place)
        return candidates

    def of_name(self, name: str) -> tuple[Candidate, ...]:
        """What a name means that the text does not write out."""
        return self.grounder.ground(name, self.constraint, limit=5, loose=False)

    def _grounded(self, place: Place) -> tuple[Candidate, ...]:
        start, end = place
        words, span, taxon = self.explained.get(place, self.text[start:end]), None, ""
        if self._told_apart:
            span = Span(start, end)
            taxon = self.grounder.species_at(self.text, span, self.constraint)[0]
        if (candidates := self._known.get((words, taxon))) is None:
            candidates = self._known[words, taxon] = self.grounder.ground(
                words, self.constraint, context=self.text, span=span, limit=5, loose=False
            )
        return candidates
