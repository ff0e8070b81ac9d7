"""Words against one vocabulary: how each name that is met differs, and how good the match is.

Scores are between 0 and 1. A name met letter by letter scores by its scope; each folding that was
needed costs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from core.grounding.index.lexicon import Lexicon
from core.grounding.index.name_lookup import NameHit
from core.grounding.match import normalise
from core.grounding.match.coordination import says_numbers_together
from core.grounding.match.word_forms import BODY
from core.grounding.readers.record import SynonymScope
from core.model import MatchKind

SCOPE_SCORES = {
    SynonymScope.LABEL: 1.0,
    SynonymScope.EXACT: 0.98,
    SynonymScope.PREVIOUS: 0.86,
    SynonymScope.NARROW: 0.84,
    SynonymScope.BROAD: 0.82,
    SynonymScope.RELATED: 0.8,
}
LOOSE_SCOPES = frozenset((SynonymScope.BROAD, SynonymScope.RELATED))
SCOPE_KINDS = {
    SynonymScope.LABEL: MatchKind.LABEL,
    SynonymScope.EXACT: MatchKind.EXACT,
    SynonymScope.PREVIOUS: MatchKind.RELATED,
    SynonymScope.NARROW: MatchKind.NARROW,
    SynonymScope.BROAD: MatchKind.BROAD,
    SynonymScope.RELATED: MatchKind.RELATED,
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
LEAST_FOLDING = min(COSTS.values())
LEAST_REORDERING = min(COSTS["hyphen or space"], COSTS["numeral"])  # of other folded words
LEAST_REWORDING = min(COSTS["word form"], COSTS["equal word"])  # of another bag of words
SYMBOL_CASE = 0.06  # a short symbol in another case of letters may be another thing
FAMILY = 0.35  # "tyrosine kinase" is what many genes are; one of them is offered, not chosen
# What many proteins are called: "tyrosine kinase", "growth factor"
_FAMILIES = re.compile(
    r"[a-z -]+ (?:kinase|receptor|phosphatase|protease|factor|channel|transporter|protein|enzyme)"
)
UNLIKE = 0.01  # how much worse such a symbol is than a name as it is written
GENE_WORD = 0.25  # every word of a gene's name counts: "hepatocyte NOS" is no hepatocyte
# A stop word that is part of a word is none: "ON-bipolar cell" is no plain bipolar cell.
_JOINED = re.compile(r"\b(?:on|in|at)-|\bassociated\b", re.IGNORECASE)
JOINED = 0.45
EQUAL_WORD = "equal word"
FORMS = frozenset(("word form", EQUAL_WORD))
# An equal word in a name that is also put in another order or written otherwise: "hereditary breast
# cancer" for "Breast Cancer, Familial", "C5-deficient" for "C5 deficiency". Offered, not chosen: of
# such answers 57 % were right on BC5CDR and NCBI Disease train.
REARRANGED = {"hyphen or space": 2, "word order": 1, "stop word": 1, "numeral": 1}
MUCH_REARRANGED = 2
FAR = 0.45
# Where letters and a number make a name their order tells things apart: MCP-1 is no 1-MCP.
_CODE = re.compile(r"[A-Za-z]{1,5}[- ]\d+|\d+[- ][A-Za-z]{1,5}")


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
    words = normalise.name_words(text)
    hits = lexicon.same(words, stems=stems) if words else []
    if hits and says_numbers_together(text):
        # "type 1 and type 2 diabetes" is no "type 1 diabetes mellitus 2"
        hits = [hit for hit in hits if says_numbers_together(hit.text)]
    if not hits:
        return ()
    spaced = " ".join(text.split())
    of_body = len(words) == 1 and words[0] in BODY
    matches = []
    for _, of_term in groupby(hits, key=itemgetter(0)):
        best: NameMatch | None = None
        best_place = 0
        for most, place, hit in _likely_first(list(of_term), text, words):
            if best and most < best.score:
                break
            match = describe_match(text, hit, spaced)
            if not stems and not FORMS.isdisjoint(match.differed):
                continue
            if of_body and "word form" in match.differed:
                continue  # "Brain" is no form of Brainal
            if best is None or (match.score, -place) > (best.score, -best_place):
                best, best_place = match, place
        if best:
            matches.append(best)
    return tuple(word_ordered(_as_written_first(text, matches)))


def _likely_first(
    hits: Sequence[NameHit], text: str, words: tuple[str, ...]
) -> Sequence[tuple[float, int, NameHit]]:
    """The names of one term, those that may be met best first, each with its highest score and its
    place.
    """
    if len(hits) == 1:
        return [(1.0, 0, hits[0])]
    scored = [(highest_score(hit, text, words), n, hit) for n, hit in enumerate(hits)]
    scored.sort(key=itemgetter(0), reverse=True)
    return scored


def _as_written_first(text: str, matches: list[NameMatch]) -> list[NameMatch]:
    """A gene's symbol that is only like the words is no better than another gene's name that is
    written so: "COX-2" is PTGS2, and not COX2.
    """
    written = [match.score for match in matches if match.hit.taxon and match.hit.text == text]
    if not written:
        return matches
    most = max(written) - UNLIKE
    return [
        replace(match, score=min(match.score, most))
        if match.hit.taxon and match.hit.text != text and is_symbol(match.hit.text)
        else match
        for match in matches
    ]


def highest_score(hit: NameHit, text: str, words: tuple[str, ...]) -> float:
    """A score that a match of this name is not above; quicker than the match itself, of which only
    the best one a term is wanted.
    """
    most = SCOPE_SCORES[hit.scope]
    if hit.text == text:
        return most
    if hit.text.casefold() == text.casefold():
        return most - FOLDED - COSTS["case"]
    own = normalise.name_words(hit.text)
    if own == words:
        return most - FOLDED - LEAST_FOLDING
    same = "".join(own) == "".join(words) or normalise.bag_of_words(own) == normalise.bag_of_words(
        words
    )
    return most - FOLDED - (LEAST_REORDERING if same else LEAST_REWORDING)


def describe_match(text: str, hit: NameHit, spaced: str = "") -> NameMatch:
    """How a name was met; `spaced` is the text with single blanks, where a caller has it.

    >>> hit = NameHit("HGNC:11892", "TNF", "TNF-alpha", SynonymScope.EXACT)
    >>> match = describe_match("tnf-α", hit)
    >>> match.kind, match.differed, match.score
    (<MatchKind.NORMALISED: 'normalised'>, ('case', 'Greek letter'), 0.96)
    """
    if hit.taxon and hit.scope in LOOSE_SCOPES and _FAMILIES.fullmatch(hit.text):
        return NameMatch(hit, SCOPE_KINDS[hit.scope], SCOPE_SCORES[hit.scope] - FAMILY, ("family",))
    if hit.text == text:
        return NameMatch(hit, SCOPE_KINDS[hit.scope], SCOPE_SCORES[hit.scope])
    spaced = spaced or " ".join(text.split())
    differed = normalise.folding_steps(spaced, " ".join(hit.text.split()))
    if not differed:
        return NameMatch(hit, SCOPE_KINDS[hit.scope], SCOPE_SCORES[hit.scope])
    score = SCOPE_SCORES[hit.scope] - sum(COSTS[step] for step in differed)
    if "case" in differed and is_symbol(hit.text):
        score -= SYMBOL_CASE
    if "stop word" in differed and len(_JOINED.findall(hit.text)) > len(_JOINED.findall(text)):
        score -= JOINED
    if "stop word" in differed and hit.taxon:
        score -= GENE_WORD
    if "word order" in differed and _CODE.fullmatch(text):
        score -= FAR
    rearranged = sum(REARRANGED.get(step, 0) for step in differed)
    if EQUAL_WORD in differed and rearranged >= MUCH_REARRANGED:
        score -= FAR
    kind = (
        MatchKind.NORMALISED
        if hit.scope in (SynonymScope.LABEL, SynonymScope.EXACT)
        else SCOPE_KINDS[hit.scope]
    )
    return NameMatch(hit, kind, score - FOLDED, differed)


def is_symbol(name: str) -> bool:
    """Whether a name is a short symbol such as ALS, Kras or p53, whose case of letters tells things
    apart.

    >>> is_symbol("p53"), is_symbol("Kras"), is_symbol("asthma")
    (True, False, False)
    """
    return (
        len(name) <= 6
        and " " not in name
        and (any(c.isdigit() for c in name) or any(c.isupper() for c in name[1:]))
    )


def word_ordered(matches: Iterable[NameMatch]) -> list[NameMatch]:
    return sorted(matches, key=lambda match: (-match.score, match.hit.obsolete, match.hit.id))


def scale_match(match: NameMatch, kind: MatchKind, factor: float, note: str) -> NameMatch:
    """The same match under another kind, at a share of its score."""
    return replace(match, kind=kind, score=match.score * factor, differed=(note, *match.differed))
