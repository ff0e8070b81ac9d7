"""Long lists of ids in parts that any database takes in one query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MANY = 500  # ids in one query


def in_parts(ids: Sequence[str]) -> Iterable[list[str]]:
    return (list(ids[start : start + MANY]) for start in range(0, len(ids), MANY))
