"""Words against one vocabulary: how each name that is met differs, and how good the match is.

Scores are between 0 and 1. A name met letter by letter scores by its scope; each folding that was
needed costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from core.grounding.index.lexicon import Lexicon, NameHit
from core.grounding.match import normalise
from core.grounding.readers.record import Scope
from core.model import MatchKind

SCOPE_SCORES = {
    Scope.LABEL: 1.0,
    Scope.EXACT: 0.98,
    Scope.PREVIOUS: 0.86,
    Scope.NARROW: 0.84,
    Scope.BROAD: 0.82,
    Scope.RELATED: 0.83,
}
SCOPE_KINDS = {
    Scope.LABEL: MatchKind.LABEL,
    Scope.EXACT: MatchKind.EXACT,
    Scope.PREVIOUS: MatchKind.RELATED,
    Scope.NARROW: MatchKind.NARROW,
    Scope.BROAD: MatchKind.BROAD,
    Scope.RELATED: MatchKind.RELATED,
}
COSTS = {
    "Unicode": 0.002,
    "case": 0.005,
    "Greek letter": 0.005,
    "apostrophe": 0.005,
    "spelling": 0.005,
    "plural": 0.03,
    "hyphen or space": 0.01,
    "word order": 0.03,
    "stop word": 0.03,
    "numeral": 0.01,
    "word form": 0.09,
    "equal word": 0.12,
}
FOLDED = 0.01  # what it costs to be folded at all
SYMBOL_CASE = 0.06  # a short symbol in another case of letters may be another thing
GENE_WORD = 0.25  # every word of a gene's name counts: "hepatocyte NOS" is no hepatocyte
FORMS = frozenset(("word form", "equal word"))


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name of a term, how it was met, and how well."""

    hit: NameHit
    kind: MatchKind
    score: float
    differed: tuple[str, ...] = ()


def exact_names(lexicon: Lexicon, text: str, *, stems: bool = True) -> list[NameMatch]:
    """Names that equal `text`, but for what normalisation folds; the best one a term, best first.

    Without `stems` word forms and equal words count as differences.
    """
    return list(_exact(lexicon, text, stems))


@lru_cache(maxsize=30_000)
def _exact(lexicon: Lexicon, text: str, stems: bool) -> tuple[NameMatch, ...]:
    words = normalise.fold_words(text)
    if not words:
        return ()
    best: dict[str, NameMatch] = {}
    for hit in lexicon.same(words, stems=stems):
        match = describe_match(text, hit)
        if not stems and not FORMS.isdisjoint(match.differed):
            continue
        if hit.id not in best or match.score > best[hit.id].score:
            best[hit.id] = match
    return tuple(ordered(best.values()))


def describe_match(text: str, hit: NameHit) -> NameMatch:
    """How a name was met."""
    differed = normalise.folding_steps(" ".join(text.split()), " ".join(hit.text.split()))
    score = SCOPE_SCORES[hit.scope] - sum(COSTS[step] for step in differed)
    if not differed:
        return NameMatch(hit, SCOPE_KINDS[hit.scope], score)
    if "case" in differed and is_symbol(hit.text):
        score -= SYMBOL_CASE
    if "stop word" in differed and hit.taxon:
        score -= GENE_WORD
    kind = (
        MatchKind.NORMALISED if hit.scope in (Scope.LABEL, Scope.EXACT) else SCOPE_KINDS[hit.scope]
    )
    return NameMatch(hit, kind, score - FOLDED, differed)


def is_symbol(name: str) -> bool:
    """Whether a name is a short symbol such as ALS, Kras or p53, whose case of letters tells things
    apart.
    """
    return (
        len(name) <= 6
        and " " not in name
        and (any(c.isdigit() for c in name) or any(c.isupper() for c in name[1:]))
    )


def ordered(matches: Iterable[NameMatch]) -> list[NameMatch]:
    return sorted(matches, key=lambda match: (-match.score, match.hit.obsolete, match.hit.id))


def scale_match(match: NameMatch, kind: MatchKind, factor: float, note: str) -> NameMatch:
    """The same match under another kind, at a share of its score."""
    return replace(match, kind=kind, score=match.score * factor, differed=(note, *match.differed))
