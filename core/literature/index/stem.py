"""Porter's stemmer (Porter 1980, "An algorithm for suffix stripping"), then the Latin and Greek
endings of medicine.

Porter's steps leave fibrosi and fibrot, bacteria, bacteri and bacterium: their endings are dropped
too, so that fibrosis and fibrotic, or bacteria and bacterial, are one. Words with digits or outside
a–z are left as they are: gene symbols and Greek names have no English suffixes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

SHORTEST = 3
_PLAIN = re.compile(r"[a-z]+\Z")

STEP2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "abli": "able",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
}
STEP3 = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
STEP4 = (
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
)
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


@lru_cache(maxsize=200_000)
def stem_word(word: str) -> str:
    """The stem of a lower-case word; words shorter than three letters are their own."""
    if len(word) < SHORTEST or not _PLAIN.match(word):
        return word
    return _classical(porter_stem(word))


def porter_stem(word: str) -> str:
    """Porter's stem of a word of a–z."""
    for step in (_plural, _past, _y, _double_suffix, _single_suffix, _last_suffix, _final):
        word = step(word)
    return word


def _classical(word: str) -> str:
    for suffix, left in CLASSICAL.items():
        if word.endswith(suffix) and len(word) - len(suffix) >= left:
            return word[: -len(suffix)]
    return word


def _consonants(word: str) -> str:
    """The word as c and v: y is a vowel after a consonant."""
    shape = ""
    for place, letter in enumerate(word):
        vowel = letter in "aeiou" or (letter == "y" and place > 0 and shape[place - 1] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """How often vowels are followed by consonants: Porter's m."""
    return _consonants(word).count("vc")


def _double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _consonants(word)[-1] == "c"


def _short(word: str) -> bool:
    """Ends consonant–vowel–consonant, the last not w, x or y: Porter's *o."""
    return _consonants(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    for suffix, kept in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")):
        if word.endswith(suffix):
            return word[: len(word) - len(suffix)] + kept
    return word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word[: -len(suffix)]
        if word.endswith(suffix) and "v" in _consonants(rest):
            return _restored(rest)
    return word


def _restored(word: str) -> str:
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _double(word) and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _short(word) else word


def _y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and "v" in _consonants(word[:-1]) else word


def _replaced(word: str, table: dict[str, str], enough: Callable[[str], bool]) -> str:
    for size in range(min(7, len(word)), 1, -1):
        suffix = word[-size:]
        if suffix in table:
            rest = word[:-size]
            return rest + table[suffix] if enough(rest) else word
    return word


def _double_suffix(word: str) -> str:
    return _replaced(word, STEP2, lambda rest: _measure(rest) > 0)


def _single_suffix(word: str) -> str:
    return _replaced(word, STEP3, lambda rest: _measure(rest) > 0)


def _last_suffix(word: str) -> str:
    if word.endswith(("sion", "tion")):
        return word[:-3] if _measure(word[:-3]) > 1 else word
    return _replaced(word, dict.fromkeys(STEP4, ""), lambda rest: _measure(rest) > 1)


def _final(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
