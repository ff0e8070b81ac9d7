"""A search box over vocabularies: by words, part of a name, or an id."""

from __future__ import annotations

from collections.abc import Iterable

from core.grounding.candidates import candidate_of
from core.grounding.constraint.constraint import Constraint
from core.grounding.index.lexicon import Lexicon
from core.grounding.match import normalise
from core.grounding.match.mention_match import hit_of_term
from core.grounding.match.name_match import NameMatch, exact_names
from core.grounding.readers.record import identifier
from core.model import Candidate, MatchKind


def search_terms(
    text: str, lexicons: Iterable[Lexicon], constraint: Constraint | None, limit: int
) -> tuple[Candidate, ...]:
    """Terms whose names hold the words of `text`, or whose id it is; best and shortest first."""
    candidates: dict[str, Candidate] = {}
    curie = identifier(text)
    for lexicon in lexicons:
        term = lexicon.term(curie) if curie else None
        if term:
            as_label = NameMatch(hit_of_term(term), MatchKind.LABEL, 1.0)
            candidates[term.id] = candidate_of(lexicon, term.id, term.label, as_label)
        for match in exact_names(lexicon, text):
            candidates.setdefault(
                match.hit.id, candidate_of(lexicon, match.hit.id, match.hit.label, match)
            )
        for hit in lexicon.search(text, limit):
            share = len(normalise.fold_words(text)) / max(1, len(normalise.fold_words(hit.text)))
            part = NameMatch(hit, MatchKind.PARTIAL, 0.5 * min(1.0, share))
            candidates.setdefault(hit.id, candidate_of(lexicon, hit.id, hit.label, part))
    allowed = (
        candidate
        for candidate in candidates.values()
        if constraint is None or constraint.allows(candidate.term.id)
    )
    best_first = sorted(
        allowed, key=lambda candidate: (-candidate.score, len(candidate.surface), candidate.term.id)
    )
    return tuple(best_first[:limit])
