"""What the project knows of each document in one look: runs, states of its statements, people, tags
and who it is assigned to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, func, insert, select, union

from core.model import State
from core.store.database import Repository
from core.store.table import (
    decisions,
    document_labels,
    documents,
    evidence,
    proposals,
    runs,
    statements,
    texts,
)


@dataclass(slots=True)
class DocumentFacts:
    """Facts of one document. `labels` are (kind, value): (`tag`, words) or (`assigned`, ORCID)."""

    created: str = ""
    begins: str = ""  # how its first text begins
    kinds: tuple[str, ...] = ()
    runs: int = 0
    states: dict[State, int] = field(default_factory=dict)
    curators: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()


class DocumentOverviewRepository(Repository):
    def facts(self) -> Mapping[str, DocumentFacts]:
        """Facts of every document, by its id, in a fixed number of queries."""
        facts: dict[str, DocumentFacts] = {}
        members = union(
            select(proposals.c.document, proposals.c.statement),
            select(evidence.c.document, evidence.c.statement),
        ).subquery()
        with self.reading() as connection:
            for row in connection.execute(select(documents.c.id, documents.c.created)):
                facts[row.id] = DocumentFacts(row.created)
            query = select(texts.c.document, texts.c.kind, func.substr(texts.c.text, 1, 200))
            for document, kind, begins in connection.execute(query.order_by(texts.c.created)):
                if fact := facts.get(document):
                    fact.kinds = tuple(dict.fromkeys((*fact.kinds, kind)))
                    fact.begins = fact.begins or begins
            counted = select(runs.c.document, func.count()).group_by(runs.c.document)
            for document, count in connection.execute(counted):
                if fact := facts.get(document):
                    fact.runs = count
            by_state = (
                select(members.c.document, statements.c.state, func.count())
                .join(statements, statements.c.id == members.c.statement)
                .group_by(members.c.document, statements.c.state)
            )
            for document, state, count in connection.execute(by_state):
                if fact := facts.get(document):
                    fact.states[State(state)] = count
            people = (
                select(members.c.document, decisions.c.curator)
                .join(decisions, decisions.c.statement == members.c.statement)
                .distinct()
            )
            for document, orcid in connection.execute(people):
                if fact := facts.get(document):
                    fact.curators = (*fact.curators, orcid)
            for document, kind, value in connection.execute(
                select(document_labels.c.document, document_labels.c.kind, document_labels.c.value)
            ):
                if fact := facts.get(document):
                    fact.labels = (*fact.labels, (kind, value))
        return facts

    def set_labels(self, document: str, kind: str, values: Sequence[str], curator: str) -> None:
        """Put these labels of one kind in place of what a document has."""

        def work(connection: Connection) -> None:
            place = (document_labels.c.document == document) & (document_labels.c.kind == kind)
            connection.execute(delete(document_labels).where(place))
            common = {"document": document, "kind": kind, "curator": curator, "time": self.clock()}
            rows = [common | {"value": value} for value in values]
            if rows:
                connection.execute(insert(document_labels), rows)

        self.repeating(work)
