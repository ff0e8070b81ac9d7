"""A vocabulary file compiled into an index on disk: SQLite, written beside and renamed, so that two
processes may build the same index at once and a crash leaves nothing half done.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from core.errors import InputError, StoreError
from core.grounding.match import normalise
from core.grounding.readers import registry
from core.grounding.readers.record import Name, Reading, Scope, TermRecord
from core.grounding.readers.tsv import obsolete_file

FORMAT = 4  # raise it when the layout or the normalisation changes: indexes are then built anew
_BATCH = 5_000
_BITS_A_NAME = 32  # of a filter: about 3 of 100 numbers that no name has get through
KEYS = ("ordered", "solid", "bag", "stem")
_TABLES = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE term (n INTEGER PRIMARY KEY, id TEXT, label TEXT, obsolete INTEGER, replaced TEXT, taxon TEXT,
                       definition TEXT);
    CREATE TABLE name (n INTEGER PRIMARY KEY, term INTEGER, text TEXT, scope TEXT,
                       ordered INTEGER, solid INTEGER, bag INTEGER, stem INTEGER);
    CREATE TABLE parent (child TEXT, relation TEXT, parent TEXT);
    CREATE TABLE start (word INTEGER PRIMARY KEY, longest INTEGER);
    CREATE TABLE filter (key TEXT PRIMARY KEY, bits BLOB) WITHOUT ROWID;
    CREATE TABLE prefix (prefix TEXT PRIMARY KEY, terms INTEGER) WITHOUT ROWID;
    CREATE VIRTUAL TABLE name_words USING fts5(words, content='', tokenize="unicode61 remove_diacritics 0");
    CREATE TABLE long_word (word TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_INDEXES = """
    CREATE INDEX term_id ON term (id COLLATE NOCASE);
    CREATE INDEX name_term ON name (term);
    CREATE INDEX name_ordered ON name (ordered);
    CREATE INDEX name_solid ON name (solid);
    CREATE INDEX name_bag ON name (bag);
    CREATE INDEX name_stem ON name (stem);
    CREATE INDEX parent_child ON parent (child);
    CREATE INDEX parent_parent ON parent (parent);
"""


def digest(source: Path) -> str:
    """SHA-256 (hex) of a vocabulary file and its list of obsolete ids, with the format's version."""
    found = sha256(f"{FORMAT}\n".encode())
    for path in (source, obsolete_file(source)):
        try:
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    found.update(block)
        except FileNotFoundError as error:
            if path == source:
                raise InputError(f"There is no file {source}.", "Check the name.") from error
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    return found.hexdigest()


def build(source: Path, index: Path, *, name: str = "") -> None:
    """Compile `source` into the file `index`. `name` is used when the file does not say what it is.

    Raises InputError for a file that holds no terms, StoreError when the index cannot be written.
    """
    content = digest(source)
    try:
        index.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(
            prefix=f".{index.stem}.", suffix=".part", dir=index.parent
        )
        os.close(handle)
    except OSError as error:
        raise StoreError(
            f"The index folder {index.parent} cannot be written: {error.strerror}."
        ) from error
    try:
        _write(source, Path(partial), name or registry.stem(source), content)
        Path(partial).replace(index)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"The index of {source.name} cannot be written: {error}.", "Is the disk full?"
        ) from error
    finally:
        Path(partial).unlink(missing_ok=True)


def _write(source: Path, index: Path, name: str, content: str) -> None:
    connection = sqlite3.connect(index, isolation_level=None)
    try:
        connection.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-64000;" + _TABLES
        )
        connection.execute("BEGIN")
        reading = Reading()
        builder = _Builder(connection, reading)
        for record in registry.read(source, reading):
            builder.add(record)
        if not builder.live:
            raise InputError(f"{source.name} holds no terms.", "Choose another file.")
        builder.finish()
        _filter(connection, builder.names)
        _describe(connection, reading, builder, name, content)
        connection.execute("COMMIT")
        connection.executescript(f"{_INDEXES} ANALYZE;")
    finally:
        connection.close()


