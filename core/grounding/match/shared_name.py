"""Terms that share a name: the one whose own label is nearer to that name is meant.

MeSH lists Schwartz-Jampel syndrome among the names of Osteochondrodysplasias, OMIM has a record of
its own for it. Where the labels of two terms tell them apart so, the heading is the wider of the
two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.grounding.match import normalise
from core.grounding.match.near import LIGHT, stems
from core.model import Candidate, MatchKind

NEAR = 0.05  # how much worse the other term's match may be
NEARER = 0.2  # by how much more of the name its label must share
SHARED = 0.01  # what the wider term loses against it
_WHOLE = frozenset(
    (MatchKind.EXACT, MatchKind.NORMALISED, MatchKind.RELATED, MatchKind.ABBREVIATION)
)


def own_label_first(ranked: Sequence[tuple[float, Candidate]]) -> list[tuple[float, Candidate]]:
    """Candidates with their ranks, best first; of those of other id spaces that bear the name of
    the first the one goes first whose label shares more words with it.
    """
    if len(ranked) < 2 or ranked[0][1].match not in _WHOLE:
        return list(ranked)
    first_rank, first = ranked[0]
    name = normalise.name_key(first.surface)
    own = label_share(first)
    rivals = [
        pair
        for pair in ranked[1:]
        if first.score - pair[1].score < NEAR
        and not pair[1].obsolete
        and _id_space(pair[1]) != _id_space(first)
        and normalise.name_key(pair[1].surface) == name
        and label_share(pair[1]) > own + NEARER
    ]
    if not rivals:
        return list(ranked)
    rank, nearest = max(rivals, key=lambda pair: (label_share(pair[1]), pair[0]))
    score = max(nearest.score, first.score)
    note = ", ".join(filter(None, (nearest.differed, "nearer label")))
    others = [pair for pair in ranked[1:] if pair[1] is not nearest]
    wider = replace(first, score=min(first.score, round(score - SHARED, 4)))
    return [(first_rank, replace(nearest, score=score, differed=note)), (rank, wider), *others]


def label_share(candidate: Candidate) -> float:
    """The share of telling words that a term's label and the name met have in common, 0 to 1."""
    label, name = (
        stems(normalise.fold_words(words)) - LIGHT
        for words in (candidate.term.label, candidate.surface)
    )
    return len(label & name) / (len(label | name) or 1)


def _id_space(candidate: Candidate) -> str:
    return candidate.term.id.partition(":")[0]
