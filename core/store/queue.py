"""The review queue: which statements, in what order, and who stands beside whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select

from core.codec import from_json
from core.errors import NotFound
from core.model import State, Statement, json_digest
from core.store.database import Repository
from core.store.id_batches import id_batches
from core.store.queue_filter import EVERYTHING, QueueFilter, narrow_query, unsure_unknown_to
from core.store.statement_record import StatementRecord, load_records
from core.store.table import (
    calls,
    curators,
    decisions,
    document_ids,
    documents,
    evidence,
    proposals,
    statements,
    synonyms,
    texts,
)


class QueueRepository(Repository):
    """Statements in the order they were first proposed."""

    def records(
        self,
        filter: QueueFilter = EVERYTHING,
        *,
        limit: int = 0,
        offset: int = 0,
        newest: bool = False,
    ) -> list[StatementRecord]:
        """Records that pass, in order; `limit` 0 gives all."""
        ids = self.ids(filter, limit=limit, offset=offset, newest=newest)
        with self.reading() as connection:
            statement_records = load_records(connection, ids)
        return (
            sorted(statement_records, key=lambda record: -record.seq)
            if newest
            else statement_records
        )

    def ids(
        self,
        filter: QueueFilter = EVERYTHING,
        *,
        limit: int = 0,
        offset: int = 0,
        newest: bool = False,
    ) -> list[str]:
        query = narrow_query(select(statements.c.id), filter)
        query = query.order_by(statements.c.seq.desc() if newest else statements.c.seq)
        query = query.limit(limit).offset(offset) if limit or offset else query
        if offset and not limit:
            query = query.limit(1_000_000_000)
        with self.reading() as connection:
            return list(connection.scalars(query))

    def claims(self, filter: QueueFilter = EVERYTHING, *, limit: int = 0) -> list[Statement]:
        """The statements that pass, in order, without what they rest on; `limit` 0 gives all."""
        query = narrow_query(select(statements.c.body), filter).order_by(statements.c.seq)
        query = query.limit(limit) if limit else query
        with self.reading() as connection:
            return [from_json(Statement, body) for body in connection.scalars(query)]

    def seen_claims(
        self, filter: QueueFilter = EVERYTHING, *, limit: int = 0
    ) -> list[tuple[str, int, Statement]]:
        """The statements that pass, in order, each with its id and version and without what it
        rests on; `limit` 0 gives all.
        """
        columns = select(statements.c.id, statements.c.version, statements.c.body)
        query = narrow_query(columns, filter).order_by(statements.c.seq)
        query = query.limit(limit) if limit else query
        with self.reading() as connection:
            return [
                (row.id, row.version, from_json(Statement, row.body))
                for row in connection.execute(query)
            ]

    def each_claim(self, filter: QueueFilter = EVERYTHING) -> Iterator[tuple[str, Statement]]:
        """The statements that pass, each with its id and without what it rests on, one by one."""
        query = narrow_query(select(statements.c.id, statements.c.body), filter)
        with self.reading() as connection:
            for row in connection.execute(query):
                yield row.id, from_json(Statement, row.body)

    def claims_of(
        self, ids: Sequence[str], filter: QueueFilter = EVERYTHING
    ) -> dict[str, Statement]:
        """Those of these statements that pass, by id, without what they rest on."""
        query = narrow_query(select(statements.c.id, statements.c.body), filter)
        with self.reading() as connection:
            return {
                row.id: from_json(Statement, row.body)
                for part in id_batches(ids)
                for row in connection.execute(query.where(statements.c.id.in_(part)))
            }

    def pieces(self, ids: Sequence[str]) -> dict[str, int]:
        """How many pieces of evidence each of these statements has."""
        counted = select(evidence.c.statement, func.count()).group_by(evidence.c.statement)
        with self.reading() as connection:
            return {
                row[0]: row[1]
                for part in id_batches(ids)
                for row in connection.execute(counted.where(evidence.c.statement.in_(part)))
            }

    def judged_by_several(self) -> list[str]:
        """Statements on which at least two people decided, as they were proposed."""
        people = func.count(decisions.c.curator.distinct())
        several = select(decisions.c.statement).group_by(decisions.c.statement).having(people > 1)
        query = select(statements.c.id).where(statements.c.id.in_(several))
        with self.reading() as connection:
            return list(connection.scalars(query.order_by(statements.c.seq)))

    def versions(self, names: Sequence[str] | None = None) -> dict[str, int]:
        """The version of every statement, or of these: it changes with each piece of evidence and
        decision.
        """
        query = select(statements.c.id, statements.c.version)
        several = [None] if names is None else id_batches(list(names))
        version_by_id: dict[str, int] = {}
        with self.reading() as connection:
            for statement_ids in several:
                part_query = (
                    query
                    if statement_ids is None
                    else query.where(statements.c.id.in_(statement_ids))
                )
                version_by_id |= {row[0]: row[1] for row in connection.execute(part_query)}
        return version_by_id

    def changes(self, since: Sequence[int] = (0, 0, 0)) -> tuple[tuple[int, int, int], list[str]]:
        """How far statements, evidence and decisions have come, and the statements that have
        something new since they had come as far as `since`.
        """
        places = (
            (statements.c.seq, statements.c.id),
            (evidence.c.seq, evidence.c.statement),
            (decisions.c.seq, decisions.c.statement),
        )
        names: set[str] = set()
        with self.reading() as connection:
            reached = self._reached(connection)
            for (seq, name), reached_before in zip(places, since, strict=True):
                names.update(connection.scalars(select(name).where(seq > reached_before)))
        return reached, sorted(names)

    def reached(self) -> tuple[int, int, int]:
        """How far statements, evidence and decisions have come."""
        with self.reading() as connection:
            return self._reached(connection)

    @staticmethod
    def _reached(connection: Connection) -> tuple[int, int, int]:
        columns = (statements.c.seq, evidence.c.seq, decisions.c.seq)
        first, second, third = (
            connection.scalar(select(func.max(column))) or 0 for column in columns
        )
        return first, second, third

    def version_sum(self) -> tuple[int, int]:
        """The number of statements and the sum of their versions."""
        query = select(func.count(), func.sum(statements.c.version)).select_from(statements)
        with self.reading() as connection:
            count, total = connection.execute(query).one()
        return count, total or 0

    def grounds(self) -> list[int]:
        """Changes whenever a text or a call is added that evidence may be proven by."""
        queries = [select(func.count()).select_from(texts), select(func.max(calls.c.seq))]
        with self.reading() as connection:
            return [connection.scalar(query) or 0 for query in queries]

    def stamp(self) -> str:
        """Changes whenever anything does that is shown, approved or exported: statements, what they
        rest on, names.
        """
        added = (statements.c.seq, evidence.c.seq, decisions.c.seq, calls.c.seq)
        queries = [select(func.max(column)) for column in added]
        queries += [select(func.count()).select_from(table) for table in (texts, document_ids)]
        queries.append(select(func.count()).where(documents.c.title != ""))
        queries += [
            select(func.max(synonyms.c.seq)),
            select(func.count()).where(synonyms.c.removed != ""),
        ]
        names = select(curators.c.orcid, curators.c.name).order_by(curators.c.orcid)
        with self.reading() as connection:
            counts = [connection.scalar(query) or 0 for query in queries]
            people = [tuple(row) for row in connection.execute(names)]
        return json_digest([counts, people])

    def count(self, filter: QueueFilter = EVERYTHING) -> int:
        with self.reading() as connection:
            return (
                connection.scalar(
                    narrow_query(select(func.count()).select_from(statements), filter)
                )
                or 0
            )

    def state_counts(self, filter: QueueFilter = EVERYTHING) -> dict[State, int]:
        """How many statements are in each state, as far as the filter's reader may know; every
        state is there.
        """
        state: ColumnElement[Any] = statements.c.state
        if filter.blind_to is not None:
            others_were_unsure = unsure_unknown_to(filter.blind_to)
            state = case((others_were_unsure, str(State.PROPOSED)), else_=state)
        seen = narrow_query(select(state.label("seen")).select_from(statements), filter).subquery()
        query = select(seen.c.seen, func.count()).group_by(seen.c.seen)
        with self.reading() as connection:
            counts = {row[0]: row[1] for row in connection.execute(query)}
        return {state: counts.get(state, 0) for state in State}

    def place(self, id: str, filter: QueueFilter = EVERYTHING) -> tuple[int, str, str]:
        """How many statements of the queue come before this one, and the ids before and after it
        ("" at an end).

        The statement itself need not pass the filter any more (it may just have been decided).
        """
        with self.reading() as connection:
            seq = connection.scalar(select(statements.c.seq).where(statements.c.id == id))
            if seq is None:
                raise NotFound(f"No statement {id[:80]} is stored in this project.")
            before, after = statements.c.seq < seq, statements.c.seq > seq
            ids = narrow_query(select(statements.c.id), filter)
            counted = narrow_query(select(func.count()).select_from(statements), filter)
            return (
                connection.scalar(counted.where(before)) or 0,
                connection.scalar(ids.where(before).order_by(statements.c.seq.desc()).limit(1))
                or "",
                connection.scalar(ids.where(after).order_by(statements.c.seq).limit(1)) or "",
            )

    def values(self, name: str, filter: QueueFilter = EVERYTHING) -> list[str]:
        """What a filter could be set to, sorted: name is schema, run, document, predicate, category
        or curator.
        """
        distinct_values: set[str] = set()
        with self.reading() as connection:
            for column, key in _SOURCES[name]:
                query = select(column).distinct()
                if filter != EVERYTHING:
                    query = narrow_query(query.where(key == statements.c.id), filter)
                distinct_values |= set(connection.scalars(query))
        return sorted(value for value in distinct_values if value)


_SOURCES: dict[str, tuple[tuple[Any, Any], ...]] = {
    "schema": ((proposals.c.schema, proposals.c.statement),),
    "run": ((proposals.c.run, proposals.c.statement),),
    "document": (
        (proposals.c.document, proposals.c.statement),
        (evidence.c.document, evidence.c.statement),
    ),
    "predicate": ((statements.c.predicate, statements.c.id),),
    "category": (
        (statements.c.subject_category, statements.c.id),
        (statements.c.object_category, statements.c.id),
    ),
    "curator": ((decisions.c.curator, decisions.c.statement),),
}
