"""Short forms that a text does not write out: "AD" is Alzheimer disease in one text and atopic
dermatitis in the next.

Two capitals mean too much to be taken for what a vocabulary lists, and so do three with several
senses here, unless the text names one of the senses otherwise too. All senses are offered then, and
a curator decides. A gene's own symbol (a label) is no short form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.grounding.candidates import RankedCandidates, joined_notes
from core.grounding.choice import NOT_WRITTEN_OUT
from core.grounding.index.lexicon import Lexicon
from core.grounding.match import normalise
from core.grounding.match.shared_name import OFFERED
from core.grounding.tie import named_otherwise
from core.model import Candidate, MatchKind

FEW, SOME = 2, 3  # capitals
_SURE = frozenset((MatchKind.LABEL, MatchKind.PROJECT, MatchKind.ABBREVIATION))


def undecided_short_form(
    words: str, ranked: RankedCandidates, text: str, lexicons: Sequence[Lexicon]
) -> RankedCandidates:
    """The same candidates; the one sense first that the text names otherwise, or none sure."""
    if not ranked or not (FEW <= len(words) <= SOME and words.isalpha() and words.isupper()):
        return ranked
    if any(candidate.match in _SURE for _, candidate in ranked):
        return ranked
    senses = {_sense(candidate): (rank, candidate) for rank, candidate in reversed(ranked)}
    context = text.casefold()
    named = {
        _sense(candidate)
        for _, candidate in ranked
        if context and named_otherwise(candidate, context, lexicons)
    }
    if len(named) == 1:
        return sorted(ranked, key=lambda pair: _sense(pair[1]) not in named)
    if len(words) == FEW or len(senses) > 1:
        return [(min(rank, OFFERED), _offered(candidate)) for rank, candidate in ranked]
    return ranked


def _sense(candidate: Candidate) -> tuple[str, ...]:
    """What two ids of one thing share: the words of their labels."""
    return normalise.bag_of_words(normalise.name_words(candidate.term.label))


def _offered(candidate: Candidate) -> Candidate:
    note = joined_notes(candidate.differed, NOT_WRITTEN_OUT)
    return replace(candidate, score=min(candidate.score, OFFERED), differed=note)
