"""Numbers that stand for names, such that the number of a run of words follows from those of its
words: all runs of a text are looked up at once, without writing any of them out.

`solid` is a Rabin fingerprint of the letters written together, modulo two primes: for words a and
b, f(ab) = f(a)·256^|b| + f(b). `stem` is a sum over stems, so that order does not matter. Names
that share a number by chance are told apart by their words, after the look-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from core.grounding.match import normalise
from core.grounding.match.word_forms import STOP, TYPES

PRIMES = (2_147_483_647, 2_147_483_629)  # below 2^31: a product fits into 64 bits
_ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A folded word: its letters modulo either prime, what letters before it are multiplied by, and
    its stem (0 for a stop word), as in names with and without a word such as "type" (see
    `normalise.arabic`); `bare` is the stem of a stop word too.
    """

    one: int
    other: int
    shift_one: int
    shift_other: int
    stem: int
    typed: int
    bare: int
    is_type: bool


@lru_cache(maxsize=500_000)
def fingerprint(word: str) -> Fingerprint:
    letters = word.encode("utf-8", "surrogatepass")
    value, (first, second) = int.from_bytes(letters, "big"), PRIMES
    bare = _number(normalise.stem_key(word))
    stop = word in STOP
    plain, typed = normalise.roman_as_arabic(word, False), normalise.roman_as_arabic(word, True)
    return Fingerprint(
        value % first,
        value % second,
        pow(256, len(letters), first),
        pow(256, len(letters), second),
        0 if stop else _number(normalise.stem_key(plain)) if plain != word else bare,
        0 if stop else _number(normalise.stem_key(typed)) if typed != word else bare,
        bare,
        word in TYPES,
    )


def joined_fingerprint(words: tuple[str, ...]) -> int:
    """The number of words written together, whatever their division; below 2^62."""
    value = int.from_bytes("".join(words).encode("utf-8", "surrogatepass"), "big")
    return (value % PRIMES[0] << 31) | value % PRIMES[1]


def stem_fingerprint(words: tuple[str, ...]) -> int:
    """The number of words without order, stop words, word forms; a signed 64-bit number."""
    marks = [fingerprint(word) for word in words]
    typed = any(mark.is_type for mark in marks)
    total = sum(mark.typed if typed else mark.stem for mark in marks)
    if all(word in STOP for word in words):
        total = sum(mark.bare for mark in marks)
    total &= _ALL
    return total - (1 << 64) if total >> 63 else total


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
