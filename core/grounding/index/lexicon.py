"""A compiled vocabulary: its terms by id, and what stands above and below them, looked up in an
index on disk; its names are looked up as `name_lookup` does.

`Lexicon` is safe to share between threads: each has its own connection, read-only; the names are
shared by all processes of a machine.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.grounding.index import build as lexicon_build
from core.grounding.index.name_file import NameFile
from core.grounding.index.name_lookup import NameLookup
from core.grounding.readers.record import TermName
from core.model import Problem, Severity
from core.model.mapping import CROSS_REFERENCE, EXACT_MATCH

IS_A = "is_a"
_HELD = {"CHEBI": ("chemical",)}  # of copies without hierarchy, whatever they are called
_MOST_TERMS = 5_000  # terms that are kept in memory with all their names
_MOST_KEPT = 200_000  # terms whose broader terms are kept in memory
_AT_ONCE = 500  # ids in one query
_TERM_BY_ID = "FROM term WHERE id = ? COLLATE NOCASE ORDER BY id = ? DESC, id"


@dataclass(frozen=True, slots=True)
class LexiconTerm:
    """A term with all its names; `parents` are is_a CURIEs."""

    id: str
    label: str
    names: tuple[TermName, ...] = ()
    parents: tuple[str, ...] = ()
    obsolete: bool = False
    replaced_by: str = ""
    taxon: str = ""
    definition: str = ""


class Lexicon(NameLookup):
    """One compiled vocabulary. Raises StoreError when the index file is not usable."""

    def __init__(self, index: Path):
        self.index = index
        self._local = threading.local()
        self._meta: dict[str, str] = dict(self._rows("SELECT key, value FROM meta"))
        if self._meta.get("format") != str(lexicon_build.FORMAT):
            raise StoreError(
                f"The index {index.name} was made by another version of Groundwork.",
                "Delete it: it will be rebuilt.",
            )
        self.name = self._meta["name"]
        self.version = self._meta["version"]
        self.source = self._meta["source"]
        self.digest = self._meta["digest"]
        super().__init__(
            NameFile(lexicon_build.names_of(index, self.digest)), int(self._meta["names"])
        )
        self._terms: dict[str, LexiconTerm] = {}
        self._texts: dict[str, tuple[str, ...]] = {}
        self._above: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}

    @property
    def declared(self) -> str:
        """The name that the file gives itself; may be empty."""
        return self._meta["declared"]

    @property
    def holds(self) -> tuple[str, ...]:
        """The categories of all its terms, where the file, its format or its ids say so."""
        said = tuple(self._meta.get("holds", "").split())
        return said or _HELD.get(next(iter(self.prefixes), ""), ())

    @property
    def term_count(self) -> int:
        return int(self._meta["terms"])

    @property
    def obsolete_count(self) -> int:
        return int(self._meta["obsolete"])

    @cached_property
    def has_hierarchy(self) -> bool:
        """Whether terms have others above them; a few edges among thousands of terms are none."""
        return 10 * int(self._meta["parents"]) >= max(1, int(self._meta["terms"]))

    @property
    def problem_count(self) -> int:
        return int(self._meta["problem_count"])

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong in the file, in its order; the first 200."""
        rows = json.loads(self._meta["problems"])
        return tuple(Problem(**{**row, "severity": Severity(row["severity"])}) for row in rows)

    @property
    def ledger(self) -> str:
        """What of the file was not kept, in one line; empty where all was."""
        return self._meta.get("ledger", "")

    @cached_property
    def iris(self) -> dict[str, str]:
        """The IRIs of prefixes of its ids that the app does not know, as the file says them."""
        return {str(p): str(iri) for p, iri in json.loads(self._meta.get("iris", "{}")).items()}

    @cached_property
    def relations(self) -> frozenset[str]:
        """The ids of its relations, which are no things that a text is about."""
        query = "SELECT child FROM parent WHERE parent = ? AND relation = ?"
        rows = self._rows(query, (lexicon_build.RELATION, lexicon_build.KIND))
        return frozenset(row[0] for row in rows)

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
        """A term by its CURIE; another case of letters counts when no id is written so."""
        if (term := self._terms.get(id)) is None and (term := self._read_term(id)):
            if len(self._terms) >= _MOST_TERMS:
                self._terms = {}
            self._terms[id] = term
        return term

    def names_of(self, id: str) -> tuple[str, ...]:
        """The names of a term as the vocabulary writes them; none where there is no such term. Much
        quicker than `term`.
        """
        names = self._texts.get(id)
        if names is None:
            rows = self._rows(f"SELECT n {_TERM_BY_ID} LIMIT 1", (id, id))
            number = next((number for (number,) in rows), 0)
            own = self._names.range("term_name", "term_name_at", number - 1) if number else ()
            names = tuple(self._names.text("text", name) for name in own)
            if len(self._texts) >= _MOST_TERMS:
                self._texts = {}
            self._texts[id] = names
        return names

    def _read_term(self, id: str) -> LexiconTerm | None:
        rows = self._rows(f"SELECT * {_TERM_BY_ID}", (id, id))
        for number, curie, label, obsolete, replaced, taxon, definition in rows:
            own = self._names.range("term_name", "term_name_at", number - 1)
            hits = [self._hit(name) for name in own]
            return LexiconTerm(
                curie,
                label,
                tuple(TermName(hit.text, hit.scope) for hit in hits),
                parents=self.parents(curie),
                obsolete=bool(obsolete),
                replaced_by=replaced,
                taxon=taxon,
                definition=definition,
            )
        return None

    def is_called(self, id: str, label: str) -> bool:
        """Whether a term of this very CURIE is there, not obsolete, under this label. Much quicker
        than `term`, which reads its names.
        """
        rows = self._rows(
            "SELECT id, label FROM term WHERE id = ? COLLATE NOCASE AND NOT obsolete", (id,)
        )
        return (id, label) in rows

    def called(self, ids: Sequence[str]) -> set[tuple[str, str]]:
        """Those of these very CURIEs that are there and not obsolete, with their labels."""
        pairs: set[tuple[str, str]] = set()
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            query = (
                f"SELECT id, label FROM term WHERE id COLLATE NOCASE IN ({marks}) AND NOT obsolete"
            )
            pairs.update((id, label) for id, label in self._rows(query, part))
        return pairs

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
        term = self.term(id)
        return (term.obsolete, term.replaced_by) if term else (False, "")

    def successor(self, id: str) -> LexiconTerm | None:
        """The term that stands at the end of a chain of merged ids; None where there is none."""
        visited: set[str] = set()
        while id and id not in visited and (term := self.term(id)):
            if not term.obsolete:
                return term
            visited.add(id)
            id = term.replaced_by
        return None

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
        key = (id, tuple(relations))
        if (cached := self._above.get(key)) is not None:
            return cached
        above_term: set[str] = set()
        front = [id]
        while front:
            above = {
                parent for child in front for parent in self.parents(child, relations)
            } - above_term
            above_term |= above
            front = sorted(above)
        if len(self._above) < _MOST_KEPT:
            self._above[key] = frozenset(above_term)
        return frozenset(above_term)

    def references(self) -> Iterator[tuple[str, str, str]]:
        """The ids of other vocabularies that the file calls the same as its own, or refers to: id,
        EXACT_MATCH or CROSS_REFERENCE, other id; in no order.
        """
        query = "SELECT child, relation, parent FROM parent WHERE relation IN (?, ?)"
        return self._rows(query, (EXACT_MATCH, CROSS_REFERENCE))

    # ------------------------------------------------------------ the file

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        try:
            yield from self._connection().execute(query, tuple(values))
        except sqlite3.Error as error:
            raise StoreError(
                f"The vocabulary index {self.index} is not usable: {error}.",
                "Delete it: it will be rebuilt.",
            ) from error

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            address = f"{self.index.resolve().as_uri()}?mode=ro&immutable=1"
            connection = self._local.connection = sqlite3.connect(
                address, uri=True, check_same_thread=False
            )
        return connection


def open_lexicon(source: Path, index: Path, *, name: str = "") -> Lexicon:
    """The lexicon of a vocabulary file: its index is reopened when it is of the same content, and
    built otherwise.
    """
    content = lexicon_build.index_digest(source)
    if index.exists():
        try:
            lexicon = Lexicon(index)
            if lexicon.digest == content:
                return lexicon
        except (StoreError, KeyError):
            pass
    lexicon_build.build_index(source, index, name=name)
    return Lexicon(index)


build = lexicon_build.build_index
