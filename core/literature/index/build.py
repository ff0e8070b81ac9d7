"""Writing an index: chunks in, files out, in sorted blocks that are merged, so that memory grows
with the vocabulary and not with the corpus.

The title's words count twice in the first chunk of a document and once in the others.

The units of many texts at once, as numbers: texts are split into words by Arrow, and each word
that is new is taken apart once.
"""

from __future__ import annotations

import json
import os
import shutil
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, count
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.literature.chunk import Chunk
from core.literature.index.reader import FORMAT, META, ChunkIndex, put_in_place
from core.literature.index.stem import stem_plain_words
from core.literature.index.tokens import (
    STOP_WORDS,
    is_plain,
    plain_parts,
    units_of_group,
    word_groups,
)
from core.literature.index.word_list import write_words
from core.literature.query import abbreviation

REMEMBERED = 300_000  # words whose units are remembered
_AROUND = ".,;:[]?!\"'"  # signs around a word; not ")", which belongs to 10(6)
Units = NDArray[np.uint32]
Ends = NDArray[np.int64]


class UnitNumbers:
    """Units, numbered as they come. `words`: what the texts held, unstemmed."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.words: set[str] = set()
        self._places: dict[bytes, int] = {}  # word as written → its place in the two arrays
        self._units, self._ends = array("I"), array("q", [0])
        self._of_groups: dict[str, tuple[int, ...]] = {}  # of words with more than letters

    def of_texts(self, texts: Sequence[bytes]) -> tuple[Units, Ends]:
        """The units of texts in UTF-8, text after text, and where each text's end."""
        if len(self._places) > REMEMBERED:
            self._forget()
        lines = _strings(texts)
        # No unit reaches over a space, and none depends on the case of ASCII.
        split = pc.ascii_split_whitespace(pc.ascii_lower(lines))
        written = split.values.dictionary_encode()
        bare = pc.ascii_ltrim(pc.ascii_trim(written.dictionary, characters=_AROUND), characters="(")
        words = bare.dictionary_encode()
        raw_words = words.dictionary.view(pa.binary()).to_pylist()
        places = np.fromiter(self._places_of(raw_words), np.int64, len(raw_words))
        of_word = places[_numbers(words.indices)][_numbers(written.indices)]
        units, sizes = self._units_at(of_word)
        ends = np.concatenate(([0], np.cumsum(sizes)))
        return units, ends[_numbers(split.offsets)[1:]]

    def _places_of(self, raw_words: Sequence[bytes]) -> Iterator[int]:
        place_of = self._places
        new_words = [raw for raw in raw_words if raw not in place_of]
        words = [raw.decode("utf-8", "surrogatepass").rstrip(").,") for raw in new_words]
        plain = {word for word in words if is_plain(word)}
        place_of.update(zip(new_words, count(len(place_of))))
        stem_of = dict(zip(plain, stem_plain_words(plain), strict=True))
        self.words |= plain
        numbers, units, ends = self.numbers, self._units, self._ends
        for raw, word in zip(new_words, words, strict=True):
            if stem := stem_of.get(word):
                units.append(numbers.setdefault(stem, len(numbers)))
            elif word not in STOP_WORDS:
                for group in word_groups(raw.decode("utf-8", "surrogatepass")):
                    units.extend(self._of_group(group))
            ends.append(len(units))
        return map(place_of.__getitem__, raw_words)

    def _of_group(self, group: str) -> tuple[int, ...]:
        unit_numbers = self._of_groups.get(group)
        if unit_numbers is None:
            self.words.update(plain_parts(group))
            numbers, units = self.numbers, units_of_group(group)
            unit_numbers = tuple([numbers.setdefault(unit, len(numbers)) for unit in units])
            self._of_groups[group] = unit_numbers
        return unit_numbers

    def _units_at(self, places: NDArray[np.int64]) -> tuple[Units, Ends]:
        """The units of words, given by their places, and how many each word has."""
        ends = np.array(self._ends, dtype=np.int64)
        sizes = np.diff(ends)[places]
        before = np.cumsum(sizes) - sizes
        at = np.repeat(ends[places] - before, sizes)
        at += np.arange(len(at))
        return np.array(self._units, dtype=np.uint32)[at], sizes

    def _forget(self) -> None:
        """Drop what is remembered of words; units keep their numbers."""
        self._places.clear()
        self._of_groups.clear()
        self._units, self._ends = array("I"), array("q", [0])


