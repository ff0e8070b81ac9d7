"""Writing an index: chunks in, files out, in sorted blocks that are merged, so that memory grows
with the vocabulary and not with the corpus.

The title's words count twice in the first chunk of a document and once in the others.
"""

from __future__ import annotations

import json
import os
import shutil
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.literature.chunk import Chunk
from core.literature.index.reader import FORMAT, META, ChunkIndex, put_in_place
from core.literature.index.tokens import plain_parts, units_of_group, word_groups
from core.literature.index.word_list import write_words
from core.literature.query import abbreviation

BLOCK = 1_000_000  # words in a block, and postings in a step of the merging
REMEMBERED = 300_000  # words whose units are remembered
MOST = 255  # occurrences of a unit counted in one chunk
# A posting is one number, so that sorting postings is sorting numbers: unit, chunk, occurrences.
COUNT_BITS, CHUNK_BITS = np.uint64(8), np.uint64(28)
_AROUND = ".,;:()[]?!\"'"  # signs around a word
_JSON = json.JSONEncoder(ensure_ascii=False).encode
OnChunk = Callable[[int], None]


def build_index(
    folder: Path, chunks: Iterable[Chunk], key: str = "", on_chunk: OnChunk | None = None
) -> ChunkIndex:
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
    return ChunkIndex(folder)


class _Units:
    """Units numbered as they come, and words numbered within a block, each with its units."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.words: set[str] = set()
        self.by_group: dict[str, tuple[int, ...]] = {}
        self.of_words = _WordUnits(self._of_word)

    def forget(self) -> None:
        """Drop what is remembered of words, once it is much; what was numbered by them is lost."""
        if max(len(self.by_group), len(self.of_words)) > REMEMBERED:
            self.by_group.clear()
            self.of_words = _WordUnits(self._of_word)

    def _of_word(self, word: str) -> Iterable[int]:
        bare = word.strip(_AROUND)
        if bare.isascii() and bare.isalpha():
            return self._of_group(bare.lower())
        return chain.from_iterable(map(self._of_group, word_groups(word)))

    def _of_group(self, group: str) -> tuple[int, ...]:
        unit_numbers = self.by_group.get(group)
        if unit_numbers is None:
            self.words.update(plain_parts(group))
            numbers, units = self.numbers, units_of_group(group)
            unit_numbers = tuple([numbers.setdefault(unit, len(numbers)) for unit in units])
            self.by_group[group] = unit_numbers
        return unit_numbers


class _WordUnits(dict[str, int]):
    """Word as written → its number, new words numbered as they are asked for."""

    def __init__(self, units_of_word: Callable[[str], Iterable[int]]) -> None:
        super().__init__()
        self._units_of_word = units_of_word
        self._units, self._ends = array("I"), array("I", [0])

    def __missing__(self, word: str) -> int:
        self._units.extend(self._units_of_word(word))
        self._ends.append(len(self._units))
        self[word] = number = len(self)
        return number

    def units(self, words: array[int]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """The units of words, given by their numbers, and how many each word has."""
        ends = np.array(self._ends, dtype=np.int64)
        numbers = np.frombuffer(words, dtype=np.uint32)
        sizes = np.diff(ends)[numbers]
        before = np.cumsum(sizes) - sizes
        places = np.repeat(ends[numbers] - before, sizes)
        places += np.arange(len(places))
        return np.array(self._units, dtype=np.uint32)[places], sizes


@dataclass(slots=True)
class _Block:
    """The words of some chunks, one chunk after the other: its text, and its title once more.

    `sizes`: words of each chunk; `sequence_sizes`: of them, those without the repeated title.
    """

    words: array[int] = field(default_factory=lambda: array("I"))
    sizes: array[int] = field(default_factory=lambda: array("I"))
    sequence_sizes: array[int] = field(default_factory=lambda: array("I"))


class _Writer:
    def __init__(self, folder: Path):
        self.folder = folder
        self.units = _Units()
        self.definitions: abbreviation.Written = Counter()
        self.lengths = array("I")
        self.text_starts = array("q", [0])
        self.row_starts = array("q", [0])
        self.sequence_starts = array("q", [0])
        self.blocks: list[Path] = []
        self.spread = np.zeros(0, dtype=np.int64)  # postings of each unit, as units came

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
        block = _Block()
        for number, chunk in enumerate(chunks):
            self._read(chunk, block)
            abbreviation.collect_abbreviations(self.definitions, chunk.text)
            _append(texts, self.text_starts, chunk.text.encode("utf-8", "surrogatepass"))
            _append(rows, self.row_starts, _row_of(chunk).encode("utf-8", "surrogatepass"))
            if len(block.words) >= BLOCK:
                self._write_block(block, sequences)
                block = _Block()
            on_chunk(number + 1)
        self._write_block(block, sequences)

    def _read(self, chunk: Chunk, block: _Block) -> None:
        text, words, number_of = chunk.text, block.words, self.units.of_words.__getitem__
        before = len(words)
        if chunk.title and not text.startswith(chunk.title):
            text = f"{chunk.title}\n{text}"
        words.extend(map(number_of, text.split()))  # no unit reaches over a space
        block.sequence_sizes.append(len(words) - before)
        if chunk.title and chunk.start == 0:
            words.extend(map(number_of, chunk.title.split()))
        block.sizes.append(len(words) - before)

    def _write_block(self, block: _Block, sequences: BinaryIO) -> None:
        """A block's sequences, and its postings sorted by unit, then chunk."""
        if not block.sizes:
            return
        units, sizes = self.units.of_words.units(block.words)
        ends = np.concatenate(([0], np.cumsum(sizes)))
        word_ends = np.cumsum(block.sizes)
        word_starts = word_ends - np.array(block.sizes)
        lengths = ends[word_ends] - ends[word_starts]
        is_repeated = np.zeros(len(units) + 1, dtype=np.int8)
        sequence_ends = ends[word_starts + np.array(block.sequence_sizes)]
        np.add.at(is_repeated, sequence_ends, 1)
        np.add.at(is_repeated, ends[word_ends], -1)
        sequence = units[np.cumsum(is_repeated[:-1], dtype=np.int8) == 0]
        sequences.write(sequence.tobytes())
        last = self.sequence_starts[-1]
        self.sequence_starts.extend((last + np.cumsum(sequence_ends - ends[word_starts])).tolist())
        first = len(self.lengths)
        self.lengths.extend(lengths.tolist())
        chunks = np.repeat(np.arange(first, len(self.lengths), dtype=np.uint64), lengths)
        path = self.folder / f"block-{len(self.blocks)}"
        postings = _postings((units.astype(np.uint64) << CHUNK_BITS) | chunks)
        spread = np.bincount(_unit_of(postings), minlength=len(self.units.numbers))
        spread[: len(self.spread)] += self.spread
        self.spread = spread
        postings.tofile(path)
        self.blocks.append(path)
        self.units.forget()

    def _finish(self, key: str) -> None:
        names = sorted(self.units.numbers)
        order = np.array([self.units.numbers[name] for name in names], dtype=np.int64)
        place = np.zeros(len(names), dtype=np.uint32)
        place[order] = np.arange(len(names), dtype=np.uint32)
        write_words(self.folder / "units", names)
        write_words(self.folder / "words", sorted(self.units.words))
        definitions = sorted(abbreviation.definition_rows(self.definitions))
        write_words(self.folder / "definitions", definitions)
        spread = np.zeros(len(names), dtype=np.int64)
        spread[: len(self.spread)] = self.spread
        starts = np.concatenate(([0], np.cumsum(spread[order])))
        self._save("posting_starts", starts)
        self._write_postings(place, starts)
        self._write_sequences(place)
        self._save("lengths", np.array(self.lengths, dtype=np.uint32))
        for name in ("text_starts", "row_starts", "sequence_starts"):
            self._save(name, np.array(getattr(self, name), dtype=np.int64))
        meta = {"format": FORMAT, "key": key, "chunks": len(self.lengths)}
        (self.folder / META).write_text(json.dumps(meta), "utf-8")

    def _save(self, name: str, values: NDArray[np.generic]) -> None:
        np.save(self.folder / f"{name}.npy", values)

    def _write_postings(self, place: NDArray[np.uint32], starts: NDArray[np.int64]) -> None:
        """Merge the blocks, a run of units at a time."""
        runs = np.searchsorted(starts, np.arange(0, starts[-1] + BLOCK, BLOCK), side="left")
        edges = np.unique(runs).astype(np.uint64) << (CHUNK_BITS + COUNT_BITS)
        bounds = [_renumber(path, place, edges) for path in self.blocks]
        with (
            (self.folder / "docs.bin").open("wb") as all_docs,
            (self.folder / "counts.bin").open("wb") as all_counts,
        ):
            for step in range(len(edges) - 1):
                parts = zip(self.blocks, bounds, strict=True)
                postings = np.concatenate([_slice(p, at[step], at[step + 1]) for p, at in parts])
                postings.sort()
                counts = postings.astype(np.uint8)  # its lowest bits
                docs = (postings >> COUNT_BITS) & ((np.uint64(1) << CHUNK_BITS) - np.uint64(1))
                all_docs.write(docs.astype(np.uint32).tobytes())
                all_counts.write(counts.tobytes())
        for path in self.blocks:
            path.unlink()

    def _write_sequences(self, place: NDArray[np.uint32]) -> None:
        raw = self.folder / "sequences.raw"
        with raw.open("rb") as old, (self.folder / "sequences.bin").open("wb") as new:
            while part := old.read(4 * BLOCK):
                new.write(place[np.frombuffer(part, dtype=np.uint32)].tobytes())
        raw.unlink()


