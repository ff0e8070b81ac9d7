"""What is asked of a passage: a claim with its two ends, and the passage that is to say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.model import Category, Modality, Span
from core.support.reading.rule_table import Family, family_of
from core.text.sentence import split_sentences

# A predicate that names its actor last: "caused by", "is_treated_with".
_PASSIVE = re.compile(r"\w+(?:ed|en|s?ject|bound)[ _](?:by|with)$|\b(?:due|secondary)[ _]to$")
# A slot that holds what acts on its owner: a disease's "drug_treatments", a text's "inhibitors".
_HOLDS_ACTORS = re.compile(
    r"\b(?:treatments?|therap(?:y|ies)|medications?|inhibitors?|activators?)$"
)
_OWN_PREFIX = re.compile(r"^[a-z]+:", re.IGNORECASE)
_NOT_FIRST = re.compile(
    r"^(?:(?:is|are|was|does|do|did|has|have|can|may)[ _])?(?:not|never|no)[ _]+"
)


@dataclass(frozen=True, slots=True)
class ClaimEnd:
    """One end of a claim: the words that it may go by, the first as it is shown. `spans` is where
    the passage's text names it, where somebody has read that already, and `kinds` where it names a
    kind of it; `id` its CURIE, if known.
    """

    names: tuple[str, ...]
    category: Category = Category.THING
    spans: tuple[Span, ...] = ()
    id: str = ""
    kinds: tuple[Span, ...] = ()

    @property
    def words(self) -> str:
        return self.names[0] if self.names else self.id


@dataclass(frozen=True, slots=True)
class Claim:
    """Who does what to whom, as a statement claims it. `predicate` is in words or as a schema
    writes it (`TREATS`, `biolink:treats`).
    """

    subject: ClaimEnd
    predicate: str
    object: ClaimEnd
    negated: bool = False
    modality: Modality = Modality.ASSERTED

    @property
    def predicate_words(self) -> str:
        words = _OWN_PREFIX.sub("", self.predicate).replace("_", " ").strip()
        return _NOT_FIRST.sub("", words.casefold())

    @property
    def denied(self) -> bool:
        """Whether the claim is that the relation does not hold, by its flag or its predicate."""
        words = _OWN_PREFIX.sub("", self.predicate).replace("_", " ").strip().casefold()
        return self.negated or bool(_NOT_FIRST.match(words))

    @property
    def family(self) -> Family | None:
        """The family of predicates that the claim's belongs to; None where it is none of ours."""
        return family_of(self.predicate_words)

    @property
    def inverse(self) -> bool:
        """Whether the object is what acts: "tremor caused by lithium"."""
        words = self.predicate_words
        return bool(_PASSIVE.search(words) or _HOLDS_ACTORS.search(words))

    @property
    def active(self) -> Claim:
        """The same claim with the end that acts for its subject."""
        if not self.inverse:
            return self
        verb = re.sub(r"[ _](?:by|with)$", "", self.predicate_words)
        return Claim(self.object, verb, self.subject, negated=self.denied, modality=self.modality)


@dataclass(frozen=True, slots=True)
class ThingInPassage:
    """Something that a text names, and where: what a claim's ends are told apart from."""

    key: str
    spans: tuple[Span, ...]
    category: Category = Category.THING


@dataclass(frozen=True)
class Passage:
    """A text, and the `quote` in it that is to say the claim (all of it where none is given).
    `things` are what the text names, where somebody has read that. Offsets are code points.
    """

    text: str
    quote: Span | None = None
    title: Span | None = None
    things: tuple[ThingInPassage, ...] = ()

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """All sentences of the text, in its order."""
        return tuple(split_sentences(self.text))

    @cached_property
    def quoted(self) -> Span:
        """The quote, widened to the sentences that hold it: a relation is read in whole ones."""
        if self.quote is None:
            return Span(0, len(self.text))
        held = [s for s in self.sentences if s.overlaps(self.quote)] or [self.quote]
        return Span(min(held[0].start, self.quote.start), max(held[-1].end, self.quote.end))

    @cached_property
    def quoted_sentences(self) -> tuple[Span, ...]:
        return tuple(s for s in self.sentences if s.overlaps(self.quoted))

    @cached_property
    def heading(self) -> Span:
        """The title, as given or else the first sentence of a text that has more."""
        if self.title is not None:
            return self.title
        return self.sentences[0] if len(self.sentences) > 1 else Span(0, 0)

    def others(self, ends: Sequence[Span]) -> list[tuple[Span, ThingInPassage]]:
        """The other things' mentions in the quote that touch none of `ends`."""
        inside = self.quoted
        return [
            (span, thing)
            for thing in self.things
            for span in thing.spans
            if inside.start <= span.start
            and span.end <= inside.end
            and not any(span.overlaps(end) for end in ends)
        ]
