"""Quotes that prove a statement: whole sentences that hold its words, checked against the text
(docs/architecture.md, contracts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from core.extraction.tree import Branch, Leaf, RelationEvidence
from core.model import Evidence, Span, Statement, TextGround, TextVersion
from core.text.sentence import sentence_at

FAR = 1500  # characters between subject and object beyond which one quote no longer shows both
MOST_PLACES = 50  # occurrences of each end that are compared
MOST = 10  # pieces of evidence that one value gives


@dataclass(frozen=True, slots=True)
class EvidenceFinder:
    """Makes evidence in one text version, for one run."""

    document: str
    version: TextVersion
    run: str
    engine: str

    def of_value(
        self, statement: Statement, value: Branch | Leaf, *, everywhere: bool = False
    ) -> list[Evidence]:
        """Where a value stands: its primary occurrence, or with `everywhere` every sentence that
        holds it; the sentences that state it, where an engine says which.
        """
        if value.stated:
            return self.read(statement, value.stated, value.path)
        if isinstance(value, Leaf):
            spans = value.spans[:MOST] if everywhere else value.spans[:1]
            score = value.score
        else:
            spans, score = self.of_object(value)
        return self.evidence(statement, [self.sentence(span) for span in spans], value.path, score)

    def of_object(self, branch: Branch) -> tuple[tuple[Span, ...], float]:
        """Where an object is: at its own words, or at the values it has."""
        if branch.spans:
            return branch.spans[:1], 1.0
        leaves = [leaf for leaf in branch.leaves() if leaf.spans]
        if not leaves:
            return (), 0.0
        return (leaves[0].spans[0],), leaves[0].score

    def of_pair(
        self, statement: Statement, branch: Branch, subject: Branch | Leaf, object: Branch | Leaf
    ) -> list[Evidence]:
        """Sentences that hold both ends of a relation: those that its own words stand in, else the
        best elsewhere; none when either end is not in the text.
        """
        ours, theirs = self.spans(subject), self.spans(object)
        if not ours or not theirs:
            return []
        own = [self.sentence(span) for span in branch.spans]
        quotes = [
            quote for own_sentence in own if (quote := self.nearest(ours, theirs, own_sentence))
        ]
        quotes = quotes or [self.elsewhere(ours, theirs, own)]
        if branch.stated:
            return self.stated(statement, branch, quotes)
        score = (
            min(leaf.score for leaf in (subject, object) if isinstance(leaf, Leaf))
            if self.leaves(subject, object)
            else 1.0
        )
        return self.evidence(statement, quotes, branch.path, score)

    def read(
        self, statement: Statement, stated: Sequence[RelationEvidence], path: str
    ) -> list[Evidence]:
        """Evidence for each sentence that an engine read a value in."""
        return [
            replace(evidence, rule=why.rule, cue=why.cue)
            for why in stated[:MOST]
            for evidence in self.evidence(statement, [why.sentence], path, why.score)
        ]

    def stated(self, statement: Statement, branch: Branch, quotes: list[Span]) -> list[Evidence]:
        """Evidence that names the rule, the cue and the score of its sentence."""
        stated_evidence = []
        for evidence in self.evidence(statement, quotes, branch.path, branch.stated[0].score):
            ground = evidence.ground
            assert isinstance(ground, TextGround)
            own = [
                stated_by
                for stated_by in branch.stated
                if covers_span(ground.span, stated_by.sentence)
            ]
            why = (own or list(branch.stated))[0]
            stated_evidence.append(replace(evidence, score=why.score, rule=why.rule, cue=why.cue))
        return stated_evidence

    def nearest(
        self, ours: tuple[Span, ...], theirs: tuple[Span, ...], near_span: Span
    ) -> Span | None:
        """The sentence or sentences around the best two occurrences in a part of the text; None
        when it lacks one.
        """
        inside = [
            tuple(span for span in spans if covers_span(near_span, span))
            for spans in (ours, theirs)
        ]
        return self.elsewhere(inside[0], inside[1], [near_span]) if all(inside) else None

    def elsewhere(
        self, ours: tuple[Span, ...], theirs: tuple[Span, ...], own: Sequence[Span]
    ) -> Span:
        """The sentence or sentences around the best two occurrences: those in one sentence first,
        then those near the relation's own sentences, then the closest, then the primary ones.
        """
        places = {
            span: self.sentence(span) for span in (*ours[:MOST_PLACES], *theirs[:MOST_PLACES])
        }

        def rank(pair: tuple[Span, Span]) -> tuple[bool, int, int]:
            away = min((max(self.distance(end, place) for end in pair) for place in own), default=0)
            return places[pair[0]] != places[pair[1]], away, self.distance(*pair)

        first_place, second = min(product(ours[:MOST_PLACES], theirs[:MOST_PLACES]), key=rank)
        cover = Span(min(first_place.start, second.start), max(first_place.end, second.end))
        return self.sentence(second if cover.end - cover.start > FAR else cover)

    def distance(self, span: Span, other_span: Span) -> int:
        return max(other_span.start - span.end, span.start - other_span.end, 0)

    def sentence(self, span: Span) -> Span:
        """The sentences from where a span begins to where it ends."""
        text = self.version.text
        first_sentence = sentence_at(text, Span(span.start, min(span.start + 1, len(text))))
        last_sentence = sentence_at(text, Span(max(span.end - 1, 0), span.end))
        return Span(min(first_sentence.start, span.start), max(last_sentence.end, span.end))

    def evidence(
        self, statement: Statement, quotes: list[Span], path: str, score: float
    ) -> list[Evidence]:
        return [
            Evidence(
                statement.id,
                TextGround(self.document, self.version.sha, span, span.quote(self.version.text)),
                self.run,
                path=path,
                engine=self.engine,
                score=score,
            )
            for span in dict.fromkeys(quotes)
        ]

    def spans(self, value: Branch | Leaf) -> tuple[Span, ...]:
        return value.spans if isinstance(value, Leaf) or value.spans else self.of_object(value)[0]

    def leaves(self, *values: Branch | Leaf) -> bool:
        return any(isinstance(value, Leaf) for value in values)


def covers_span(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