def _postings(occurrences: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Units in chunks (unit, then chunk in the lower bits), one an occurrence → sorted postings."""
    occurrences.sort()
    is_first = np.ones(len(occurrences), dtype=bool)
    np.not_equal(occurrences[1:], occurrences[:-1], out=is_first[1:])
    firsts = np.flatnonzero(is_first)
    counts = np.diff(firsts, append=len(occurrences))
    return (occurrences[firsts] << COUNT_BITS) | np.minimum(counts, MOST).astype(np.uint64)


def _unit_of(postings: NDArray[np.uint64]) -> NDArray[np.int64]:
    return (postings >> (CHUNK_BITS + COUNT_BITS)).astype(np.int64)


def _renumber(path: Path, place: NDArray[np.uint32], edges: NDArray[np.uint64]) -> list[int]:
    """Sort a block by the units' final numbers; returns where each of `edges` begins in it."""
    postings = np.fromfile(path, dtype=np.uint64)
    units = place[_unit_of(postings)].astype(np.uint64)
    below = CHUNK_BITS + COUNT_BITS
    postings &= (np.uint64(1) << below) - np.uint64(1)
    postings |= units << below
    postings.sort()
    postings.tofile(path)
    return [int(bound) for bound in np.searchsorted(postings, edges)]


def _slice(path: Path, start: int, end: int) -> NDArray[np.uint64]:
    return np.fromfile(path, np.uint64, end - start, offset=start * np.dtype(np.uint64).itemsize)


def _row_of(chunk: Chunk) -> str:
    return _JSON(chunk.row())


def _append(file: BinaryIO, starts: array[int], raw: bytes) -> None:
    file.write(raw)
    starts.append(starts[-1] + len(raw))