def _filter(connection: sqlite3.Connection, names: int) -> None:
    """For each key a row of bits, a power of two of them: the bit at a number's end is set when
    some name has it.
    """
    size = 1 << max(10, (names * _BITS_A_NAME - 1).bit_length())
    for key in KEYS:
        bits = bytearray(size // 8)
        for (number,) in connection.execute(f"SELECT {key} FROM name"):
            place = number & (size - 1)
            bits[place >> 3] |= 1 << (place & 7)
        connection.execute("INSERT INTO filter VALUES (?, ?)", (key, bytes(bits)))


def _describe(
    connection: sqlite3.Connection, reading: Reading, builder: _Builder, name: str, content: str
) -> None:
    facts = {
        "digest": content,
        "format": FORMAT,
        "name": name,
        "declared": reading.name,
        "version": reading.version or f"sha256 {content[:12]}",
        "source": reading.source,
        "terms": builder.live,
        "names": builder.names,
        "obsolete": len(builder.obsolete),
        "parents": builder.edges,
        "problem_count": reading.count,
        "problems": json.dumps(
            [asdict(problem) for problem in reading.problems], ensure_ascii=False
        ),
    }
    connection.executemany(
        "INSERT INTO meta VALUES (?, ?)", [(key, str(value)) for key, value in facts.items()]
    )


class _Builder:
    """Takes records in, a batch of names at a time."""

    def __init__(self, connection: sqlite3.Connection, reading: Reading):
        self.connection = connection
        self.reading = reading
        self.ids: dict[str, int] = {}
        self.labels: dict[str, str] = {}
        self.obsolete: set[str] = set()
        self.prefixes: dict[str, int] = {}
        self.longest: dict[int, int] = {}
        self.vocabulary: set[str] = set()
        self.waiting: list[tuple[int, Name]] = []
        self.count = self.names = self.edges = self.live = 0

    def add(self, record: TermRecord) -> None:
        if record.id in self.ids:
            self._again(record)
            return
        number = self._term(record)
        label = record.label.removeprefix("obsolete ") if record.obsolete else record.label
        self._names(number, [Name(label, Scope.LABEL), *record.names])
        self._edges(record)
        for other in record.alternative:
            if other not in self.ids:
                self._term(TermRecord(other, record.label, obsolete=True, replaced_by=record.id))

    def _term(self, record: TermRecord) -> int:
        self.count += 1
        number = self.ids[record.id] = self.count
        row = (
            record.id,
            record.label,
            record.obsolete,
            record.replaced_by,
            record.taxon or self.reading.taxon,
        )
        self.connection.execute(
            "INSERT INTO term VALUES (?, ?, ?, ?, ?, ?, ?)", (number, *row, record.definition)
        )
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
        known = self.labels.get(record.id)
        if known is None or record.obsolete:
            if known is None and not record.obsolete:
                self._revive(record)
            return
        extra = [Name(record.label, Scope.EXACT)] if record.label and record.label != known else []
        if extra:
            message = (
                f"{record.id} has two labels: {known!r} and {record.label!r}; the second is kept as"
                " a synonym."
            )
            self.reading.trouble("duplicate-id", message, record.where)
        self._names(self.ids[record.id], [*extra, *record.names])
        self._edges(record)

    def _revive(self, record: TermRecord) -> None:
        """An id that was listed as obsolete or merged, and is a term as well: the term counts."""
        self.connection.execute("DELETE FROM term WHERE n = ?", (self.ids.pop(record.id),))
        self.obsolete.discard(record.id)
        self.reading.trouble(
            "duplicate-id", f"{record.id} is listed as merged and as a term.", record.where
        )
        self.add(record)

    def _edges(self, record: TermRecord) -> None:
        rows = [(record.id, "is_a", parent) for parent in record.parents]
        rows += [(record.id, relation, target) for relation, target in record.related]
        self.edges += len(rows)
        self.connection.executemany("INSERT INTO parent VALUES (?, ?, ?)", rows)

    def _names(self, term: int, names: list[Name]) -> None:
        self.waiting += [(term, name) for name in names if name.text]
        if len(self.waiting) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        rows, texts = [], []
        for number, (term, name) in enumerate(self.waiting, self.names + 1):
            folded = normalise.words(name.text)
            keys = normalise.keys_of(folded)
            rows.append(
                (number, term, name.text, name.scope, keys.ordered, keys.solid, keys.bag, keys.stem)
            )
            texts.append((number, " ".join(folded)))
            self._note(folded)
        self.names += len(rows)
        self.connection.executemany("INSERT INTO name VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self.connection.executemany("INSERT INTO name_words (rowid, words) VALUES (?, ?)", texts)
        self.waiting = []

    def _note(self, folded: tuple[str, ...]) -> None:
        if not folded:
            return
        first = normalise.number(folded[0])
        self.longest[first] = max(self.longest.get(first, 0), len(folded))
        self.vocabulary.update(folded)

    def finish(self) -> None:
        self._flush()
        self.connection.executemany("INSERT INTO start VALUES (?, ?)", self.longest.items())
        self.connection.executemany("INSERT INTO long_word VALUES (?)", self._long_words())
        self.connection.executemany("INSERT INTO prefix VALUES (?, ?)", self.prefixes.items())

    def _long_words(self) -> Iterator[tuple[str]]:
        return ((word,) for word in sorted(self.vocabulary) if len(word) >= 5 and word.isalpha())
