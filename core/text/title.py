"""Titles: whether two of them name different papers, and what a text without one is called."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from core.text.fold import fold_text

SHARED = 0.7  # of the words of the shorter title: fewer name another paper
FEWEST = 3  # words that tell a title apart from others; "Reply" names many
OTHER_WORD = 5  # letters of a word that says what a paper is about; shorter ones abbreviate
ALIKE = 0.7  # of two words' letters: spellings or endings of one word
SHORTEST_TITLE = 25  # letters; shorter ones name many papers of one author: "Editorial", "Reply"
LONGEST = 60  # characters of a first line
_WORD = re.compile(r"[^\W_]{2,}")
_SMALL_WORDS = """
    a an and are as at by for from in into is its of on or the to via with
"""
_SMALL = frozenset(_SMALL_WORDS.split())


def titles_differ(title: str, other_title: str) -> bool:
    """Whether two titles clearly differ: most words of the shorter are missing in the longer, or
    they are alike but for one word (Efficacy of … / Safety of …).

    Case, accents, signs and a missing subtitle make no difference; a translated title, which PubMed
    sets in brackets, and one in another script say nothing.

    >>> titles_differ("Efficacy of aspirin in stroke", "Safety of aspirin in stroke")
    True
    >>> titles_differ("Aspirin in acute stroke", "Aspirin in Acute Stroke: a randomised trial")
    False
    """
    if any(either_title.lstrip().startswith("[") for either_title in (title, other_title)):
        return False
    in_order, others_in_order = _words(title), _words(other_title)
    words, others = set(in_order), set(others_in_order)
    if min(len(words), len(others)) < FEWEST or _is_latin(words) != _is_latin(others):
        return False
    fewer, more = sorted((words, others), key=len)
    shared = sum(any(_alike(word, other) for other in more) for word in fewer)
    return shared < SHARED * len(fewer) or _other_word(in_order, others_in_order)


def _other_word(words: list[str], others: list[str]) -> bool:
    """Whether the titles are the same word for word, except for one that is no spelling of its
    counterpart.
    """
    if len(words) != len(others):
        return False
    pairs = [pair for pair in zip(words, others, strict=True) if not _alike(*pair)]
    return len(pairs) == 1 and all(word.isalpha() and len(word) >= OTHER_WORD for word in pairs[0])


def _alike(word: str, other: str) -> bool:
    return word == other or SequenceMatcher(None, word, other, False).ratio() >= ALIKE


def _words(title: str) -> list[str]:
    folded = (fold_text(word) for word in _WORD.findall(title))
    return [word for word in folded if word not in _SMALL]


def _is_latin(words: set[str]) -> bool:
    return sum(map(str.isascii, words)) * 2 > len(words)


def first_line(text: str) -> str:
    r"""How a text begins, shortened; a table is named by its columns.

    >>> first_line("gene\tdisease\nBRCA1\tbreast cancer")
    'Table: gene, disease'
    """
    line = text.strip().partition("\n")[0]
    cells = [" ".join(cell.split()) for cell in line.split("\t")]
    line = f"Table: {', '.join(filter(None, cells))}" if len(cells) > 1 else cells[0]
    return (
        line
        if len(line) <= LONGEST
        else line[: LONGEST - 1].rpartition(" ")[0].rstrip(".,;:") + "…"
    )
