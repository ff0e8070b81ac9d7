"""The words of a text: where they stand, how they fold, and which belong to one phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from core.grounding.match import normalise

# What stands between two words of a phrase: "IL-6", "cancer, breast", a line's end
_GLUE = re.compile(r"[^\S\n]*\n?[^\S\n]*|[-–—‐‑/:'’.*+()\[\],]{1,3}|, | ?[-–—/] ?")
# What stands between words of a name only where the name has it too: "St. Louis", "CD4+ T cell"
_MOST_SIGNS = 8
_SECTION = 1500  # words that are looked up at once, at least
_APOSTROPHES = frozenset("'’‘`´ʼ")
_POSSESSIVE = re.compile(r"['’‘`´ʼ][sS]?$")


Place = tuple[int, int]  # half-open offsets into a text: a text has hundreds, and few become spans


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of a text: where they start and end (`bare_ends`: without a possessive ending), how
    they fold, which follow the one before within a phrase (`joined`), which may do so within a name
    that is written with the same signs (`linked`), and which stand behind white space (`spaced`).
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    bare_ends: Sequence[int]
    folded: tuple[str, ...]
    joined: Sequence[bool]
    linked: Sequence[bool]
    spaced: Sequence[bool]

    def written(self, first: int, last: int) -> str:
        """The text from the first word to the last, both included."""
        return self.text[self.starts[first] : self.ends[last]]

    def place(self, first: int, last: int) -> Place:
        """From the first word to the last, both included; a possessive ending stays outside."""
        return self.starts[first], self.bare_ends[last]

    def sections(self) -> Iterator[tuple[int, int]]:
        """Ranges of words that no phrase runs over the edge of."""
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
    between, first = cut[2:-1:2], [False] * bool(folded)
    return TextWords(
        text,
        starts,
        ends,
        bare_ends=_bare_ends(text, cut[1::2], ends),
        folded=folded,
        joined=first + list(map(_is_glue, between)),
        linked=first + list(map(_is_link, between)),
        spaced=first + list(map(_is_space, between)),
    )


def _bare_ends(text: str, words: Sequence[str], ends: Sequence[int]) -> Sequence[int]:
    """Where words end without a possessive ending."""
    if _APOSTROPHES.isdisjoint(text):
        return ends
    endings = map(possessive_ending, words)
    return [end - len(ending) for end, ending in zip(ends, endings, strict=True)]


def possessive_ending(word: str) -> str:
    """The apostrophe behind a word, with its s if it has one; else empty.

    >>> possessive_ending("Crohn's"), possessive_ending("patients'"), possessive_ending("virus")
    ("'s", "'", '')
    """
    ending = _POSSESSIVE.search(word)
    return ending[0] if ending else ""


@lru_cache(maxsize=2_000)
def _is_glue(between: str) -> bool:
    return between == " " or _GLUE.fullmatch(between) is not None


@lru_cache(maxsize=2_000)
def _is_link(between: str) -> bool:
    return between == " " or (len(between) <= _MOST_SIGNS and between.count("\n") < 2)


@lru_cache(maxsize=2_000)
def _is_space(between: str) -> bool:
    return between == " " or any(map(str.isspace, between))
