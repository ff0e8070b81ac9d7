"""Mention expansion: when the words around a mention make a longer name of the same vocabulary, it
is offered.

A model that is asked for a disease may answer "Kleefstra syndrome" where the text says "Kleefstra
syndrome 1".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.match import normalise
from core.model import Candidate, MatchKind, Span

REACH = 8  # words on either side
GOOD = 0.9  # only names that are met well are offered
_BOUND = re.compile(r"\n|[.;!?](?=\s)|\t")


@dataclass(frozen=True, slots=True)
class LongerMention:
    """A longer mention around a mention, and what it means."""

    span: Span
    candidate: Candidate


def longer_names(
    grounder: Grounder, text: str, span: Span, constraint: Constraint
) -> tuple[LongerMention, ...]:
    """Every longer mention around `span` that is a name of the constraint's vocabularies, longest
    first.
    """
    begin, end = _line(text, span)
    tokens = [match.span() for match in normalise.TOKEN.finditer(text, begin, end)]
    starts = [start for start, stop in tokens if start < span.start and stop <= span.start][-REACH:]
    stops = [stop for start, stop in tokens if stop > span.end][:REACH]
    ways = [
        Span(a, b)
        for a in [*starts, span.start]
        for b in [span.end, *stops]
        if (a, b) != (span.start, span.end)
    ]
    is_name = _names(grounder, {way: way.quote(text) for way in ways}, constraint)
    longer_mentions = [
        LongerMention(way, candidate)
        for way in ways
        if (candidate := _sure_candidate(grounder, way.quote(text), constraint, is_name[way]))
    ]
    return tuple(
        sorted(
            longer_mentions,
            key=lambda mention: (
                mention.span.start - mention.span.end,
                -mention.candidate.score,
                mention.span.start,
            ),
        )
    )


def _line(text: str, span: Span) -> tuple[int, int]:
    """The sentence or line around a span."""
    begin = max((match.end() for match in _BOUND.finditer(text, 0, span.start)), default=0)
    after = _BOUND.search(text, span.end)
    return begin, after.start() if after else len(text)


def _names(grounder: Grounder, ways: dict[Span, str], constraint: Constraint) -> dict[Span, bool]:
    """Which of the ways are names at all."""
    lexicons = [lexicon for _, lexicon in grounder.lexicons(constraint)]
    return {
        way: any(lexicon.has(normalise.fold_words(words)) for lexicon in lexicons)
        for way, words in ways.items()
    }


def _sure_candidate(
    grounder: Grounder, words: str, constraint: Constraint, is_name: bool
) -> Candidate | None:
    if not is_name:
        return None
    best = next(iter(grounder.ground(words, constraint, limit=2)), None)
    weak = (MatchKind.PARTIAL, MatchKind.FUZZY, MatchKind.ABBREVIATION)
    return (
        best
        if best and best.score >= GOOD and best.match not in weak and not best.obsolete
        else None
    )
