"""Terms that share a name: the one whose own label is nearer to that name is meant.

MeSH lists McLeod syndrome among the names of neuroacanthocytosis, OMIM has a record of its own for
it. Where the labels of two terms tell them apart so, the heading is the wider of the two. Where the
nearer one is called "…, type 1", both are only offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from core.grounding.index.lexicon import Lexicon
from core.grounding.match import normalise
from core.grounding.match.name_match import exact_names
from core.grounding.match.rare_words import LIGHT, stems
from core.model import Candidate, MatchKind

NEAR = 0.05  # how much worse the other term's match may be
NEARER = 0.2  # by how much more of the name its label must share
SHARED = 0.01  # what the wider term loses against it
LONG = 6  # letters: a short form and a number make another short form
OFFERED = 0.49  # of a term that a curator must choose
HEADING = "listed under a wider heading"
_WHOLE = frozenset(
    (MatchKind.EXACT, MatchKind.NORMALISED, MatchKind.RELATED, MatchKind.ABBREVIATION)
)

_PREFERRED_ID = re.compile(r"\bas [\w.]+:\S+$")  # "as MESH:D000069439": met by that one's name


def own_label_first(
    ranked: Sequence[tuple[float, Candidate]], same: Callable[[str, str], bool]
) -> list[tuple[float, Candidate]]:
    """Candidates with their ranks, best first; of those of other id spaces that bear the name of
    the first the one goes first whose label shares more words with it, unless that is the
    same thing (`same` says it of two ids), or the first is a gene: its label is a symbol, which
    says nothing of what its protein is called (CASP3, caspase 3).
    """
    if len(ranked) < 2 or ranked[0][1].match not in _WHOLE:
        return list(ranked)
    first_rank, first = ranked[0]
    if first.taxon or _PREFERRED_ID.search(first.differed):
        return list(ranked)
    name = normalise.name_key(first.surface)
    namesakes = [
        pair
        for pair in ranked[1:]
        if first.score - pair[1].score < NEAR
        and not pair[1].obsolete
        and _id_space(pair[1]) != _id_space(first)
        and normalise.name_key(pair[1].surface) == name
        and not same(first.term.id, pair[1].term.id)
    ]
    least = label_share(first) + NEARER if namesakes else 0.0
    rivals = [pair for pair in namesakes if label_share(pair[1]) > least]
    if not rivals:
        return list(ranked)
    rank, nearest = max(rivals, key=lambda pair: (label_share(pair[1]), pair[0]))
    score = max(nearest.score, first.score)
    note = ", ".join(filter(None, (nearest.differed, "nearer label")))
    others = [pair for pair in ranked[1:] if pair[1] is not nearest]
    wider = replace(first, score=min(first.score, round(score - SHARED, 4)))
    return [(first_rank, replace(nearest, score=score, differed=note)), (rank, wider), *others]


def types_beside(
    lexicons: Iterable[Lexicon], ranked: Sequence[tuple[float, Candidate]]
) -> list[tuple[float, Candidate]]:
    """Where the first is a heading that only lists the name and another term is called "NAME,
    type 1", the heading is offered, not chosen (of such answers 4 of 9 were right on NCBI Disease
    train).
    """
    if not ranked or not _only_lists(ranked[0][1]):
        return list(ranked)
    name = normalise.name_key(ranked[0][1].surface)
    if len(name) < LONG or not _has_first_type(lexicons, name):
        return list(ranked)
    return sorted(
        (
            _offered(pair)
            if _only_lists(pair[1]) and _bears(pair[1], name, ranked[0][1].term.label)
            else pair
            for pair in ranked
        ),
        key=lambda pair: -pair[0],
    )


def _bears(candidate: Candidate, name: str, label: str) -> bool:
    """Whether a candidate was met by that name, or is the same heading under another id."""
    return normalise.name_key(candidate.surface) == name or candidate.term.label == label


def _only_lists(candidate: Candidate) -> bool:
    """Whether a name was met whole that has no word in common with its term's label."""
    return candidate.match in _WHOLE and label_share(candidate) == 0


def _offered(pair: tuple[float, Candidate]) -> tuple[float, Candidate]:
    rank, candidate = pair
    note = ", ".join(filter(None, (candidate.differed, HEADING)))
    return min(rank, OFFERED), replace(
        candidate, score=min(candidate.score, OFFERED), differed=note
    )


def _has_first_type(lexicons: Iterable[Lexicon], name: str) -> bool:
    """Whether some term is called NAME 1, or NAME, type 1 (or I)."""
    words = tuple(sorted(normalise.bag_of_words((*name.split(), "1"))))
    for lexicon in lexicons:
        for ending in ("type 1", "1"):
            for match in exact_names(lexicon, f"{name} {ending}", stems=False):
                label = normalise.bag_of_words(normalise.fold_words(match.hit.label))
                if not match.hit.obsolete and tuple(sorted(label)) == words:
                    return True
    return False


def label_share(candidate: Candidate) -> float:
    """The share of telling words that a term's label and the name met have in common, 0 to 1."""
    label, name = _telling_stems(candidate.term.label), _telling_stems(candidate.surface)
    return len(label & name) / (len(label | name) or 1)


@lru_cache(maxsize=20_000)
def _telling_stems(name: str) -> frozenset[str]:
    return stems(normalise.name_words(name)) - LIGHT


def _id_space(candidate: Candidate) -> str:
    return candidate.term.id.partition(":")[0]
