"""Writing an index: chunks in, files out, in sorted blocks that are merged, so that memory grows
with the vocabulary and not with the corpus.

The title's words count twice in the first chunk of a document and once in the others.
"""

from __future__ import annotations

import json
import os
import shutil
from array import array
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.literature.chunk import Chunk
from core.literature.index.reader import FORMAT, META, Index, put_in_place
from core.literature.index.tokens import plain_parts, units_of_group, word_groups
from core.literature.index.word_list import write_words
from core.literature.query import abbreviation

BLOCK = 2_000_000  # units in a block, and about as many in a step of the merging
REMEMBERED = 300_000  # words whose units are remembered
MOST = 255  # occurrences of a unit counted in one chunk
_AROUND = ".,;:()[]?!\"'"  # signs around a word
OnChunk = Callable[[int], None]


def build(
    folder: Path, chunks: Iterable[Chunk], key: str = "", on_chunk: OnChunk | None = None
) -> Index:
    """Index chunks into `folder`, replacing what is there; `key` says what it was made from.

    `on_chunk` is told how many chunks are done, and may raise Stopped: the old index then stays.
    """
    new_folder = folder.with_name(f"{folder.name}.new-{os.getpid()}")
    shutil.rmtree(new_folder, ignore_errors=True)
    new_folder.mkdir(parents=True)
    try:
        _Writer(new_folder).write(chunks, key, on_chunk or (lambda done: None))
        put_in_place(new_folder, folder)
    except BaseException:
        shutil.rmtree(new_folder, ignore_errors=True)
        raise
    return Index(folder)


