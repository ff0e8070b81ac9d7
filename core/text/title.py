"""Whether two titles name different papers, however one title may be written."""

from __future__ import annotations

import re

from core.text.fold import fold_text

SHARED = 0.7  # of the words of the shorter title: fewer name another paper
FEWEST = 3  # words that tell a title apart from others; "Reply" names many
_WORD = re.compile(r"[^\W_]{2,}")
_SMALL_WORDS = """
    a an and are as at by for from in into is its of on or the to via with
"""
_SMALL = frozenset(_SMALL_WORDS.split())


def titles_differ(one: str, other: str) -> bool:
    """Whether two titles clearly differ: most words of the shorter are missing in the longer.

    Case, accents, signs and a missing subtitle make no difference; a translated title, which PubMed
    sets in brackets, and one in another script say nothing.
    """
    if any(title.lstrip().startswith("[") for title in (one, other)):
        return False
    words, others = _words(one), _words(other)
    if min(len(words), len(others)) < FEWEST or _is_latin(words) != _is_latin(others):
        return False
    return len(words & others) < SHARED * min(len(words), len(others))


def _words(title: str) -> set[str]:
    return {fold_text(word) for word in _WORD.findall(title)} - _SMALL


def _is_latin(words: set[str]) -> bool:
    return sum(map(str.isascii, words)) * 2 > len(words)
