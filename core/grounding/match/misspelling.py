"""Misspelt words: a word that no name holds is replaced by words of names that are one or two
letters away.

Only unknown words are touched, so that prednisone never becomes prednisolone. The first letter must
be right. A short form is none of them: HFmrEF is no misspelt HFrEF.
"""

from __future__ import annotations

from itertools import product

from rapidfuzz.distance import OSA

from core.grounding.index.lexicon import Lexicon
from core.grounding.match import normalise
from core.grounding.match.name_match import NameMatch, exact_names, scale_match, word_ordered
from core.model import MatchKind

LEAST = 5  # letters of a word that may be misspelt
SHORT_FORM = 8  # letters of one word that is a short form, if three or more are capitals
_MOST_FORMS = 12


def misspelt_names(lexicon: Lexicon, text: str) -> list[NameMatch]:
    """Names that equal `text` once one or two unknown words are spelt as in the vocabulary."""
    if len(text) <= SHORT_FORM and sum(map(str.isupper, text)) > 2:
        return []
    folded = normalise.fold_words(text)
    long = [word for word in folded if len(word) >= LEAST and word.isalpha()]
    known_words = lexicon.known_words(long)
    unknown = [word for word in long if word not in known_words]
    if not unknown or len(unknown) > 2:
        return []
    choices = [[(word, 0)] if word not in unknown else _spellings(lexicon, word) for word in folded]
    if not all(choices):
        return []
    name_matches: dict[str, NameMatch] = {}
    for form in list(product(*choices))[:_MOST_FORMS]:
        worth = 0.9 - 0.06 * sum(distance for _, distance in form)
        spelt = " ".join(word for word, _ in form)
        for match in exact_names(lexicon, spelt, stems=False):
            better = scale_match(
                match, MatchKind.FUZZY, worth, f"spelling of “{' '.join(unknown)}”"
            )
            if match.hit.id not in name_matches or better.score > name_matches[match.hit.id].score:
                name_matches[match.hit.id] = better
    return word_ordered(name_matches.values())


def _spellings(lexicon: Lexicon, word: str) -> list[tuple[str, int]]:
    most = 1 if len(word) < 10 else 2
    distances = (
        (spelling, int(OSA.distance(word, spelling, score_cutoff=most)))
        for spelling in lexicon.words_like(word, most)
    )
    return sorted(
        ((spelling, d) for spelling, d in distances if d <= most), key=lambda x: (x[1], x[0])
    )[:4]
