"""A compiled vocabulary: names and ids looked up in an index on disk, without reading it into
memory.

`Lexicon` is safe to share between threads: each has its own connection, read-only; the names are
shared by all processes of a machine.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core.errors import StoreError
from core.grounding.index import build as lexicon_build
from core.grounding.index.name_file import NameFile
from core.grounding.index.name_filter import may_be_named
from core.grounding.index.name_table import SCOPES, SEPARATOR
from core.grounding.match import fingerprint, normalise
from core.grounding.readers.record import Name, Scope
from core.model import Problem, Severity

if TYPE_CHECKING:
    import numpy as np

IS_A = "is_a"
_MOST_LOOKED_AT = 20_000  # names that a search or a comparison looks at
_MOST_TERMS = 5_000  # terms that are kept in memory with all their names
_MOST_KEPT = 200_000  # terms whose facts, and whose broader terms, are kept in memory
_AT_ONCE = 500  # ids in one query


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


class NameHit(NamedTuple):
    """A name of a term, as it stands in the vocabulary."""

    id: str
    label: str
    text: str
    scope: Scope
    obsolete: bool = False
    replaced_by: str = ""
    taxon: str = ""


class Lexicon:
    """One compiled vocabulary. Raises StoreError when the index file is not usable."""

    def __init__(self, index: Path):
        self.index = index
        self._local = threading.local()
        self._meta: dict[str, str] = dict(self._rows("SELECT key, value FROM meta"))
        if self._meta.get("format") != str(lexicon_build.FORMAT):
            raise StoreError(
                f"The index {index.name} is of another version.",
                "Delete it: it will be rebuilt.",
            )
        self.name = self._meta["name"]
        self.version = self._meta["version"]
        self.source = self._meta["source"]
        self.digest = self._meta["digest"]
        self._names = NameFile(lexicon_build.names_of(index, self.digest))
        self._facts: dict[int, tuple[str, str, bool, str, str]] = {}
        self._terms: dict[str, LexiconTerm] = {}
        self._words_by_length: dict[tuple[str, int], list[str]] = {}
        self._above: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}

    @property
    def declared(self) -> str:
        """The name that the file gives itself; may be empty."""
        return self._meta["declared"]

    @property
    def holds(self) -> tuple[str, ...]:
        """The categories of all its terms, where the file or its format says so."""
        return tuple(self._meta.get("holds", "").split())

    @property
    def term_count(self) -> int:
        return int(self._meta["terms"])

    @property
    def name_count(self) -> int:
        return int(self._meta["names"])

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

    def _read_term(self, id: str) -> LexiconTerm | None:
        rows = self._rows(
            "SELECT * FROM term WHERE id = ? COLLATE NOCASE ORDER BY id = ? DESC, id", (id, id)
        )
        for number, curie, label, obsolete, replaced, taxon, definition in rows:
            own = self._names.range("term_name", "term_name_at", number - 1)
            hits = [self._hit(name) for name in own]
            return LexiconTerm(
                curie,
                label,
                tuple(Name(hit.text, hit.scope) for hit in hits),
                self.parents(curie),
                bool(obsolete),
                replaced,
                taxon,
                definition,
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

    # ------------------------------------------------------------ names

    def names(self, normal: str) -> list[NameHit]:
        """Names whose folded words are `normal` (see normalise.key)."""
        equal = self._names.equal("solid", fingerprint.joined_fingerprint(tuple(normal.split(" "))))
        return [
            hit
            for hit in self._hits(equal)
            if hit.text.casefold() == normal or normalise.name_key(hit.text) == normal
        ]

    def same(self, words: tuple[str, ...], *, stems: bool = True) -> list[NameHit]:
        """Names that are the same folded words but for hyphens and spaces; with `stems`, but for
        order, stop words and word forms too. By id, then in the order of the file.
        """
        numbers = self._names.equal("solid", fingerprint.joined_fingerprint(words))
        if stems or len(words) > 1:
            more = self._names.equal("stem", fingerprint.stem_fingerprint(words))
            if more != numbers:
                numbers = list({*numbers, *more})
        return self._hits(numbers)

    def has(self, words: tuple[str, ...]) -> bool:
        """Whether some name is these folded words, but for hyphens and spaces."""
        return bool(self._names.equal("solid", fingerprint.joined_fingerprint(words)))

    def filter(self, column: str) -> np.ndarray[Any, Any]:
        """Which fingerprints of a column (`solid` or `stem`) its names may have; see
        `name_filter`.
        """
        return self._names.numpy(f"{column}_filter")

    def met(self, column: str, keys: np.ndarray[Any, Any]) -> Iterator[tuple[int, NameHit]]:
        """Of many fingerprints (see `match.fingerprint`; column `solid` or `stem`) the places of
        those that names have, with the names. Names that only share a number are among them.
        """
        for place in may_be_named(self.filter(column), keys).tolist():
            for name in self._names.equal(column, int(keys[place])):
                yield place, self._hit(name)

    def similar_names(
        self, stems: Sequence[str], limit: int = 40
    ) -> list[tuple[NameHit, float, dict[str, float]]]:
        """Names that share rare stems with the words, those that share most first: the name, the
        weight that is shared, and the weight of every stem asked for (inverse document frequency).
        """
        import numpy as np

        weights, lists = {}, []
        for stem in dict.fromkeys(stems):
            place = self._names.find("stem_text", stem)
            holds = self._names.range("stem_names", "stem_names_at", place) if place >= 0 else b""
            weights[stem] = log((self.name_count + 1) / (len(holds) + 0.5))
            if len(holds) and stem:
                lists.append((len(holds), weights[stem], holds))
        lists.sort(key=lambda entry: entry[0])
        usable = [entry for entry in lists if entry[0] <= _MOST_LOOKED_AT] or lists[:1]
        if not usable:
            return []
        numbers = np.concatenate([np.frombuffer(holds, dtype="u4") for _, _, holds in usable])
        values = np.concatenate([np.full(size, weight) for size, weight, _ in usable])
        names, places = np.unique(numbers, return_inverse=True)
        shared = np.bincount(places, weights=values)
        best = np.lexsort((names, -shared))[:limit]
        return [
            (self._hit(name), float(weight), weights)
            for name, weight in zip(names[best].tolist(), shared[best].tolist(), strict=True)
        ]

    def known_words(self, words: Iterable[str]) -> set[str]:
        """Which of these folded words, of five letters or more, occur in some name."""
        return {word for word in words if self._names.find("word", word) >= 0}

    def words_like(self, word: str, most: int) -> Iterator[str]:
        """The words of names with the first letter of `word` and at most `most` letters more or
        fewer.
        """
        for length in range(max(5, len(word) - most), len(word) + most + 1):
            yield from self._long_words(word[0], length)

    def _long_words(self, letter: str, length: int) -> list[str]:
        """Words of so many letters, five or more, by their first letter: read when they are first
        asked for, since a vocabulary has hundreds of thousands.
        """
        import numpy as np

        if (words := self._words_by_length.get((letter, length))) is None:
            low = self._names.begins("word", letter)
            high = self._names.begins("word", chr(ord(letter) + 1))
            begin = self._names.numpy("word_at")[low : high + 1].astype("i8")
            accents = self._names.numpy("word")[begin[0] : begin[-1]] >= 128
            before = np.append(0, np.cumsum(accents))[begin - begin[0]]
            sizes = np.diff(begin)
            possible = (sizes == length) | ((sizes > length) & (np.diff(before) > 0))
            texts = (self._names.text("word", low + int(n)) for n in np.flatnonzero(possible))
            words = [word for word in texts if len(word) == length and word.isalpha()]
            self._words_by_length[letter, length] = words
        return words

    def search(self, text: str, limit: int = 25) -> list[NameHit]:
        """Names that hold every word of `text`, the last one as a beginning; one name a term,
        shortest names first.
        """
        folded = [word for word in normalise.fold_words(text) if word.isalnum()]
        if not folded:
            return []
        best: dict[str, NameHit] = {}
        hits = [hit for hit in self._hits(self._holding(folded)) if _holds_words(hit.text, folded)]
        for hit in sorted(hits, key=lambda h: (len(h.text), h.scope != Scope.LABEL, h.id)):
            best.setdefault(hit.id, hit)
        return list(best.values())[:limit]

    def _holding(self, words: Sequence[str]) -> list[int]:
        """Names that may hold all words, the last one as a beginning."""
        file, chosen = self._names, None
        for word in words[:-1]:
            place = file.find("word", word)
            if place < 0:
                return []
            if stem := file.view("word_stem")[place]:
                holds = set(file.range("stem_names", "stem_names_at", stem))
                chosen = holds if chosen is None else chosen & holds
        begun: set[int] = set()
        place, end = file.begins("word", words[-1]), len(file.view("word_at")) - 1
        while place < end and file.text("word", place).startswith(words[-1]):
            stem = file.view("word_stem")[place]
            begun.update(file.range("stem_names", "stem_names_at", stem))
            place += 1
            if len(begun) > 10 * _MOST_LOOKED_AT:
                break
        return sorted(begun if chosen is None else chosen & begun)[:_MOST_LOOKED_AT]

    def _hits(self, numbers: Sequence[int]) -> list[NameHit]:
        """The names by id, then in the order of the file."""
        if len(numbers) < 2:
            return [self._hit(number) for number in numbers]
        hits = [self._hit(number) for number in sorted(numbers)]
        hits.sort(key=_ID_OF_HIT)
        return hits

    def _hit(self, number: int) -> NameHit:
        terms, scopes, texts, at = self._name_views
        term = terms[number]
        id, label, obsolete, replaced, taxon = self._facts.get(term) or self._term_facts(term)
        text = str(texts[at[number] : at[number + 1]], "utf-8", "surrogatepass")
        scope = SCOPES[scopes[number]]
        # at a third of the time of NameHit(…): look-ups make one for every name that they meet
        return tuple.__new__(NameHit, (id, label, text, scope, obsolete, replaced, taxon))

    @cached_property
    def _name_views(self) -> tuple[memoryview, ...]:
        """Of each name: its term, its scope, and its text with where that begins."""
        return tuple(map(self._names.view, ("name_term", "name_scope", "text", "text_at")))

    def _term_facts(self, number: int) -> tuple[str, str, bool, str, str]:
        facts = self._facts.get(number)
        if facts is None:
            text = self._names.text("term", number)
            id, label, obsolete, replaced, taxon = text.split(SEPARATOR)
            facts = (id, label, obsolete == "1", replaced, taxon)
            if len(self._facts) < _MOST_KEPT:
                self._facts[number] = facts
        return facts

    # ------------------------------------------------------------ the file

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        try:
            yield from self._connection().execute(query, tuple(values))
        except sqlite3.Error as error:
            raise StoreError(
                f"The vocabulary index {self.index.name} is not usable: {error}.",
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


_ID_OF_HIT = itemgetter(0)


def _holds_words(name: str, words: Sequence[str]) -> bool:
    own = normalise.fold_words(name)
    return all(word in own for word in words[:-1]) and any(w.startswith(words[-1]) for w in own)
