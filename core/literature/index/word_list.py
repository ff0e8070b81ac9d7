"""A sorted word list in one file: looked up by bisection without being loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

WORDS = ".words"
STARTS = ".starts.npy"


def write_words(stem_path: Path, words: Iterable[str]) -> None:
    """Write words, already sorted by their UTF-8 bytes, as `stem_path` + .words and .starts.npy."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    stem_path.with_name(stem_path.name + WORDS).write_bytes(b"".join(encoded) + b"\n")
    starts = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in encoded], out=starts[1:])
    np.save(stem_path.with_name(stem_path.name + STARTS), starts)


class WordList:
    """Words by number and number by word; nothing is read before it is asked for."""

    def __init__(self, stem_path: Path):
        self._bytes = np.asarray(
            np.memmap(stem_path.with_name(stem_path.name + WORDS), dtype=np.uint8, mode="r")
        )
        self._starts = np.asarray(
            np.load(stem_path.with_name(stem_path.name + STARTS), mmap_mode="r")
        )
        if len(self._bytes) != self._starts[-1] + 1:
            raise ValueError(f"{stem_path.name}{WORDS} is cut off")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def _raw(self, number: int) -> bytes:
        return self._bytes[self._starts[number] : self._starts[number + 1]].tobytes()

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
        """The word's number, or -1."""
        raw = word.encode("utf-8", "surrogatepass")
        place = self._place(raw)
        return place if place < len(self) and self._raw(place) == raw else -1

    def starting(self, prefix: str) -> Iterator[tuple[int, str]]:
        """Every word that starts with `prefix`, with its number."""
        raw = prefix.encode("utf-8", "surrogatepass")
        place = self._place(raw)
        while place < len(self):
            found = self._raw(place)
            if not found.startswith(raw):
                return
            yield place, found.decode("utf-8", "surrogatepass")
            place += 1

    def all(self) -> list[str]:
        raw, starts = self._bytes.tobytes(), self._starts
        return [raw[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(starts.tolist())]
