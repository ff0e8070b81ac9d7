"""Text folded for comparison, with the way back to offsets in the original."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi",
    "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "ϕ": "phi", "ϵ": "epsilon", "ϑ": "theta",
}  # fmt: skip
_QUOTES = dict.fromkeys("‘’‚‛ʹʼ`´′", "'") | dict.fromkeys("“”„‟«»″", '"')
_DROPPED = frozenset(
    "-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u200b\u200c\u200d\u2060\ufeff"
)
# A hyphen between digits and a raised number after a digit are part of what a number says: 10-20 is
# not 1020, and 10⁶ is 10^6 and not 106. After a letter both are spelling: COX-2, COX2, Ca²⁺, Ca2+.
_MINUS = re.compile(r"(?<=[0-9^])[-\u2010-\u2015\u2212](?=\s*[0-9])")
_EXPONENT = re.compile("(?<=[0-9)])(?:⁻|⁺)?[⁰¹²³⁴⁵⁶⁷⁸⁹]")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """`text` folded; its character i comes from character `origin[i]` of the original."""

    text: str
    origin: tuple[int, ...]


@cache
def fold_character(character: str) -> str:
    """Case, accents, Greek letters, quotes and compatibility forms folded; white space and hyphens
    dropped.
    """
    if character in _QUOTES:
        return _QUOTES[character]
    decomposed = "".join(
        c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c)
    )
    return "".join(
        _GREEK.get(c, c) for c in decomposed.casefold() if not c.isspace() and c not in _DROPPED
    )


def fold_text(text: str) -> str:
    """`text` without case, accents, hyphens and white space; Greek letters by name; numbers keep
    their signs and exponents.

    >>> fold_text("TNF-α"), fold_text("naïve T cells"), fold_text("10⁻⁶"), fold_text("10-20")
    ('tnfalpha', 'naivetcells', '10^-6', '10-20')
    """
    return "".join(_pieces(text))


@lru_cache(maxsize=8)
def fold_with_offsets(text: str) -> FoldedText:
    """`text` folded, with its offsets; kept for the last few texts.

    >>> fold_with_offsets("β-1")
    FoldedText(text='beta1', origin=(0, 0, 0, 0, 2))
    """
    pieces = _pieces(text)
    return FoldedText("".join(pieces), tuple(i for i, piece in enumerate(pieces) for _ in piece))


def _pieces(text: str) -> list[str]:
    """What each character folds to at its place."""
    pieces = list(map(fold_character, text))
    for sign in _MINUS.finditer(text):
        pieces[sign.start()] = "-"
    for exponent in _EXPONENT.finditer(text):
        start = exponent.start()
        pieces[start] = "^-" if text[start] == "⁻" else "^" + pieces[start].lstrip("+")
    return pieces
