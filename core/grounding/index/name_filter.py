"""Which fingerprints some name of a vocabulary may have: a Bloom filter of three bits in one block
of 64, so that a look-up reads one place of memory. About one number in two hundred that no name
has gets through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

_BITS_A_NAME = 16  # at least; at most twice as many, since the number of blocks is a power of two
_BLOCK = 64
_LEAST_BLOCKS = 64
_SPREAD = 0x9E3779B97F4A7C15  # short words have small numbers: this moves them over all bits
_SHIFTS = (40, 46, 52)  # of the bits that say which of a block are meant; below them, which block


def build_filter(keys: Numbers) -> Numbers:
    """The blocks (unsigned 64-bit numbers, a power of two of them) of fingerprints (int64)."""
    import numpy as np

    block_count = max(_LEAST_BLOCKS, len(keys) * _BITS_A_NAME // _BLOCK)
    blocks = np.zeros(1 << (block_count - 1).bit_length(), dtype="u8")
    spread = _spread(keys)
    np.bitwise_or.at(blocks, spread & np.uint64(len(blocks) - 1), _bits(spread))
    return blocks


def merge_filters(filters: Sequence[Numbers]) -> Numbers:
    """The blocks of all: what gets through one of the filters gets through this one."""
    import numpy as np

    if len(filters) == 1:
        return filters[0]
    merged = np.zeros(max(map(len, filters), default=_LEAST_BLOCKS), dtype="u8")
    for blocks in filters:
        merged.reshape(-1, len(blocks))[:] |= blocks
    return merged


def may_be_named(blocks: Numbers, keys: Numbers) -> Numbers:
    """The places of those of many fingerprints that get through."""
    import numpy as np

    spread = _spread(keys)
    bits = _bits(spread)
    bits_set = blocks[spread & np.uint64(len(blocks) - 1)] & bits
    places: Numbers = np.flatnonzero(bits_set == bits)
    return places


def _spread(keys: Numbers) -> Numbers:
    import numpy as np

    spread = keys.view("u8") * np.uint64(_SPREAD)
    spread ^= spread >> np.uint64(32)
    return spread


def _bits(spread: Numbers) -> Numbers:
    import numpy as np

    unit, highest_bit = np.uint64(1), np.uint64(_BLOCK - 1)
    bits = np.zeros(len(spread), dtype="u8")
    for shift in _SHIFTS:
        bits |= unit << ((spread >> np.uint64(shift)) & highest_bit)
    return bits
