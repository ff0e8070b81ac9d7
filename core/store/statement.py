"""Statements, their evidence and the decisions on them. Decisions are only ever appended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from sqlalchemy import Connection, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from core.codec import from_json, to_json
from core.errors import NotFound, StaleVersion
from core.model import (
    Decision,
    Evidence,
    Literal,
    Qualifier,
    RecordGround,
    ReferenceGround,
    State,
    Statement,
    Term,
    TextGround,
    Thing,
    Verdict,
    fold_words,
)
from core.store.database import Repository
from core.store.table import curators, decisions, evidence, proposals, runs, statements

Proposed = tuple[Statement, Sequence[Evidence]]
_T = TypeVar("_T", bound=Thing)
_MANY = 500  # ids in one query


@dataclass(frozen=True, slots=True)
class Proposal:
    """What proposing did: statements that are new, known ones, known ones that got new evidence,
    new evidence ids.
    """

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    strengthened: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


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


class StatementRepository(Repository):
    def propose(self, proposed: Iterable[Proposed], run: str = "", curator: str = "") -> Proposal:
        """Add statements and evidence that are not there yet, all or nothing, in order. What is
        known stays as it was decided; new evidence on a decided statement waits for judgement.
        """
        given = [_storable(statement, grounds) for statement, grounds in proposed]
        return self.repeating(
            lambda connection: _propose(connection, given, run, curator, self.clock())
        )

    def decide(
        self,
        decision: Decision,
        state: State,
        *,
        new_evidence: bool | None = None,
        also: Sequence[Proposed] = (),
    ) -> StatementRecord:
        """Append a decision if the statement is still at the version that the curator saw.

        `state` is what the decisions fold to with this one; `new_evidence` whether evidence still
        waits (default: not, after a verdict on the statement). `also` are statements to propose in
        the same transaction (a correction). Raises StaleVersion that says what happened meanwhile,
        or NotFound.
        """
        try:
            with self.writing() as connection:
                _decide(connection, decision, state, new_evidence)
                if also:
                    _propose(connection, list(also), "", decision.curator, decision.time)
        except (IntegrityError, _Stale):
            raise StaleVersion(*self._meanwhile(decision)) from None
        return self.get(decision.statement)

    def decide_many(self, given: Iterable[tuple[Decision, State, bool]]) -> dict[str, StaleVersion]:
        """Append the decisions of one gesture, each with the state and the news that it leads to,
        in one transaction. Statements that are not at the version seen are left out; gives them
        with what happened meanwhile.
        """
        late = []
        with self.writing() as connection:
            for decision, state, news in given:
                try:
                    _decide(connection, decision, state, news)
                except _Stale:
                    late.append(decision)
        return {decision.statement: StaleVersion(*self._meanwhile(decision)) for decision in late}

    def relabel(self, labels: Mapping[str, str]) -> int:
        """Write new labels (CURIE → label) into the statements that speak of these terms; how many
        there were. A statement's id does not depend on labels, and what was decided stays.
        """
        return self.repeating(lambda connection: _relabel(connection, dict(labels)))

    def get(self, id: str) -> StatementRecord:
        """A statement with everything on it. Raises NotFound."""
        with self.reading() as connection:
            found = load_records(connection, [id])
        if not found:
            raise NotFound(f"No statement {id[:80]} is stored in this project.")
        return found[0]

    def of_ids(self, ids: Sequence[str]) -> list[StatementRecord]:
        """The statements of these ids that exist, in the order asked."""
        with self.reading() as connection:
            found = {record.id: record for record in load_records(connection, list(ids))}
        return [found[id] for id in ids if id in found]

    def evidence(self, id: str) -> Evidence:
        with self.reading() as connection:
            body = connection.scalar(select(evidence.c.body).where(evidence.c.id == id))
        if body is None:
            raise NotFound(f"No evidence {id[:80]} is stored in this project.")
        return from_json(Evidence, body)

    def decision(self, id: str) -> Decision:
        with self.reading() as connection:
            body = connection.scalar(select(decisions.c.body).where(decisions.c.id == id))
        if body is None:
            raise NotFound(f"No decision {id[:80]} is stored in this project.")
        return from_json(Decision, body)

    def decisions(
        self, statement: str = "", *, batch: str = "", curator: str = "", limit: int = 0
    ) -> list[Decision]:
        """Decisions on a statement, of a batch or by a curator, oldest first; with `limit`, the
        last ones.
        """
        query = select(decisions.c.body)
        for column, value in ((decisions.c.statement, statement), (decisions.c.batch, batch)):
            query = query.where(column == value) if value else query
        query = query.where(decisions.c.curator == curator) if curator else query
        query = query.order_by(decisions.c.seq.desc())
        with self.reading() as connection:
            bodies = connection.scalars(query.limit(limit) if limit else query).all()
        return [from_json(Decision, body) for body in reversed(bodies)]

    def _meanwhile(self, decision: Decision) -> tuple[str, str]:
        record = self.get(decision.statement)
        if decision.version > record.version:
            return (
                (
                    f"This statement is at version {record.version}; there is no version"
                    f" {decision.version} yet."
                ),
                f"Look at it, then decide with version {record.version}.",
            )
        later = record.decisions[-1] if record.decisions else None
        if record.version == decision.version:
            return "This decision was stored before.", "Nothing was done twice."
        if later and later.version >= decision.version:
            what = f"{later.curator} decided “{later.verdict}” on it at {later.time}"
        else:
            what = "new evidence was added to it"
        return (
            f"This statement changed since you opened it: {what}.",
            "Look at it again, then decide.",
        )


class _Stale(Exception):
    pass


def _decide(
    connection: Connection, decision: Decision, state: State, new_evidence: bool | None
) -> None:
    place = statements.c.id == decision.statement
    values: dict[str, Any] = {"version": decision.version + 1, "state": str(state)}
    if new_evidence is not None or not decision.evidence:
        values["new_evidence"] = bool(new_evidence)
    changed = connection.execute(
        update(statements).where(place, statements.c.version == decision.version).values(values)
    )
    if not changed.rowcount:
        if connection.execute(select(statements.c.id).where(place)).first() is None:
            raise NotFound(f"No statement {decision.statement[:80]} is stored in this project.")
        raise _Stale
    if decision.verdict == Verdict.UNDO:
        _check_undo(connection, decision)
    if not decision.curator_name:
        known = select(curators.c.name).where(curators.c.orcid == decision.curator)
        decision = replace(decision, curator_name=connection.scalar(known) or "")
    row = {
        "id": decision.id,
        "statement": decision.statement,
        "version": decision.version,
        "batch": decision.batch,
    }
    row |= {"verdict": str(decision.verdict), "curator": decision.curator, "time": decision.time}
    connection.execute(insert(decisions).values(**row, body=to_json(decision)))


def _check_undo(connection: Connection, decision: Decision) -> None:
    place = (decisions.c.id == decision.undoes) & (decisions.c.statement == decision.statement)
    if connection.execute(select(decisions.c.id).where(place)).first() is None:
        raise NotFound(
            f"There is no decision {decision.undoes[:80] or '(none named)'} on this statement to"
            " undo."
        )


def _propose(
    connection: Connection, given: list[Proposed], run: str, curator: str, time: str
) -> Proposal:
    wanted = {statement.id: statement for statement, _ in given}
    have = _present(connection, statements.c.id, wanted)
    fresh = {ground.id: ground for _, some in given for ground in some}
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
    _insert_proposals(connection, [statement for statement, _ in given], run, curator, time)
    _insert_evidence(connection, list(fresh.values()), time)
    strengthened = tuple(id for id in grounds if id in have)
    for id in strengthened:
        _strengthen(connection, id, grounds[id])
    known = tuple(id for id in wanted if id in have)
    return Proposal(tuple(new), known, strengthened, tuple(fresh))


def _relabel(connection: Connection, labels: dict[str, str]) -> int:
    columns, changed = (statements.c.subject, statements.c.predicate, statements.c.object), 0
    for part in _parts(list(labels)):
        place = or_(*(column.in_(part) for column in columns))
        for id, body in connection.execute(select(statements.c.id, statements.c.body).where(place)):
            before: Statement = from_json(Statement, body)
            after = replace(
                before,
                subject=_labelled(before.subject, labels),
                predicate=_labelled(before.predicate, labels),
                object=_labelled(before.object, labels),
            )
            if after != before:
                row = {key: value for key, value in _row(after, []).items() if key in _NAMED}
                connection.execute(update(statements).where(statements.c.id == id).values(**row))
                changed += 1
    return changed


_NAMED = ("body", "search")  # what of a row depends on labels


def _labelled(thing: _T, labels: Mapping[str, str]) -> _T:
    known = labels.get(thing.id, "") if isinstance(thing, Term) else ""
    return replace(thing, label=known) if known and isinstance(thing, Term) else thing


_LONE = re.compile(r"[\ud800-\udfff\x00]")  # what JSON may hold (`"\ud83d"`) and no page can show


def _storable(statement: Statement, grounds: Sequence[Evidence]) -> Proposed:
    """A proposal whose words every database and page can show: lone surrogates and NUL become
    U+FFFD, and its evidence follows the statement.
    """
    words = [word for thing in _things(statement) for word in _names(thing)]
    words += [qualifier.name for qualifier in statement.qualifiers]
    if not any(_LONE.search(word) for word in words):
        return statement, grounds
    shown = replace(
        statement,
        subject=_shown(statement.subject),
        predicate=_shown(statement.predicate),
        object=_shown(statement.object),
        qualifiers=tuple(
            Qualifier(_LONE.sub("\ufffd", one.name), _shown(one.value))
            for one in statement.qualifiers
        ),
    )
    old, new = statement.id, shown.id
    return shown, [replace(one, statement=new) if one.statement == old else one for one in grounds]


T = TypeVar("T", bound=Thing)


def _shown(thing: T) -> T:
    """A thing without characters that cannot be shown."""
    texts = {
        field.name: _LONE.sub("\ufffd", value)
        for field in fields(thing)
        if type(value := getattr(thing, field.name)) is str
    }
    return replace(thing, **texts)  # type: ignore[arg-type]  # the same fields, as texts


def _things(statement: Statement) -> tuple[Thing, ...]:
    return (
        statement.subject,
        statement.predicate,
        statement.object,
        *(qualifier.value for qualifier in statement.qualifiers),
    )


def _present(connection: Connection, column: Any, ids: Iterable[str]) -> set[str]:
    return {
        id
        for part in _parts(list(ids))
        for id in connection.scalars(select(column).where(column.in_(part)))
    }


def _parts(ids: list[str]) -> Iterable[list[str]]:
    return (ids[start : start + _MANY] for start in range(0, len(ids), _MANY))


def _by_statement(grounds: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for ground in grounds:
        found.setdefault(ground.statement, []).append(ground)
    return found


def _insert_statements(
    connection: Connection, new: list[tuple[Statement, list[Evidence]]], time: str
) -> None:
    rows = [_row(statement, grounds) | {"created": time} for statement, grounds in new]
    if rows:
        connection.execute(insert(statements), rows)


def _insert_evidence(connection: Connection, new: list[Evidence], time: str) -> None:
    rows = [
        {
            "id": e.id,
            "statement": e.statement,
            "run": e.run,
            "document": _document(e),
            "created": time,
            "body": to_json(e),
        }
        for e in new
    ]
    if rows:
        connection.execute(insert(evidence), rows)


def _strengthen(connection: Connection, id: str, added: list[Evidence]) -> None:
    """Each piece raises the version of a known statement by one; on a decided one it waits."""
    values: dict[str, Any] = {"version": statements.c.version + len(added)}
    values |= {"unsupported": False} if any(map(_proven, added)) else {}
    connection.execute(update(statements).where(statements.c.id == id).values(values))
    decided = (statements.c.id == id) & (statements.c.state != State.PROPOSED)
    connection.execute(update(statements).where(decided).values(new_evidence=True))


def _insert_proposals(
    connection: Connection, given: list[Statement], run: str, curator: str, time: str
) -> None:
    ids = list(dict.fromkeys(statement.id for statement in given))
    have = {
        id
        for part in _parts(ids)
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


def _row(statement: Statement, grounds: list[Evidence]) -> dict[str, Any]:
    things = _things(statement)
    return {
        "id": statement.id,
        "state": str(State.PROPOSED),
        "version": len(grounds),
        "subject": thing_key(statement.subject),
        "predicate": statement.predicate.id or statement.predicate.label,
        "object": thing_key(statement.object),
        "subject_category": category(statement.subject),
        "object_category": category(statement.object),
        "unsupported": not any(map(_proven, grounds)),
        "new_evidence": False,
        "search": fold_words(" ".join(word for thing in things for word in _names(thing))),
        "derived_from": statement.derived_from,
        "body": to_json(statement),
    }


def thing_key(thing: Thing) -> str:
    """What a thing is looked up by: its CURIE or node id; words and values have none."""
    return "" if isinstance(thing, Literal) else thing.id


def category(thing: Thing) -> str:
    return "" if isinstance(thing, Literal) else str(thing.category)


def _names(thing: Thing) -> tuple[str, str]:
    return (thing.value, thing.unit) if isinstance(thing, Literal) else (thing.id, thing.label)


def _document(one: Evidence) -> str:
    match one.ground:
        case TextGround(document=document):
            return document
        case ReferenceGround(reference=reference):
            return reference
    return ""


def _proven(one: Evidence) -> bool:
    """A quote at its place in a text, or a recorded call; a typed reference proves nothing by
    itself.
    """
    match one.ground:
        case TextGround(span=span, quote=quote):
            return bool(quote) and span.end > span.start
        case RecordGround(call=call):
            return bool(call)
    return False


def load_records(connection: Connection, ids: list[str]) -> list[StatementRecord]:
    """Records with evidence, decisions and runs, in the order of the queue."""
    return [record for part in _parts(ids) for record in _load(connection, part)]


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
