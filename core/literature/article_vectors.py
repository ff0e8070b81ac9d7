"""Article vectors that were made elsewhere, as an index of their own: a million and more articles,
whether or not a paper of the project.

The files are MedCPT's (`embeds_chunk_N.npy` with `pmids_chunk_N.json`) or any pairs of that form.
Rows lie in one file that is read by slices; ids and the name of the model that embeds queries for
them lie beside it. An import replaces what it brings anew and keeps the rest.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.literature.ranking.vectors import unit_rows

ROWS, IDS, MODEL = "articles.npy", "articles.json", "query-model.txt"
BLOCK = 32_768  # rows that are read at once
Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NearArticle:
    """An article, and the cosine of its vector with the query's, -1 to 1."""

    document: str
    cosine: float


class ArticleVectors:
    """Vectors by document (PMID:1), one row of length 1 each. `query_model` names the embedding
    model whose vectors of a text can be compared with them, "" where none was named.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.rows: Rows = np.load(folder / ROWS, mmap_mode="r")
        self.ids: list[str] = json.loads((folder / IDS).read_text("utf-8"))
        self.place = {id: row for row, id in enumerate(self.ids)}
        model = folder / MODEL
        self.query_model = model.read_text("utf-8").strip() if model.is_file() else ""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def length(self) -> int:
        """Numbers of a vector."""
        return int(self.rows.shape[1])

    def of(self, document: str) -> Rows | None:
        row = self.place.get(document)
        return None if row is None else np.asarray(self.rows[row], dtype=np.float32)

    def nearest(self, query: Rows, k: int, without: frozenset[str]) -> list[NearArticle]:
        """The `k` articles nearest to a vector, best first, those of `without` left out."""
        asked = unit_rows(query.reshape(1, -1))[0]
        cosines = np.concatenate(
            [self.rows[start : start + BLOCK] @ asked for start in range(0, len(self), BLOCK)]
        )
        size = min(len(cosines), k + len(without))
        best = np.argpartition(-cosines, size - 1)[:size] if size else np.zeros(0, dtype=np.int64)
        ordered = best[np.lexsort((best, -cosines[best]))].tolist()
        near = (NearArticle(self.ids[row], round(float(cosines[row]), 4)) for row in ordered)
        return [article for article in near if article.document not in without][:k]


@lru_cache(maxsize=4)
def _opened(folder: Path, _written: float) -> ArticleVectors:
    return ArticleVectors(folder)


def article_vectors(folder: Path) -> ArticleVectors | None:
    """The vectors of a folder, opened once for each state of it; None where there are none."""
    try:
        return _opened(folder, (folder / IDS).stat().st_mtime)
    except OSError:
        return None


def import_vectors(
    files: Sequence[Path],
    folder: Path,
    documents_wanted: frozenset[str] = frozenset(),
    query_model: str = "",
) -> int:
    """Read pairs of .npy and .json files; keep the vectors of `documents_wanted` documents (all,
    when empty) beside those that are there. The count of all kept. Raises InputError.
    """
    pairs = [_pair(path) for path in sorted(files) if path.suffix == ".npy"]
    chosen = [
        [row for row, id in enumerate(ids) if not documents_wanted or id in documents_wanted]
        for _, ids in pairs
    ]
    new_ids = {ids[row] for (_, ids), rows in zip(pairs, chosen, strict=True) for row in rows}
    if not new_ids:
        raise InputError(
            "No article vector belongs to a paper of this namespace.", "Import files of its PMIDs."
        )
    earlier = ArticleVectors(folder) if (folder / IDS).is_file() else None
    lengths = {matrix.shape[1] for matrix, _ in pairs} | ({earlier.length} if earlier else set())
    if len(lengths) != 1:
        raise InputError(
            "The files contain vectors of different lengths.", "Import files of one model."
        )
    kept = [r for r, id in enumerate(earlier.ids) if id not in new_ids] if earlier else []
    parts = [*([(earlier.rows, earlier.ids, kept)] if earlier else [])]
    parts += [(m, ids, rows) for (m, ids), rows in zip(pairs, chosen, strict=True)]
    model = query_model or (earlier.query_model if earlier else "")
    return _write(folder, _distinct(parts), lengths.pop(), model)


def _pair(path: Path) -> tuple[Rows, list[str]]:
    names = path.with_name(path.name.replace("embeds", "pmids")).with_suffix(".json")
    try:
        matrix = np.load(path, allow_pickle=False, mmap_mode="r")
        pmids = json.loads(names.read_text("utf-8"))
    except (OSError, ValueError, EOFError, RecursionError) as error:
        raise InputError(
            f"{path.name} or {names.name} cannot be read.", "Both are needed, side by side."
        ) from error
    is_numeric = matrix.dtype.kind in "fiu"
    pairs_up = matrix.ndim == 2 and isinstance(pmids, list) and len(pmids) == len(matrix)
    if not is_numeric or not pairs_up:
        raise InputError(
            f"{path.name} and {names.name} do not belong together.",
            "One row of numbers for each PMID.",
        )
    return matrix, [str(p) if ":" in str(p) else f"PMID:{p}" for p in pmids]


_Part = tuple[Rows, list[str], list[int]]


def _distinct(parts: Sequence[_Part]) -> list[_Part]:
    """The rows of each part whose document no part before has."""
    owner: dict[str, tuple[int, int]] = {}
    for number, (_, ids, rows) in enumerate(parts):
        for row in rows:
            owner.setdefault(ids[row], (number, row))
    return [
        (matrix, ids, [row for row in rows if owner[ids[row]] == (number, row)])
        for number, (matrix, ids, rows) in enumerate(parts)
    ]


def _write(folder: Path, parts: Sequence[_Part], length: int, query_model: str) -> int:
    """Written beside the folder and put in its place when whole."""
    new_folder = folder.with_name(f"{folder.name}.new-{os.getpid()}")
    shutil.rmtree(new_folder, ignore_errors=True)
    new_folder.mkdir(parents=True)
    count = sum(len(rows) for _, _, rows in parts)
    try:
        shape = (count, length)
        stored = np.lib.format.open_memmap(new_folder / ROWS, "w+", np.float32, shape)
        start = 0
        for block in _blocks(parts):
            stored[start : start + len(block)] = block
            start += len(block)
        stored.flush()
        ids = [ids[row] for _, ids, rows in parts for row in rows]
        (new_folder / IDS).write_text(json.dumps(ids), "utf-8")
        (new_folder / MODEL).write_text(query_model, "utf-8")
        old = folder.with_name(f"{folder.name}.old-{os.getpid()}")
        if folder.exists():
            folder.rename(old)
        new_folder.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(new_folder, ignore_errors=True)
    return count


def _blocks(parts: Sequence[_Part]) -> Iterator[Rows]:
    for matrix, _, rows in parts:
        for start in range(0, len(rows), BLOCK):
            yield unit_rows(np.asarray(matrix[rows[start : start + BLOCK]], dtype=np.float32))
