"""Long lists of ids in parts that any database takes in one query."""

from __future__ import annotations

from collections.abc import Iterable

MANY = 500  # ids in one query


def parts(ids: list[str]) -> Iterable[list[str]]:
    return (ids[start : start + MANY] for start in range(0, len(ids), MANY))
