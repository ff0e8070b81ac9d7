"""Quotes that prove a statement: whole sentences that hold its words, checked against the text (DESIGN §4)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from core.extraction.tree import Branch, Leaf
from core.model import Evidence, Span, Statement, TextGround, TextVersion
from core.text.sentence import sentence_at

FAR = 1500  # characters between subject and object beyond which one quote no longer shows both
MOST = 10  # pieces of evidence that one value gives


@dataclass(frozen=True, slots=True)
class Proof:
    """Makes evidence in one text version, for one run."""

    document: str
    version: TextVersion
    run: str
    engine: str

    def of_value(self, statement: Statement, value: Branch | Leaf, *, everywhere: bool = False) -> list[Evidence]:
        """Where a value stands: its primary occurrence, or with `everywhere` every sentence that holds it."""
        if isinstance(value, Leaf):
            spans = value.spans[:MOST] if everywhere else value.spans[:1]
            score = value.score
        else:
            spans, score = self.of_object(value)
        return self.evidence(statement, [self.sentence(span) for span in spans], value.path, score)

    def of_object(self, branch: Branch) -> tuple[tuple[Span, ...], float]:
        """Where an object stands: at its own words, or at the values it has."""
        if branch.spans:
            return branch.spans[:1], 1.0
        leaves = [leaf for leaf in branch.leaves() if leaf.spans]
        if not leaves:
            return (), 0.0
        return (leaves[0].spans[0],), leaves[0].score

    def of_pair(
        self, statement: Statement, branch: Branch, subject: Branch | Leaf, object: Branch | Leaf
    ) -> list[Evidence]:
        """Sentences that hold both ends of a relation; none when either end is not in the text."""
        ours, theirs = self.spans(subject), self.spans(object)
        if not ours or not theirs:
            return []
        parts = branch.spans if len(branch.spans) > 1 else ()
        quotes = [quote for near in parts if (quote := self.nearest(ours, theirs, near))]
        quotes = quotes or [q for q in [self.nearest(ours, theirs, Span(0, len(self.version.text)))] if q]
        score = (
            min(leaf.score for leaf in (subject, object) if isinstance(leaf, Leaf))
            if self.leaves(subject, object)
            else 1.0
        )
        return self.evidence(statement, quotes, branch.path, score)

    def nearest(self, ours: tuple[Span, ...], theirs: tuple[Span, ...], near: Span) -> Span | None:
        """The sentence or sentences around the closest two occurrences, the primary ones first among equals."""
        pairs = [(a, b) for a, b in product(ours[:50], theirs[:50]) if covers(near, a) and covers(near, b)]
        if not pairs:
            return None
        first, second = min(pairs, key=lambda pair: self.distance(*pair))
        cover = Span(min(first.start, second.start), max(first.end, second.end))
        if cover.end - cover.start > FAR:
            return self.sentence(second)
        return self.sentence(cover)

    def distance(self, one: Span, other: Span) -> int:
        return max(other.start - one.end, one.start - other.end, 0)

    def sentence(self, span: Span) -> Span:
        """The sentences from where a span begins to where it ends."""
        text = self.version.text
        first = sentence_at(text, Span(span.start, min(span.start + 1, len(text))))
        last = sentence_at(text, Span(max(span.end - 1, 0), span.end))
        return Span(min(first.start, span.start), max(last.end, span.end))

    def evidence(self, statement: Statement, quotes: list[Span], path: str, score: float) -> list[Evidence]:
        return [
            Evidence(
                statement.id,
                TextGround(self.document, self.version.sha, span, span.quote(self.version.text)),
                self.run,
                path,
                self.engine,
                score,
            )
            for span in dict.fromkeys(quotes)
        ]

    def spans(self, value: Branch | Leaf) -> tuple[Span, ...]:
        return value.spans if isinstance(value, Leaf) or value.spans else self.of_object(value)[0]

    def leaves(self, *values: Branch | Leaf) -> bool:
        return any(isinstance(value, Leaf) for value in values)


def covers(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
