"""The units of many texts at once, as numbers: texts are split into words by Arrow, and each word
that is new is taken apart once.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.literature.index.stem import stem_plain_words
from core.literature.index.tokens import (
    STOP_WORDS,
    is_plain,
    plain_parts,
    units_of_group,
    word_groups,
)

REMEMBERED = 300_000  # words whose units are remembered
_AROUND = ".,;:[]?!\"'"  # signs around a word; not ")", which belongs to 10(6)
Units = NDArray[np.uint32]
Ends = NDArray[np.int64]


class UnitNumbers:
    """Units, numbered as they come. `words`: what the texts held, unstemmed."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.words: set[str] = set()
        self._places: dict[bytes, int] = {}  # word as written → its place in the two arrays
        self._units, self._ends = array("I"), array("q", [0])
        self._of_groups: dict[str, tuple[int, ...]] = {}  # of words with more than letters

    def of_texts(self, texts: Sequence[bytes]) -> tuple[Units, Ends]:
        """The units of texts in UTF-8, text after text, and where each text's end."""
        if len(self._places) > REMEMBERED:
            self._forget()
        lines = _strings(texts)
        # No unit reaches over a space, and none depends on the case of ASCII.
        split = pc.ascii_split_whitespace(pc.ascii_lower(lines))
        written = split.values.dictionary_encode()
        bare = pc.ascii_ltrim(pc.ascii_trim(written.dictionary, characters=_AROUND), characters="(")
        words = bare.dictionary_encode()
        raw_words = words.dictionary.view(pa.binary()).to_pylist()
        places = np.fromiter(self._places_of(raw_words), np.int64, len(raw_words))
        of_word = places[_numbers(words.indices)][_numbers(written.indices)]
        units, sizes = self._units_at(of_word)
        ends = np.concatenate(([0], np.cumsum(sizes)))
        return units, ends[_numbers(split.offsets)[1:]]

    def _places_of(self, raw_words: Sequence[bytes]) -> Iterator[int]:
        place_of = self._places
        new_words = [raw for raw in raw_words if raw not in place_of]
        words = [raw.decode("utf-8", "surrogatepass").rstrip(").,") for raw in new_words]
        plain = {word for word in words if is_plain(word)}
        place_of.update(zip(new_words, count(len(place_of))))
        stem_of = dict(zip(plain, stem_plain_words(plain), strict=True))
        self.words |= plain
        numbers, units, ends = self.numbers, self._units, self._ends
        for raw, word in zip(new_words, words, strict=True):
            if stem := stem_of.get(word):
                units.append(numbers.setdefault(stem, len(numbers)))
            elif word not in STOP_WORDS:
                for group in word_groups(raw.decode("utf-8", "surrogatepass")):
                    units.extend(self._of_group(group))
            ends.append(len(units))
        return map(place_of.__getitem__, raw_words)

    def _of_group(self, group: str) -> tuple[int, ...]:
        unit_numbers = self._of_groups.get(group)
        if unit_numbers is None:
            self.words.update(plain_parts(group))
            numbers, units = self.numbers, units_of_group(group)
            unit_numbers = tuple([numbers.setdefault(unit, len(numbers)) for unit in units])
            self._of_groups[group] = unit_numbers
        return unit_numbers

    def _units_at(self, places: NDArray[np.int64]) -> tuple[Units, Ends]:
        """The units of words, given by their places, and how many each word has."""
        ends = np.array(self._ends, dtype=np.int64)
        sizes = np.diff(ends)[places]
        before = np.cumsum(sizes) - sizes
        at = np.repeat(ends[places] - before, sizes)
        at += np.arange(len(at))
        return np.array(self._units, dtype=np.uint32)[at], sizes

    def _forget(self) -> None:
        """Drop what is remembered of words; units keep their numbers."""
        self._places.clear()
        self._of_groups.clear()
        self._units, self._ends = array("I"), array("q", [0])


def _strings(texts: Sequence[bytes]) -> pa.StringArray:
    """Texts in UTF-8 as Arrow has them, unchecked: half a character may stand in a text."""
    offsets = np.zeros(len(texts) + 1, dtype=np.int32)
    np.cumsum(np.fromiter(map(len, texts), np.int32, len(texts)), out=offsets[1:])
    buffers = pa.py_buffer(offsets), pa.py_buffer(b"".join(texts))
    return pa.StringArray.from_buffers(len(texts), *buffers)


def _numbers(array: pa.Int32Array) -> NDArray[np.int32]:
    # to_numpy would load pandas, a quarter of a second.
    return np.from_dlpack(array).astype(np.int32, copy=False)
