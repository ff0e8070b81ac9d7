"""Among terms that match equally well the one goes first that the text also names otherwise: in
"cold … common cold", *common cold* before *cold temperature*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.grounding.candidates import RankedCandidates, joined_notes
from core.grounding.choice import TIE
from core.grounding.index.lexicon import Lexicon
from core.model import Candidate

CONTEXT = 0.02  # what the others of a tie lose


def settle_tie(
    ranked: RankedCandidates, text: str, lexicons: Sequence[Lexicon]
) -> RankedCandidates:
    """The same candidates; of those tied in front the one first that `text` names otherwise most
    often, if there is only one such.
    """
    context = text.casefold()
    tied = [pair for pair in ranked if ranked[0][0] - pair[0] < TIE]
    counts = [named_otherwise(candidate, context, lexicons) for _, candidate in tied]
    if counts.count(max(counts)) != 1:
        return ranked
    rank, winner = tied[counts.index(max(counts))]
    note = joined_notes(winner.differed, "chosen by context")
    lowered = [
        (r, replace(other, score=max(0.0, other.score - CONTEXT)) if r > rank - TIE else other)
        for r, other in ranked
        if other is not winner
    ]
    return [(rank, replace(winner, differed=note)), *lowered]


def named_otherwise(candidate: Candidate, context: str, lexicons: Sequence[Lexicon]) -> int:
    """How many other names of the term, of four letters or more, stand in the text."""
    own = (lexicon for lexicon in lexicons if lexicon.name == candidate.vocabulary)
    names = {name.casefold() for lexicon in own for name in lexicon.names_of(candidate.term.id)}
    surface = candidate.surface.casefold()
    return sum(len(name) > 3 and name != surface and name in context for name in names)
