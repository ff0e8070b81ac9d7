"""Statements with their decisions, as another copy of the project held them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from core.codec import to_json
from core.model import Decision, Evidence, State, Statement
from core.store.id_batches import id_batches
from core.store.proposing import add_proposals
from core.store.table import decisions, statements

STOOD = ("state", "version", "new_evidence")  # columns that follow from the decisions


@dataclass(frozen=True, slots=True)
class RestoredStatement:
    """A statement as it stood; evidence and decisions in order of arrival."""

    statement: Statement
    evidence: tuple[Evidence, ...]
    decisions: tuple[Decision, ...]
    state: State
    new_evidence: bool = False


def restore(
    connection: Connection,
    restored_statements: Iterable[RestoredStatement],
    run: str,
    curator: str,
    *,
    time: str,
) -> tuple[list[str], list[str]]:
    """Add those that are not there, decisions and all; ids of what was restored, and of what is
    known already and was left as it is.
    """
    by_id = {
        restored_statement.statement.id: restored_statement
        for restored_statement in restored_statements
    }
    stored_statements = _stored_ids(connection, statements.c.id, list(by_id))
    stored_decisions = _stored_ids(
        connection, decisions.c.id, [d.id for o in by_id.values() for d in o.decisions]
    )
    new = [
        restored_statement
        for name, restored_statement in by_id.items()
        if name not in stored_statements
        and not any(d.id in stored_decisions for d in restored_statement.decisions)
    ]
    add_proposals(
        connection,
        [(addition.statement, addition.evidence) for addition in new],
        run,
        curator,
        time=time,
    )
    rows = [
        {
            "id": decision.id,
            "statement": decision.statement,
            "version": decision.version,
            "batch": decision.batch,
            "verdict": str(decision.verdict),
            "curator": decision.curator,
            "time": decision.time,
            "body": to_json(decision),
        }
        for addition in new
        for decision in addition.decisions
    ]
    if rows:
        connection.execute(insert(decisions), rows)
    if new:
        stood = update(statements).where(statements.c.id == bindparam("restored"))
        connection.execute(
            stood.values({name: bindparam(f"its_{name}") for name in STOOD}),
            [_stood(addition) for addition in new],
        )
    restored = [addition.statement.id for addition in new]
    return restored, [name for name in by_id if name not in set(restored)]


def _stood(restored: RestoredStatement) -> dict[str, object]:
    """What its decisions led to."""
    version = len(restored.evidence) + len(restored.decisions)
    values = (str(restored.state), version, restored.new_evidence)
    named = {f"its_{name}": value for name, value in zip(STOOD, values, strict=True)}
    return {"restored": restored.statement.id, **named}


def _stored_ids(connection: Connection, column: Any, ids: Sequence[str]) -> set[str]:
    return {
        name
        for part in id_batches(list(ids))
        for name in connection.scalars(select(column).where(column.in_(part)))
    }
