"""The inverted index of a namespace: files in one folder, read in slices; made from chunks and
always rebuildable.

Postings give, for each unit, the chunks that hold it and how often (capped at 255); sequences give
each chunk's units in order, for phrases and for broadening. Only what a query touches is read, and
nothing of it stays mapped, so memory stays far below the index's size. A folder is written beside
its final place and moved there whole: a reader never sees half an index.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import NotFound, StoreError
from core.literature.chunk import Chunk, chunk_from_row
from core.literature.index.word_list import WordList

FORMAT = 6
META = "index.json"
Integers = NDArray[np.int64]
Floats = NDArray[np.float32]


class ChunkIndex:
    """A namespace's chunks, ready to be ranked. Chunks are numbered from 0 in the order they were
    given.
    """

    def __init__(self, folder: Path):
        try:
            meta = json.loads((folder / META).read_text("utf-8"))
            if meta["format"] != FORMAT:
                raise ValueError(f"format {meta['format']}")
            self._open(folder, meta)
        except FileNotFoundError as error:
            raise NotFound(
                "This namespace has no index.", "Update it, or add documents to it."
            ) from error
        except (ValueError, KeyError, OSError) as error:
            raise StoreError(
                f"The index in {folder} cannot be read.", "Delete the folder: it will be rebuilt."
            ) from error

    def _open(self, folder: Path, meta: dict[str, object]) -> None:
        def starts(name: str) -> Integers:
            return np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r"))

        self.folder = folder
        self.key = str(meta["key"])
        self._vocabulary: list[str] | None = None
        self.pairs: dict[tuple[str, str], float] = {}
        self.apart: dict[str, tuple[Integers, Floats]] = {}
        self.units = WordList(folder / "units")
        self.words = WordList(folder / "words")
        self.definitions = WordList(folder / "definitions")
        self._posting_starts, self._sequence_starts = (
            starts("posting_starts"),
            starts("sequence_starts"),
        )
        self._text_starts, self._row_starts = starts("text_starts"), starts("row_starts")
        self._docs = _Slices(folder / "docs.bin", np.uint32, int(self._posting_starts[-1]))
        self._counts = _Slices(folder / "counts.bin", np.uint8, int(self._posting_starts[-1]))
        self._sequences = _Slices(
            folder / "sequences.bin", np.uint32, int(self._sequence_starts[-1])
        )
        self._texts = _Slices(folder / "texts.bin", np.uint8, int(self._text_starts[-1]))
        self._rows = _Slices(folder / "rows.bin", np.uint8, int(self._row_starts[-1]))
        self.lengths = np.load(folder / "lengths.npy").astype(np.float32)
        self.average = float(self.lengths.mean()) if len(self.lengths) else 1.0

    @property
    def vocabulary(self) -> list[str]:
        """Every word of the corpus, unstemmed; read when first asked for."""
        if self._vocabulary is None:
            self._vocabulary = self.words.all()
        return self._vocabulary

    def __len__(self) -> int:
        return len(self.lengths)

    def __reduce__(self) -> tuple[type[ChunkIndex], tuple[Path]]:
        """It travels to another process as its folder."""
        return ChunkIndex, (self.folder,)

    def unit(self, unit: str) -> int:
        """A unit's number, or -1 when no chunk holds it."""
        return self.units.number(unit)

    def spread(self, unit: int) -> int:
        """In how many chunks a unit occurs."""
        return int(self._posting_starts[unit + 1] - self._posting_starts[unit]) if unit >= 0 else 0

    def spreads(self, units: NDArray[np.integer]) -> Integers:
        """In how many chunks each of these units occurs."""
        places = units.astype(np.int64)
        counts: Integers = self._posting_starts[places + 1] - self._posting_starts[places]
        return counts

    def postings(self, unit: int) -> tuple[Integers, Floats]:
        """The chunks that hold a unit, ascending, and how often each does."""
        start, end = int(self._posting_starts[unit]), int(self._posting_starts[unit + 1])
        return self._docs.read(start, end).astype(np.int64), self._counts.read(start, end).astype(
            np.float32
        )

    def holders(self, unit: int, step: int = 1) -> Integers:
        """The chunks that hold a unit, ascending; with a step only every such one."""
        start, end = int(self._posting_starts[unit]), int(self._posting_starts[unit + 1])
        return self._docs.read(start, end)[::step].astype(np.int64)

    def sequence(self, number: int) -> NDArray[np.uint32]:
        return self._sequences.read(
            int(self._sequence_starts[number]), int(self._sequence_starts[number + 1])
        )

    def sequences(self, numbers: Integers) -> tuple[NDArray[np.uint32], Integers]:
        """The units of these chunks in order, chunk after chunk, and how many each chunk has."""
        starts, ends = self._sequence_starts[numbers], self._sequence_starts[numbers + 1]
        return self._sequences.read_all(starts.tolist(), ends.tolist()), ends - starts

    def text(self, number: int) -> str:
        raw = self._texts.read(int(self._text_starts[number]), int(self._text_starts[number + 1]))
        return raw.tobytes().decode("utf-8", "surrogatepass")

    def chunk(self, number: int) -> Chunk:
        raw = self._rows.read(
            int(self._row_starts[number]), int(self._row_starts[number + 1])
        ).tobytes()
        return chunk_from_row(json.loads(raw), self.text(number))

    def chunks(self) -> Iterable[Chunk]:
        return (self.chunk(number) for number in range(len(self)))


class _Slices:
    """A file of numbers, of which slices are read. It stays open, so that a rebuilt index does not
    disturb a reader.
    """

    def __init__(self, path: Path, kind: type[np.generic], size: int):
        self._file = path.open("rb", buffering=0)
        self._descriptor = self._file.fileno()
        self._kind = np.dtype(kind)
        if path.stat().st_size != size * self._kind.itemsize:
            raise ValueError(f"{path.name} is cut off")

    def read(self, start: int, end: int) -> NDArray[Any]:
        width = self._kind.itemsize
        return np.frombuffer(
            os.pread(self._descriptor, (end - start) * width, start * width), dtype=self._kind
        )

    def read_all(self, starts: Sequence[int], ends: Sequence[int]) -> NDArray[Any]:
        """Several slices, one after the other."""
        width, descriptor, pread = self._kind.itemsize, self._descriptor, os.pread
        slices = [
            pread(descriptor, (end - start) * width, start * width)
            for start, end in zip(starts, ends, strict=True)
        ]
        return np.frombuffer(b"".join(slices), dtype=self._kind)


def put_in_place(new_folder: Path, folder: Path) -> None:
    """Move a finished index to its place; readers of the old one keep their open files."""
    old = folder.with_name(f"{folder.name}.old-{os.getpid()}")
    if folder.exists():
        folder.rename(old)
    new_folder.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
