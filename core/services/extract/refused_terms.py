"""What a curator who says "no term fits" refuses: the terms that were offered for the words."""

from __future__ import annotations

from core.grounding.choice import LEAST
from core.model import Mention, Term

NONE_FITS = "no term fits"  # the reason that is stored with each refusal


def refused_terms(mention: Mention) -> tuple[Term, ...]:
    """The terms that the words could be linked to by themselves in another text; those that only
    resemble them are never taken without a curator.
    """
    return tuple(
        candidate.term
        for candidate in mention.candidates
        if candidate.term.id and candidate.score >= LEAST and not candidate.obsolete
    )
