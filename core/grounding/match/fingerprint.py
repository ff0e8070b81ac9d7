"""Numbers that stand for names, such that the number of a run of words follows from those of its
words: all runs of a text are looked up at once, without writing any of them out.

The number of the letters (UTF-8) written together is a Rabin fingerprint modulo 2^64: for words a
and b, f(ab) = f(a)·M^|b| + f(b). M is odd, so that it can be divided by, and numbers of 64 bits
wrap by themselves. The number of the stems is a sum over them, so that order does not matter.
Names that share a number by chance are told apart by their words, after the look-up.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grounding.match import normalise
from core.grounding.match.word_forms import STOP, TYPES

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

MULTIPLIER = 0xBF58476D1CE4E5B9
_ALL = (1 << 64) - 1
_INVERSE = pow(MULTIPLIER, -1, 1 << 64)
_LEAST_POWERS = 1 << 14
_DESCENDING = tuple(pow(MULTIPLIER, place, 1 << 64) for place in range(255, -1, -1))
_PACKED = struct.Struct("=6Q")


class StemNumbers(NamedTuple):
    """The stem of a folded word (0 for a stop word), as in names without and with a word such as
    "type" (see `normalise.roman_as_arabic`); `bare` is the stem of a stop word too.
    """

    stem: int
    typed: int
    bare: int
    is_type: bool


def stem_numbers(word: str, stem: str) -> StemNumbers:
    """The numbers of a word; `stem` is its stem key."""
    bare = untyped = typed = _number(stem)
    if word in STOP:
        untyped = typed = 0
    elif word[:1] in "ivx":
        untyped = _number(normalise.stem_key(normalise.roman_as_arabic(word, False)))
        typed = _number(normalise.stem_key(normalise.roman_as_arabic(word, True)))
    return StemNumbers(untyped, typed, bare, word in TYPES)


@lru_cache(maxsize=100_000)
def _known_stem_numbers(word: str) -> StemNumbers:
    return stem_numbers(word, normalise.stem_key(word))


def _letters_number(letters: bytes) -> int:
    """The number of letters; unsigned."""
    if len(letters) > len(_DESCENDING):
        total = 0
        for letter in letters:
            total = (total * MULTIPLIER + letter) & _ALL
        return total
    total = sum(map(mul, letters, _DESCENDING[-len(letters) :]))
    return int(total) & _ALL


@lru_cache(maxsize=100_000)
def packed_fingerprint(word: str) -> bytes:
    """What a text needs of a word, six unsigned 64-bit numbers: its letters, how many bytes they
    are, its stem without and with a word such as "type", whether it is such a word, and whether it
    is a stop word.
    """
    stem, typed, _, is_type = _known_stem_numbers(word)
    letters = word.encode("utf-8", "surrogatepass")
    number = _letters_number(letters)
    return _PACKED.pack(number, len(letters), stem, typed, is_type, word in STOP)


def letter_numbers(words: Sequence[str]) -> tuple[Numbers, Numbers]:
    """The numbers of many words' letters (unsigned, 64 bits), and how many bytes those are."""
    import numpy as np

    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    sizes = np.fromiter(map(len, encoded), "i8", len(encoded))
    ends = np.cumsum(sizes)
    letters = np.frombuffer(b"".join(encoded), "u1")
    after = np.repeat(ends, sizes) - np.arange(1, len(letters) + 1)
    upto = sums_before(letters.astype("u8") * powers(int(sizes.max(initial=0)))[after])
    return upto[ends] - upto[ends - sizes], sizes


def sums_before(values: Numbers) -> Numbers:
    """The sums of all unsigned numbers before each place, and of all; they may wrap."""
    import numpy as np

    return np.append(np.zeros(1, "u8"), np.cumsum(values, dtype="u8"))


def powers(most: int) -> Numbers:
    """What a number is multiplied by for so many bytes of letters after it: for 0 to `most`."""
    return _powers(MULTIPLIER, max(_LEAST_POWERS, most).bit_length())


def inverse_powers(most: int) -> Numbers:
    """The same for letters that are taken away again."""
    return _powers(_INVERSE, max(_LEAST_POWERS, most).bit_length())


@lru_cache(maxsize=4)
def _powers(base: int, bits: int) -> Numbers:
    import numpy as np

    factors = np.full(1 << bits, base, dtype="u8")
    factors[0] = 1
    return np.multiply.accumulate(factors)


def joined_fingerprint(words: tuple[str, ...]) -> int:
    """The number of words written together, whatever their division; a signed 64-bit number.

    >>> joined_fingerprint(("beta", "catenin")) == joined_fingerprint(("betacatenin",))
    True
    """
    return letters_fingerprint("".join(words))


def letters_fingerprint(letters: str) -> int:
    """The number of letters; a signed 64-bit number."""
    total = _letters_number(letters.encode("utf-8", "surrogatepass"))
    return total - (1 << 64) if total >> 63 else total


def stem_fingerprint(words: tuple[str, ...]) -> int:
    """The number of words without order, stop words, word forms; a signed 64-bit number.

    >>> stem_fingerprint(("renal", "failure")) == stem_fingerprint(("failure", "kidney"))
    True
    """
    untyped = typed = bare = 0
    has_type, only_stop = False, True
    for word in words:
        mark = _known_stem_numbers(word)
        untyped += mark.stem
        typed += mark.typed
        bare += mark.bare
        has_type = has_type or mark.is_type
        only_stop = only_stop and not mark.typed
    total = (bare if only_stop else typed if has_type else untyped) & _ALL
    return total - (1 << 64) if total >> 63 else total


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
