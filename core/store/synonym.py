"""The names that a project's curators gave to terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

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


class SynonymRepository(Repository):
    """Implements the grounder's `Synonyms` protocol."""

    def add(self, words: str, normal: str, term: Term, curator: str) -> Synonym:
        """Remember that `words` mean `term`; known already: nothing is added."""

        def work(connection: Connection) -> Synonym:
            same = (
                (synonyms.c.normal == normal)
                & (synonyms.c.term == term.id)
                & (synonyms.c.removed == "")
            )
            row = connection.execute(select(synonyms).where(same)).first()
            if row is None:
                values = {"normal": normal, "words": words, "term": term.id, "label": term.label}
                values |= {"category": str(term.category), "curator": curator, "time": self.clock()}
                connection.execute(insert(synonyms).values(**values))
                row = connection.execute(select(synonyms).where(same)).one()
            return _read(row)

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
                _read(row)
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
        places = ("", str(Category.THING), str(category or Category.THING))
        return frozenset(row.term for row in rows if row.category in places)

    def lookup(
        self, normal: str, category: Category | None = None, prefixes: Sequence[str] = ()
    ) -> list[Term]:
        """Terms that curators gave these words, newest first, of a category and id prefixes if
        given.
        """
        query = select(synonyms).where(synonyms.c.normal == normal, synonyms.c.removed == "")
        with self.reading() as connection:
            rows = connection.execute(query.order_by(synonyms.c.seq.desc())).all()
        found = [_read(row).term for row in rows]
        if category not in (None, Category.THING):
            found = [term for term in found if term.category in (category, Category.THING)]
        return [term for term in found if not prefixes or term.id.partition(":")[0] in prefixes]


def _read(row: Row[Any]) -> Synonym:
    term = Term(row.term, row.label, Category(row.category))
    return Synonym(row.seq, row.words, row.normal, term, row.curator, row.time, row.removed)