def _strings(texts: Sequence[bytes]) -> pa.StringArray:
    """Texts in UTF-8 as Arrow has them, unchecked: half a character may stand in a text."""
    offsets = np.zeros(len(texts) + 1, dtype=np.int32)
    np.cumsum(np.fromiter(map(len, texts), np.int32, len(texts)), out=offsets[1:])
    buffers = pa.py_buffer(offsets), pa.py_buffer(b"".join(texts))
    return pa.StringArray.from_buffers(len(texts), *buffers)


def _numbers(array: pa.Int32Array) -> NDArray[np.int32]:
    # to_numpy would load pandas, a quarter of a second.
    return np.from_dlpack(array).astype(np.int32, copy=False)


BLOCK_BYTES = 4_000_000  # of the texts of a block
BLOCK = 1_000_000  # postings in a step of the merging
MOST = 255  # occurrences of a unit counted in one chunk
# A posting is one number, so that sorting postings is sorting numbers: unit, chunk, occurrences.
COUNT_BITS, CHUNK_BITS = np.uint64(8), np.uint64(28)
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


@dataclass(slots=True)
class _Block:
    """Some chunks: of each its text, with the title where it lacks it, and its title once more,
    where that counts, as UTF-8. `texts` and `rows`: what is stored of them.
    """

    words: list[bytes] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    rows: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, chunk: Chunk) -> None:
        text, title = _utf8(chunk.text), _utf8(chunk.title)
        self.texts.append(text)
        self.rows.append(_utf8(_JSON(chunk.row())))
        lacks_title = chunk.title and not chunk.text.startswith(chunk.title)
        self.words.append(title + b"\n" + text if lacks_title else text)
        self.words.append(title if chunk.start == 0 else b"")
        self.size += len(text)


class _Writer:
    def __init__(self, folder: Path):
        self.folder = folder
        self.units = UnitNumbers()
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
            block = _Block()
            for number, chunk in enumerate(chunks):
                block.add(chunk)
                abbreviation.collect_abbreviations(self.definitions, chunk.text)
                if block.size >= BLOCK_BYTES:
                    self._write_block(block, texts, rows, sequences)
                    block = _Block()
                on_chunk(number + 1)
            self._write_block(block, texts, rows, sequences)
        self._finish(key)

    def _write_block(
        self, block: _Block, texts: BinaryIO, rows: BinaryIO, sequences: BinaryIO
    ) -> None:
        """A block's texts, rows and sequences, and its postings sorted by unit, then chunk."""
        if not block.texts:
            return
        _append(texts, self.text_starts, block.texts)
        _append(rows, self.row_starts, block.rows)
        units, part_ends = self.units.of_texts(block.words)
        ends, sequence_ends = part_ends[1::2], part_ends[::2]
        starts = np.concatenate(([0], ends[:-1]))
        sequence_sizes, lengths = sequence_ends - starts, ends - starts
        is_sequence = np.repeat(np.tile((True, False), len(ends)), np.diff(part_ends, prepend=0))
        sequences.write(units[is_sequence].tobytes())
        last = self.sequence_starts[-1]
        self.sequence_starts.extend((last + np.cumsum(sequence_sizes)).tolist())
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


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _append(file: BinaryIO, starts: array[int], pieces: Sequence[bytes]) -> None:
    file.write(b"".join(pieces))
    starts.extend(accumulate(map(len, pieces), initial=starts.pop()))
