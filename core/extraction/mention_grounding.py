"""Mentions to candidate terms through the desk's grounder; equal words about the same class are
looked up once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from core.curie import is_curie
from core.extraction.predicate_by_words import predicate_by_words
from core.grounding.choice import LONGER, choose_candidate
from core.grounding.constraint.constraint import constraint_of
from core.grounding.recognise.expansion import LongerMention, longer_names
from core.model import Candidate, MatchKind, Mention, Outcome, Problem, Span, Term, fold_words
from core.schema.definition import Schema

SURE = frozenset(
    {MatchKind.PROJECT, MatchKind.LABEL, MatchKind.EXACT, MatchKind.NORMALISED, MatchKind.ENUM}
)


class TermSource(Protocol):
    """What is asked of `core.grounding.grounder.Grounder`."""

    def ground(
        self,
        words: str,
        constraint: Any,
        *,
        context: str = "",
        span: Span | None = None,
        limit: int = 10,
    ) -> tuple[Candidate, ...]: ...

    def check(self, id: str, constraint: Any) -> tuple[Candidate | None, tuple[Problem, ...]]: ...

    def species_at(self, text: str, span: Span | None, constraint: Any) -> tuple[str, str]: ...


def never_longer(text: str, span: Span, constraint: Any) -> tuple[LongerMention, ...]:
    """The mention expansion of a grounder that has none."""
    return ()


@dataclass
class Grounding:
    """The grounder as one schema asks for it. `constrain` makes a class's constraint, `choose`
    picks a candidate.
    """

    grounder: TermSource
    constrain: Callable[[str], Any]
    choose: Callable[[Sequence[Candidate]], tuple[Term | None, Outcome]]
    schema: Schema
    expand: Callable[[str, Span, Any], Sequence[LongerMention]] = never_longer
    _constraints: dict[str, Any] = field(default_factory=dict)
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)

    def constraint(self, cls: str) -> Any:
        if cls not in self._constraints:
            self._constraints[cls] = self.constrain(cls)
        return self._constraints[cls]

    def of_species(self, taxon: str) -> Grounding:
        """The same, for genes of one species, whatever the text says."""
        return Grounding(
            self.grounder,
            lambda cls: replace(self.constrain(cls), taxon=taxon),
            self.choose,
            schema=self.schema,
            expand=self.expand,
        )

    def names_term(self, cls: str, words: str) -> bool:
        """Whether these words surely name a term of the class."""
        key = (cls, fold_words(words))
        if key not in self._known:
            candidates = self.grounder.ground(words, self.constraint(cls), limit=3)
            self._known[key] = bool(candidates) and candidates[0].match in SURE
        return self._known[key]

    def ground(self, mention: Mention, words: str, text: str) -> Mention:
        """The mention with its candidates and the one that the rules choose; an id is proven, never
        believed.
        """
        constraint = self.constraint(mention.cls)
        span = mention.spans[0] if mention.spans else None
        candidates: tuple[Candidate, ...] = ()
        if is_curie(words):
            exists, _ = self.grounder.check(words, constraint)
            candidates = (exists,) if exists else ()
        candidates = candidates or tuple(
            self.grounder.ground(words, constraint, context=text, span=span)
        )
        if (
            not candidates
            and self.schema.classes[mention.cls].is_relation
            and (predicate := predicate_by_words(words))
        ):
            candidates = (predicate,)
        chosen, outcome = self.choose(candidates)
        best = next(
            (
                candidate
                for candidate in candidates
                if chosen is not None and candidate.term.id == chosen.id
            ),
            None,
        )
        by = (
            ""
            if chosen is None
            else "project"
            if best and best.match is MatchKind.PROJECT
            else "engine"
        )
        longer = self._longer(text, span, constraint, candidates) if span else ()
        return replace(
            mention, candidates=candidates + longer, chosen=chosen, chosen_by=by, outcome=outcome
        )

    def _longer(
        self, text: str, span: Span, constraint: Any, candidates: tuple[Candidate, ...]
    ) -> tuple[Candidate, ...]:
        """Mention expansion: a longer name around the mention, offered after the others."""
        known_ids = {candidate.term.id for candidate in candidates}
        return tuple(
            replace(
                longer.candidate,
                differed=f"{LONGER}{' '.join(longer.span.quote(text).split())}",
            )
            for longer in self.expand(text, span, constraint)
            if longer.candidate.term.id not in known_ids
        )


def grounding(schema: Schema, grounder: Any) -> Grounding:
    """The desk's grounder for one schema."""
    return Grounding(
        grounder,
        lambda cls: constraint_of(schema, cls),
        choose_candidate,
        schema,
        expand=partial(longer_names, grounder),
    )
