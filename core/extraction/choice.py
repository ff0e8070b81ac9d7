"""A curator's choices laid over what an engine found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from core.extraction.assemble import with_mentions
from core.extraction.tree import Extraction
from core.model import Candidate, MatchKind, Mention, Outcome, Term, fold_words


class ChoiceLike(Protocol):
    """What was chosen for one mention (`core.store.run.MentionChoice`)."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def term(self) -> Term | None: ...

    @property
    def curator(self) -> str: ...


def with_choices(extraction: Extraction, choices: Mapping[str, ChoiceLike]) -> Extraction:
    """The extraction with these choices, by slot, in its mentions."""
    changed = {
        m.slot: apply_choices(m, choices[m.slot]) for m in extraction.mentions if m.slot in choices
    }
    return with_mentions(extraction, changed) if changed else extraction


def apply_choices(mention: Mention, choice: ChoiceLike) -> Mention:
    candidates = mention.candidates
    if choice.term and all(candidate.term.id != choice.term.id for candidate in candidates):
        candidates = (Candidate(choice.term, MatchKind.CURATOR, 1.0), *candidates)
    return replace(
        mention,
        candidates=candidates,
        chosen=choice.term,
        chosen_by=choice.curator,
        outcome=choice.outcome,
    )


def identical_mentions(extraction: Extraction, mention: Mention) -> list[Mention]:
    """The mentions of the same words in places of the same class, that mention among them."""
    words = fold_words(mention.text)
    return [m for m in extraction.mentions if fold_words(m.text) == words and m.cls == mention.cls]
