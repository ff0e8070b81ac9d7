"""Sorting more than fits into memory: sorted runs go to files and are merged."""

from __future__ import annotations

import heapq
import pickle
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import IO, Any, TypeVar

T = TypeVar("T", str, tuple[Any, ...])
IN_MEMORY = 200_000  # items at a time: about 100 MB of triples
TOGETHER = 2_000  # items that are written at once


def ordered(items: Iterable[T], in_memory: int = IN_MEMORY) -> Iterator[T]:
    """The items sorted, each once. At most `in_memory` of them are held."""
    with ExitStack() as files:
        runs: list[IO[bytes]] = []
        held: set[T] = set()
        for item in items:
            held.add(item)
            if len(held) >= in_memory:
                run = files.enter_context(tempfile.TemporaryFile())
                _write(run, sorted(held))
                runs.append(run)
                held.clear()
        last: T | None = None
        for item in heapq.merge(sorted(held), *map(_read, runs)) if runs else sorted(held):
            if item != last:
                yield item
            last = item


def _write(file: IO[bytes], items: list[T]) -> None:
    for start in range(0, len(items), TOGETHER):
        pickle.dump(items[start : start + TOGETHER], file, pickle.HIGHEST_PROTOCOL)
    file.seek(0)


def _read(file: IO[bytes]) -> Iterator[Any]:
    """The items of a run that this process wrote."""
    while True:
        try:
            yield from pickle.load(file)
        except EOFError:
            return
