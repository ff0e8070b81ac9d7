"""Statements as they stand, with everything on them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from core.codec import from_json
from core.model import Decision, Evidence, State, Statement
from core.store.id_batches import id_batches
from core.store.table import decisions, evidence, proposals, statements

WAITING = (State.PROPOSED, State.UNSURE)  # for a decision


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
    stored_id: str = ""

    @property
    def id(self) -> str:
        return self.stored_id or self.statement.id

    def awaits_blind(self, reader: str) -> bool:
        """Whether it waits, and others judged it while this reader has not."""
        judges = {decision.curator for decision in self.decisions}
        return self.state in WAITING and bool(judges) and reader not in judges


def load_records(connection: Connection, ids: list[str]) -> list[StatementRecord]:
    """Records with evidence, decisions and runs, in the order of the queue."""
    return [record for part in id_batches(ids) for record in _load(connection, part)]


def _load(connection: Connection, ids: list[str]) -> list[StatementRecord]:
    """The statements are read before what is on them: what a server's other users add in between
    makes a decision on the version read here stale, and is never missed by it.
    """
    query = select(statements).where(or_(statements.c.id.in_(ids))).order_by(statements.c.seq)
    rows = connection.execute(query).all()
    grounds: dict[str, list[Evidence]] = {}
    for row in connection.execute(
        select(evidence.c.statement, evidence.c.body)
        .where(evidence.c.statement.in_(ids))
        .order_by(evidence.c.seq)
    ):
        grounds.setdefault(row.statement, []).append(from_json(Evidence, row.body))
    verdicts: dict[str, list[Decision]] = {}
    for row in connection.execute(
        select(decisions.c.statement, decisions.c.body)
        .where(decisions.c.statement.in_(ids))
        .order_by(decisions.c.seq)
    ):
        verdicts.setdefault(row.statement, []).append(from_json(Decision, row.body))
    runs_by_statement: dict[str, list[str]] = {}
    for row in connection.execute(
        select(proposals.c.statement, proposals.c.run)
        .where(proposals.c.statement.in_(ids))
        .order_by(proposals.c.time, proposals.c.run)
    ):
        runs_by_statement.setdefault(row.statement, []).append(row.run)
    return [
        StatementRecord(
            from_json(Statement, row.body),
            tuple(grounds.get(row.id, ())),
            tuple(verdicts.get(row.id, ())),
            version=row.version,
            state=State(row.state),
            new_evidence=row.new_evidence,
            unsupported=row.unsupported,
            seq=row.seq,
            created=row.created,
            runs=tuple(run for run in runs_by_statement.get(row.id, ()) if run),
            stored_id=row.id,
        )
        for row in rows
    ]
