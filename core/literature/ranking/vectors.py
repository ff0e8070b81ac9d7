"""PES1: chunks ranked by the cosine of their vectors with the question's (Aftab et al. 2024,
Methods, "PES1").

Vectors come from any embedder. They are kept by their texts beside the index, and once more in the
order of its chunks inside it, one file a model and length.

Vectors of texts on disk, by the digest of the text: what an embedding model answered once is
never asked again, also when the index is made anew around it.

One folder a namespace, beside its index; in it, for each model and length, a file of digests (16
bytes each) and one of rows (float32) in the same order. Both only grow; a process that was killed
leaves at most one cut row behind, which is dropped.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import BadAnswer
from core.literature.index.reader import ChunkIndex
from core.literature.ranking.ranked_chunk import RankedChunk
from core.llm.completer import Embedder

DIGEST = 16  # bytes
Rows = NDArray[np.float32]


def digest_of(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


class VectorCache:
    """The vectors of one model and length; `length` numbers a row."""

    def __init__(self, folder: Path, model: str, length: int):
        folder.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", model) or "model"
        stem = f"{name}-{length}"
        self.length = length
        self._digests, self._rows = folder / f"{stem}.digests", folder / f"{stem}.rows"
        self._lock = folder / f"{stem}.lock"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One process at a time adds vectors: others wait, and find them made."""
        with self._lock.open("w") as lock_file:
            fcntl.flock(lock_file, fcntl.LOCK_EX)
            yield

    def rows_by_digest(self) -> dict[bytes, int]:
        """Digest → row, without what a killed process left half written."""
        raw = self._digests.read_bytes() if self._digests.exists() else b""
        rows = self._rows.stat().st_size // (4 * self.length) if self._rows.exists() else 0
        count = min(len(raw) // DIGEST, rows)
        return {raw[at * DIGEST : (at + 1) * DIGEST]: at for at in range(count)}

    def add(self, digests: Sequence[bytes], rows: Rows, after: int) -> None:
        """Add rows behind the first `after` ones."""
        for path, content, size in (
            (self._rows, rows.astype(np.float32).tobytes(), 4 * self.length),
            (self._digests, b"".join(digests), DIGEST),
        ):
            with path.open("ab") as file:
                file.truncate(after * size)
                file.write(content)
                file.flush()

    def rows(self, places: Sequence[int]) -> Rows:
        """The rows at these places, in their order."""
        if not places:
            return np.zeros((0, self.length), dtype=np.float32)
        stored_rows: Rows = np.memmap(self._rows, dtype=np.float32, mode="r").reshape(
            -1, self.length
        )
        return np.asarray(stored_rows[np.asarray(places)])


def cached_vectors(
    cache: VectorCache,
    texts: Sequence[str],
    embed: Callable[[Sequence[str]], Rows],
    batch: int,
    *,
    progress: Callable[[int, int], None],
) -> Rows:
    """A row for each text, in order; `embed` is asked for those alone that are not kept, `batch` at
    once, and each batch is kept as it comes. `progress` (those that are kept, of all) may raise.
    """
    digests = [digest_of(text) for text in texts]
    with cache.alone():
        row_by_digest = cache.rows_by_digest()
        missing = {
            d: text for d, text in zip(digests, texts, strict=True) if d not in row_by_digest
        }
        to_embed = list(missing.items())
        kept = len(texts) - len(missing)
        for start in range(0, len(to_embed), batch):
            progress(kept + start, len(texts))
            batch_texts = to_embed[start : start + batch]
            rows = embed([text for _, text in batch_texts])
            cache.add([digest for digest, _ in batch_texts], rows, len(row_by_digest))
            row_by_digest |= {
                digest: len(row_by_digest) + at for at, (digest, _) in enumerate(batch_texts)
            }
        progress(len(texts), len(texts))
    return cache.rows([row_by_digest[digest] for digest in digests])


BATCH = 64
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    return None


class Vectors:
    """Vectors of the chunks of each part, made when first needed."""

    def __init__(self, embedder: Embedder):
        self.embedder = embedder

    def rank(
        self,
        question: str,
        parts: Sequence[ChunkIndex],
        k: int,
        without: frozenset[str] = frozenset(),
    ) -> list[tuple[ChunkIndex, RankedChunk]]:
        """The best k chunks of all parts by cosine, none of the documents `without`; the score is
        the cosine, -1 to 1.
        """
        question_row = unit_rows(_matrix(self.embedder.embed([question])))[0]
        hits: list[tuple[ChunkIndex, RankedChunk]] = []
        for part in parts:
            scores = self.of(part, len(question_row)) @ question_row
            taken_count = 0
            for number in map(int, np.argsort(-scores, kind="stable")):
                if taken_count == k:
                    break
                if without and part.chunk(number).document in without:
                    continue
                cosine = float(scores[number])
                hits.append((part, RankedChunk(number, cosine, parts={"cosine": cosine})))
                taken_count += 1
        return sorted(hits, key=lambda hit_of_part: -hit_of_part[1].score)[:k]

    def make(self, part: ChunkIndex, progress: Progress = no_progress) -> int:
        """Make what is missing of a part's vectors; the count of its chunks. `progress` is told how
        many of them are there, and may raise.
        """
        if not len(part):
            return 0
        length = _matrix(self.embedder.embed([part.text(0)])).shape[1]
        return len(self.of(part, length, progress))

    def of(
        self, part: ChunkIndex, length: int, progress: Progress = no_progress
    ) -> NDArray[np.float32]:
        """One row of length 1 a chunk, read from the file or embedded and written; `length` numbers
        a row.
        """
        path = part.folder / f"vectors-{_name(self.embedder.model)}-{length}.npy"
        if not path.exists():
            folder = part.folder.with_name(f"{part.folder.name}-vectors")
            cache = VectorCache(folder, self.embedder.model, length)
            texts = [part.text(number) for number in range(len(part))]
            rows = cached_vectors(
                cache,
                texts,
                lambda batch_texts: self._embed(batch_texts, length),
                BATCH,
                progress=progress,
            )
            new_file = path.with_suffix(".new.npy")
            np.save(new_file, unit_rows(rows))
            new_file.replace(path)
        stored: NDArray[np.float32] = np.load(path, mmap_mode="r")
        return stored

    def _embed(self, texts: Sequence[str], length: int) -> NDArray[np.float32]:
        rows = _matrix(self.embedder.embed(texts))
        if rows.shape != (len(texts), length):
            raise BadAnswer(
                "The embedding model sent too few vectors, or vectors that are not as long as"
                " its earlier ones.",
                "If the endpoint's model was changed under its old name, clear the recorded"
                " answers on Settings.",
            )
        return rows


def _name(model: str) -> str:
    return re.sub(r"[^\w.-]+", "_", model) or "model"


def _matrix(rows: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    try:
        matrix = np.asarray(rows, dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise BadAnswer(
            "The embedding model answered with vectors of different lengths."
        ) from error
    if matrix.ndim != 2 or not np.isfinite(matrix).all():
        raise BadAnswer("The embedding model did not answer with vectors.")
    return matrix


def unit_rows(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)
