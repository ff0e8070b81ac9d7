"""The mapping sets of the base set, compiled once into a file of pairs that is looked up by id.

They come as SSSOM tables (`schemas/vocabularies/base/mappings`), a file for each set.
"""

from __future__ import annotations

import json
import lzma
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from core.errors import StoreError
from core.grounding.install.base_set import FOLDER
from core.model.mapping import EXACT_MATCH

EXACT = EXACT_MATCH
ORTHOLOGOUS = "RO:HOM0000017"  # in orthology relationship with
_FORMAT = 1  # raise it when the layout changes
_SUFFIX = ".sssom.tsv.xz"
_TABLES = """
    CREATE TABLE pair (one TEXT, other TEXT, predicate TEXT, justification TEXT, mapped TEXT);
    CREATE TABLE thing (id TEXT PRIMARY KEY, ids TEXT) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class MappingRow:
    """One mapping of a set: `justification` is how it was found, as SEMAPV has it, `set` is the
    name of the set.
    """

    subject: str
    object: str
    predicate: str
    justification: str
    set: str


@dataclass(frozen=True, slots=True)
class MappingSet:
    """A set as the manifest says: rows, version, licence, who made it."""

    name: str
    rows: int
    version: str
    licence: str
    attribution: str


class MappingIndex:
    """What the sets say of an id. Safe to share between threads; compiled by whoever asks first, in
    a second. Raises StoreError where it cannot be written.
    """

    def __init__(self, indexes: Path, folder: Path = FOLDER / "mappings"):
        self.folder, self.indexes = folder, indexes
        self._local = threading.local()
        self._lock = threading.Lock()
        self._file: Path | None = None

    def sets(self) -> tuple[MappingSet, ...]:
        """The sets and their sources."""
        try:
            rows = json.loads((self.folder / "manifest.json").read_text("utf-8"))
        except (OSError, ValueError):
            return ()
        return tuple(
            MappingSet(*(row[key] for key in ("name", "rows", "version", "licence", "attribution")))
            for row in rows
        )

    def group(self, id: str) -> frozenset[str]:
        """All ids that the sets, taken together, call the same as this one, itself among them."""
        row = self._connection().execute("SELECT ids FROM thing WHERE id = ?", (id,)).fetchone()
        return frozenset(row[0].split(" ")) if row else frozenset((id,))

    def neighbours(self, id: str, predicate: str = EXACT) -> tuple[str, ...]:
        """The ids that some set maps this one to, or from."""
        return tuple(
            row.object if row.subject == id else row.subject for row in self.rows(id, predicate)
        )

    def rows(self, id: str, predicate: str = "") -> tuple[MappingRow, ...]:
        """What the sets say of an id, in the order of the sets' rows."""
        query = "SELECT one, other, predicate, justification, mapped FROM pair WHERE {} = ?"
        found = []
        for side in ("one", "other"):
            found += self._connection().execute(query.format(side), (id,)).fetchall()
        rows = (MappingRow(*row) for row in found)
        return tuple(row for row in rows if not predicate or row.predicate == predicate)

    def file(self) -> Path:
        """The compiled file; its name changes with the content of the sets."""
        with self._lock:
            self._file = self._file or self._compiled()
        return self._file

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            address = f"{self.file().resolve().as_uri()}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            self._local.connection = connection
        return connection

    def _compiled(self) -> Path:
        files = sorted(self.folder.glob(f"*{_SUFFIX}"))
        digest = sha256(f"{_FORMAT}\n".encode())
        for file in files:
            digest.update(file.read_bytes())
        target = self.indexes / f"mappings-{digest.hexdigest()[:16]}.sqlite"
        if target.exists():
            return target
        part = target.with_suffix(f".{os.getpid()}.part")
        try:
            self.indexes.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            _write(part, files)
            part.replace(target)
        except (OSError, sqlite3.Error) as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise StoreError(
                f"The index of mappings {target} cannot be written: {error}.", "Is the disk full?"
            ) from error
        return target


def _write(path: Path, files: list[Path]) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_TABLES}")
        connection.execute("BEGIN")
        rows = [row for file in files for row in _rows(file)]
        connection.executemany("INSERT INTO pair VALUES (?, ?, ?, ?, ?)", rows)
        connection.executemany("INSERT INTO thing VALUES (?, ?)", _things(rows))
        connection.execute("COMMIT")
        connection.executescript(
            "CREATE INDEX pair_one ON pair (one); CREATE INDEX pair_other ON pair (other);"
        )
    finally:
        connection.close()


def _things(rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Each id of an exact match with all ids of its thing, joined by spaces."""
    members: dict[str, set[str]] = {}
    for one, other, predicate, _, _ in rows:
        if predicate != EXACT:
            continue
        group = members.setdefault(one, {one})
        rest = members.setdefault(other, {other})
        if rest is not group:
            group |= rest
            for id in rest:
                members[id] = group
    for id, group in sorted(members.items()):
        yield id, " ".join(sorted(group))


def _rows(file: Path) -> Iterator[tuple[str, ...]]:
    name = file.name.removesuffix(_SUFFIX)
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        next(lines, None)
        for line in lines:
            subject, predicate, object, justification, _ = line.rstrip("\n").split("\t")
            yield subject, object, predicate, justification, name
