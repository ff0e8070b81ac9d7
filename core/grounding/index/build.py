"""A vocabulary file compiled into an index on disk: terms and hierarchy in SQLite, names in a file
of arrays. Both are written beside and renamed, so that two processes may build the same index at
once and a crash leaves nothing half done.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from core.errors import InputError, StoreError
from core.grounding.index import name_file
from core.grounding.index.name_table import NameTable
from core.grounding.readers import registry
from core.grounding.readers.names_told import languages_file
from core.grounding.readers.record import SynonymScope, TermName, TermRecord, VocabularyReading
from core.grounding.readers.source import without_compression
from core.grounding.readers.tsv import obsolete_file
from core.model.mapping import CROSS_REFERENCE, EXACT_MATCH

FORMAT = 11  # raise it when the layout or the normalisation changes: indexes are then built anew
READING = 3  # raise it when readers of ontologies keep more of a file; tables are not read anew
_TABLES_OF_NAMES = (".tsv", ".csv", ".txt")
_BATCH = 5_000
KIND, RELATION = "rdf:type", "owl:ObjectProperty"  # the edge that marks a relation
_TABLES = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE term (n INTEGER PRIMARY KEY, id TEXT, label TEXT, obsolete INTEGER, replaced TEXT,
                       taxon TEXT, definition TEXT);
    CREATE TABLE parent (child TEXT, relation TEXT, parent TEXT);
    CREATE TABLE prefix (prefix TEXT PRIMARY KEY, terms INTEGER) WITHOUT ROWID;
"""
_INDEXES = """
    CREATE INDEX term_id ON term (id COLLATE NOCASE);
    CREATE INDEX parent_child ON parent (child);
    CREATE INDEX parent_parent ON parent (parent);
"""


def index_digest(source: Path) -> str:
    """SHA-256 (hex) of a vocabulary file, its list of obsolete ids and the format's version."""
    is_table = without_compression(source.name).lower().endswith(_TABLES_OF_NAMES)
    digest = sha256((f"{FORMAT}\n" if is_table else f"{FORMAT}.{READING}\n").encode())
    for path in (source, obsolete_file(source), languages_file(source)):
        try:
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
        except FileNotFoundError as error:
            if path == source:
                raise InputError(f"There is no file {source}.", "Check the name.") from error
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    return digest.hexdigest()


def build_index(source: Path, index: Path, *, name: str = "") -> None:
    """Compile `source` into the file `index`. `name` is used when the file does not say what it is.

    Raises InputError for a file that holds no terms, StoreError when the index cannot be written.
    """
    content = index_digest(source)
    try:
        index.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{index.stem}.", suffix=".part", dir=index.parent))
    except OSError as error:
        raise StoreError(
            f"The index folder {index.parent} cannot be written: {error.strerror}."
        ) from error
    try:
        _write(source, partial / index.name, name or registry.vocabulary_stem(source), content)
        names_of(partial / index.name).replace(names_of(index, content))
        (partial / index.name).replace(index)
        _sweep(index, content)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"The index of {source.name} cannot be written: {error}.", "Is the disk full?"
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def names_of(index: Path, content: str = "") -> Path:
    """The file of an index's names. Its name holds the digest of its content, so that processes
    with the old index open go on reading the old names.
    """
    return index.with_suffix(f".{content[:16]}.names" if content else ".names")


def _sweep(index: Path, content: str) -> None:
    """Take away the names of earlier builds."""
    for path in index.parent.glob(f"{index.stem}.*.names"):
        if path != names_of(index, content):
            path.unlink(missing_ok=True)


def _write(source: Path, index: Path, name: str, content: str) -> None:
    connection = sqlite3.connect(index, isolation_level=None)
    try:
        connection.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-64000;" + _TABLES
        )
        connection.execute("BEGIN")
        reading = VocabularyReading()
        builder = _Builder(connection, reading)
        for record in registry.read(source, reading):
            builder.add(record)
        if not builder.live:
            raise InputError(f"{source.name} contains no terms.", "Choose another file.")
        builder.finish()
        _describe(connection, reading, builder, name, content=content)
        connection.execute("COMMIT")
        connection.executescript(f"{_INDEXES} ANALYZE;")
    finally:
        connection.close()
    name_file.write_name_file(names_of(index), builder.names.arrays())


