"""The names of a vocabulary in one file of plain arrays, opened by mmap: shared by every process
that reads it, and read only where it is looked at.

    header     JSON: for each array its type, its place in bytes and its length
    arrays     names by number: their term, scope and text; terms: id, label, state; two sorted
               columns of fingerprints (see `match.fingerprint`), each with the names they belong
               to; words and stems, sorted, with the names that hold a stem
"""

from __future__ import annotations

import json
import mmap
import struct
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import StoreError

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"GWNAMES6"
_HEAD = struct.Struct("<8sQ")
_ALIGN = 64
_HALF = 1 << 63  # fingerprints are signed numbers of 64 bits
_REACH = 1 << 11  # of a million, evenly spread, none is further from its place than this


class NameFile:
    """Arrays by name, each a memoryview of its type; `numpy` gives the same memory to numpy.

    Raises StoreError for a file that is damaged or of another version.
    """

    def __init__(self, path: Path):
        self.path = path
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            magic, length = _HEAD.unpack_from(self._map, 0)
            if magic != MAGIC:
                raise ValueError("made by another version of Groundwork")
            self._places = json.loads(self._map[_HEAD.size : _HEAD.size + length])
            base = _aligned(_HEAD.size + length)
            view = memoryview(self._map)
            self._views = {
                name: view[base + place : base + place + size].cast(kind)
                if size
                else memoryview(array(kind))
                for name, (kind, place, size) in self._places.items()
            }
        except (OSError, ValueError, TypeError, struct.error) as error:
            raise StoreError(
                f"The vocabulary index {path} is not usable: {error}.",
                "Delete it: it will be rebuilt.",
            ) from error

    def view(self, name: str) -> memoryview:
        return self._views[name]

    def numpy(self, name: str) -> np.ndarray[Any, Any]:
        import numpy as np

        return np.frombuffer(self._views[name], dtype=_DTYPES[self._places[name][0]])

    @cached_property
    def _columns(self) -> Mapping[str, tuple[memoryview, memoryview]]:
        """Fingerprints in order, and the names that they belong to, of each sorted column."""
        return {
            column: (self._views[f"{column}_key"], self._views[f"{column}_name"])
            for column in ("solid", "stem")
        }

    def text(self, name: str, number: int) -> str:
        """The `number`th text of a list of texts (`NAME_at` holds where each begins)."""
        at = self._views[f"{name}_at"]
        return str(self._views[name][at[number] : at[number + 1]], "utf-8", "surrogatepass")

    def equal(self, column: str, key: int) -> list[int]:
        """The names whose fingerprint in a sorted column is `key`, in the order of the file."""
        keys, names = self._columns[column]
        end = len(keys)
        # fingerprints are spread evenly: most stand near where their share of all numbers says
        near = (key + _HALF) * end >> 64
        low = near - _REACH if near > _REACH else 0
        high = near + _REACH if near + _REACH < end else end
        place = bisect_left(keys, key, low, high)
        if (place == low and low) or (place == high and high < end):
            place = bisect_left(keys, key)
        if place == end or keys[place] != key:
            return []
        equal = [names[place]]
        while (place := place + 1) < end and keys[place] == key:
            equal.append(names[place])
        return equal

    def find(self, name: str, text: str) -> int:
        """The place of a text in a sorted list of texts, or -1."""
        place = self.first_not_below(name, text)
        size = len(self._views[f"{name}_at"]) - 1
        return place if place < size and self.text(name, place) == text else -1

    def first_not_below(self, name: str, text: str) -> int:
        """The first place of a sorted list of texts whose text is not below `text`."""
        low, high = 0, len(self._views[f"{name}_at"]) - 1
        while low < high:
            middle = (low + high) // 2
            if self.text(name, middle) < text:
                low = middle + 1
            else:
                high = middle
        return low

    def range(self, name: str, of: str, number: int) -> memoryview:
        """The `number`th run of a list of runs (`OF` holds where each begins)."""
        at = self._views[of]
        return self._views[name][at[number] : at[number + 1]]


_DTYPES = {"q": "<i8", "Q": "<u8", "I": "<u4", "B": "u1"}


def write_name_file(path: Path, arrays: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
    """`arrays`: name → (type: q int64, Q uint64, I uint32, B byte; the bytes)."""
    places, at = {}, 0
    for name, (kind, content) in arrays.items():
        size = len(memoryview(content).cast("B"))
        places[name] = (kind, at, size)
        at = _aligned(at + size)
    header = json.dumps(places).encode()
    with path.open("wb") as file:
        file.write(_HEAD.pack(MAGIC, len(header)))
        file.write(header)
        base = _aligned(file.tell())
        for name, (_, content) in arrays.items():
            file.write(b"\0" * (base + places[name][1] - file.tell()))
            file.write(content)


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN
