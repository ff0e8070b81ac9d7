"""Adding statements and evidence that are not there yet, in one transaction, and what that did;
restoring those of a bundle with their decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import Connection, bindparam, case, insert, select, update

from core.codec import to_json
from core.errors import NotFound
from core.model import Decision, Evidence, State, Statement
from core.store.id_batches import id_batches
from core.store.statement_row import (
    Proposed,
    evidence_row,
    is_proven,
    join_with_bars,
    score_columns,
    statement_row,
)
from core.store.table import decisions, evidence, proposals, runs, statements


@dataclass(frozen=True, slots=True)
class Proposal:
    """What proposing did: statements that are new, known ones, known ones that got new evidence,
    new evidence ids.
    """

    new: tuple[str, ...] = ()
    already_known: tuple[str, ...] = ()
    strengthened: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


def joined_proposals(parts: Iterable[Proposal]) -> Proposal:
    """What several did, one after another."""
    of_parts = [(p.new, p.already_known, p.strengthened, p.evidence) for p in parts]
    return Proposal(*(tuple(chain.from_iterable(ids)) for ids in zip(*of_parts, strict=True)))


def add_proposals(
    connection: Connection, proposed: list[Proposed], run: str, curator: str, *, time: str
) -> Proposal:
    statements_by_id = {statement.id: statement for statement, _ in proposed}
    have = _present(connection, statements.c.id, statements_by_id)
    fresh = {ground.id: ground for _, pieces in proposed for ground in pieces}
    if strays := {ground.statement for ground in fresh.values()} - statements_by_id.keys():
        have |= (stored_strays := _present(connection, statements.c.id, strays))
        if strays - stored_strays:
            raise NotFound(
                "Evidence names a statement that is not stored:"
                f" {min(strays - stored_strays)[:80]}."
            )
    known_evidence = _present(connection, evidence.c.id, fresh)
    fresh = {id: ground for id, ground in fresh.items() if id not in known_evidence}
    new = [id for id in statements_by_id if id not in have]
    grounds = _by_statement(fresh.values())
    schema = _schema_of(connection, run)
    _insert_statements(
        connection, [(statements_by_id[id], grounds.get(id, [])) for id in new], schema, time
    )
    _insert_proposals(connection, [statement for statement, _ in proposed], run, curator, time=time)
    _insert_evidence(connection, list(fresh.values()), time)
    strengthened = tuple(id for id in grounds if id in have)
    for id in strengthened:
        _strengthen(connection, id, grounds[id])
    known_ids = tuple(id for id in statements_by_id if id in have)
    _add_trait(connection, known_ids, "schemas", schema)
    return Proposal(tuple(new), known_ids, strengthened, tuple(fresh))


def _present(connection: Connection, column: Any, ids: Iterable[str]) -> set[str]:
    return {
        id
        for part in id_batches(list(ids))
        for id in connection.scalars(select(column).where(column.in_(part)))
    }


def _by_statement(grounds: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    by_statement: dict[str, list[Evidence]] = {}
    for ground in grounds:
        by_statement.setdefault(ground.statement, []).append(ground)
    return by_statement


def _schema_of(connection: Connection, run: str) -> str:
    return str(connection.scalar(select(runs.c.schema).where(runs.c.id == run)) or "")


def _insert_statements(
    connection: Connection, new: list[tuple[Statement, list[Evidence]]], schema: str, time: str
) -> None:
    rows = [
        statement_row(statement, grounds, schema) | {"created": time} for statement, grounds in new
    ]
    if rows:
        connection.execute(insert(statements), rows)


def _insert_evidence(connection: Connection, new: list[Evidence], time: str) -> None:
    rows = [evidence_row(piece) | {"created": time} for piece in new]
    if rows:
        connection.execute(insert(evidence), rows)


def _strengthen(connection: Connection, id: str, added: list[Evidence]) -> None:
    """Each piece raises the version of a known statement by one; on a decided one it waits."""
    values: dict[str, Any] = {"version": statements.c.version + len(added)}
    values |= {"unsupported": False} if any(map(is_proven, added)) else {}
    place = statements.c.id == id
    connection.execute(update(statements).where(place).values(values))
    scored = score_columns(added)
    surer = place & (statements.c.doubt > scored["doubt"])
    connection.execute(update(statements).where(surer).values(scored))
    for piece in added:
        _add_trait(connection, [id], "engines", piece.engine)
        _add_trait(connection, [id], "rules", piece.rule)
    decided = (statements.c.id == id) & (statements.c.state != State.PROPOSED)
    connection.execute(update(statements).where(decided).values(new_evidence=True))


def _add_trait(connection: Connection, ids: Sequence[str], name: str, value: str) -> None:
    """One more word in a column of words between bars, where it is not there yet."""
    word = join_with_bars([value])
    if not word:
        return
    column = statements.c[name]
    more = case((column == "", word), else_=column + word.removeprefix("|"))
    missing = ~column.contains(word, autoescape=True)
    for part in id_batches(list(ids)):
        place = statements.c.id.in_(part) & missing
        connection.execute(update(statements).where(place).values({column: more}))


def _insert_proposals(
    connection: Connection, proposed: list[Statement], run: str, curator: str, *, time: str
) -> None:
    ids = list(dict.fromkeys(statement.id for statement in proposed))
    have = {
        id
        for part in id_batches(ids)
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
        for statement in proposed
    }
    if rows := [
        common | {"statement": id, "document": documents[id]} for id in ids if id not in have
    ]:
        connection.execute(insert(proposals), rows)


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
