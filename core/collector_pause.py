"""Python's cycle collector: a rest while very many objects are made, and what it need not see."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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


def leave_loaded_alone() -> None:
    """From now on the cycle collector does not look at what is loaded so far. Modules, and what
    their caches will hold, stay to the end: walking through them takes longer than an abstract.
    """
    gc.freeze()
