"""How clearly the first candidate of a mention is the best, in words and figures for the page."""

from __future__ import annotations

from core.grounding.choice import score_margin, tied_candidates
from core.grounding.constraint.constraint import kinds_of_term
from core.model import Candidate, Mention, Outcome
from core.schema.definition import Schema
from core.services.extract.engines import chosen_by_hand


def tie_words(mention: Mention) -> str:
    """`2 terms fit equally well`; empty where nothing is tied, or a curator has decided."""
    tied = tied_candidates(mention.candidates) if mention.outcome is Outcome.AMBIGUOUS else ()
    return f"{len(tied)} terms fit equally well" if tied else ""


def margin_to_second(mention: Mention) -> float | None:
    """By how much the first candidate is better than the second, 0 to 1; None where there is no
    second, and where a curator chose.
    """
    if len(mention.candidates) < 2 or (mention.chosen and chosen_by_hand(mention.chosen_by)):
        return None
    return score_margin(mention.candidates)


def kind_words(schema: Schema, cls: str, candidate: Candidate) -> str:
    """Of which kind a term is, where the class stands for several: `Drug`, `Drug or Food`."""
    return " or ".join(kinds_of_term(schema, cls, candidate.term, candidate.vocabulary))
