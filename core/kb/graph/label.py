"""How much room a label takes, and how it is shortened: the same for every picture."""

from __future__ import annotations

import unicodedata

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
SIZE = 12  # pixels
LINE = 15.0  # pixels, of a line of text
LONGEST = 26  # characters of a label in a picture
NARROW = frozenset("iljtfrI.,:;'|!()[]-/ ")
WIDE = frozenset("mwMW@%—…")


def single_line(words: str, most: int = LONGEST) -> str:
    r"""One line, and no control signs that turn the writing direction of what follows.

    >>> single_line("tumour necrosis\nfactor receptor superfamily", 20)
    'tumour necrosis fac…'
    """
    flat = " ".join("".join(sign for sign in words if sign.isprintable() or sign.isspace()).split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def text_width(words: str, size: float = SIZE) -> float:
    """Pixels of words in a sans-serif like Helvetica (rounded up from its AFM widths)."""
    return size * sum(letter_width(sign) for sign in words)


def letter_width(sign: str) -> float:
    """In parts of the font's size."""
    if sign in NARROW:
        return 0.34
    if sign in WIDE:
        return 0.92
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.05
    return 0.72 if sign.isupper() else 0.57


def longest_label(points: int) -> int:
    """Characters of a label in a picture of so many points."""
    return LONGEST if points <= 60 else 22 if points <= 150 else 18
