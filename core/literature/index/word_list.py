"""A sorted word list in one file: looked up by bisection without being loaded."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

WORDS = ".words"
STARTS = ".starts.npy"
REMEMBERED = 100_000  # words that were looked up


def write_words(stem_path: Path, words: Iterable[str]) -> None:
    """Write sorted words as `stem_path` + .words and .starts.npy. The order of strings is that of
    their UTF-8 bytes.
    """
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    stem_path.with_name(stem_path.name + WORDS).write_bytes(b"".join(encoded) + b"\n")
    starts = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=starts[1:])
    np.save(stem_path.with_name(stem_path.name + STARTS), starts)


class WordList:
    """Words by number and number by word; nothing is read before it is asked for."""

    def __init__(self, stem_path: Path):
        path = stem_path.with_name(stem_path.name + WORDS)
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        starts = np.load(stem_path.with_name(stem_path.name + STARTS), mmap_mode="r")
        self._starts = memoryview(starts)  # gives plain numbers, quickly
        self._numbers: dict[str, int] = {}
        if len(self._bytes) != self._starts[-1] + 1:
            raise ValueError(f"{stem_path.name}{WORDS} is cut off")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def _raw(self, number: int) -> bytes:
        return self._bytes[self._starts[number] : self._starts[number + 1]]

    def word(self, number: int) -> str:
        return self._raw(number).decode("utf-8", "surrogatepass")

    def _place(self, raw: bytes) -> int:
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._raw(middle) < raw:
                low = middle + 1
            else:
                high = middle
        return low

    def number(self, word: str) -> int:
        """The word's number, or -1; those asked for last are remembered."""
        number = self._numbers.get(word)
        if number is None:
            raw = word.encode("utf-8", "surrogatepass")
            place = self._place(raw)
            number = place if place < len(self) and self._raw(place) == raw else -1
            if len(self._numbers) > REMEMBERED:
                self._numbers.clear()
            self._numbers[word] = number
        return number

    def starting(self, prefix: str) -> Iterator[tuple[int, str]]:
        """Every word that starts with `prefix`, with its number."""
        raw = prefix.encode("utf-8", "surrogatepass")
        place = self._place(raw)
        while place < len(self):
            raw_word = self._raw(place)
            if not raw_word.startswith(raw):
                return
            yield place, raw_word.decode("utf-8", "surrogatepass")
            place += 1

    def all(self) -> list[str]:
        raw, starts = self._bytes[:], self._starts
        return [raw[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(starts.tolist())]
