"""A few papers of our own, indexed for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.literature.chunk import Chunk
from core.literature.index.build import build_index
from core.literature.index.reader import ChunkIndex
from core.literature.ranking.search import Searcher

TEXTS = (
    "Kinase Q phosphorylates tau in neurons. Tau then leaves the microtubules.",
    "AROM+ cells take up Ca2+ when estrogen is near. AROM+ cells are rare.",
    "β-catenin enters the nucleus after Wnt is added.",
    "IL-10 calms macrophages; IL10 is made by T cells, IL 10 by others.",
    "Renal failure followed the drug. Acute renal failure was seen twice.",
    "Renal failure is common. Heart failure is common too.",
    "p53 stops the cell cycle and p53 is often lost.",
    "Bread is baked from flour and water.",
)


def chunks(texts: Sequence[str] = TEXTS) -> list[Chunk]:
    return [Chunk(f"D{n}@0", f"D{n}", text, version=f"v{n}") for n, text in enumerate(texts)]


def index(folder: Path, texts: Sequence[str] = TEXTS, name: str = "one") -> ChunkIndex:
    return build_index(folder / name, chunks(texts))


def searcher(folder: Path, texts: Sequence[str] = TEXTS) -> Searcher:
    return Searcher([index(folder, texts)])
