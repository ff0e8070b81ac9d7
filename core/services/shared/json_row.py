"""A line of JSON that a person sends to the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from core.model import Json

MOST_TOLD = 20
LONGEST_KEY = 60  # characters of one that is told

Reads = Mapping[str, "Callable[[Mapping[str, Any]], Reads] | None"]
"""The keys that are read, each with what is read inside its objects (None: not looked at)."""


def pick_keys(*keys: str) -> Callable[[Mapping[str, Any]], Reads]:
    """An object of which these keys are read, whatever stands in them."""
    reads: Reads = dict.fromkeys(keys)
    return lambda _: reads


def unread_keys(row: Json, reads: Callable[[Mapping[str, Any]], Reads]) -> dict[str, Json]:
    """{not_read: keys} of a line that says more than is read, such as a key with a typo, with the
    place of one inside (`qualifiers[0].nmae`); else nothing.
    """
    keys = list(islice(_unread(row, reads, ""), MOST_TOLD))
    return {"not_read": keys} if keys else {}


def _unread(value: Json, reads: Callable[[Mapping[str, Any]], Reads], place: str) -> Iterator[str]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _unread(item, reads, f"{place}[{number}]")
    if isinstance(value, Mapping):
        yield from _unread_of(value.items(), reads(value), f"{place}." if place else "")


def _unread_of(pairs: Iterable[tuple[str, Json]], reads: Reads, place: str) -> Iterator[str]:
    for key, value in pairs:
        if key not in reads:
            yield place + key[:LONGEST_KEY]
        elif (inside := reads[key]) is not None:
            yield from _unread(value, inside, place + key)
