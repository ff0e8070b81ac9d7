"""Article vectors made elsewhere: those of a namespace's papers, and the project's own index of any
articles, from which recommendations go beyond the namespaces.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core import COMMAND
from core.desk_parts import HasFolder, HasProject, HasProjectModels
from core.errors import GroundworkError, InputError, NotFound
from core.literature import article_vectors, recommendation
from core.literature.article_vectors import ArticleVectors
from core.literature.namespace import index_folder
from core.literature.recommendation import ArticlesBeyond, RecommendedArticle
from core.llm.completer import Embedder
from core.model import Run
from core.services.literature.embedding import embedding_place
from core.services.people import roles

MOST_VECTORS = 400_000_000  # bytes of files that a page takes; larger ones go by the command line
EVERY = ""  # instead of a namespace: articles of any kind, an index of their own


def vectors_for(desk: HasFolder, namespaces: Sequence[str]) -> ArticleVectors | None:
    """The vectors that count in recommendations from these namespaces: those imported for one of
    them, else the project's own index.
    """
    folders = [_folder(desk, name) for name in (*namespaces, EVERY)]
    opened = (article_vectors.article_vectors(folder) for folder in folders)
    return next((vectors for vectors in opened if vectors is not None), None)


def kept_vectors(desk: HasFolder) -> ArticleVectors | None:
    """The project's own index of articles; None where none were imported."""
    return article_vectors.article_vectors(_folder(desk, EVERY))


def _folder(desk: HasFolder, name: str) -> Path:
    if not name:
        return desk.indexes / "article-vectors"
    folder = index_folder(desk.indexes, name)
    return folder.with_name(f"{folder.name}-articles")


def import_vectors(
    desk: HasProject, name: str, files: Sequence[Path], query_model: str = ""
) -> int:
    """Import MedCPT's article vectors for the papers of a namespace, or of all articles where the
    name is `EVERY`; the count kept. `query_model`: the embedding model that makes vectors of
    questions for them. Raises InputError, NotFound.
    """
    if not any(path.suffix == ".npy" for path in files):
        raise InputError(
            "No file of vectors was given.",
            "Give embeds_chunk_N.npy and pmids_chunk_N.json together.",
        )
    wanted: frozenset[str] = frozenset()
    if name:
        desk.store.namespaces.get(name)
        wanted = frozenset(desk.store.namespaces.member_bodies(name))
        if not wanted:
            raise NotFound(f"The namespace {name} has no papers yet.", "Add papers first.")
    return article_vectors.import_vectors(files, _folder(desk, name), wanted, query_model)


def vectors_folder(desk: HasFolder) -> Path:
    """Where files of vectors may be laid that are too large to upload; the page reads this folder
    and no other.
    """
    return desk.settings.project / "vectors"


def left_vectors(desk: HasFolder) -> list[Path]:
    """The files that were laid there."""
    folder = vectors_folder(desk)
    entries = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in entries if path.suffix in (".npy", ".json") and path.is_file())


def upload_vectors(
    desk: HasProject, name: str, files: Sequence[tuple[str, bytes]], curator: str | None = None
) -> int:
    """`import_vectors` of uploaded files (name and content). Raises Forbidden for a reader."""
    roles.require_role(desk, curator)
    if sum(len(raw) for _, raw in files) > MOST_VECTORS:
        raise InputError(
            f"These files have more than {MOST_VECTORS // 1_000_000} MB.",
            f"Import them with: {COMMAND} vectors FILE … (or namespace vectors NAME FILE …)",
        )
    with tempfile.TemporaryDirectory(prefix="vectors-") as scratch:
        paths = [Path(scratch) / Path(file).name for file, _ in files]
        for path, (_, raw) in zip(paths, files, strict=True):
            path.write_bytes(raw)
        return import_vectors(desk, name, paths)


def paragraph_goes_to(desk: HasProjectModels) -> str:
    """The model that a paragraph is sent to for `nearest_articles`, and its host; "" where none
    is asked.
    """
    vectors = kept_vectors(desk)
    return embedding_place(desk) if vectors and _embedder_of(desk, vectors) else ""


def nearest_articles(
    desk: HasProjectModels,
    namespaces: Sequence[str],
    paragraph: str,
    recommended: Sequence[RecommendedArticle],
    *,
    k: int = 10,
) -> ArticlesBeyond | None:
    """The articles of the project's own index that are nearest to a paragraph and no papers of
    these namespaces; None where none were imported.
    """
    vectors = kept_vectors(desk)
    if vectors is None:
        return None
    members = frozenset(
        id for name in namespaces for id in desk.store.namespaces.member_bodies(name)
    )
    query = _embedded(desk, vectors, paragraph)
    return recommendation.nearest_articles(vectors, recommended, k, members, query=query)


def _embedder_of(desk: HasProjectModels, vectors: ArticleVectors) -> Embedder | None:
    """The project's embedding model, where it is the one that made the vectors."""
    embedder = desk.embedder()
    return embedder if embedder and embedder.model == vectors.query_model else None


def _embedded(
    desk: HasProjectModels, vectors: ArticleVectors, paragraph: str
) -> NDArray[np.float32] | None:
    """The paragraph's vector by the model of the vectors; None where no endpoint gives it, or it
    fails: the nearest known articles stand for it then.
    """
    embedder = _embedder_of(desk, vectors)
    if embedder is None:
        return None
    run = Run(desk.new_id(), "embedding", "recommend", model=embedder.model, created=desk.clock())
    desk.store.runs.add(run)
    try:
        rows = desk.recorder(run.id).embedder(embedder).embed([paragraph])
    except GroundworkError:
        return None
    query = np.asarray(rows[0] if rows else [], dtype=np.float32)
    return query if query.shape == (vectors.length,) and np.isfinite(query).all() else None
