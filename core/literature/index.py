"""The inverted index of a namespace: memory-mapped files in one folder, made from chunks and always rebuildable.

Postings give, for each unit, the chunks that hold it and how often (capped at 255); sequences give each chunk's units
in order, for phrases and for broadening. Only what a query touches is read, so memory stays far below the index's
size. A folder is written beside its final place and moved there whole: a reader never sees half an index.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import NotFound, StoreError
from core.literature.passage import Chunk, chunk_from_row
from core.literature.wordlist import WordList

FORMAT = 1
META = "index.json"
Integers = NDArray[np.int64]
Floats = NDArray[np.float32]


class Index:
    """A namespace's chunks, ready to be ranked. Chunks are numbered from 0 in the order they were given."""

    def __init__(self, folder: Path):
        try:
            meta = json.loads((folder / META).read_text("utf-8"))
            if meta["format"] != FORMAT:
                raise ValueError(f"format {meta['format']}")
            self._open(folder, meta)
        except FileNotFoundError as error:
            raise NotFound("This namespace has no index.", "Update it, or add documents to it.") from error
        except (ValueError, KeyError, OSError) as error:
            raise StoreError(f"The index in {folder} cannot be read.", "Delete the folder: it is rebuilt.") from error

    def _open(self, folder: Path, meta: dict[str, object]) -> None:
        def array(name: str) -> NDArray[np.generic]:
            return np.load(folder / f"{name}.npy", mmap_mode="r")

        self.folder = folder
        self.key = str(meta["key"])
        self._vocabulary: list[str] | None = None
        self.pairs: dict[tuple[str, str], float] = {}
        self.units = WordList(folder / "units")
        self.words = WordList(folder / "words")
        self._posting_starts, self._docs, self._counts = array("posting_starts"), array("docs"), array("counts")
        self._sequence_starts, self._sequences = array("sequence_starts"), array("sequences")
        self._text_starts, self._row_starts = array("text_starts"), array("row_starts")
        self.lengths = np.asarray(array("lengths"), dtype=np.float32)
        self._texts = _bytes(folder / "texts.bin")
        self._rows = _bytes(folder / "rows.bin")
        self.average = float(self.lengths.mean()) if len(self.lengths) else 1.0

    @property
    def vocabulary(self) -> list[str]:
        """Every word of the corpus, unstemmed; read when first asked for."""
        if self._vocabulary is None:
            self._vocabulary = self.words.all()
        return self._vocabulary

    def __len__(self) -> int:
        return len(self.lengths)

    def __reduce__(self) -> tuple[type[Index], tuple[Path]]:
        """It travels to another process as its folder."""
        return Index, (self.folder,)

    def unit(self, unit: str) -> int:
        """A unit's number, or -1 when no chunk holds it."""
        return self.units.number(unit)

    def spread(self, unit: int) -> int:
        """In how many chunks a unit occurs."""
        return int(self._posting_starts[unit + 1] - self._posting_starts[unit]) if unit >= 0 else 0

    def postings(self, unit: int) -> tuple[Integers, Floats]:
        """The chunks that hold a unit, ascending, and how often each does."""
        start, end = self._posting_starts[unit], self._posting_starts[unit + 1]
        return np.asarray(self._docs[start:end], dtype=np.int64), np.asarray(self._counts[start:end], dtype=np.float32)

    def sequence(self, number: int) -> NDArray[np.uint32]:
        start, end = self._sequence_starts[number], self._sequence_starts[number + 1]
        return np.asarray(self._sequences[start:end], dtype=np.uint32)

    def text(self, number: int) -> str:
        raw = self._texts[self._text_starts[number] : self._text_starts[number + 1]]
        return raw.tobytes().decode("utf-8", "surrogatepass")

    def chunk(self, number: int) -> Chunk:
        raw = self._rows[self._row_starts[number] : self._row_starts[number + 1]].tobytes()
        return chunk_from_row(json.loads(raw), self.text(number))

    def chunks(self) -> Iterable[Chunk]:
        return (self.chunk(number) for number in range(len(self)))


def _bytes(path: Path) -> NDArray[np.uint8]:
    """A file's bytes, mapped; an empty file cannot be mapped."""
    if path.stat().st_size == 0:
        return np.zeros(0, dtype=np.uint8)
    return np.memmap(path, dtype=np.uint8, mode="r")


def put_in_place(made: Path, folder: Path) -> None:
    """Move a finished index to its place; readers of the old one keep their open files."""
    old = folder.with_name(f"{folder.name}.old-{os.getpid()}")
    if folder.exists():
        folder.rename(old)
    made.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
