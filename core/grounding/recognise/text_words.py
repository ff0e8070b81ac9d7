"""The words of a text: where they stand, how they fold, and which belong to one phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from core.grounding.match import normalise
from core.model import Span

# What may stand between two words of one name: "IL-6", "cancer, breast", a line's end
_GLUE = re.compile(r"[^\S\n]*\n?[^\S\n]*|[-–—‐‑/:'’.*+()\[\],]{1,3}|, | ?[-–—/] ?")
_CUT = re.compile(f"({normalise.TOKEN.pattern})")
_ASCII_CUT = re.compile(f"({normalise.ASCII_TOKEN.pattern})")
_SECTION = 1500  # words that are looked up at once, at least
_APOSTROPHES = frozenset("'’‘`´ʼ")
_POSSESSIVE = re.compile(r"['’‘`´ʼ][sS]?$")


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of a text: where they stand, how they fold, and which follow the one before within
    a phrase.
    """

    text: str
    spans: Sequence[tuple[int, int]]
    folded: tuple[str, ...]
    joined: Sequence[bool]

    def written(self, first: int, last: int) -> str:
        """The text from the first word to the last, both included."""
        return self.text[self.spans[first][0] : self.spans[last][1]]

    def span(self, first: int, last: int) -> Span:
        """From the first word to the last, both included; a possessive ending stays outside."""
        start, end = self.spans[first][0], self.spans[last][1]
        if _APOSTROPHES.isdisjoint(self.text[end - 2 : end]):
            return Span(start, end)
        ending = _POSSESSIVE.search(self.text, max(start, end - 2), end)
        return Span(start, ending.start() if ending else end)

    def sections(self) -> Iterator[tuple[int, int]]:
        """Ranges of words that no name runs over the edge of."""
        begin = 0
        for place in range(len(self.spans)):
            if place - begin >= _SECTION and not self.joined[place]:
                yield begin, place
                begin = place
        yield begin, len(self.spans)


def words_of(text: str) -> TextWords:
    cut = (_ASCII_CUT if text.isascii() else _CUT).split(text)  # what is between words, and words
    ends = list(accumulate(map(len, cut)))
    folded = tuple(map(normalise.fold_word, cut[1::2]))
    joined = [False] * bool(folded) + list(map(_is_glue, cut[2:-1:2]))
    return TextWords(text, list(zip(ends[::2], ends[1::2], strict=False)), folded, joined)


@lru_cache(maxsize=2_000)
def _is_glue(between: str) -> bool:
    return between == " " or _GLUE.fullmatch(between) is not None
