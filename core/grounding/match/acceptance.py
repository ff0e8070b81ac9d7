"""Whether words in a text that fold to a name are meant as that name: case of symbols, short names,
common words.
"""

from __future__ import annotations

from functools import lru_cache

from core.grounding.index.lexicon import NameHit
from core.grounding.match.name_match import is_symbol
from core.grounding.match.word_forms import COMMON, PARTICLES
from core.grounding.readers.record import Scope

SHORT = 4  # letters; names up to this length must be written in the vocabulary's case


def acceptable(surface: str, hit: NameHit, column: str = "ordered") -> bool:
    """Whether `surface` may be taken as the name `hit`, as a careful reader would."""
    return _acceptable(surface, hit.text, hit.scope is Scope.LABEL, column)


@lru_cache(maxsize=100_000)
def _acceptable(surface: str, name: str, is_label: bool, column: str) -> bool:
    if len(surface) < 2 or surface.isdigit() or ("," in surface and "," not in name):
        return False
    if surface.casefold() in PARTICLES and (
        len(surface) < 3 or surface != name or not surface.isupper()
    ):
        return False
    if (
        column == "solid"
        and (len(surface) < 4 or not any(c.isdigit() for c in surface))
        and not is_symbol(name)
    ):
        return len(surface) > 6
    if len(surface) <= 2:
        return surface == name and (name.isupper() or any(c.isdigit() for c in name)) and is_label
    if _acronym(name) or is_symbol(name):
        return _same_case(surface, name)
    if surface.casefold() in COMMON:
        return False
    return len(name) > SHORT or (surface.casefold() == name.casefold() and not _acronym(surface))


def _acronym(name: str) -> bool:
    return name.isupper() and len(name) <= 6 and name.isalnum()


def _same_case(surface: str, name: str) -> bool:
    """Equal but for hyphens and a plural s."""
    one, other = (_bare(surface), _bare(name))
    return one == other or (one.endswith("s") and one[:-1] == other)


def _bare(text: str) -> str:
    return "".join(c for c in text if c.isalnum())
