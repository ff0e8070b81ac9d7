"""Memory that was read into and let go is given back to the machine."""

from __future__ import annotations

import ctypes
import functools
from contextlib import suppress

_TRIM_THRESHOLD, _ARENA_MAX = -1, -8  # as glibc's malloc.h numbers them
KEPT = 131_072  # bytes of free memory at the top of the heap that are kept
ARENAS = 2  # heaps that threads share


@functools.cache
def give_memory_back() -> bool:
    """Tell the C library not to keep free memory for later, as MALLOC_TRIM_THRESHOLD_ and
    MALLOC_ARENA_MAX do: a server that read large files held twice what it needs. Whether it was
    heard: other libraries than glibc have no such choice.
    """
    with suppress(OSError, AttributeError, TypeError):
        choose = ctypes.CDLL(None).mallopt
        return bool(choose(_TRIM_THRESHOLD, KEPT) and choose(_ARENA_MAX, ARENAS))
    return False
