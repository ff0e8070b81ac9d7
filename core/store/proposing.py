"""Adding statements and evidence that are not there yet, in one transaction, and what that did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from core.errors import NotFound
from core.model import Evidence, State, Statement
from core.store.part import parts
from core.store.statement_row import Proposed, evidence_row, proven, score_columns, statement_row
from core.store.table import evidence, proposals, runs, statements


@dataclass(frozen=True, slots=True)
class Proposal:
    """What proposing did: statements that are new, known ones, known ones that got new evidence,
    new evidence ids.
    """

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    strengthened: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


def add_proposals(
    connection: Connection, proposeds: list[Proposed], run: str, curator: str, time: str
) -> Proposal:
    wanted = {statement.id: statement for statement, _ in proposeds}
    have = _present(connection, statements.c.id, wanted)
    fresh = {ground.id: ground for _, some in proposeds for ground in some}
    if strays := {ground.statement for ground in fresh.values()} - wanted.keys():
        have |= (there := _present(connection, statements.c.id, strays))
        if strays - there:
            raise NotFound(
                f"Evidence names a statement that is not stored: {min(strays - there)[:80]}."
            )
    known_evidence = _present(connection, evidence.c.id, fresh)
    fresh = {id: ground for id, ground in fresh.items() if id not in known_evidence}
    new = [id for id in wanted if id not in have]
    grounds = _by_statement(fresh.values())
    _insert_statements(connection, [(wanted[id], grounds.get(id, [])) for id in new], time)
    _insert_proposals(connection, [statement for statement, _ in proposeds], run, curator, time)
    _insert_evidence(connection, list(fresh.values()), time)
    strengthened = tuple(id for id in grounds if id in have)
    for id in strengthened:
        _strengthen(connection, id, grounds[id])
    known = tuple(id for id in wanted if id in have)
    return Proposal(tuple(new), known, strengthened, tuple(fresh))


def _present(connection: Connection, column: Any, ids: Iterable[str]) -> set[str]:
    return {
        id
        for part in parts(list(ids))
        for id in connection.scalars(select(column).where(column.in_(part)))
    }


def _by_statement(grounds: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for ground in grounds:
        found.setdefault(ground.statement, []).append(ground)
    return found


def _insert_statements(
    connection: Connection, new: list[tuple[Statement, list[Evidence]]], time: str
) -> None:
    rows = [statement_row(statement, grounds) | {"created": time} for statement, grounds in new]
    if rows:
        connection.execute(insert(statements), rows)


def _insert_evidence(connection: Connection, new: list[Evidence], time: str) -> None:
    rows = [evidence_row(piece) | {"created": time} for piece in new]
    if rows:
        connection.execute(insert(evidence), rows)


def _strengthen(connection: Connection, id: str, added: list[Evidence]) -> None:
    """Each piece raises the version of a known statement by one; on a decided one it waits."""
    values: dict[str, Any] = {"version": statements.c.version + len(added)}
    values |= {"unsupported": False} if any(map(proven, added)) else {}
    place = statements.c.id == id
    connection.execute(update(statements).where(place).values(values))
    scored = score_columns(added)
    surer = place & (statements.c.doubt > scored["doubt"])
    connection.execute(update(statements).where(surer).values(scored))
    decided = (statements.c.id == id) & (statements.c.state != State.PROPOSED)
    connection.execute(update(statements).where(decided).values(new_evidence=True))


def _insert_proposals(
    connection: Connection, given: list[Statement], run: str, curator: str, time: str
) -> None:
    ids = list(dict.fromkeys(statement.id for statement in given))
    have = {
        id
        for part in parts(ids)
        for id in connection.scalars(
            select(proposals.c.statement).where(
                proposals.c.run == run, proposals.c.statement.in_(part)
            )
        )
    }
    source = connection.execute(
        select(runs.c.schema, runs.c.document).where(runs.c.id == run)
    ).first()
    common = {
        "run": run,
        "curator": curator,
        "time": time,
        "schema": source.schema if source else "",
    }
    documents = {
        statement.id: statement.document or (source.document if source else "")
        for statement in given
    }
    if rows := [
        common | {"statement": id, "document": documents[id]} for id in ids if id not in have
    ]:
        connection.execute(insert(proposals), rows)
