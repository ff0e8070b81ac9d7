"""Names that are not the mention but share its rare words: a name may be longer than the mention by
words that say nothing, or that the text says elsewhere ("ganglion cell" in a text on the retina),
and shorter by words that only qualify.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from core.grounding.index.lexicon import Lexicon
from core.grounding.index.name_lookup import NameHit
from core.grounding.match import normalise
from core.grounding.match.name_match import SCOPE_SCORES, NameMatch, word_ordered
from core.grounding.match.word_forms import STOP
from core.model import MatchKind

_LIGHT_WORDS = """
    disease syndrome disorder cell type familial hereditary inherited congenital inborn idiopathic
    human morphology shape finding process activity structure system region tissue organ nos form
    susceptibility compound atom group acid agent substance entity molecule drug chemical
    lineage complex infection
"""
LIGHT = frozenset(normalise.stem_key(normalise.fold_word(word)) for word in _LIGHT_WORDS.split())
# Light words that only qualify; none of them stands in the place of "disease" or "infection".
_QUALIFIER_WORDS = """
    familial hereditary inherited congenital inborn idiopathic human nos susceptibility
"""
QUALIFIERS = frozenset(
    normalise.stem_key(normalise.fold_word(word)) for word in _QUALIFIER_WORDS.split()
)
# Where a disorder sits when nothing else is meant: "arrhythmias" are of the heart.
_SEAT_WORDS = "heart muscle kidney liver lung brain skin blood bone nerve stomach"
SEATS = frozenset(normalise.stem_key(normalise.fold_word(word)) for word in _SEAT_WORDS.split())
TOLD, UNTOLD = 0.06, 0.32  # what an extra word of the name costs that the text says, and another
DROPPED = 0.16  # what a light word of the mention costs that the name lacks
HEADLESS = 0.32  # what it costs in all when its last word is: "Rabbit syndrome" is no rabbit
SWAPPED = 0.08  # what it costs when another light word stands in its place
# What it costs when one word of the mention tells anything and the name says more: "arthropathy" is
# no psoriatic arthropathy; nor is a name with two words more. Such names are offered, not chosen
# (on BC5CDR and NCBI Disease train 5 of 22 were right; of cells, "ganglion cell", nearly all are).
MUCH_NARROWER = 0.32
_LOCANT = re.compile(r"\(?[\dNRSEZ][\d,'NRSEZ]*\)?-")  # "4-nitrophenol" for nitrophenol
BEST = 0.8  # of a name that has all words of the mention and nothing more but light words
NARROWER = "narrower than the words"
MOST_EXTRA = 2  # words of a name beyond the mention's, light ones apart


@lru_cache(maxsize=64)
def stems_of_text(text: str) -> frozenset[str]:
    """The stems that a text holds."""
    return frozenset(normalise.stem_key(word) for word in normalise.fold_words(text))


def near_names(lexicon: Lexicon, words: str, context: str) -> list[NameMatch]:
    """Names that share the rare words of a mention, best first; at most one a term."""
    folded = normalise.fold_words(words)
    mention_stems = stems(folded)
    heavy = mention_stems - LIGHT
    if len(words) < 4 or max(map(len, heavy), default=0) < 2:
        return []  # "type I" names nothing by itself
    context_stems = stems_of_text(context) if context else frozenset[str]()
    best: dict[str, NameMatch] = {}
    head = normalise.stem_key(folded[-1])
    needed = {stem for stem in heavy if not stem.isdigit()}  # "2" may be written "II"
    for hit in lexicon.similar_names(sorted(mention_stems), needed):
        match = _compared(hit, mention_stems, heavy, context_stems, head=head)
        if match and (hit.id not in best or match.score > best[hit.id].score):
            best[hit.id] = match
    return word_ordered(best.values())[:5]


def stems(words: Iterable[str]) -> frozenset[str]:
    kept = [word for word in normalise.bag_of_words(tuple(words)) if word not in STOP]
    return frozenset(map(normalise.stem_key, kept))


def _compared(
    hit: NameHit,
    mention_stems: frozenset[str],
    heavy: frozenset[str],
    context_stems: Collection[str],
    *,
    head: str,
) -> NameMatch | None:
    own = stems(normalise.fold_words(hit.text))
    if not heavy <= own or own == mention_stems:  # the same name is met as such, or not meant
        return None
    extra = own - mention_stems
    light = extra & LIGHT
    in_context = {stem for stem in extra - light if stem in context_stems}
    strange = extra - light - in_context
    if len(extra) - len(light) > MOST_EXTRA or (strange and len(heavy) < 2 * len(strange)):
        return None
    cost = TOLD * len(in_context) + UNTOLD * len(strange) + 0.02 * len(light)
    dropped = len(mention_stems - own)
    # "adenovirus disease" for "adenovirus infection"
    swapped = min(dropped, len(light - QUALIFIERS))
    cost += DROPPED * (dropped - swapped) + SWAPPED * swapped
    much = bool(in_context - SEATS) and (len(heavy) == 1 or len(in_context) > 1)
    if much and "cell" not in own and not _LOCANT.match(hit.text):
        cost = max(cost, MUCH_NARROWER)
    if head in mention_stems - own and not swapped and len(heavy) < 3:
        cost = max(cost, HEADLESS)
    score = (BEST - cost) * SCOPE_SCORES[hit.scope]
    notes = [f"with “{stem}”" for stem in sorted(in_context | strange)]
    notes += [NARROWER] * bool(notes)
    return NameMatch(hit, MatchKind.PARTIAL, score, tuple(notes or ["other words"]))
