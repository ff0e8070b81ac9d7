"""PES1: chunks ranked by the cosine of their vectors with the question's (Aftab et al. 2024, Methods, "PES1").

Vectors come from any embedder and are stored beside the index, one file a model; a chunk is embedded once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import BadAnswer
from core.literature.bm25 import Hit
from core.literature.index import Index
from core.llm.completer import Embedder

BATCH = 64


class Vectors:
    """Vectors of the chunks of each part, made when first needed."""

    def __init__(self, embedder: Embedder):
        self.embedder = embedder

    def rank(self, question: str, parts: Sequence[Index], k: int) -> list[tuple[Index, Hit]]:
        """The best k chunks of all parts by cosine; the score is the cosine, -1 to 1."""
        asked = unit_rows(_matrix(self.embedder.embed([question])))[0]
        found: list[tuple[Index, Hit]] = []
        for part in parts:
            scores = self.of(part) @ asked
            for number in np.argsort(-scores, kind="stable")[:k]:
                found.append((part, Hit(int(number), float(scores[number]), parts={"cosine": float(scores[number])})))
        return sorted(found, key=lambda one: -one[1].score)[:k]

    def of(self, part: Index) -> NDArray[np.float32]:
        """One row of length 1 a chunk, read from the file or embedded and written."""
        path = self._path(part.folder)
        if path.exists():
            stored: NDArray[np.float32] = np.load(path, mmap_mode="r")
            if len(stored) == len(part):
                return stored
        rows: list[Any] = []
        for start in range(0, len(part), BATCH):
            texts = [part.text(number) for number in range(start, min(start + BATCH, len(part)))]
            rows.extend(self.embedder.embed(texts))
        made = unit_rows(_matrix(rows))
        np.save(path, made)
        return made

    def _path(self, folder: Path) -> Path:
        name = re.sub(r"[^\w.-]+", "_", self.embedder.model) or "model"
        return folder / f"vectors-{name}.npy"


def _matrix(rows: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    try:
        made = np.asarray(rows, dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise BadAnswer("The embedding model answered with vectors of different lengths.") from error
    if made.ndim != 2 or not np.isfinite(made).all():
        raise BadAnswer("The embedding model did not answer with vectors.")
    return made


def unit_rows(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)
