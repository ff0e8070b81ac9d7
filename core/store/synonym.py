"""What a project knows beside its statements: its name and base IRI, its curators, and their names for terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from core.model import Category, Curator, Json, Term
from core.store.database import Database
from core.store.table import curators, project, synonyms


@dataclass(frozen=True, slots=True)
class Synonym:
    """A name that a curator gave to a term. `normal` is how the matcher folds it, `removed` when it was taken back."""

    id: int
    words: str
    normal: str
    term: Term
    curator: str
    time: str
    removed: str = ""


class Synonyms(Database):
    """Implements the grounder's `Synonyms` protocol."""

    def add_synonym(self, words: str, normal: str, term: Term, curator: str) -> Synonym:
        """Remember that `words` mean `term`; known already: nothing is added."""

        def work(connection: Connection) -> Synonym:
            same = (synonyms.c.normal == normal) & (synonyms.c.term == term.id) & (synonyms.c.removed == "")
            row = connection.execute(select(synonyms).where(same)).first()
            if row is None:
                values = {"normal": normal, "words": words, "term": term.id, "label": term.label}
                values |= {"category": str(term.category), "curator": curator, "time": self.clock()}
                connection.execute(insert(synonyms).values(**values))
                row = connection.execute(select(synonyms).where(same)).one()
            return _read(row)

        return self.repeating(work)

    def remove_synonym(self, id: int) -> None:
        """It is not used from now on; the row stays."""
        with self.writing() as connection:
            place = (synonyms.c.seq == id) & (synonyms.c.removed == "")
            connection.execute(update(synonyms).where(place).values(removed=self.clock()))

    def synonyms(self, *, removed: bool = False) -> list[Synonym]:
        """Project synonyms, oldest first; with those taken back if asked."""
        query = select(synonyms).order_by(synonyms.c.seq)
        with self.reading() as connection:
            return [
                _read(row) for row in connection.execute(query if removed else query.where(synonyms.c.removed == ""))
            ]

    def lookup(self, normal: str, category: Category | None = None, prefixes: Sequence[str] = ()) -> list[Term]:
        """Terms that curators gave these words, newest first, of a category and id prefixes if given."""
        query = select(synonyms).where(synonyms.c.normal == normal, synonyms.c.removed == "")
        with self.reading() as connection:
            rows = connection.execute(query.order_by(synonyms.c.seq.desc())).all()
        found = [_read(row).term for row in rows]
        if category not in (None, Category.THING):
            found = [term for term in found if term.category in (category, Category.THING)]
        return [term for term in found if not prefixes or term.id.partition(":")[0] in prefixes]


class People(Database):
    def add_curator(self, curator: Curator) -> Curator:
        """Keep a curator; a new name takes the place of the old one."""

        def work(connection: Connection) -> Curator:
            known = connection.execute(select(curators).where(curators.c.orcid == curator.orcid)).first()
            if known is None:
                row = {"orcid": curator.orcid, "name": curator.name, "time": self.clock()}
                connection.execute(insert(curators).values(**row))
            elif curator.name and curator.name != known.name:
                place = curators.c.orcid == curator.orcid
                connection.execute(update(curators).where(place).values(name=curator.name))
            return Curator(curator.orcid, curator.name or (known.name if known else ""))

        return self.repeating(work)

    def curators(self) -> list[Curator]:
        query = select(curators).order_by(curators.c.time, curators.c.orcid)
        with self.reading() as connection:
            return [Curator(row.orcid, row.name) for row in connection.execute(query)]

    def curator(self, orcid: str) -> Curator | None:
        return next((curator for curator in self.curators() if curator.orcid == orcid), None)

    # -------------------------------------------------------------- the project itself

    def get(self, name: str, default: Json = None) -> Json:
        """A property of the project, such as `base_iri`."""
        with self.reading() as connection:
            row = connection.execute(select(project.c.value).where(project.c.name == name)).first()
        return default if row is None else row.value

    def set(self, name: str, value: Json) -> None:
        def work(connection: Connection) -> None:
            changed = connection.execute(update(project).where(project.c.name == name).values(value=value))
            if not changed.rowcount:
                connection.execute(insert(project).values(name=name, value=value))

        self.repeating(work)

    def set_once(self, name: str, value: Json) -> Json:
        """Set a property unless it is set, and give what it now is: the first writer wins."""

        def work(connection: Connection) -> Json:
            row = connection.execute(select(project.c.value).where(project.c.name == name)).first()
            if row is None:
                connection.execute(insert(project).values(name=name, value=value))
            return value if row is None else row.value

        return self.repeating(work)

    @property
    def base_iri(self) -> str:
        """The IRI prefix of everything the project mints; fixed when the project was made."""
        return str(self.get("base_iri", ""))


def _read(row: Row[Any]) -> Synonym:
    term = Term(row.term, row.label, Category(row.category))
    return Synonym(row.seq, row.words, row.normal, term, row.curator, row.time, row.removed)
