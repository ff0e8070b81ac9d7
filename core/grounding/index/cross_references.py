"""Which ids are one thing by what a project's own ontologies say (`skos:exactMatch`, equivalent
classes, cross-references), compiled into a file beside their indexes and laid over the mapping sets
of the base set.

Cross-references are sloppy, so not each ties two ids:

- a term that names several ids of one other vocabulary is tied to none of them, and an id that
  several terms of one vocabulary name is tied to none of those (one to many is no sameness);
  what the file calls an exact match goes before what it only refers to;
- no tie may bring two ids of one vocabulary together, whatever lies between them: the mapping sets
  go first, then exact matches, then cross-references;
- ids of papers and pages, and of vocabularies that only one file here knows, tie nothing.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from core.errors import StoreError
from core.grounding.equivalents import LARGEST
from core.grounding.index.lexicon import Lexicon
from core.grounding.index.mapping_index import MappingIndex, MappingRow
from core.model.mapping import CROSS_REFERENCE, EXACT_MATCH

_FORMAT = 2  # raise it when the layout or the rules change
_STEM = "cross-references-"
MOST_TIES = 400_000  # of all files; further ones are left out, which is said
# Papers, people and pages: what a term was taken from, never what it is
_SOURCES = frozenset(
    ("PMID", "PMC", "DOI", "ISBN", "ISSN", "orcid", "ORCID", "Wikipedia", "wikipedia", "url", "URL",
     "http", "https", "GOC")
)  # fmt: skip
_IN_USE = 3600  # seconds since it was last opened for which an index that is out of date stays
_COMPILING = threading.Lock()  # threads of a batch ask for it at once
_TABLES = """
    CREATE TABLE reference (set_name TEXT, id TEXT, own TEXT, other TEXT, prefix TEXT, exact INT);
    CREATE TABLE pair (one TEXT, other TEXT, predicate TEXT, mapped TEXT);
    CREATE TABLE thing (id TEXT PRIMARY KEY, ids TEXT) WITHOUT ROWID;
    CREATE TABLE counted (mapped TEXT PRIMARY KEY, ties INT, unused INT, capped INT);
"""
# One id of a vocabulary for a term, and one term for an id; an exact match stands for its prefix.
_ONE_TO_ONE = """
    WITH best AS (
        SELECT r.* FROM reference r JOIN (
            SELECT set_name, id, prefix, MAX(exact) AS exact, COUNT(DISTINCT other) AS others,
                   COUNT(DISTINCT CASE WHEN exact THEN other END) AS exacts
            FROM reference GROUP BY set_name, id, prefix
        ) g USING (set_name, id, prefix, exact)
        WHERE CASE WHEN g.exact THEN g.exacts ELSE g.others END = 1
    )
    SELECT DISTINCT set_name, id, other, exact FROM best JOIN (
        SELECT set_name, own, other FROM best GROUP BY set_name, own, other
        HAVING COUNT(DISTINCT id) = 1
    ) USING (set_name, own, other)
    ORDER BY exact DESC, set_name, id, other
