"""The base set: real vocabularies that come with the app (`schemas/vocabularies/base`), what each
is, and where its compiled index stands.

Indexes are shared by all projects of a user, in one cache folder, under a name that holds the
digest of the content: where the file is there, it is the right one.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.grounding.index import build as lexicon_build

FOLDER = Path(__file__).resolve().parents[3] / "schemas" / "vocabularies" / "base"


@dataclass(frozen=True, slots=True)
class BaseVocabulary:
    """One vocabulary of the set as its manifest says. `date` is of the content, as much as is known
    of it ("2015", "2025-10-20", ""); `holds` are categories of all its terms, where it has no
    hierarchy.
    """

    name: str
    title: str
    date: str
    path: Path
    prefix: str
    terms: int
    names: int
    obsolete: int
    hierarchy: bool
    holds: tuple[str, ...]
    attribution: str
    licence: str
    changes: str

    @property
    def version(self) -> str:
        return f"{self.date or 'undated'} base set"

    @property
    def advice(self) -> str:
        """`MeSH 2015 base set — install the current release`."""
        return f"{self.title} {self.version} — install the current release"


class BaseSet:
    """The vocabularies of the set by name, in the order in which they are compiled."""

    def __init__(self, indexes: Path, folder: Path = FOLDER):
        self.folder, self.indexes = folder, indexes
        self.vocabularies = {vocabulary.name: vocabulary for vocabulary in _manifest(folder)}
        self._digests: dict[str, str] = {}
        self._ready: set[str] = set()
        self._lock = threading.Lock()

    def index(self, name: str) -> Path:
        """Where the compiled index of a vocabulary stands, or will."""
        with self._lock:
            if name not in self._digests:
                self._digests[name] = lexicon_build.index_digest(self.vocabularies[name].path)
            return self.indexes / f"{name}-{self._digests[name][:16]}.sqlite"

    def ready(self, name: str) -> bool:
        """Whether the index is compiled."""
        if name not in self._ready and self.index(name).exists():
            self._ready.add(name)
        return name in self._ready


@cache
def _manifest(folder: Path) -> tuple[BaseVocabulary, ...]:
    try:
        rows: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text("utf-8"))
    except (OSError, ValueError):
        return ()
    return tuple(
        BaseVocabulary(
            row["name"],
            row["title"],
            row["date"],
            path=folder / row["file"],
            prefix=row["prefix"],
            terms=row["terms"],
            names=row["names"],
            obsolete=row["obsolete"],
            hierarchy=row["hierarchy"],
            holds=tuple(row["holds"]),
            attribution=row["attribution"],
            licence=row["licence"],
            changes=row["changes"],
        )
        for row in rows
        if (folder / row["file"]).is_file()
    )
