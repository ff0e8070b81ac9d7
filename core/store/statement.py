"""Statements, their evidence and the decisions on them. Decisions are only ever appended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.codec import from_json, to_json
from core.errors import NotFound, StaleVersion
from core.model import (
    MANUAL,
    Decision,
    Evidence,
    Role,
    State,
    Verdict,
)
from core.store.curator import CuratorRepository
from core.store.database import Repository
from core.store.former_label import FormerLabel, former_labels, relabel
from core.store.proposing import Proposal, RestoredStatement, add_proposals, restore
from core.store.statement_record import StatementRecord, load_records
from core.store.statement_row import Proposed, storable_proposal
from core.store.table import curators, decisions, evidence, proposals, statements

_V = TypeVar("_V")


class StatementRepository(Repository):
    def propose(self, proposed: Iterable[Proposed], run: str = "", curator: str = "") -> Proposal:
        """Add statements and evidence that are not there yet, all or nothing, in order. What is
        known stays as it was decided; new evidence on a decided statement waits for judgement.
        Raises Forbidden for a reader; what an engine proposes has no curator.
        """
        self._need(curator, Role.CURATOR)
        storable = [storable_proposal(statement, grounds) for statement, grounds in proposed]
        return self.repeating(
            lambda connection: add_proposals(connection, storable, run, curator, time=self.clock())
        )

    def restore(
        self, restored_statements: Iterable[RestoredStatement], run: str = "", curator: str = ""
    ) -> tuple[list[str], list[str]]:
        """Add statements with their decisions, all or nothing; ids of those restored, and of those
        that are known here and stay as they are. Raises Forbidden for somebody who is no owner.
        """
        self._need(curator, Role.OWNER)
        rows = list(restored_statements)
        return self.repeating(
            lambda connection: restore(connection, rows, run, curator, time=self.clock())
        )

    def _is_blind(self, decision: Decision) -> bool:
        return CuratorRepository(self._database).rights(decision.curator).policy.blind

    def _need(self, orcid: str, role: Role) -> None:
        """What an engine proposes has no curator. Raises Forbidden for somebody who may do less."""
        if orcid:
            CuratorRepository(self._database).need(orcid, role)

    def decide(
        self,
        decision: Decision,
        state: State,
        *,
        new_evidence: bool | None = None,
        also: Sequence[Proposed] = (),
        seen: StatementRecord | None = None,
    ) -> StatementRecord:
        """Append a decision if the statement is still at the version that the curator saw.

        `state` is what the decisions fold to with this one; `new_evidence` whether evidence still
        waits (default: not, after a verdict on the statement). `also` are statements to propose in
        the same transaction (a correction). `seen` is the record that was read for this decision,
        and saves reading it again. Raises StaleVersion that says what happened meanwhile, or
        NotFound.
        """
        try:
            with self.writing() as connection:
                decision = _decide(connection, decision, state, new_evidence)
                if also:
                    add_proposals(
                        connection, list(also), run="", curator=decision.curator, time=decision.time
                    )
        except (IntegrityError, _Stale):
            blind = self._is_blind(decision)
            record = self.get(decision.statement)
            raise stale_decision(record, decision, blind=blind) from None
        if seen is None or seen.version != decision.version:
            return self.get(decision.statement)
        # the version was still this one, so that nothing else is new on it
        return replace(
            seen,
            decisions=(*seen.decisions, decision),
            version=decision.version + 1,
            state=state,
            new_evidence=_has_news(decision, new_evidence, seen.new_evidence),
        )

    def decide_many(
        self, outcomes: Iterable[tuple[Decision, State, bool]]
    ) -> dict[str, StaleVersion]:
        """Append the decisions of one gesture, each with the state and the news that it leads to,
        in one transaction. A statement may be named more than once, each time at the version that
        the decision before it led to. Decisions that do not fit are left out, with those after them
        on the same statement; gives their ids with what happened meanwhile.
        """
        late: list[Decision] = []
        passed: set[str] = set()
        with self.writing() as connection:
            for decision, state, news in outcomes:
                try:
                    if decision.statement in passed:
                        raise _Stale
                    _decide(connection, decision, state, news)
                except _Stale:
                    late.append(decision)
                    passed.add(decision.statement)
        records = {record.id: record for record in self.of_ids(list(passed))}
        blind = bool(late) and self._is_blind(late[0])
        return {
            decision.id: stale_decision(records[decision.statement], decision, blind=blind)
            for decision in late
        }

    def relabel(self, labels: Mapping[str, str], renamed_in: str = "") -> int:
        """Write new labels (CURIE → label) into the statements that speak of these terms; how many
        there were. A statement's id does not depend on labels, what was decided stays, and what
        the terms were called is noted (`former_labels`).
        """
        return self.repeating(lambda connection: relabel(connection, dict(labels), renamed_in))

    def former_labels(self, ids: Sequence[str]) -> dict[str, tuple[FormerLabel, ...]]:
        """What terms of these statements were called before a vocabulary renamed them."""
        with self.reading() as connection:
            return former_labels(connection, ids)

    def get(self, id: str) -> StatementRecord:
        """A statement with everything on it. Raises NotFound."""
        with self.reading() as connection:
            statement_records = load_records(connection, [id])
        if not statement_records:
            raise NotFound(f"No statement {id[:80]} is stored in this project.")
        return statement_records[0]

    def of_ids(self, ids: Sequence[str]) -> list[StatementRecord]:
        """The statements of these ids that exist, in the order asked."""
        with self.reading() as connection:
            statement_records = {
                record.id: record for record in load_records(connection, list(ids))
            }
        return [statement_records[id] for id in ids if id in statement_records]

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

    def makers(self, id: str) -> set[str]:
        """Who marked this statement by hand, or corrected another into it: ORCIDs."""
        record = self.get(id)
        by_hand = any(piece.engine == MANUAL for piece in record.evidence)
        if not by_hand and not record.statement.derived_from:
            return set()
        query = select(proposals.c.curator).where(proposals.c.statement == id)
        with self.reading() as connection:
            return {orcid for orcid in connection.scalars(query) if orcid}


def stale_decision(
    record: StatementRecord, decision: Decision, *, blind: bool = False
) -> StaleVersion:
    """Why a decision does not fit the statement as it is now, and what happened meanwhile. Where
    reviews are `blind`, how others judged what waits is not said.
    """
    if decision.version > record.version:
        return StaleVersion(
            f"This statement is at version {record.version}; there is no version"
            f" {decision.version} yet.",
            f"Look at it, then decide with version {record.version}.",
        )
    later = record.decisions[-1] if record.decisions else None
    if record.version == decision.version:
        return StaleVersion("This decision was already stored.", "It was not stored twice.")
    if blind and record.awaits_blind(decision.curator):
        change = "somebody judged it or added evidence"
    elif later and later.version >= decision.version:
        who = later.curator_name or later.curator
        when = f"on {later.time[:10]} at {later.time[11:16]} UTC"
        change = f"{who} decided “{later.verdict}” on it {when}"
    else:
        change = "new evidence was added to it"
    return StaleVersion(
        f"This statement changed since you opened it: {change}.", "Look at it again, then decide."
    )


MOST_VERSIONS = 2**31 - 1  # what the column holds


class _Stale(Exception):
    pass


def _decide(
    connection: Connection, decision: Decision, state: State, new_evidence: bool | None
) -> Decision:
    """Append it; gives it as it was stored, with the name that its curator has now."""
    place = statements.c.id == decision.statement
    values: dict[str, Any] = {"version": decision.version + 1, "state": str(state)}
    values["new_evidence"] = _has_news(decision, new_evidence, statements.c.new_evidence)
    at_version = update(statements).where(place, statements.c.version == decision.version)
    storable = decision.version < MOST_VERSIONS  # a database refuses to compare with 10^30
    if not storable or not connection.execute(at_version.values(values)).rowcount:
        if connection.execute(select(statements.c.id).where(place)).first() is None:
            raise NotFound(f"No statement {decision.statement[:80]} is stored in this project.")
        raise _Stale
    if decision.verdict == Verdict.UNDO:
        _check_undo(connection, decision)
    if not decision.curator_name:
        name_query = select(curators.c.name).where(curators.c.orcid == decision.curator)
        decision = replace(decision, curator_name=connection.scalar(name_query) or "")
    row = {
        "id": decision.id,
        "statement": decision.statement,
        "version": decision.version,
        "batch": decision.batch,
    }
    row |= {"verdict": str(decision.verdict), "curator": decision.curator, "time": decision.time}
    connection.execute(insert(decisions).values(**row, body=to_json(decision)))
    return decision


def _has_news(decision: Decision, new_evidence: bool | None, before: _V) -> bool | _V:
    """Whether evidence still waits once this decision stands; a verdict on one piece alone changes
    nothing unless it is said.
    """
    return before if new_evidence is None and decision.evidence else bool(new_evidence)


def _check_undo(connection: Connection, decision: Decision) -> None:
    place = (decisions.c.id == decision.undoes) & (decisions.c.statement == decision.statement)
    if connection.execute(select(decisions.c.id).where(place)).first() is None:
        raise NotFound(
            f"There is no decision {decision.undoes[:80] or '(none named)'} on this statement to"
            " undo."
        )
