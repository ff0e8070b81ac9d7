"""Views saved under a name, for everybody in the project: what a name may be."""

from __future__ import annotations

from core.errors import InputError
from core.store import SavedView
from core.text.clean import without_deceptive_signs

__all__ = ["LONGEST_NAME", "SavedView", "view_name"]

LONGEST_NAME = 80  # characters of a view's name


def view_name(words: str) -> str:
    """A name that a curator typed, white space made plain. Raises InputError for one that is empty
    or too long.
    """
    name = " ".join(without_deceptive_signs(words).split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"A view needs a name of 1 to {LONGEST_NAME} characters.")
    return name
