"""Mentions of names that a text says together: each gets a mention of its own, with the candidates
of the name written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.grounding.match.coordination import Series, number_series, slashed_symbols
from core.grounding.recognise.text_words import Place
from core.model import Candidate, Span

# "breast and" before "ovarian cancer": the head of the second goes with the first
_COORDINATED = re.compile(
    r"(?<![\w-])(?:([^\W\d_][\w-]{2,}), )?([^\W\d_][\w-]{2,})(?:,? (?:and/or|and|or) |/)$"
)
_TOGETHER = ("and ", "or ", "/")  # as `_COORDINATED` ends: most names stand behind none
_REACH = 80  # characters before a name in which others of its last word are looked for
_LEAST = 0.85  # of how well each of the names must be met
_HEADS_BEHIND, _HEADS_BEFORE = 4, 6  # words of what the numbers are of
_BEHIND = re.compile(r"[ \t]+[^\W_][\w-]*")
_BEFORE = re.compile(r"[^\W_][\w'’/-]*[ \t]+$")

Meaning = Callable[[str], tuple[Candidate, ...]]  # of a name that is written out


@dataclass(frozen=True, slots=True)
class NameSaidTogether:
    """One of several names: where it stands, and what it may mean."""

    place: Place
    candidates: tuple[Candidate, ...]


def with_shared_head(
    text: str, places: Sequence[Place], means: Meaning
) -> Iterator[NameSaidTogether]:
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
            candidates = means(f"{text[first:last]} {words[-1]}")
            if candidates and candidates[0].score >= _LEAST:
                occupied[first:last] = b"\1" * (last - first)
                yield NameSaidTogether((first, last), _noted(candidates, "the last word is shared"))


def numbered_together(
    text: str, places: Collection[Place], means: Meaning
) -> list[NameSaidTogether]:
    """The names of a series of numbers, where each of them is a name: "type 1 and type 2 diabetes",
    "hepatitis A and B", "SIK1/2".
    """
    named: list[NameSaidTogether] = []
    for series in number_series(text):
        if not _is_name(series.span, places):
            named += _with_head_behind(text, series, means) or _with_head_before(
                text, series, means
            )
    for span, symbols in slashed_symbols(text):
        if not _is_name(span, places):
            each = [
                NameSaidTogether((at.start, at.end), _noted(means(name), "the letters are shared"))
                for name, at in symbols
            ]
            named += [symbol for symbol in each if _is_met(symbol.candidates)]
    return named


def _is_name(span: Span, places: Collection[Place]) -> bool:
    """Whether one name holds all that is said together."""
    return any(start <= span.start and span.end <= end for start, end in places)


def _with_head_behind(text: str, series: Series, means: Meaning) -> list[NameSaidTogether]:
    """ "type 1 and type 2 diabetes": the longest head that makes a name of each number."""
    ends: list[int] = []
    end = series.span.end
    while len(ends) < _HEADS_BEHIND and (word := _BEHIND.match(text, end)):
        end = word.end()
        ends.append(end)
    for end in reversed(ends):
        if found := _all_met(series.names(text, "", text[series.span.end : end]), means):
            middle = (number.start for number in series.numbers[1:-1])
            starts = [series.span.start, *middle, series.last_start]
            stops = [*(number.end for number in series.numbers[:-1]), end]
            return _placed(zip(starts, stops, strict=True), found)
    return []


def _with_head_before(text: str, series: Series, means: Meaning) -> list[NameSaidTogether]:
    """ "hepatitis A and B": the longest words before that make a name with each number."""
    starts: list[int] = []
    start = series.span.start
    while len(starts) < _HEADS_BEFORE and (
        word := _BEFORE.search(text, max(0, start - _REACH), start)
    ):
        start = word.start()
        starts.append(start)
    for start in reversed(starts):
        if found := _all_met(series.names(text, text[start : series.span.start], ""), means):
            first, *others = series.numbers
            last = (series.last_start, series.span.end)
            middle = ((number.start, number.end) for number in others[:-1])
            return _placed([(start, first.end), *middle, last], found)
    return []


def _all_met(names: Sequence[str], means: Meaning) -> list[tuple[Candidate, ...]]:
    met = []
    for name in names:
        candidates = means(name)
        if not _is_met(candidates):
            return []
        met.append(_noted(candidates, f"of several: “{name}”"))
    return met


def _is_met(candidates: Sequence[Candidate]) -> bool:
    return bool(candidates) and candidates[0].score >= _LEAST


def _placed(
    places: Iterable[Place], found: Sequence[tuple[Candidate, ...]]
) -> list[NameSaidTogether]:
    return [
        NameSaidTogether(place, candidates) for place, candidates in zip(places, found, strict=True)
    ]


def _noted(candidates: Sequence[Candidate], note: str) -> tuple[Candidate, ...]:
    return tuple(replace(candidate, differed=note) for candidate in candidates)
