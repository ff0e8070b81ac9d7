"""What is long in parts: ids that any database takes in one query, rows that memory holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

MANY = 500  # ids in one query
AT_ONCE = 2_000  # statements of a large file
T = TypeVar("T")


def row_batches(rows: Iterable[T], size: int = AT_ONCE) -> Iterator[list[T]]:
    """The rows in lists of this many, the last one shorter."""
    remaining = iter(rows)
    while batch := list(islice(remaining, size)):
        yield batch


def id_batches(ids: Sequence[str]) -> Iterable[list[str]]:
    return (list(ids[start : start + MANY]) for start in range(0, len(ids), MANY))
