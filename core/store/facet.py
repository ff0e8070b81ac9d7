"""How many statements of the queue there are for each value of a facet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import func, select

from core.codec import from_json
from core.model import Statement, Term
from core.store.database import Repository
from core.store.queue_filter import (
    EVERYTHING,
    LAST_BAND,
    Filter,
    Held,
    held_condition,
    narrowed,
)
from core.store.table import decisions, documents, evidence, proposals, statements

MOST = 50  # values of one facet, the most frequent first
_COLUMNS: Mapping[str, tuple[tuple[Any, Any], ...]] = {
    "predicate": ((statements.c.predicate, None),),
    "category": ((statements.c.subject_category, None), (statements.c.object_category, None)),
    "thing": ((statements.c.subject, None), (statements.c.object, None)),
    "document": ((statements.c.document, None),),
    "schema": ((proposals.c.schema, proposals.c.statement),),
    "engine": ((evidence.c.engine, evidence.c.statement),),
    "rule": ((evidence.c.rule, evidence.c.statement),),
    "curator": ((decisions.c.curator, decisions.c.statement),),
}


class FacetRepository(Repository):
    def counts(self, facet: str, filter: Filter = EVERYTHING) -> list[tuple[str, int]]:
        """Values of a facet with how many statements have them under the rest of the filter, the
        most frequent first. A statement counts once for each value that it has.
        """
        rest = replace(filter, **{facet: ""})  # type: ignore[arg-type]  # facets are texts
        if facet == "band":
            return self._bands(rest)
        if facet == "held":
            return self._held(rest)
        totals: dict[str, int] = {}
        with self.reading() as connection:
            for column, key in _COLUMNS[facet]:
                count = func.count() if key is None else func.count(statements.c.id.distinct())
                query = select(column, count).select_from(statements)
                if key is not None:
                    query = query.join(key.table, key == statements.c.id)
                query = narrowed(query, rest).where(column != "")
                query = query.group_by(column).order_by(count.desc(), column)
                for value, number in connection.execute(query.limit(MOST)):
                    totals[value] = totals.get(value, 0) + number
        return sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]

    def terms(self, facet: str, values: Sequence[str]) -> dict[str, Term]:
        """The terms of predicates or things by CURIE, as the newest statement names each."""
        columns = [column for column, _ in _COLUMNS[facet]]
        terms: dict[str, Term] = {}
        with self.reading() as connection:
            for column in columns:
                newest = select(func.max(statements.c.seq)).where(column.in_(values))
                newest = newest.group_by(column)
                bodies = select(statements.c.body).where(statements.c.seq.in_(newest))
                for body in connection.scalars(bodies):
                    claim: Statement = from_json(Statement, body)
                    ends = (claim.subject, claim.predicate, claim.object)
                    terms |= {end.id: end for end in ends if isinstance(end, Term) and end.id}
        return terms

    def titles(self, ids: Sequence[str]) -> dict[str, str]:
        """Titles of documents; those without one are left out."""
        query = select(documents.c.id, documents.c.title).where(documents.c.id.in_(ids))
        with self.reading() as connection:
            return {row.id: row.title for row in connection.execute(query) if row.title}

    def _bands(self, filter: Filter) -> list[tuple[str, int]]:
        query = narrowed(select(statements.c.doubt, func.count()), filter)
        totals: dict[str, int] = {}
        with self.reading() as connection:
            for doubt, number in connection.execute(query.group_by(statements.c.doubt)):
                tenth = min(int(round((1 - doubt) * 10, 5)), LAST_BAND)
                band = f"0.{max(tenth, 0)}"
                totals[band] = totals.get(band, 0) + number
        return sorted(totals.items(), reverse=True)

    def _held(self, filter: Filter) -> list[tuple[str, int]]:
        count = select(func.count()).select_from(statements)
        with self.reading() as connection:
            totals = [
                (str(held), connection.scalar(narrowed(count, filter).where(held_condition(held))))
                for held in Held
            ]
        return [(held, number) for held, number in totals if number]
