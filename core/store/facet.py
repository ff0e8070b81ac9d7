"""How many statements of the queue there are for each value of a facet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Text, case, exists, func, or_, select, type_coerce

from core.codec import from_json
from core.model import NOT_JUDGED, State, Statement, Term, Verdict
from core.model.decision import UPDATED
from core.store.database import Repository
from core.store.document_notice import withdrawn_documents
from core.store.id_batches import id_batches
from core.store.queue_filter import (
    EVERYTHING,
    LAST_BAND,
    ExportBarrier,
    QueueFilter,
    held_condition,
    narrow_query,
    unknown_to,
)
from core.store.statement_row import split_at_bars
from core.store.table import decisions, documents, gate_results, statements

MOST = 50  # values of one facet, the most frequent first
_TRAITS = {
    "schema": statements.c.schemas,
    "engine": statements.c.engines,
    "rule": statements.c.rules,
}
_COLUMNS: Mapping[str, tuple[tuple[Any, Any], ...]] = {
    "predicate": ((statements.c.predicate, None),),
    "category": ((statements.c.subject_category, None), (statements.c.object_category, None)),
    "thing": ((statements.c.subject, None), (statements.c.object, None)),
    "document": ((statements.c.document, None),),
    "curator": ((decisions.c.curator, decisions.c.statement),),
}


class FacetRepository(Repository):
    def counts(self, facet: str, filter: QueueFilter = EVERYTHING) -> list[tuple[str, int]]:
        """Values of a facet with how many statements have them under the rest of the filter, the
        most frequent first. A statement counts once for each value that it has.
        """
        other_facets = replace(filter, **{facet: ""})  # type: ignore[arg-type]  # facets are texts
        if facet == "band":
            return self._bands(other_facets)
        if facet == "held":
            return self._obstacle_counts(other_facets)
        if facet == "support":
            return self._verdicts(other_facets)
        if facet in _TRAITS:
            return self._traits(_TRAITS[facet], other_facets)
        totals: dict[str, int] = {}
        with self.reading() as connection:
            for column, key in _COLUMNS[facet]:
                count = func.count() if key is None else func.count(statements.c.id.distinct())
                query = select(column, count).select_from(statements)
                if key is not None:
                    query = query.join(key.table, key == statements.c.id)
                query = narrow_query(query, other_facets).where(column != "")
                if key is not None and filter.blind_to is not None:
                    own = column == filter.blind_to
                    query = query.where(or_(own, ~unknown_to(filter.blind_to)))
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

    def _traits(self, column: Any, filter: QueueFilter) -> list[tuple[str, int]]:
        """Values of a column that holds several, each between bars."""
        query = narrow_query(select(column, func.count()), filter).where(column != "")
        totals: dict[str, int] = {}
        with self.reading() as connection:
            for words, number in connection.execute(query.group_by(column)):
                for value in split_at_bars(words):
                    totals[value] = totals.get(value, 0) + number
        return sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST]

    def by_rule(self, states: Sequence[State]) -> list[tuple[str, State, int]]:
        """How many statements in each of these states each relation rule proposed: (rule, state,
        number). Corrections, which people made, are left out; a term that gave way to its successor
        in a newer vocabulary leaves a statement approved.
        """
        updated = exists().where(
            decisions.c.statement == statements.c.id,
            decisions.c.verdict == str(Verdict.SUPERSEDE),
            type_coerce(decisions.c.body, Text).contains(f'"note":"{UPDATED}', autoescape=True),
        )
        superseded = statements.c.state == str(State.SUPERSEDED)
        state_column = case((superseded & updated, str(State.APPROVED)), else_=statements.c.state)
        judged = (
            select(statements.c.rules, state_column.label("state"))
            .where(
                statements.c.state.in_([str(state) for state in states]),
                statements.c.rules != "",
                statements.c.derived_from == "",
            )
            .subquery()
        )
        columns = (judged.c.rules, judged.c.state)
        totals: dict[tuple[str, State], int] = {}
        with self.reading() as connection:
            query = select(*columns, func.count()).group_by(*columns)
            for rules, state, number in connection.execute(query):
                for rule in split_at_bars(rules):
                    key = rule, State(state)
                    totals[key] = totals.get(key, 0) + number
        return [(*key, number) for key, number in totals.items()]

    def _verdicts(self, filter: QueueFilter) -> list[tuple[str, int]]:
        """Verdicts of the judges of support, and how many statements no judge has seen."""
        query = narrow_query(select(statements.c.support, func.count()), filter)
        with self.reading() as connection:
            rows = connection.execute(query.group_by(statements.c.support)).all()
        return sorted(((verdict or NOT_JUDGED, n) for verdict, n in rows), key=lambda p: -p[1])

    def _bands(self, filter: QueueFilter) -> list[tuple[str, int]]:
        query = narrow_query(select(statements.c.doubt, func.count()), filter)
        totals: dict[str, int] = {}
        with self.reading() as connection:
            for doubt, number in connection.execute(query.group_by(statements.c.doubt)):
                tenth = min(int(round((1 - doubt) * 10, 5)), LAST_BAND)
                band = f"0.{max(tenth, 0)}"
                totals[band] = totals.get(band, 0) + number
        return sorted(totals.items(), reverse=True)

    def _obstacle_counts(self, filter: QueueFilter) -> list[tuple[str, int]]:
        """What stands in the way of an export, and what the gate said when it last saw a statement
        as it is now.
        """
        gate_query = select(
            gate_results.c.statement, gate_results.c.version, gate_results.c.reasons
        )
        totals: dict[str, int] = {}
        with self.reading() as connection:
            rows = connection.execute(gate_query.where(gate_results.c.reasons != "")).all()
            results = {row.statement: row for row in rows}
            for part in id_batches(list(results)):
                now = narrow_query(select(statements.c.id, statements.c.version), filter)
                for id, version in connection.execute(now.where(statements.c.id.in_(part))):
                    for reason in split_at_bars(results[id].reasons) * (
                        results[id].version == version
                    ):
                        totals[reason] = totals.get(reason, 0) + 1
            columns = [
                func.sum(case((held_condition(barrier), 1), else_=0))
                for barrier in ExportBarrier
                if barrier is not ExportBarrier.WITHDRAWN
            ]
            counts = connection.execute(narrow_query(select(*columns), filter)).one()
            simple = [
                barrier for barrier in ExportBarrier if barrier is not ExportBarrier.WITHDRAWN
            ]
            totals |= {str(barrier): n or 0 for barrier, n in zip(simple, counts, strict=True)}
            if connection.execute(withdrawn_documents().limit(1)).first() is not None:
                count = narrow_query(select(func.count()).select_from(statements), filter)
                resting = connection.scalar(count.where(held_condition(ExportBarrier.WITHDRAWN)))
                totals[str(ExportBarrier.WITHDRAWN)] = int(resting or 0)
        return sorted((pair for pair in totals.items() if pair[1]), key=lambda pair: -pair[1])
