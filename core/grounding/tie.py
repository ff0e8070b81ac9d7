"""Among terms that match equally well one goes first: the one that the text also names otherwise
(in "cold … common cold", *common cold* before *cold temperature*), else, where all labels begin
with the words, the one that says least beside them (*broccoli floret*; not *broccoli floret
(raw)*).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.grounding.candidates import RankedCandidates, joined_notes
from core.grounding.choice import TIE
from core.grounding.index.lexicon import Lexicon
from core.model import Candidate

BEHIND = 0.02  # what the others of a tie lose
_QUALIFIER = re.compile(r" \([^()]*\)$")  # "(raw)", "(whole or pieces)": how a food was prepared


def settle_tie(
    ranked: RankedCandidates, text: str, lexicons: Sequence[Lexicon]
) -> RankedCandidates:
    """The same candidates, of those tied in front one first: what `text` names otherwise most
    often, else what says least beside the words; as they were where neither tells one from all.
    """
    context = text.casefold()
    signs: list[tuple[str, Callable[[Candidate], int]]] = []
    if context:
        signs.append(
            ("chosen by context", lambda candidate: named_otherwise(candidate, context, lexicons))
        )
    tied = [pair for pair in ranked if ranked[0][0] - pair[0] < TIE]
    if all(
        candidate.term.label.casefold().startswith(candidate.surface.casefold())
        for _, candidate in tied
    ):
        signs.append(("the plainest of several", plainness))
    for why, sign in signs:
        counts = [sign(candidate) for _, candidate in tied]
        if counts.count(max(counts)) == 1:
            return _first(ranked, tied[counts.index(max(counts))], why)
    return ranked


def _first(
    ranked: RankedCandidates, best: tuple[float, Candidate], why: str
) -> list[tuple[float, Candidate]]:
    rank, winner = best
    note = joined_notes(winner.differed, why)
    lowered = [
        (r, replace(other, score=max(0.0, other.score - BEHIND)) if r > rank - TIE else other)
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


def plainness(candidate: Candidate) -> int:
    """How little the label says beside the words: 2 where only a qualifier in parentheses stands
    behind them, 1 where it has none, else 0.

    >>> from core.model import Candidate, MatchKind, Term
    >>> def of(label):
    ...     return Candidate(Term("FOODON:1", label), MatchKind.EXACT, 1.0, surface="spinach")
    >>> [plainness(of(f"spinach {rest}")) for rest in ("(whole or pieces)", "head", "leaf (raw)")]
    [2, 1, 0]
    """
    bare = _QUALIFIER.sub("", candidate.term.label)
    if bare == candidate.term.label:
        return 1
    return 2 * (bare.casefold() == candidate.surface.casefold())
