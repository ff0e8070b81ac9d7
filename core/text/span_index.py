"""Many places in one text, asked for those in a part of it: a text of 2 MB has 60,000 mentions in
20,000 sentences.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import Generic, TypeVar

from core.model import Span

T = TypeVar("T")
_END = attrgetter("end")


class SpanIndex(Generic[T]):
    """Things, each with its place in the text. Places may overlap."""

    def __init__(self, places: Iterable[tuple[Span, T]]):
        self._places = list(places)
        self._order = sorted(
            range(len(self._places)), key=lambda number: self._places[number][0].start
        )
        self._starts = [self._places[number][0].start for number in self._order]

    def within(self, start: int, end: int) -> list[tuple[Span, T]]:
        """Those that lie wholly between two offsets, in the order in which they were given.

        >>> SpanIndex([(Span(0, 4), "BRCA1"), (Span(8, 12), "TP53")]).within(5, 20)
        [(Span(start=8, end=12), 'TP53')]
        """
        begin, stop = bisect_left(self._starts, start), bisect_right(self._starts, end)
        return [
            self._places[number]
            for number in sorted(self._order[begin:stop])
            if self._places[number][0].end <= end
        ]


class CoveredParts:
    """The parts of a text that any of many spans covers."""

    def __init__(self, spans: Iterable[Span]):
        in_order = sorted((span.start, span.end) for span in spans)
        self._starts = [start for start, _ in in_order]
        self._furthest = list(accumulate((end for _, end in in_order), max))

    def overlap(self, span: Span) -> bool:
        """Whether a part of `span` is covered.

        >>> tables = CoveredParts([Span(0, 40), Span(90, 120)])
        >>> tables.overlap(Span(30, 60)), tables.overlap(Span(40, 90))
        (True, False)
        """
        earlier = bisect_left(self._starts, span.end)
        return earlier > 0 and self._furthest[earlier - 1] > span.start


def first_overlapping(spans: Sequence[Span], span: Span) -> Span | None:
    """The first of `spans`, which are in the order of the text and do not overlap each other, that
    overlaps `span`.

    >>> first_overlapping([Span(0, 4), Span(8, 12)], Span(10, 15))
    Span(start=8, end=12)
    >>> first_overlapping([Span(0, 4), Span(8, 12)], Span(4, 8)) is None
    True
    """
    at = bisect_right(spans, span.start, key=_END)
    return spans[at] if at < len(spans) and spans[at].overlaps(span) else None
