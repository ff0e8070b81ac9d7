"""Whether two names are one journal: in full, abbreviated, or by its initials."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from html import unescape

from core.text.fold import fold_text


class Venue(StrEnum):
    """How two names of a journal or congress compare; OTHER_KIND: a journal and a congress."""

    SAME = "same"
    OTHER = "other"
    OTHER_KIND = "other kind"
    SILENT = "silent"


_SMALL = frozenset(
    re.findall(r"\w+", "of the and for in on de la le des du der die das et und a an to")
)
_ADDED = re.compile(r"\s*(?:\([^)]*\)?|\[[^\]]*\]?|\s[:=/]\s.*|:\s.*)\s*")
_MEETING = re.compile(
    r"\b(?:workshop|conference|conf|symposium|congress|meeting|proceedings? of the (?:\w+ )*"
    r"(?:conference|workshop|symposium))\b",
    re.IGNORECASE,
)
_SERVER = re.compile(
    r"\W*(?:bio|med|ar|chem|psy|socar|eco|eart)h?rxiv|arxiv|research square|ssrn"
    r"|preprints?(?:\.org)?\b|authorea|(?:osf|peerj) preprints|sportrxiv|techrxiv|zenodo",
    re.IGNORECASE,
)


def is_preprint_server(journal: str) -> bool:
    """Whether papers there are preprints.

    >>> is_preprint_server("medRxiv"), is_preprint_server("Nature medicine")
    (True, False)
    """
    return bool(_SERVER.match(journal.strip()))


@lru_cache(maxsize=65536)
def compare_journals(name: str, other: str) -> Venue:
    """Whether two names are of one journal.

    >>> str(compare_journals("Proc Natl Acad Sci U S A",
    ...     "Proceedings of the National Academy of Sciences of the United States of America"))
    'same'
    >>> str(compare_journals("Lancet", "Lancet Oncology"))
    'other'
    """
    words, others = _name_words(name), _name_words(other)
    if not words or not others:
        return Venue.SILENT
    shorter, longer = sorted((words, others), key=lambda found: (len(found), len("".join(found))))
    if _abbreviates(shorter, longer) or _abbreviates(longer, shorter):
        return Venue.SAME
    if len(shorter) == 1 and shorter[0] == "".join(word[0] for word in longer) and len(longer) > 1:
        return Venue.SAME  # PNAS, NEJM, BMJ
    if bool(_MEETING.search(name)) != bool(_MEETING.search(other)):
        return Venue.OTHER_KIND
    return Venue.OTHER


def _name_words(name: str) -> tuple[str, ...]:
    plain = unescape(name).strip()
    bare = _ADDED.sub(" ", plain).strip() or plain
    words = (fold_text(word) for word in re.findall(r"[^\W_]+", bare.casefold()))
    return tuple(word for word in words if word and word not in _SMALL)


def _abbreviates(words: tuple[str, ...], longer: tuple[str, ...]) -> bool:
    """Whether each word shortens its counterpart, all of them in order. What may follow is a place
    or a country: Proc Natl Acad Sci, … of the United States of America.
    """
    if len(words) != len(longer):
        rest = longer[len(words) :]
        countries = {"united", "states", "america", "usa", "u", "s", "kingdom", "uk"}
        if not rest or not set(rest) <= countries:
            return False
    return all(map(_shortens, words, longer))


def _shortens(word: str, longer: str) -> bool:
    """Whether a word's letters stand in another in their order, from the first: natl, national."""
    if not longer.startswith(word[0]) or len(word) > len(longer):
        return False
    letters = iter(longer)
    return all(letter in letters for letter in word)
