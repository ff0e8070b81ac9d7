"""What the gate said of each statement, so that a new process need not check it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Text, bindparam, delete, insert, select, type_coerce

from core.model import State, Verdict
from core.store.database import Repository
from core.store.id_batches import id_batches
from core.store.statement_row import join_with_bars
from core.store.table import decisions, evidence, gate_results, project, statements

BATCH = 500
# Reasons of the gate that only say in what state a statement is, or say it in other words.
STATES = {
    "not decided yet",
    "marked unsure",
    "rejected",
    "replaced by a correction",
    "new evidence waits for judgement",
}
STAMP = "gate_stamp"  # the property of the project that says what the results depend on
_KEEP = insert(gate_results).values(body=bindparam("body", type_=Text))


@dataclass(frozen=True, slots=True)
class GateResult:
    """A result for one version of a statement; `body` is JSON of the gate, as text, `reasons` are
    why the statement or evidence of it is held back.
    """

    statement: str
    version: int
    body: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateResults:
    """What the gate said of several statements under the rules that `stamp` names."""

    stamp: str
    results: tuple[GateResult, ...]


class GateResultRepository(Repository):
    """A memory, not a record: it may be cleared at any time."""

    def stamp(self) -> str:
        """What the results that are kept depend on; "" where none are."""
        with self.reading() as connection:
            value = connection.scalar(select(project.c.value).where(project.c.name == STAMP))
        return str(value or "")

    def all(self) -> list[GateResult]:
        with self.reading() as connection:
            rows = connection.execute(
                select(
                    gate_results.c.statement,
                    gate_results.c.version,
                    type_coerce(gate_results.c.body, Text),
                )
            )
            return [GateResult(*row) for row in rows]

    def clear(self, stamp: str) -> None:
        """Forget everything; what is added from now on depends on `stamp`."""

        def work(connection: Connection) -> None:
            connection.execute(delete(gate_results))
            connection.execute(delete(project).where(project.c.name == STAMP))
            connection.execute(insert(project).values(name=STAMP, value=stamp))

        self.repeating(work)

    def put(self, results: Iterable[GateResult], gone: Sequence[str] = (), stamp: str = "") -> bool:
        """Keep results in place of older ones, and forget those of statements that are `gone`.
        False, and nothing kept, where the results that are there depend on another `stamp`.
        """
        kept = GateResults(stamp, tuple(results))
        return self.repeating(lambda connection: put_gate_results(connection, kept, gone))

    def unchecked(self, first: str = "", last: str = "") -> list[str]:
        """The statements that no result is kept of as they are now, sorted; with `first` and `last`
        only those between, both included.
        """
        same = (gate_results.c.statement == statements.c.id) & (
            gate_results.c.version == statements.c.version
        )
        query = select(statements.c.id).outerjoin(gate_results, same)
        query = query.where(gate_results.c.statement.is_(None))
        if last:
            query = query.where(statements.c.id.between(first, last))
        with self.reading() as connection:
            return sorted(connection.scalars(query))


def put_gate_results(connection: Connection, kept: GateResults, gone: Sequence[str] = ()) -> bool:
    """As `GateResultRepository.put`, within a transaction."""
    query = select(project.c.value).where(project.c.name == STAMP)
    if connection.scalar(query) != kept.stamp:
        return False
    rows = {
        gate_result.statement: {
            "statement": gate_result.statement,
            "version": gate_result.version,
            "body": gate_result.body,
            "reasons": join_with_bars(set(gate_result.reasons) - STATES),
        }
        for gate_result in kept.results
    }
    names = [*rows, *gone]
    for start in range(0, len(names), BATCH):
        part = names[start : start + BATCH]
        connection.execute(delete(gate_results).where(gate_results.c.statement.in_(part)))
    if rows:
        connection.execute(_KEEP, list(rows.values()))
    return True


@dataclass(frozen=True, slots=True)
class PlainApproval:
    """A statement in the state *approved* with its only decision, whose curator saw all of its
    evidence, and that evidence, sorted by id; everything is JSON as it is stored.
    """

    id: str
    version: int
    statement: str
    decision: str
    evidence: tuple[str, ...]


class PlainApprovalRepository(Repository):
    def of_ids(self, ids: Sequence[str]) -> list[PlainApproval]:
        """Those of these statements that were approved by one decision and wait for nothing."""
        approvals: list[PlainApproval] = []
        decided = (
            select(
                statements.c.id,
                statements.c.version,
                type_coerce(statements.c.body, Text),
                type_coerce(decisions.c.body, Text),
                decisions.c.version,
            )
            .join(decisions, decisions.c.statement == statements.c.id)
            .where(statements.c.state == str(State.APPROVED), ~statements.c.new_evidence)
            .where(decisions.c.verdict == str(Verdict.APPROVE))
        )
        pieces = select(
            evidence.c.statement, evidence.c.id, type_coerce(evidence.c.body, Text)
        ).join(statements, statements.c.id == evidence.c.statement)
        for part in id_batches(ids):
            with self.reading() as connection:
                rows = connection.execute(decided.where(statements.c.id.in_(part))).all()
                grounds = connection.execute(pieces.where(statements.c.id.in_(part))).all()
            several: dict[str, list[tuple[str, str]]] = {}
            for name, piece, body in grounds:
                several.setdefault(name, []).append((piece, body))
            for name, version, statement, decision, seen in rows:
                own = several.get(name, [])
                if version == len(own) + 1 and seen == len(own):  # one decision, on all there is
                    bodies = tuple(body for _, body in sorted(own))
                    approvals.append(
                        PlainApproval(name, version, statement, decision=decision, evidence=bodies)
                    )
        return approvals
