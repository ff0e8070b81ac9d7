"""Writing an index: chunks in, files out, in blocks, so that memory does not grow with the corpus.

The title's words count twice in the first chunk of a document and once in the others.
"""

from __future__ import annotations

import json
import os
import shutil
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.literature.index import FORMAT, META, Index, put_in_place
from core.literature.passage import Chunk
from core.literature.wordlist import write_words
from core.literature.words import groups, plain_parts, units_of_group

BLOCK = 20_000  # chunks
REMEMBERED = 1_000_000  # words whose units are remembered
MOST = 255  # occurrences of a unit counted in one chunk
OnChunk = Callable[[int], None]


def build(folder: Path, chunks: Iterable[Chunk], key: str = "", on_chunk: OnChunk | None = None) -> Index:
    """Index chunks into `folder`, replacing what is there; `key` says what it was made from.

    `on_chunk` is told how many chunks are done, and may raise Stopped: the old index then stays.
    """
    made = folder.with_name(f"{folder.name}.new-{os.getpid()}")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    try:
        _Writer(made).write(chunks, key, on_chunk or (lambda done: None))
        put_in_place(made, folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return Index(folder)


class _Units(dict[str, tuple[int, ...]]):
    """Folded word → numbers of its units, numbering new units as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}
        self.words: set[str] = set()

    def __missing__(self, group: str) -> tuple[int, ...]:
        if len(self) > REMEMBERED:
            self.clear()
        numbers = self.numbers
        found = tuple(numbers.setdefault(unit, len(numbers)) for unit in units_of_group(group))
        self.words.update(plain_parts(group))
        self[group] = found
        return found


class _Writer:
    def __init__(self, folder: Path):
        self.folder = folder
        self.units = _Units()
        self.lengths = array("I")
        self.text_starts = array("q", [0])
        self.row_starts = array("q", [0])
        self.sequence_starts = array("q", [0])
        self.blocks: list[tuple[Path, int]] = []

    def write(self, chunks: Iterable[Chunk], key: str, on_chunk: OnChunk) -> None:
        with (
            (self.folder / "texts.bin").open("wb") as texts,
            (self.folder / "rows.bin").open("wb") as rows,
            (self.folder / "sequences.bin").open("wb") as sequences,
        ):
            self._read(chunks, texts, rows, sequences, on_chunk)
        self._finish(key)

    def _read(
        self, chunks: Iterable[Chunk], texts: BinaryIO, rows: BinaryIO, sequences: BinaryIO, on_chunk: OnChunk
    ) -> None:
        pairs, first = array("Q"), 0
        for number, chunk in enumerate(chunks):
            sequence = self._sequence(chunk)
            pairs.extend((unit << 32) | number for unit in sequence)
            if chunk.title and chunk.start == 0:
                pairs.extend((unit << 32) | number for unit in self._numbers(chunk.title))
            self.lengths.append(len(pairs) - first)
            first = len(pairs)
            _append(texts, self.text_starts, chunk.text.encode("utf-8", "surrogatepass"))
            _append(rows, self.row_starts, json.dumps(chunk.row(), ensure_ascii=False).encode("utf-8", "surrogatepass"))
            sequences.write(sequence.tobytes())
            self.sequence_starts.append(self.sequence_starts[-1] + len(sequence))
            if (number + 1) % BLOCK == 0:
                self._block(pairs)
                pairs, first = array("Q"), 0
            on_chunk(number + 1)
        self._block(pairs)

    def _numbers(self, text: str) -> array[int]:
        found, units = array("I"), self.units
        for group in groups(text):
            found.extend(units[group])
        return found

    def _sequence(self, chunk: Chunk) -> array[int]:
        text = chunk.text
        if chunk.title and not text.startswith(chunk.title):
            text = f"{chunk.title}\n{text}"
        return self._numbers(text)

    def _block(self, pairs: array[int]) -> None:
        """One block's postings, sorted by unit then chunk."""
        if not pairs:
            return
        found, counts = np.unique(np.frombuffer(pairs, dtype=np.uint64), return_counts=True)
        path = self.folder / f"block-{len(self.blocks)}.npz"
        np.savez(path, pairs=found, counts=np.minimum(counts, MOST).astype(np.uint8))
        self.blocks.append((path, len(found)))

    def _finish(self, key: str) -> None:
        names = sorted(self.units.numbers, key=lambda unit: unit.encode("utf-8", "surrogatepass"))
        place = np.zeros(len(names), dtype=np.uint32)
        place[[self.units.numbers[name] for name in names]] = np.arange(len(names), dtype=np.uint32)
        write_words(self.folder / "units", names)
        self._write_postings(place)
        self._write_sequences(place)
        write_words(
            self.folder / "words", sorted(self.units.words, key=lambda word: word.encode("utf-8", "surrogatepass"))
        )
        self._save("lengths", np.array(self.lengths, dtype=np.uint32))
        for name in ("text_starts", "row_starts", "sequence_starts"):
            self._save(name, np.array(getattr(self, name), dtype=np.int64))
        meta = {"format": FORMAT, "key": key, "chunks": len(self.lengths)}
        (self.folder / META).write_text(json.dumps(meta), "utf-8")

    def _save(self, name: str, values: NDArray[np.generic]) -> None:
        np.save(self.folder / f"{name}.npy", values)

    def _write_postings(self, place: NDArray[np.uint32]) -> None:
        sizes = np.zeros(len(place) + 1, dtype=np.int64)
        for path, _ in self.blocks:
            with np.load(path) as block:
                sizes[1:] += np.bincount(
                    place[(block["pairs"] >> np.uint64(32)).astype(np.int64)], minlength=len(place)
                )
        starts = np.cumsum(sizes)
        docs = np.lib.format.open_memmap(self.folder / "docs.npy", "w+", np.uint32, (int(starts[-1]),))
        counts = np.lib.format.open_memmap(self.folder / "counts.npy", "w+", np.uint8, (int(starts[-1]),))
        free = starts[:-1].copy()
        for path, _ in self.blocks:
            with np.load(path) as block:
                pairs, found = block["pairs"], block["counts"]
            unit = place[(pairs >> np.uint64(32)).astype(np.int64)].astype(np.int64)
            where = free[unit] + _rank_in_run(unit)
            docs[where] = (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)
            counts[where] = found
            free += np.bincount(unit, minlength=len(place))
            path.unlink()
        docs.flush()
        counts.flush()
        self._save("posting_starts", starts)

    def _write_sequences(self, place: NDArray[np.uint32]) -> None:
        path = self.folder / "sequences.bin"
        total = self.sequence_starts[-1]
        made = np.lib.format.open_memmap(self.folder / "sequences.npy", "w+", np.uint32, (total,))
        if total:
            raw = np.memmap(path, dtype=np.uint32, mode="r")
            for start in range(0, total, 4_000_000):
                made[start : start + 4_000_000] = place[raw[start : start + 4_000_000]]
            del raw
        made.flush()
        path.unlink()


def _append(file: BinaryIO, starts: array[int], raw: bytes) -> None:
    file.write(raw)
    starts.append(starts[-1] + len(raw))


def _rank_in_run(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For sorted runs of equal values: 0, 1, 2 … within each run."""
    if not len(values):
        return values
    new = np.concatenate(([True], values[1:] != values[:-1]))
    first = np.flatnonzero(new)
    return np.arange(len(values)) - np.repeat(first, np.diff(np.concatenate((first, [len(values)]))))
