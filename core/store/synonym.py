"""The names that a project's curators gave to terms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, func, insert, select, update

from core.model import Category, Term
from core.store.database import Repository
from core.store.table import link_rules, synonyms


@dataclass(frozen=True, slots=True)
class Synonym:
    """A name that a curator gave to a term. `normal` is how the matcher folds it, `removed` when it
    was taken back.
    """

    id: int
    words: str
    normal: str
    term: Term
    curator: str
    time: str
    removed: str = ""
    reason: str = ""


@dataclass(frozen=True)
class SynonymSnapshot:
    """What curators said of a project's words, as it stood at one moment: the grounder's `Synonyms`
    for one piece of work, without a query a mention. `rules` are (words as the matcher folds them,
    id or "" for "never linked", category).
    """

    stamp: tuple[int, ...]
    synonyms: tuple[Synonym, ...]
    rules: tuple[tuple[str, str, str], ...]

    def steady(self) -> SynonymSnapshot:
        return self

    def all(self) -> Sequence[Synonym]:
        return self.synonyms

    def lookup(self, normal: str, category: Category | None = None) -> list[Term]:
        return _of_category(self._terms.get(normal, ()), category)

    def refused(self, normal: str, category: Category | None = None) -> frozenset[str]:
        return _in_force(self._rules.get(normal, ()), category)

    @cached_property
    def _terms(self) -> Mapping[str, Sequence[Term]]:
        terms_by_name: dict[str, list[Term]] = defaultdict(list)
        for synonym in reversed(self.synonyms):
            terms_by_name[synonym.normal].append(synonym.term)
        return dict(terms_by_name)

    @cached_property
    def _rules(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        rules_by_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for normal, term, category in self.rules:
            rules_by_name[normal].append((term, category))
        return dict(rules_by_name)


class SynonymRepository(Repository):
    """Implements the grounder's `Synonyms` protocol."""

    _snapshot = SynonymSnapshot((), synonyms=(), rules=())

    def steady(self) -> SynonymSnapshot:
        """Names and refusals as they stand now; read anew only where a curator changed any."""
        stamp = self._stamp()
        if self._snapshot.stamp != stamp:
            in_force = select(link_rules.c.normal, link_rules.c.term, link_rules.c.category)
            with self.reading() as connection:
                rows = connection.execute(in_force.where(link_rules.c.removed == "")).all()
            rules = tuple((row.normal, row.term, row.category) for row in rows)
            self._snapshot = SynonymSnapshot(stamp, tuple(self.all()), rules)
        return self._snapshot

    def _stamp(self) -> tuple[int, ...]:
        """Changes whenever a name or a rule is added or taken back."""
        with self.reading() as connection:
            return tuple(count or 0 for count in connection.execute(_STAMP).one())

    def add(self, words: str, normal: str, term: Term, curator: str, reason: str = "") -> Synonym:  # noqa: PLR0917
        """Remember that `words` mean `term`; known already: nothing is added. What was said before
        counts no more where it says the opposite: that they never mean it, or nothing.
        """

        def work(connection: Connection) -> Synonym:
            places = ("", str(Category.THING), str(term.category))
            opposite = link_rules.c.term.in_(("", term.id)) & link_rules.c.category.in_(places)
            take_back(connection, link_rules, normal, opposite, time=self.clock())
            same = (
                (synonyms.c.normal == normal)
                & (synonyms.c.term == term.id)
                & (synonyms.c.category == str(term.category))
                & (synonyms.c.removed == "")
            )
            row = connection.execute(select(synonyms).where(same)).first()
            if row is None:
                values = {"normal": normal, "words": words, "term": term.id, "label": term.label}
                values |= {"category": str(term.category), "curator": curator, "time": self.clock()}
                values |= {"reason": reason}
                connection.execute(insert(synonyms).values(**values))
                row = connection.execute(select(synonyms).where(same)).one()
            return _synonym_of_row(row)

        return self.repeating(work)

    def remove(self, id: int) -> None:
        """It is not used from now on; the row stays."""
        with self.writing() as connection:
            place = (synonyms.c.seq == id) & (synonyms.c.removed == "")
            connection.execute(update(synonyms).where(place).values(removed=self.clock()))

    def all(self, *, removed: bool = False) -> list[Synonym]:
        """Project synonyms, oldest first; with those taken back if asked."""
        query = select(synonyms).order_by(synonyms.c.seq)
        with self.reading() as connection:
            return [
                _synonym_of_row(row)
                for row in connection.execute(
                    query if removed else query.where(synonyms.c.removed == "")
                )
            ]

    def refused(self, normal: str, category: Category | None = None) -> frozenset[str]:
        """Ids that curators said these words do not mean; "" among them: they are never linked."""
        query = select(link_rules.c.term, link_rules.c.category).where(
            link_rules.c.normal == normal, link_rules.c.removed == ""
        )
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return _in_force([(row.term, row.category) for row in rows], category)

    def lookup(
        self, normal: str, category: Category | None = None, prefixes: Sequence[str] = ()
    ) -> list[Term]:
        """Terms that curators gave these words, newest first, of a category and id prefixes if
        given.
        """
        query = select(synonyms).where(synonyms.c.normal == normal, synonyms.c.removed == "")
        with self.reading() as connection:
            rows = connection.execute(query.order_by(synonyms.c.seq.desc())).all()
        terms = _of_category([_synonym_of_row(row).term for row in rows], category)
        return [term for term in terms if not prefixes or term.id.partition(":")[0] in prefixes]


_STAMP = select(
    *(
        select(counted).select_from(table).scalar_subquery()
        for table in (synonyms, link_rules)
        for counted in (func.max(table.c.seq), func.count().filter(table.c.removed != ""))
    )
)


def take_back(
    connection: Connection, table: Table, normal: str, opposite: ColumnElement[bool], *, time: str
) -> None:
    """Take back what was said of these words and says the opposite of what is said now."""
    place = (table.c.normal == normal) & (table.c.removed == "") & opposite
    connection.execute(update(table).where(place).values(removed=time))


def _of_category(terms: Sequence[Term], category: Category | None) -> list[Term]:
    if category in (None, Category.THING):
        return list(terms)
    return [term for term in terms if term.category in (category, Category.THING)]


def _in_force(rules: Sequence[tuple[str, str]], category: Category | None) -> frozenset[str]:
    """The ids of (id, category) rules that hold for mentions of a category."""
    if not rules:
        return frozenset()
    places = ("", str(Category.THING), str(category or Category.THING))
    return frozenset(term for term, of in rules if of in places)


def _synonym_of_row(row: Row[Any]) -> Synonym:
    term = Term(row.term, row.label, Category(row.category))
    return Synonym(
        row.seq,
        row.words,
        row.normal,
        term=term,
        curator=row.curator,
        time=row.time,
        removed=row.removed,
        reason=row.reason,
    )