"""


@dataclass(frozen=True, slots=True)
class ReferenceCount:
    """How many cross-references of a vocabulary tie two ids, and how many do not. `capped`: all
    vocabularies together have more of them than are read, so some of these may be left out.
    """

    name: str
    ties: int
    unused: int
    capped: bool = False


class CrossReferenceIndex:
    """What the mapping sets and a project's own ontologies, taken together, say of an id. Never
    changes, also where its file is taken away; safe to share between threads.
    """

    def __init__(self, file: Path, base: MappingIndex):
        self.file, self.base = file, base
        address = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        self._asking = threading.Lock()

    def group(self, id: str) -> frozenset[str]:
        """All ids of the thing of an id, itself among them."""
        rows = self._rows("SELECT ids FROM thing WHERE id = ?", id)
        return frozenset(rows[0][0].split(" ")) if rows else self.base.group(id)

    def neighbours(self, id: str) -> tuple[str, ...]:
        """The ids that some set or ontology ties this one to."""
        own = (row.object if row.subject == id else row.subject for row in self._own(id))
        return tuple(dict.fromkeys((*self.base.neighbours(id), *own)))

    def rows(self, id: str) -> tuple[MappingRow, ...]:
        """What the sets and ontologies say of an id; the set of an ontology is its name here."""
        return (*self.base.rows(id, EXACT_MATCH), *self._own(id))

    def counts(self) -> tuple[ReferenceCount, ...]:
        """The ontologies that refer to others, by name."""
        rows = self._rows("SELECT mapped, ties, unused, capped FROM counted ORDER BY mapped")
        return tuple(
            ReferenceCount(name, int(ties), int(unused), bool(capped))
            for name, ties, unused, capped in rows
        )

    def pairs(self, offset: int = 0, limit: int = 100) -> list[MappingRow]:
        """The ties of the ontologies, by id."""
        query = "SELECT * FROM pair ORDER BY one, other LIMIT ? OFFSET ?"
        return [_row(*row) for row in self._rows(query, limit, offset)]

    def _own(self, id: str) -> list[MappingRow]:
        query = "SELECT * FROM pair WHERE one = ? UNION ALL SELECT * FROM pair WHERE other = ?"
        return [_row(*row) for row in self._rows(query, id, id)]

    def _rows(self, query: str, *values: object) -> list[tuple[str, ...]]:
        with self._asking:
            return self._connection.execute(query, values).fetchall()


class ExactTies:
    """What mapping sets and ontologies call exact, step by step, without the cross-references."""

    def __init__(self, index: CrossReferenceIndex):
        self._index = index

    def neighbours(self, id: str) -> tuple[str, ...]:
        rows = [row for row in self._index.rows(id) if row.predicate == EXACT_MATCH]
        return tuple(row.object if row.subject == id else row.subject for row in rows)

    def group(self, id: str) -> frozenset[str]:
        reached, waiting = {id}, [id]
        while waiting and len(reached) < LARGEST:
            new = [other for other in self.neighbours(waiting.pop()) if other not in reached]
            reached.update(new)
            waiting += new
        return frozenset(reached)


def open_cross_references(
    lexicons: Sequence[Lexicon], held: Iterable[str], base: MappingIndex, folder: Path
) -> CrossReferenceIndex:
    """The index of these ontologies, compiled where it is not. `held` are the prefixes of all
    vocabularies of the project. Raises StoreError where it cannot be written.
    """
    prefixes = frozenset(held)
    content = [str(_FORMAT), str(base.file().name), *sorted(prefixes)]
    content += [f"{lexicon.name} {lexicon.digest}" for lexicon in lexicons]
    target = folder / f"{_STEM}{sha256(chr(10).join(content).encode()).hexdigest()[:16]}.sqlite"
    with _COMPILING:
        _ensure(target, lexicons, prefixes, base)
        with suppress(OSError):  # another process may see that it is in use
            os.utime(target)
        return CrossReferenceIndex(target, base)


def _ensure(
    target: Path, lexicons: Sequence[Lexicon], prefixes: frozenset[str], base: MappingIndex
) -> None:
    """Compile the index where it is not; one that somebody may still read stays a while."""
    if not target.exists():
        part = target.with_suffix(f".{os.getpid()}.part")
        try:
            part.unlink(missing_ok=True)
            with closing(sqlite3.connect(part, isolation_level=None)) as connection:
                _compile(connection, lexicons, prefixes, base.group)
            part.replace(target)
            for old in set(target.parent.glob(f"{_STEM}*.sqlite")) - {target}:
                with suppress(OSError):
                    if time.time() - old.stat().st_mtime > _IN_USE:
                        old.unlink()
        except (OSError, sqlite3.Error) as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise StoreError(
                f"The index of cross-references {target} cannot be written: {error}.",
                "Is the disk full?",
            ) from error


def _compile(
    connection: sqlite3.Connection,
    lexicons: Sequence[Lexicon],
    held: frozenset[str],
    group: Callable[[str], frozenset[str]],
) -> None:
    connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_TABLES}")
    connection.execute("BEGIN")
    for lexicon in lexicons:
        rows = _references(lexicon)
        connection.executemany("INSERT INTO reference VALUES (?, ?, ?, ?, ?, ?)", rows)
    connection.execute(
        "CREATE TEMP TABLE referred AS SELECT set_name, COUNT(*) AS times FROM (SELECT DISTINCT"
        " set_name, id, other FROM reference) GROUP BY set_name"
    )
    _leave_strange_prefixes(connection, held)
    things = _Things(group)
    ties = connection.execute(f"{_ONE_TO_ONE} LIMIT ?", (MOST_TIES + 1,)).fetchall()
    capped = len(ties) > MOST_TIES
    kept = [
        (id, other, EXACT_MATCH if exact else CROSS_REFERENCE, name)
        for name, id, other, exact in ties[:MOST_TIES]
        if things.tie(id, other)
    ]
    connection.executemany("INSERT INTO pair VALUES (?, ?, ?, ?)", kept)
    connection.executemany("INSERT INTO thing VALUES (?, ?)", things.rows())
    connection.execute(
        "INSERT INTO counted SELECT set_name, tied, times - tied, ? FROM (SELECT set_name, times,"
        " (SELECT COUNT(*) FROM pair WHERE mapped = set_name) AS tied FROM referred)",
        (capped,),
    )
    connection.execute("DROP TABLE reference")
    connection.execute("DROP TABLE referred")
    connection.execute("COMMIT")
    connection.executescript(
        "CREATE INDEX pair_one ON pair (one); CREATE INDEX pair_other ON pair (other); VACUUM;"
    )


def _references(lexicon: Lexicon) -> Iterator[tuple[object, ...]]:
    """The references of a vocabulary to others; those to itself tie nothing."""
    for id, relation, other in lexicon.references():
        own, prefix = id.partition(":")[0], other.partition(":")[0]
        if own != prefix and prefix not in _SOURCES:
            yield lexicon.name, id, own, other, prefix, relation == EXACT_MATCH


def _leave_strange_prefixes(connection: sqlite3.Connection, held: frozenset[str]) -> None:
    """Take away references to vocabularies that are not here, unless two files refer to them: then
    they tie those two.
    """
    connection.execute("CREATE TEMP TABLE held (prefix TEXT PRIMARY KEY)")
    connection.executemany("INSERT INTO held VALUES (?)", ((prefix,) for prefix in sorted(held)))
    connection.execute(
        "DELETE FROM reference WHERE prefix NOT IN (SELECT prefix FROM held) AND prefix NOT IN"
        " (SELECT prefix FROM reference GROUP BY prefix HAVING COUNT(DISTINCT own) > 1)"
    )


class _Things:
    """Ids joined into things, none of which has two ids of one vocabulary by a tie of ours."""

    def __init__(self, group: Callable[[str], frozenset[str]]):
        self._group = group
        self._members: dict[str, set[str]] = {}

    def tie(self, one: str, other: str) -> bool:
        """Join the things of two ids; whether they are one now."""
        first, second = self._thing(one), self._thing(other)
        if first is second:
            return True
        if len(first) + len(second) > LARGEST or _prefixes(first) & _prefixes(second):
            return False
        small, large = sorted((first, second), key=len)
        large |= small
        self._members |= dict.fromkeys(small, large)
        return True

    def rows(self) -> Iterator[tuple[str, str]]:
        for id, members in sorted(self._members.items()):
            if len(members) > 1:
                yield id, " ".join(sorted(members))

    def _thing(self, id: str) -> set[str]:
        if (members := self._members.get(id)) is None:
            members = set(self._group(id))
            self._members |= dict.fromkeys(members, members)
        return members


def _prefixes(ids: Iterable[str]) -> set[str]:
    return {id.partition(":")[0] for id in ids}


def _row(one: str, other: str, predicate: str, mapped: str) -> MappingRow:
    return MappingRow(one, other, predicate, "", mapped)
