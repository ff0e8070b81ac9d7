"""Articles for a paragraph that one has written: by its words, and by article vectors when some
were imported.

Vectors are those of MedCPT's files (`embeds_chunk_N.npy` with `pmids_chunk_N.json`) or of any pair
of that form. The paragraph has no vector of the same model here, so the mean of the articles that
its words find stands for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.literature.answers.extractive import extract
from core.literature.chunk import Chunk
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.plan import SearchOptions
from core.literature.ranking import broaden
from core.literature.ranking.search import Searcher
from core.literature.ranking.vectors import unit_rows

DEPTH = 100
ANCHORS = 5  # articles whose vectors stand for the paragraph
WORDS = 0.5  # weight of words against vectors


@dataclass(frozen=True, slots=True)
class Recommended:
    """An article, its score (1 is the best one's), its best chunk and what of it bears on the
    paragraph.
    """

    document: str
    score: float
    chunk: Chunk
    summary: str
    by_words: float
    by_vector: float | None = None


class ArticleVectors:
    """Imported vectors by PMID, one row of length 1 each."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.rows: NDArray[np.float32] = np.load(folder / "articles.npy", mmap_mode="r")
        self.place = {
            id: row
            for row, id in enumerate(json.loads((folder / "articles.json").read_text("utf-8")))
        }

    def of(self, document: str) -> NDArray[np.float32] | None:
        row = self.place.get(document)
        return None if row is None else np.asarray(self.rows[row], dtype=np.float32)


def import_vectors(
    files: Sequence[Path], folder: Path, wanted: frozenset[str] = frozenset()
) -> int:
    """Read pairs of .npy and .json files; keep the vectors of `wanted` documents (all, when empty).
    The count kept.
    """
    matrices, ids = [], []
    for path in sorted(path for path in files if path.suffix == ".npy"):
        names = path.with_name(path.name.replace("embeds", "pmids")).with_suffix(".json")
        try:
            matrix = np.load(path, allow_pickle=False, mmap_mode="r")
            pmids = json.loads(names.read_text("utf-8"))
        except (OSError, ValueError, EOFError) as error:
            raise InputError(
                f"{path.name} or {names.name} cannot be read.", "Both are needed, side by side."
            ) from error
        if matrix.ndim != 2 or not isinstance(pmids, list) or len(pmids) != len(matrix):
            raise InputError(
                f"{path.name} and {names.name} do not belong together.",
                "One row of vectors for each PMID.",
            )
        documents = [str(p) if ":" in str(p) else f"PMID:{p}" for p in pmids]
        kept = [row for row, id in enumerate(documents) if not wanted or id in wanted]
        matrices.append(unit_rows(np.asarray(matrix[kept], dtype=np.float32)))
        ids += [documents[row] for row in kept]
    if not ids:
        raise InputError(
            "No article vector belongs to a paper of this namespace.", "Import files of its PMIDs."
        )
    if len({matrix.shape[1] for matrix in matrices}) != 1:
        raise InputError(
            "The files hold vectors of different lengths.", "Import files of one model."
        )
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "articles.npy", np.concatenate(matrices))
    (folder / "articles.json").write_text(json.dumps(ids), "utf-8")
    return len(ids)


def recommend(
    searcher: Searcher,
    paragraph: str,
    k: int = 10,
    vectors: ArticleVectors | None = None,
    without: Sequence[str] = (),
) -> list[Recommended]:
    """The best k articles, best first."""
    options = SearchOptions(repair=False, marks=bool(without), excluded=frozenset(without))
    results = searcher.search(
        LiteratureQuery(" ".join(paragraph.split())), broaden.MODE.name, DEPTH, options
    ).results
    best: dict[str, tuple[float, Chunk]] = {}
    for result in results:
        best.setdefault(result.chunk.document, (result.score, result.chunk))
    top = max((score for score, _ in best.values()), default=1.0) or 1.0
    words = {document: score / top for document, (score, _) in best.items()}
    near = _by_vectors(words, vectors)
    recommendeds = [
        Recommended(
            document,
            round(_mixed(words[document], near.get(document)), 4),
            chunk,
            " ".join(s.text for s in extract(paragraph, [chunk], most=2, always=True).sentences)
            or chunk.text[:300],
            round(words[document], 4),
            near.get(document),
        )
        for document, (_, chunk) in best.items()
    ]
    return sorted(recommendeds, key=lambda one: (-one.score, one.document))[:k]


def _mixed(words: float, vector: float | None) -> float:
    return words if vector is None else WORDS * words + (1 - WORDS) * vector


def _by_vectors(words: Mapping[str, float], vectors: ArticleVectors | None) -> dict[str, float]:
    if vectors is None:
        return {}
    rows = {document: row for document in words if (row := vectors.of(document)) is not None}
    anchors = sorted(rows, key=lambda document: -words[document])[:ANCHORS]
    if not anchors:
        return {}
    middle = np.mean([rows[document] * words[document] for document in anchors], axis=0)
    middle = middle / (float(np.linalg.norm(middle)) or 1.0)
    return {document: round(float(row @ middle), 4) for document, row in rows.items()}
