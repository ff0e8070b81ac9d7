"""The candidate of a name that was met, and its rank: its score less what it loses by its place in
the order of vocabularies and prefixes.

A term that was replaced gives way to its successor; a gene of another species keeps a share of its
score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from core.curie import preferred_prefix
from core.grounding.constraint import branch
from core.grounding.constraint.constraint import Constraint
from core.grounding.constraint.excerpt import NOTHING, HierarchyExcerpt
from core.grounding.index.lexicon import Lexicon
from core.grounding.match.name_match import SCOPE_SCORES, NameMatch
from core.grounding.mesh_branch import is_of_other_kind
from core.grounding.readers.record import SynonymScope
from core.model import Candidate, Category, MatchKind, Term

PREFERENCE = 0.05  # how much better a match in a less preferred vocabulary must be
LATER = 0.01  # the same far down the order, and of matches that are none of the whole words
LOOSE = frozenset((MatchKind.PARTIAL, MatchKind.FUZZY))
FOREIGN = 0.03  # how much better a term of another prefix than the vocabulary's own must be
REPLACED = 0.03
FOREIGN_SPECIES = 0.4  # the share of its score that a gene of another species keeps
OBSOLETE = 0.45  # the share that an obsolete term without a successor keeps

_OF_RELATIONS = (Category.THING, Category.RELATION)  # what slots ask for that relations may fill

RankedCandidates = list[tuple[float, Candidate]]  # rank, candidate


def candidates_of(
    lexicon: Lexicon,
    place: int,
    matches: Iterable[NameMatch],
    constraint: Constraint,
    *,
    kinds: tuple[str, ...] = (),
    excerpt: HierarchyExcerpt = NOTHING,
) -> RankedCandidates:
    """The candidates of a vocabulary that the constraint allows. `place` is the vocabulary's in the
    order of preference, from 0; `kinds` the categories of its terms, where it has no hierarchy, and
    `excerpt` what is known of one.
    """
    pairs = []
    value_sets, order_cost = constraint.value_sets, _order_cost(place)
    relations = lexicon.relations if constraint.category not in _OF_RELATIONS else frozenset()
    own_prefix, prefix_order = next(iter(lexicon.prefixes), ""), _prefix_order(constraint.prefixes)
    for match in matches:
        candidate = _current(lexicon, match, constraint)
        id, label = candidate.term.id, candidate.term.label
        if id in relations or branch.is_unwanted_role(
            lexicon, id, label, value_sets, category=constraint.category
        ):
            continue
        if not value_sets and is_of_other_kind(lexicon, id, constraint.category):
            continue
        if constraint.allows(id) and (
            not value_sets
            or branch.in_value_sets(
                lexicon, id, value_sets, kinds=kinds, category=constraint.category, excerpt=excerpt
            )
        ):
            cost = LATER * place if candidate.match in LOOSE else order_cost
            cost += _prefix_cost(id, own_prefix, prefix_order)
            if constraint.members:
                candidate = _of_its_kind(lexicon, candidate, constraint, kinds, excerpt=excerpt)
            pairs.append((candidate.score - cost, candidate))
    return pairs


def best_of_each_term(pairs: RankedCandidates) -> RankedCandidates:
    """The best candidate of each term, best first."""
    if len(pairs) < 2:
        return pairs
    best: dict[str, tuple[float, Candidate]] = {}
    for rank, candidate in pairs:
        key = candidate.term.id or candidate.term.label
        if key not in best or (rank, candidate.score) > (best[key][0], best[key][1].score):
            best[key] = (rank, candidate)
    return sorted(best.values(), key=lambda pair: (-pair[0], -pair[1].score, pair[1].term.id))


def candidate_of(
    lexicon: Lexicon, id: str, label: str, match: NameMatch, *, constraint: Constraint | None = None
) -> Candidate:
    """The candidate of one match, as it was met."""
    term = Term(id, label or id, constraint.category) if constraint else Term(id, label or id)
    return Candidate(
        term,
        match.kind,
        round(max(0.0, min(1.0, match.score)), 4),
        surface=match.hit.text,
        differed=", ".join(match.differed),
        vocabulary=lexicon.name,
        version=lexicon.version,
        obsolete=match.hit.obsolete,
        replaced_by=match.hit.replaced_by,
        taxon=match.hit.taxon,
    )


def joined_notes(*notes: str) -> str:
    """What differed, in one line."""
    return ", ".join(note for note in notes if note)


def _current(lexicon: Lexicon, match: NameMatch, constraint: Constraint) -> Candidate:
    """The candidate of a match; a term that was replaced gives way to the one that took its
    place.
    """
    hit = match.hit
    candidate = candidate_of(lexicon, hit.id, hit.label, match, constraint=constraint)
    if constraint.taxon and hit.taxon and hit.taxon != constraint.taxon:
        candidate = replace(
            candidate,
            score=round(candidate.score * FOREIGN_SPECIES, 4),
            differed=joined_notes(candidate.differed, "species"),
        )
    if not hit.obsolete:
        return candidate
    if now := lexicon.successor(hit.replaced_by):
        term = replace(candidate.term, id=now.id, label=now.label)
        note = joined_notes(candidate.differed, f"replaces {hit.id}")
        score = candidate.score - REPLACED
        if now.taxon:  # a symbol that was withdrawn is one of the gene's former names
            score = min(score, SCOPE_SCORES[SynonymScope.PREVIOUS])
            candidate = replace(candidate, match=MatchKind.RELATED)
        return replace(candidate, term=term, score=score, differed=note, obsolete=False)
    return replace(
        candidate, obsolete=True, replaced_by=hit.replaced_by, score=candidate.score * OBSOLETE
    )


def _of_its_kind(
    lexicon: Lexicon,
    candidate: Candidate,
    constraint: Constraint,
    kinds: tuple[str, ...],
    *,
    excerpt: HierarchyExcerpt,
) -> Candidate:
    """The candidate with the category of the one kind that it can be, where several are allowed."""
    term = candidate.term
    categories = {
        kind.category
        for kind in constraint.kinds_of(term.id, lexicon.name)
        if branch.in_value_sets(
            lexicon, term.id, kind.value_sets, kinds=kinds, category=kind.category, excerpt=excerpt
        )
    }
    if len(categories) != 1:
        return candidate
    return replace(candidate, term=replace(term, category=categories.pop()))


def _order_cost(place: int) -> float:
    """What standing later in an order of preference costs; far down little more, never nothing."""
    return PREFERENCE * min(place, 4) + LATER * max(place - 4, 0)


@lru_cache(maxsize=1_000)
def _prefix_order(prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """An order of prefixes as the desk writes them; none where there is nothing to order."""
    return tuple(map(preferred_prefix, prefixes)) if len(prefixes) > 1 else ()


def _prefix_cost(id: str, own_prefix: str, order: Sequence[str]) -> float:
    """What a candidate loses by its prefix: the later in the constraint's order the more; without
    an order, when it is not the vocabulary's own.
    """
    prefix = preferred_prefix(id.partition(":")[0])
    if order:
        return _order_cost(order.index(prefix)) if prefix in order else 0.0
    return 0.0 if prefix == own_prefix else FOREIGN
