"""Statements as they stand, with everything on them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from core.codec import from_json
from core.model import Decision, Evidence, State, Statement
from core.store.part import parts
from core.store.table import decisions, evidence, proposals, statements


@dataclass(frozen=True, slots=True)
class StatementRecord:
    """A statement as it stands. `version` counts its evidence and decisions; evidence and decisions
    are in the order they were added. `new_evidence`: some came after the decision and waits. `seq`
    is its place in the queue.
    """

    statement: Statement
    evidence: tuple[Evidence, ...] = ()
    decisions: tuple[Decision, ...] = ()
    version: int = 0
    state: State = State.PROPOSED
    new_evidence: bool = False
    unsupported: bool = True
    seq: int = 0
    created: str = ""
    runs: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.statement.id


def load_records(connection: Connection, ids: list[str]) -> list[StatementRecord]:
    """Records with evidence, decisions and runs, in the order of the queue."""
    return [record for part in parts(ids) for record in _load(connection, part)]


def _load(connection: Connection, ids: list[str]) -> list[StatementRecord]:
    grounds: dict[str, list[Evidence]] = {}
    for row in connection.execute(
        select(evidence).where(evidence.c.statement.in_(ids)).order_by(evidence.c.seq)
    ):
        grounds.setdefault(row.statement, []).append(from_json(Evidence, row.body))
    verdicts: dict[str, list[Decision]] = {}
    for row in connection.execute(
        select(decisions).where(decisions.c.statement.in_(ids)).order_by(decisions.c.seq)
    ):
        verdicts.setdefault(row.statement, []).append(from_json(Decision, row.body))
    found: dict[str, list[str]] = {}
    by_time = (proposals.c.time, proposals.c.run)
    for row in connection.execute(
        select(proposals).where(proposals.c.statement.in_(ids)).order_by(*by_time)
    ):
        found.setdefault(row.statement, []).append(row.run)
    query = select(statements).where(or_(statements.c.id.in_(ids))).order_by(statements.c.seq)
    return [
        StatementRecord(
            from_json(Statement, row.body),
            tuple(grounds.get(row.id, ())),
            tuple(verdicts.get(row.id, ())),
            row.version,
            State(row.state),
            row.new_evidence,
            row.unsupported,
            row.seq,
            row.created,
            tuple(run for run in found.get(row.id, ()) if run),
        )
        for row in connection.execute(query)
    ]
