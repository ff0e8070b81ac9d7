"""A compiled vocabulary: names and ids looked up in an index on disk, without reading it into
memory.

`Lexicon` is safe to share between threads: each has its own connection, read-only.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.grounding.index import build as lexicon_build
from core.grounding.match import normalise
from core.grounding.readers.record import Name, Scope
from core.model import Problem, Severity

IS_A = "is_a"
_PART = 500
_SIZES = (1, 8, 64, _PART)
_HIT = """
    SELECT t.id, t.label, n.text, n.scope, t.obsolete, t.replaced, t.taxon, n.{column}
    FROM name n JOIN term t ON t.n = n.term WHERE n.{column} IN ({marks})
    ORDER BY t.id, n.n
"""


@dataclass(frozen=True, slots=True)
class LexiconTerm:
    """A term with all its names; `parents` are is_a CURIEs."""

    id: str
    label: str
    names: tuple[Name, ...] = ()
    parents: tuple[str, ...] = ()
    obsolete: bool = False
    replaced_by: str = ""
    taxon: str = ""
    definition: str = ""


@dataclass(frozen=True, slots=True)
class NameHit:
    """A name that was met, and its term; `number` is the key by which it was found."""

    id: str
    label: str
    text: str
    scope: Scope
    obsolete: bool
    replaced_by: str
    taxon: str
    number: int


class Lexicon:
    """One compiled vocabulary. Raises StoreError when the index file is not usable."""

    def __init__(self, index: Path):
        self.index = index
        self._local = threading.local()
        self._meta: dict[str, str] = dict(self._rows("SELECT key, value FROM meta"))
        if self._meta.get("format") != str(lexicon_build.FORMAT):
            raise StoreError(
                f"The index {index.name} is of another version.",
                "Remove it: it will be built again.",
            )
        self.name = self._meta["name"]
        self.version = self._meta["version"]
        self.source = self._meta["source"]
        self.digest = self._meta["digest"]

    @property
    def declared(self) -> str:
        """The name that the file gives itself; may be empty."""
        return self._meta["declared"]

    @property
    def term_count(self) -> int:
        return int(self._meta["terms"])

    @property
    def name_count(self) -> int:
        return int(self._meta["names"])

    @property
    def obsolete_count(self) -> int:
        return int(self._meta["obsolete"])

    @property
    def has_hierarchy(self) -> bool:
        """Whether terms have others above them; a few edges among thousands of terms are none."""
        return 10 * int(self._meta["parents"]) >= max(1, int(self._meta["terms"]))

    @property
    def problem_count(self) -> int:
        return int(self._meta["problem_count"])

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong in the file, in its order; the first 200."""
        found = json.loads(self._meta["problems"])
        return tuple(Problem(**{**one, "severity": Severity(one["severity"])}) for one in found)

    @cached_property
    def prefixes(self) -> dict[str, int]:
        """Prefix → number of terms, most first."""
        return dict(self._rows("SELECT prefix, terms FROM prefix ORDER BY terms DESC, prefix"))

    @cached_property
    def taxa(self) -> frozenset[str]:
        """The species that its terms are of, as NCBITaxon CURIEs; empty where the file does not
        say.
        """
        return frozenset(
            row[0] for row in self._rows("SELECT DISTINCT taxon FROM term WHERE taxon != ''")
        )

    # ------------------------------------------------------------ terms

    def term(self, id: str) -> LexiconTerm | None:
        """A term by its CURIE; another case of letters is taken when no id is written exactly so."""
        rows = self._rows(
            "SELECT * FROM term WHERE id = ? COLLATE NOCASE ORDER BY id = ? DESC, id", (id, id)
        )
        for number, found, label, obsolete, replaced, taxon, definition in rows:
            names = self._rows("SELECT text, scope FROM name WHERE term = ? ORDER BY n", (number,))
            return LexiconTerm(
                found,
                label,
                tuple(Name(text, Scope(scope)) for text, scope in names),
                self.parents(found),
                bool(obsolete),
                replaced,
                taxon,
                definition,
            )
        return None

    def terms(self, offset: int = 0, limit: int = 50) -> list[LexiconTerm]:
        """Terms that are not obsolete, in the file's order, without their names."""
        query = (
            "SELECT id, label, definition FROM term WHERE NOT obsolete ORDER BY n LIMIT ? OFFSET ?"
        )
        return [
            LexiconTerm(id, label, definition=text)
            for id, label, text in self._rows(query, (limit, offset))
        ]

    def obsolete(self, id: str) -> tuple[bool, str]:
        """Whether an id is obsolete (or merged), and the id that took its place, if one did."""
        found = self.term(id)
        return (found.obsolete, found.replaced_by) if found else (False, "")

    def parents(self, id: str, relations: Sequence[str] = (IS_A,)) -> tuple[str, ...]:
        marks = ",".join("?" * len(relations))
        query = (
            f"SELECT DISTINCT parent FROM parent WHERE child = ? AND relation IN ({marks}) ORDER BY"
            " parent"
        )
        return tuple(row[0] for row in self._rows(query, (id, *relations)))

    def children(self, id: str, relations: Sequence[str] = (IS_A,)) -> tuple[str, ...]:
        marks = ",".join("?" * len(relations))
        query = (
            f"SELECT DISTINCT child FROM parent WHERE parent = ? AND relation IN ({marks}) ORDER BY"
            " child"
        )
        return tuple(row[0] for row in self._rows(query, (id, *relations)))

    def ancestors(self, id: str, relations: Sequence[str] = (IS_A,)) -> frozenset[str]:
        """Everything above a term, itself not included unless there is a cycle."""
        found: set[str] = set()
        front = [id]
        while front:
            above = {parent for child in front for parent in self.parents(child, relations)} - found
            found |= above
            front = sorted(above)
        return frozenset(found)

    # ------------------------------------------------------------ names

    def names(self, normal: str) -> list[NameHit]:
        """Names whose folded words are `normal` (see normalise.key)."""
        return self.hits("ordered", [normalise.number(normal)])

    def hits(self, column: str, numbers: Iterable[int]) -> list[NameHit]:
        """Names by one of their keys: ordered, solid, bag or stem."""
        found: list[NameHit] = []
        for part in _parts(sorted(self._possible(column, numbers))):
            query = _HIT.format(column=column, marks=",".join("?" * len(part)))
            found += [_hit(row) for row in self._rows(query, part)]
        return found

    def _possible(self, column: str, numbers: Iterable[int]) -> set[int]:
        """The numbers that some name may have: most others are told apart in memory, without a look
        at the disk.
        """
        bits = self._filters[column]
        last = 8 * len(bits) - 1
        return {number for number in numbers if bits[(number & last) >> 3] >> (number & 7) & 1}

    @cached_property
    def _filters(self) -> dict[str, bytes]:
        return dict(self._rows("SELECT key, bits FROM filter"))

    def starts(self, words: Iterable[int]) -> dict[int, int]:
        """First word (as a number) → length in words of the longest name that begins with it."""
        found: dict[int, int] = {}
        for part in _parts(sorted(set(words))):
            marks = ",".join("?" * len(part))
            found |= dict(
                self._rows(f"SELECT word, longest FROM start WHERE word IN ({marks})", part)
            )
        return found

    def known(self, words: Iterable[str]) -> set[str]:
        """Which of these folded words, of five letters or more, occur in some name."""
        return {word for word in words if word in self._words.get((word[0], len(word)), ())}

    def words_like(self, word: str, most: int) -> Iterator[str]:
        """The words of names with the first letter of `word` and at most `most` letters more or
        fewer.
        """
        for length in range(len(word) - most, len(word) + most + 1):
            yield from self._words.get((word[0], length), ())

    @cached_property
    def _words(self) -> dict[tuple[str, int], frozenset[str]]:
        """Words of five letters or more by first letter and length."""
        found: dict[tuple[str, int], list[str]] = {}
        for (word,) in self._rows("SELECT word FROM long_word"):
            found.setdefault((word[0], len(word)), []).append(word)
        return {key: frozenset(words) for key, words in found.items()}

    def search(self, text: str, limit: int = 25) -> list[NameHit]:
        """Names that hold every word of `text`, the last one as a beginning; one name a term,
        shortest names first.
        """
        folded = [word for word in normalise.words(text) if word.isalnum()]
        if not folded:
            return []
        query = " AND ".join([*(f'"{word}"' for word in folded[:-1]), f'"{folded[-1]}"*'])
        found: dict[str, NameHit] = {}
        for hit in sorted(
            self._match(query, limit * 8), key=lambda h: (len(h.text), h.scope != Scope.LABEL, h.id)
        ):
            found.setdefault(hit.id, hit)
        return list(found.values())[:limit]

    def _match(self, query: str, limit: int) -> list[NameHit]:
        if not query:
            return []
        sql = """SELECT t.id, t.label, n.text, n.scope, t.obsolete, t.replaced, t.taxon, n.ordered
                 FROM (SELECT rowid AS r FROM name_words WHERE name_words MATCH ? ORDER BY rank LIMIT ?)
                 JOIN name n ON n.n = r JOIN term t ON t.n = n.term ORDER BY t.id, n.n"""
        rows = self._rows(sql, (query, limit))
        return [_hit(row) for row in rows]

    # ------------------------------------------------------------ the file

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        try:
            yield from self._connection().execute(query, tuple(values))
        except sqlite3.Error as error:
            raise StoreError(
                f"The vocabulary index {self.index.name} is not usable: {error}.",
                "Remove it: it will be built again.",
            ) from error

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            address = f"{self.index.resolve().as_uri()}?mode=ro&immutable=1"
            found = self._local.connection = sqlite3.connect(
                address, uri=True, check_same_thread=False
            )
        return found


def _parts(numbers: list[int]) -> Iterator[list[int]]:
    """Up to `_PART` numbers at a time, the last one repeated up to a few lengths: few statements
    are prepared.
    """
    for start in range(0, len(numbers), _PART):
        part = numbers[start : start + _PART]
        yield part + part[-1:] * (next(size for size in _SIZES if size >= len(part)) - len(part))


def compiled(source: Path, index: Path, *, name: str = "") -> Lexicon:
    """The lexicon of a vocabulary file: its index is reopened when it is of the same content, and
    built otherwise.
    """
    content = lexicon_build.digest(source)
    if index.exists():
        try:
            found = Lexicon(index)
            if found.digest == content:
                return found
        except (StoreError, KeyError):
            pass
    lexicon_build.build(source, index, name=name)
    return Lexicon(index)


build = lexicon_build.build


def _hit(row: Any) -> NameHit:
    id, label, text, scope, obsolete, replaced, taxon, number = row
    return NameHit(id, label, text, Scope(scope), bool(obsolete), replaced, taxon, number)
