"""Places in a text, found without looking at all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.model import Span
from core.text.span_index import CoveredParts, SpanIndex, first_overlapping

SPANS = st.builds(
    lambda start, length: Span(start, start + length), st.integers(0, 60), st.integers(1, 12)
)


@given(st.lists(SPANS), SPANS)
def test_spans_within_a_range_keep_their_order(spans: list[Span], part: Span) -> None:
    index = SpanIndex((span, number) for number, span in enumerate(spans))
    assert index.within(part.start, part.end) == [
        (span, number)
        for number, span in enumerate(spans)
        if part.start <= span.start and span.end <= part.end
    ]


@given(st.sets(st.integers(0, 80)), SPANS)
def test_the_first_overlap_is_that_of_comparing_every_span(cuts: set[int], span: Span) -> None:
    edges = sorted(cuts)
    parts = [Span(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False)]
    assert first_overlapping(parts, span) == next((p for p in parts if p.overlaps(span)), None)


@given(st.lists(SPANS), SPANS)
def test_a_part_is_covered_where_any_span_overlaps_it(spans: list[Span], part: Span) -> None:
    assert CoveredParts(spans).overlap(part) == any(span.overlaps(part) for span in spans)
