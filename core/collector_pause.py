"""Python's cycle collector: a rest while very many objects are made, and what it need not see."""

from __future__ import annotations

import functools
import gc
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

FULL = 2  # the generation of a collection that looks at every object


@contextmanager
def collector_paused() -> Iterator[None]:
    """Python's cycle collector rests meanwhile: it would walk through everything that was made so
    far, again and again, a third of the time of reading a large file. Reference counting goes on,
    so that only cycles wait. Two threads may overlap: the first to end lets it go on.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class OldLeftAlone:
    """What Python's cycle collector does with objects that outlived one full collection: the next
    ones walk past them, and every `LOOK_AGAIN` seconds one looks at everything, so that no garbage
    stays. Streamlit asks for a full collection after each click; without this it walks through all
    modules and caches each time, which takes four times as long as the click itself.
    """

    LOOK_AGAIN = 300.0

    def __init__(self) -> None:
        self.looked = time.monotonic()

    def __call__(self, phase: str, info: Mapping[str, int]) -> None:
        """A callback of `gc`: called at the "start" and the "stop" of every collection."""
        if info["generation"] < FULL:
            return
        if phase == "stop":
            gc.freeze()
        elif time.monotonic() - self.looked >= self.LOOK_AGAIN:
            self.looked = time.monotonic()
            gc.unfreeze()


@functools.cache
def leave_old_alone() -> None:
    """From the first call on the cycle collector leaves alone what is loaded, and whatever outlives
    a full collection (`OldLeftAlone`): walking through modules and what their caches hold takes
    longer than an abstract.
    """
    gc.freeze()
    gc.callbacks.append(OldLeftAlone())
