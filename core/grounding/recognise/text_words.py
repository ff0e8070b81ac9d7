"""The words of a text: where they stand, how they fold, and which belong to one phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from core.grounding.match import normalise

# What may stand between two words of one name: "IL-6", "cancer, breast", a line's end
_GLUE = re.compile(r"[^\S\n]*\n?[^\S\n]*|[-–—‐‑/:'’.*+()\[\],]{1,3}|, | ?[-–—/] ?")
_SECTION = 1500  # words that are looked up at once, at least
_APOSTROPHES = frozenset("'’‘`´ʼ")
_POSSESSIVE = re.compile(r"['’‘`´ʼ][sS]?$")


Place = tuple[int, int]  # half-open offsets into a text: a text has hundreds, and few become spans


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of a text: where they start and end (`bare_ends`: without a possessive ending), how
    they fold, and which follow the one before within a phrase.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    bare_ends: Sequence[int]
    folded: tuple[str, ...]
    joined: Sequence[bool]

    def written(self, first: int, last: int) -> str:
        """The text from the first word to the last, both included."""
        return self.text[self.starts[first] : self.ends[last]]

    def place(self, first: int, last: int) -> Place:
        """From the first word to the last, both included; a possessive ending stays outside."""
        return self.starts[first], self.bare_ends[last]

    def sections(self) -> Iterator[tuple[int, int]]:
        """Ranges of words that no name runs over the edge of."""
        begin, count = 0, len(self.starts)
        while (end := begin + _SECTION) < count:
            while end < count and self.joined[end]:
                end += 1
            if end == count:
                break
            yield begin, end
            begin = end
        yield begin, count


def split_into_words(text: str) -> TextWords:
    cut = normalise.cut_at_words(text)
    edges = list(accumulate(map(len, cut)))
    starts, ends = edges[:-1:2], edges[1::2]
    folded = tuple(map(normalise.fold_word, cut[1::2]))
    joined = [False] * bool(folded) + list(map(_is_glue, cut[2:-1:2]))
    return TextWords(text, starts, ends, _bare_ends(text, cut[1::2], ends), folded, joined)


def _bare_ends(text: str, words: Sequence[str], ends: Sequence[int]) -> Sequence[int]:
    """Where words end without a possessive ending."""
    if _APOSTROPHES.isdisjoint(text):
        return ends
    endings = map(_POSSESSIVE.search, words)
    return [
        end - len(ending[0]) if ending else end for end, ending in zip(ends, endings, strict=True)
    ]


@lru_cache(maxsize=2_000)
def _is_glue(between: str) -> bool:
    return between == " " or _GLUE.fullmatch(between) is not None
