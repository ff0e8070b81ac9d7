"""Searching parts of a corpus on several machines: the same protocol as `map`, on a dask scheduler
that others run.

Each part is a folder that every worker can read (a shared file system); statistics and best hits
travel, texts do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from core.literature.index.reader import ChunkIndex

Spread = Callable[[Callable[[ChunkIndex], Any], Sequence[ChunkIndex]], Iterable[Any]]


def spread_on_threads(count: int) -> Spread:
    """Several parts at a time in this process: numpy lets go of the interpreter while it adds
    up.
    """

    def spread(work: Callable[[ChunkIndex], Any], parts: Sequence[ChunkIndex]) -> list[Any]:
        if len(parts) < 2:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(work, parts))

    return spread


def spread_on_cluster(client: Any) -> Spread:
    """On the workers of a `dask.distributed.Client`; a lost worker's part is done again by
    another.
    """

    def spread(work: Callable[[ChunkIndex], Any], parts: Sequence[ChunkIndex]) -> list[Any]:
        return list(client.gather(client.map(work, list(parts), pure=False)))

    return spread