class _Units:
    """Words → numbers of their units, numbering new units as they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.words: set[str] = set()
        self.by_group = _Remembered(self._of_group)
        self.by_word = _Remembered(self._of_word)

    def of(self, text: str) -> array[int]:
        """The units of a text; no unit reaches over a space."""
        return array("I", chain.from_iterable(map(self.by_word.__getitem__, text.split())))

    def _of_word(self, word: str) -> tuple[int, ...]:
        bare = word.strip(_AROUND)
        if bare.isascii() and bare.isalpha():
            return self.by_group[bare.lower()]
        return tuple(chain.from_iterable(map(self.by_group.__getitem__, word_groups(word))))

    def _of_group(self, group: str) -> tuple[int, ...]:
        self.words.update(plain_parts(group))
        numbers = self.numbers
        return tuple(numbers.setdefault(unit, len(numbers)) for unit in units_of_group(group))


class _Remembered(dict[str, tuple[int, ...]]):
    """What `made` gives for each word; it forgets all when they are too many."""

    def __init__(self, made: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self.made = made

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) > REMEMBERED:
            self.clear()
        self[word] = unit_numbers = self.made(word)
        return unit_numbers


class _Writer:
    def __init__(self, folder: Path):
        self.folder = folder
        self.units = _Units()
        self.definitions: abbreviation.Definitions = {}
        self.lengths = array("I")
        self.text_starts = array("q", [0])
        self.row_starts = array("q", [0])
        self.sequence_starts = array("q", [0])
        self.blocks: list[Path] = []
        self.spread = np.zeros(
            0, dtype=np.int64
        )  # postings of each unit, in the order of appearance

    def write(self, chunks: Iterable[Chunk], key: str, on_chunk: OnChunk) -> None:
        with (
            (self.folder / "texts.bin").open("wb") as texts,
            (self.folder / "rows.bin").open("wb") as rows,
            (self.folder / "sequences.raw").open("wb") as sequences,
        ):
            self._index_chunks(chunks, texts, rows, sequences, on_chunk)
        self._finish(key)

    def _index_chunks(
        self,
        chunks: Iterable[Chunk],
        texts: BinaryIO,
        rows: BinaryIO,
        sequences: BinaryIO,
        on_chunk: OnChunk,
    ) -> None:
        unit_sequence, sizes = array("I"), array("I")
        for number, chunk in enumerate(chunks):
            sequence = self._sequence(chunk)
            sequences.write(sequence.tobytes())
            self.sequence_starts.append(self.sequence_starts[-1] + len(sequence))
            if chunk.title and chunk.start == 0:
                sequence += self.units.of(chunk.title)
            abbreviation.collect(self.definitions, chunk.text)
            unit_sequence += sequence
            sizes.append(len(sequence))
            self.lengths.append(len(sequence))
            _append(texts, self.text_starts, chunk.text.encode("utf-8", "surrogatepass"))
            _append(
                rows,
                self.row_starts,
                json.dumps(chunk.row(), ensure_ascii=False).encode("utf-8", "surrogatepass"),
            )
            if len(unit_sequence) >= BLOCK:
                self._block(unit_sequence, sizes)
                unit_sequence, sizes = array("I"), array("I")
            on_chunk(number + 1)
        self._block(unit_sequence, sizes)

    def _sequence(self, chunk: Chunk) -> array[int]:
        text = chunk.text
        if chunk.title and not text.startswith(chunk.title):
            text = f"{chunk.title}\n{text}"
        return self.units.of(text)

    def _block(self, unit_sequence: array[int], sizes: array[int]) -> None:
        """One block's postings, sorted by unit then chunk."""
        if not unit_sequence:
            return
        chunks = np.repeat(
            np.arange(len(self.lengths) - len(sizes), len(self.lengths), dtype=np.uint64), sizes
        )
        pairs = (
            np.frombuffer(unit_sequence, dtype=np.uint32).astype(np.uint64) << np.uint64(32)
        ) | chunks
        pairs, counts = np.unique(pairs, return_counts=True)
        units, docs = (
            (pairs >> np.uint64(32)).astype(np.uint32),
            (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32),
        )
        unit_spread = np.bincount(units, minlength=len(self.spread))
        unit_spread[: len(self.spread)] += self.spread
        self.spread = unit_spread
        path = self.folder / f"block-{len(self.blocks)}"
        _save_block(path, units, docs, np.minimum(counts, MOST).astype(np.uint8))
        self.blocks.append(path)

    def _finish(self, key: str) -> None:
        names = sorted(self.units.numbers, key=_bytes)
        order = np.array([self.units.numbers[name] for name in names], dtype=np.int64)
        place = np.zeros(len(names), dtype=np.uint32)
        place[order] = np.arange(len(names), dtype=np.uint32)
        write_words(self.folder / "units", names)
        write_words(self.folder / "words", sorted(self.units.words, key=_bytes))
        write_words(
            self.folder / "definitions", sorted(abbreviation.rows(self.definitions), key=_bytes)
        )
        self.spread = np.concatenate(
            (self.spread, np.zeros(len(names) - len(self.spread), dtype=np.int64))
        )
        starts = np.concatenate(([0], np.cumsum(self.spread[order])))
        self._write_postings(place, starts)
        self._write_sequences(place)
        self._save("posting_starts", starts)
        self._save("lengths", np.array(self.lengths, dtype=np.uint32))
        for name in ("text_starts", "row_starts", "sequence_starts"):
            self._save(name, np.array(getattr(self, name), dtype=np.int64))
        meta = {"format": FORMAT, "key": key, "chunks": len(self.lengths)}
        (self.folder / META).write_text(json.dumps(meta), "utf-8")

    def _save(self, name: str, values: NDArray[np.generic]) -> None:
        np.save(self.folder / f"{name}.npy", values)

    def _write_postings(self, place: NDArray[np.uint32], starts: NDArray[np.int64]) -> None:
        """Merge the blocks, a run of units at a time; blocks follow one another in chunks, so order
        within stays.
        """
        edges = np.unique(
            np.searchsorted(starts, np.arange(0, starts[-1] + BLOCK, BLOCK), side="left")
        )
        bounds = [_renumber(path, place, edges) for path in self.blocks]
        with (
            (self.folder / "docs.bin").open("wb") as all_docs,
            (self.folder / "counts.bin").open("wb") as all_counts,
        ):
            for step in range(len(edges) - 1):
                parts = [
                    _load_block(p, b[step], b[step + 1])
                    for p, b in zip(self.blocks, bounds, strict=True)
                ]
                units, docs, counts = (
                    np.concatenate(columns) for columns in zip(*parts, strict=True)
                )
                order = np.argsort(units, kind="stable")
                all_docs.write(docs[order].tobytes())
                all_counts.write(counts[order].tobytes())
        for path in self.blocks:
            for name, _ in COLUMNS:
                path.with_suffix(name).unlink()

    def _write_sequences(self, place: NDArray[np.uint32]) -> None:
        raw = self.folder / "sequences.raw"
        with raw.open("rb") as old, (self.folder / "sequences.bin").open("wb") as new:
            while part := old.read(4 * BLOCK):
                new.write(place[np.frombuffer(part, dtype=np.uint32)].tobytes())
        raw.unlink()


COLUMNS = ((".units", np.uint32), (".docs", np.uint32), (".counts", np.uint8))


def _save_block(path: Path, *columns: NDArray[np.generic]) -> None:
    for (name, _), column in zip(COLUMNS, columns, strict=True):
        column.tofile(path.with_suffix(name))


def _load_block(path: Path, start: int, end: int) -> list[NDArray[Any]]:
    return [
        np.fromfile(
            path.with_suffix(name), kind, end - start, offset=start * np.dtype(kind).itemsize
        )
        for name, kind in COLUMNS
    ]


def _renumber(path: Path, place: NDArray[np.uint32], edges: NDArray[np.int64]) -> list[int]:
    """Sort a block by the units' final numbers; returns where each of `edges` begins in it."""
    units, docs, counts = _load_block(path, 0, path.with_suffix(".units").stat().st_size // 4)
    units = place[units]
    order = np.argsort(units, kind="stable")
    _save_block(path, units[order], docs[order], counts[order])
    return [int(bound) for bound in np.searchsorted(units[order], edges)]


def _append(file: BinaryIO, starts: array[int], raw: bytes) -> None:
    file.write(raw)
    starts.append(starts[-1] + len(raw))


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")