def _describe(
    connection: sqlite3.Connection,
    reading: VocabularyReading,
    builder: _Builder,
    name: str,
    *,
    content: str,
) -> None:
    facts = {
        "digest": content,
        "format": FORMAT,
        "name": name,
        "declared": reading.name,
        "version": reading.version or f"sha256 {content[:12]}",
        "source": reading.source,
        "holds": " ".join(reading.holds),
        "terms": builder.live,
        "names": builder.names.count,
        "obsolete": len(builder.obsolete),
        "parents": builder.edges,
        "problem_count": reading.count,
        "ledger": reading.ledger.line(),
        "iris": json.dumps(
            {prefix: iri for prefix, iri in reading.iris.items() if prefix in builder.prefixes}
        ),
        "problems": json.dumps(
            [asdict(problem) for problem in reading.problems], ensure_ascii=False
        ),
    }
    connection.executemany(
        "INSERT INTO meta VALUES (?, ?)", [(key, str(value)) for key, value in facts.items()]
    )


class _Builder:
    """Takes records in, a batch of terms at a time."""

    def __init__(self, connection: sqlite3.Connection, reading: VocabularyReading):
        self.connection = connection
        self.reading = reading
        self.ids: dict[str, int] = {}
        self.labels: dict[str, str] = {}
        self.obsolete: set[str] = set()
        self.prefixes: dict[str, int] = {}
        self.names = NameTable()
        self.terms: list[tuple[object, ...]] = []
        self.parents: list[tuple[str, str, str]] = []
        self.edges = self.live = 0

    def add(self, record: TermRecord) -> None:
        if record.id in self.ids:
            self._again(record)
            return
        number = self._term(record)
        label = record.label.removeprefix("obsolete ") if record.obsolete else record.label
        said = label and not record.unspoken
        label_names = [TermName(label, SynonymScope.LABEL)] if said else []
        self._names(number, [*label_names, *record.names])
        self._edges(record)
        for alternative in record.alternative:
            if alternative not in self.ids:
                self._term(
                    TermRecord(alternative, record.label, obsolete=True, replaced_by=record.id)
                )

    def _term(self, record: TermRecord) -> int:
        taxon = record.taxon or self.reading.taxon
        facts = (record.id, record.label, record.obsolete, record.replaced_by, taxon)
        number = self.ids[record.id] = self.names.term(*facts)
        self.terms.append((number + 1, *facts, record.definition))
        if len(self.terms) >= _BATCH:
            self._flush()
        if record.obsolete:
            self.obsolete.add(record.id)
        else:
            self.live += 1
            self.labels[record.id] = record.label
            prefix = record.id.partition(":")[0]
            self.prefixes[prefix] = self.prefixes.get(prefix, 0) + 1
        return number

    def _again(self, record: TermRecord) -> None:
        """An id for the second time: its names are kept, a second label as a synonym, and it is
        said.
        """
        label_before = self.labels.get(record.id)
        if label_before is None or record.obsolete:
            if label_before is None and not record.obsolete:
                self._revive(record)
            return
        extra = (
            [TermName(record.label, SynonymScope.EXACT)]
            if record.label and record.label != label_before
            else []
        )
        if extra:
            message = (
                f"{record.id} has two labels: {label_before!r} and {record.label!r}; the second is"
                " kept as a synonym."
            )
            self.reading.trouble("duplicate-id", message, record.where)
        self._names(self.ids[record.id], [*extra, *record.names])
        self._edges(record)

    def _revive(self, record: TermRecord) -> None:
        """An id that was listed as obsolete or merged, and is a term as well: the term counts."""
        self._flush()
        self.connection.execute("DELETE FROM term WHERE n = ?", (self.ids.pop(record.id) + 1,))
        self.obsolete.discard(record.id)
        self.reading.trouble(
            "duplicate-id", f"{record.id} is listed as merged and as a term.", record.where
        )
        self.add(record)

    def _edges(self, record: TermRecord) -> None:
        if record.relation:
            self.parents.append((record.id, KIND, RELATION))
        if not record.obsolete:  # what an obsolete id refers to, its successor refers to as well
            self.parents += [(record.id, EXACT_MATCH, other) for other in record.exact]
            self.parents += [(record.id, CROSS_REFERENCE, other) for other in record.xrefs]
        if not record.parents and not record.related:
            return
        before = len(self.parents)
        self.parents += [(record.id, "is_a", parent) for parent in record.parents]
        self.parents += [(record.id, relation, target) for relation, target in record.related]
        self.edges += len(self.parents) - before

    def _names(self, term: int, names: Sequence[TermName]) -> None:
        if names:
            self.names.add(term, [name for name in names if name.text])

    def _flush(self) -> None:
        self.connection.executemany("INSERT INTO term VALUES (?, ?, ?, ?, ?, ?, ?)", self.terms)
        self.connection.executemany("INSERT INTO parent VALUES (?, ?, ?)", self.parents)
        self.terms, self.parents = [], []

    def finish(self) -> None:
        self._flush()
        self.connection.executemany("INSERT INTO prefix VALUES (?, ?)", self.prefixes.items())
