"""Persons at the desk by their ORCID iD, which has a check digit."""

from __future__ import annotations

import re

from core.desk_parts import HasStore
from core.errors import InputError
from core.model import Curator
from core.text.clean import without_deceptive_signs

ORCID = re.compile(
    r"(?:(?:https?://)?(?:www\.|sandbox\.)?orcid\.org/|orcid:\s?)?"
    r"([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9x])/?",
    re.IGNORECASE,
)
LONGEST_PERSON = 200  # characters of a name


def checked_curator(orcid: str, name: str) -> Curator:
    """A person at the desk. Raises InputError for an ORCID iD whose form or check digit (ISO 7064
    11-2) is wrong.
    """
    match = ORCID.fullmatch(orcid.strip())
    if match is None:
        raise InputError(
            "An ORCID iD has four groups of four, like 0000-0002-1825-0097.",
            "Find yours at orcid.org.",
        )
    id = match[1].upper()
    if not _checks(id):
        raise InputError(
            f"{id} is not an ORCID iD: its last character does not fit.",
            "Check for a typo.",
        )
    words = " ".join(without_deceptive_signs(name).split())
    return Curator(id, words[:LONGEST_PERSON])


def _checks(orcid: str) -> bool:
    digits = orcid.replace("-", "")
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    check_digit = (12 - total % 11) % 11
    return digits[-1] == ("X" if check_digit == 10 else str(check_digit))


def add_curator(desk: HasStore, orcid: str, name: str) -> Curator:
    """Keep a curator of this project. Raises InputError for an ORCID iD that cannot be right."""
    return desk.store.curators.add(checked_curator(orcid, name))


def name_here(desk: HasStore, orcid: str) -> str:
    """The name of who has this ORCID iD in the project; "" for nobody."""
    known = desk.store.curators.get(orcid)
    return known.name if known else ""
