"""Python's cycle collector: a rest while very many objects are made, and what it need not see."""

from __future__ import annotations

import functools
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


@functools.cache
def leave_loaded_alone() -> None:
    """From the first call on the cycle collector does not look at what was loaded until then.
    Modules, and what their caches will hold, stay to the end: walking through them takes longer
    than an abstract. Once only: what a later call would find may be garbage, and be kept for ever.
    """
    gc.freeze()
