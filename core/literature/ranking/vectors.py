"""PES1: chunks ranked by the cosine of their vectors with the question's (Aftab et al. 2024,
Methods, "PES1").

Vectors come from any embedder and are stored beside the index, one file a model and length. Each
batch is kept as it comes: what an endpoint answered before it failed is not asked again.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.errors import BadAnswer
from core.literature.index.reader import Index
from core.literature.ranking.ranked_chunk import RankedChunk
from core.llm.completer import Embedder

BATCH = 64


class Vectors:
    """Vectors of the chunks of each part, made when first needed."""

    def __init__(self, embedder: Embedder):
        self.embedder = embedder

    def rank(
        self, question: str, parts: Sequence[Index], k: int
    ) -> list[tuple[Index, RankedChunk]]:
        """The best k chunks of all parts by cosine; the score is the cosine, -1 to 1."""
        asked = unit_rows(_matrix(self.embedder.embed([question])))[0]
        found: list[tuple[Index, RankedChunk]] = []
        for part in parts:
            scores = self.of(part, len(asked)) @ asked
            for number in np.argsort(-scores, kind="stable")[:k]:
                found.append(
                    (
                        part,
                        RankedChunk(
                            int(number),
                            float(scores[number]),
                            parts={"cosine": float(scores[number])},
                        ),
                    )
                )
        return sorted(found, key=lambda one: -one[1].score)[:k]

    def of(self, part: Index, length: int) -> NDArray[np.float32]:
        """One row of length 1 a chunk, read from the file or embedded and written; `length` numbers
        a row.
        """
        path = part.folder / f"vectors-{_name(self.embedder.model)}-{length}.npy"
        if not path.exists():
            with path.with_suffix(".part").open("ab") as kept:
                fcntl.flock(kept, fcntl.LOCK_EX)  # another process may be embedding the same chunks
                if not path.exists():
                    self._embed(part, length, kept, path)
        stored: NDArray[np.float32] = np.load(path, mmap_mode="r")
        return stored

    def _embed(self, part: Index, length: int, kept: BinaryIO, path: Path) -> None:
        done = kept.seek(0, 2) // (4 * length)
        kept.truncate(done * 4 * length)
        for start in range(done, len(part), BATCH):
            texts = [part.text(number) for number in range(start, min(start + BATCH, len(part)))]
            rows = _matrix(self.embedder.embed(texts))
            if rows.shape != (len(texts), length):
                raise BadAnswer(
                    "The embedding model answered with too few vectors, or with others of another"
                    " length before.",
                    "If the endpoint's model was changed under its old name, clear the kept answers"
                    " in Settings.",
                )
            kept.write(rows.tobytes())
            kept.flush()
        partial = path.with_suffix(".part")
        made = path.with_suffix(".new.npy")
        np.save(made, unit_rows(np.fromfile(partial, dtype=np.float32).reshape(len(part), length)))
        made.replace(path)
        partial.unlink()


def _name(model: str) -> str:
    return re.sub(r"[^\w.-]+", "_", model) or "model"


def _matrix(rows: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    try:
        made = np.asarray(rows, dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise BadAnswer(
            "The embedding model answered with vectors of different lengths."
        ) from error
    if made.ndim != 2 or not np.isfinite(made).all():
        raise BadAnswer("The embedding model did not answer with vectors.")
    return made


def unit_rows(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)
