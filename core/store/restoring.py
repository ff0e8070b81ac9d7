"""Statements with their decisions, as another copy of the project held them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from core.codec import to_json
from core.model import Decision, Evidence, State, Statement
from core.store.part import parts
from core.store.proposing import add_proposals
from core.store.table import decisions, statements


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
    time: str,
) -> tuple[list[str], list[str]]:
    """Add those that are not there, decisions and all; ids of what was restored, and of what is
    known already and was left as it is.
    """
    wanted = {
        restored_statement.statement.id: restored_statement
        for restored_statement in restored_statements
    }
    known = _known(connection, statements.c.id, list(wanted))
    taken = _known(connection, decisions.c.id, [d.id for o in wanted.values() for d in o.decisions])
    new = [
        one
        for name, one in wanted.items()
        if name not in known and not any(d.id in taken for d in one.decisions)
    ]
    add_proposals(connection, [(one.statement, one.evidence) for one in new], run, curator, time)
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
        for one in new
        for decision in one.decisions
    ]
    if rows:
        connection.execute(insert(decisions), rows)
    for one in new:
        values = {
            "state": str(one.state),
            "version": len(one.evidence) + len(one.decisions),
            "new_evidence": one.new_evidence,
        }
        place = statements.c.id == one.statement.id
        connection.execute(update(statements).where(place).values(**values))
    restored = [one.statement.id for one in new]
    return restored, sorted(wanted.keys() - set(restored))


def _known(connection: Connection, column: Any, ids: Sequence[str]) -> set[str]:
    return {
        name
        for part in parts(list(ids))
        for name in connection.scalars(select(column).where(column.in_(part)))
    }
