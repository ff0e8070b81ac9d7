"""PES1: chunks ranked by the cosine of their vectors with the question's (Aftab et al. 2024,
Methods, "PES1").

Vectors come from any embedder. They are kept by their texts beside the index, and once more in the
order of its chunks inside it, one file a model and length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import BadAnswer
from core.literature.index.reader import ChunkIndex
from core.literature.ranking.ranked_chunk import RankedChunk
from core.literature.ranking.vector_cache import VectorCache, cached_vectors
from core.llm.completer import Embedder

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
                cache, texts, lambda batch_texts: self._embed(batch_texts, length), BATCH, progress
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
