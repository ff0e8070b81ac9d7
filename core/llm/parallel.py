"""One limit of simultaneous requests for each endpoint, and running many requests with results in
order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


class ParallelLimit:
    """A context that at most `count` threads are in at once. `ParallelLimit.of` gives all users of
    an endpoint the same one.
    """

    _all: dict[tuple[str, int], ParallelLimit] = {}  # noqa: RUF012
    _lock = threading.Lock()

    def __init__(self, count: int):
        self.count = count
        self._free = threading.BoundedSemaphore(count)

    @classmethod
    def of(cls, endpoint: str, count: int) -> ParallelLimit:
        with cls._lock:
            return cls._all.setdefault((endpoint, count), cls(count))

    def __enter__(self) -> ParallelLimit:
        self._free.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._free.release()


def results_in_order(work: Callable[[A], B], items: Iterable[A], parallel: int = 8) -> list[B]:
    """`work` of each item, in the order of the items, `parallel` at once. The first failure (in
    that order) is raised once those under way have ended; no further ones are begun.
    """
    item_list = list(items)
    if len(item_list) <= 1 or parallel <= 1:
        return [work(item) for item in item_list]
    with ThreadPoolExecutor(min(parallel, len(item_list)), thread_name_prefix="calls") as pool:
        waiting = [pool.submit(work, item) for item in item_list]
        wait(waiting, return_when=FIRST_EXCEPTION)
        if any(
            future.done() and not future.cancelled() and future.exception() for future in waiting
        ):
            pool.shutdown(cancel_futures=True)
            failed = (future for future in waiting if not future.cancelled() and future.exception())
            raise next(failed).exception()  # type: ignore[misc]
        return [future.result() for future in waiting]
