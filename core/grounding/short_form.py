"""Short forms that a text does not write out: "AD" is Alzheimer disease in one text and atopic
dermatitis in the next.

Two capitals mean too much to be taken for what a vocabulary lists, and so do three with several
senses here, unless the text names one of the senses otherwise too. All senses are offered then, and
a curator decides. A gene's own symbol (a label) is no short form.

Ids of one thing are one sense.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.grounding.candidates import RankedCandidates, joined_notes
from core.grounding.choice import NOT_WRITTEN_OUT
from core.grounding.index.lexicon import Lexicon
from core.grounding.match import normalise
from core.grounding.match.shared_name import OFFERED
from core.grounding.tie import named_otherwise
from core.model import Candidate, MatchKind

FEW, SOME = 2, 3  # capitals
_OTHER_FORM = ("stop word", "plural")  # in `differed`: "AML, NOS", "MdDS"
_SURE = frozenset((MatchKind.LABEL, MatchKind.PROJECT, MatchKind.ABBREVIATION))


def undecided_short_form(
    words: str,
    ranked: RankedCandidates,
    text: str,
    lexicons: Sequence[Lexicon],
    *,
    same: Callable[[str, str], bool] = operator.eq,
) -> RankedCandidates:
    """The same candidates; the one sense first that the text names otherwise, or none sure. `same`
    says of two ids whether they are one thing.
    """
    if not ranked or not (FEW <= len(words) <= SOME and words.isalpha() and words.isupper()):
        return ranked
    if ranked[0][1].match in _SURE or _is_symbol(words, ranked[0][1]):
        return ranked
    context = text.casefold()
    named = {
        _sense(candidate)
        for _, candidate in ranked
        if context and named_otherwise(candidate, context, lexicons)
    }
    if len(named) == 1:
        return sorted(ranked, key=lambda pair: _sense(pair[1]) not in named)
    if len(words) == FEW or _several_senses(ranked, same):
        return [(min(rank, OFFERED), _offered(candidate)) for rank, candidate in ranked]
    return ranked


def _is_symbol(words: str, candidate: Candidate) -> bool:
    """Whether it is a gene's own symbol, in whichever case its species writes it (NGF, Ngf)."""
    return bool(candidate.taxon) and candidate.term.label.casefold() == words.casefold()


def _several_senses(ranked: RankedCandidates, same: Callable[[str, str], bool]) -> bool:
    """Whether some candidate means another thing than the best one, by its label and by its id.
    Names that are met in another form only are no further sense: "AML, NOS" of "AML".
    """
    first = ranked[0][1]
    return any(
        _sense(rival) != _sense(first)
        and not same(rival.term.id, first.term.id)
        and (first.differed or not any(form in rival.differed for form in _OTHER_FORM))
        for _, rival in ranked[1:]
    )


def _sense(candidate: Candidate) -> tuple[str, ...]:
    """What two ids of one thing share: the words of their labels."""
    return normalise.bag_of_words(normalise.name_words(candidate.term.label))


def _offered(candidate: Candidate) -> Candidate:
    note = joined_notes(candidate.differed, NOT_WRITTEN_OUT)
    return replace(candidate, score=min(candidate.score, OFFERED), differed=note)
