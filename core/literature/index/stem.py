"""Porter's stems (Porter 1980, by PyStemmer), of words in one spelling, without the Latin and Greek
endings of medicine.

Porter's steps leave fibrosi and fibrot, bacteria, bacteri and bacterium: their endings are dropped
too, so that fibrosis and fibrotic, or bacteria and bacterial, are one. Words with digits or outside
a–z are left as they are: gene symbols and Greek names have no English suffixes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

from core.literature.index.word_form import american_singular

SHORTEST = 3
CLASSICAL = {  # ending as Porter leaves it → letters that must stay
    "osi": 4,
    "os": 4,
    "ot": 4,
    "iti": 4,
    "ium": 5,
    "ia": 4,
    "i": 5,
    "ic": 5,
    "al": 5,
    "um": 5,
    "a": 5,
}
_LAST = frozenset(ending[-1] for ending in CLASSICAL)
_OF_THREAD = threading.local()  # a Stemmer must not be shared by threads


@lru_cache(maxsize=200_000)
def stem_word(word: str) -> str:
    """The stem of a lower-case word; words shorter than three letters are their own."""
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    return _classical(_porter().stemWord(american_singular(word)))


def stem_plain_words(words: Iterable[str]) -> list[str]:
    """The stems of many words of at least three lower-case letters a–z, in order."""
    stems = _porter().stemWords(list(map(american_singular, words)))
    return list(map(_classical, stems))


def _porter() -> Stemmer.Stemmer:
    stemmer = getattr(_OF_THREAD, "stemmer", None)
    if stemmer is None:
        stemmer = _OF_THREAD.stemmer = Stemmer.Stemmer("porter", 0)  # stem_word remembers
    return stemmer


def _classical(word: str) -> str:
    if word[-1] not in _LAST:
        return word
    for size in (3, 2, 1):  # the longest ending first
        least_left = CLASSICAL.get(word[-size:])
        if least_left is not None and len(word) - size >= least_left:
            return word[:-size]
    return word
