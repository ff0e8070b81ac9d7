"""Where conflicts may be: statements on the same two things, terms and their names; and what
became of those that were looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, case, func, insert, or_, select, update

from core.codec import from_json
from core.model import State, Statement, Term
from core.store.database import Repository
from core.store.id_batches import id_batches
from core.store.queue_filter import UNGROUNDED
from core.store.table import conflict_outcomes, statements

STANDING = (State.PROPOSED, State.APPROVED, State.UNSURE)


@dataclass(frozen=True, slots=True)
class ConflictOutcome:
    """What a curator said of a conflict: two statements (ids in order; the second may be empty)."""

    first: str
    second: str
    kind: str
    outcome: str
    note: str = ""
    curator: str = ""
    time: str = ""
    seq: int = 0


class ConflictRepository(Repository):
    def on_the_same_things(self, limit: int) -> list[str]:
        """Ids of standing statements that share both ends, in either direction, with another one,
        or have the same end twice.
        """
        table = statements.c
        low = case((table.subject < table.object, table.subject), else_=table.object)
        high = case((table.subject < table.object, table.object), else_=table.subject)
        standing = _standing() & (table.subject != "") & (table.object != "")
        pairs = (
            select(low.label("low"), high.label("high"))
            .where(standing)
            .group_by(low, high)
            .having(or_(func.count() > 1, low == high))
            .subquery()
        )
        query = select(table.id).join(pairs, and_(low == pairs.c.low, high == pairs.c.high))
        with self.reading() as connection:
            return list(connection.scalars(query.where(standing).order_by(table.seq).limit(limit)))

    def terms(self) -> list[Term]:
        """Every grounded term that stands as an end of a standing statement, once for each id."""
        terms_by_id: dict[str, Term] = {}
        with self.reading() as connection:
            for column in (statements.c.subject, statements.c.object):
                newest = (
                    select(func.max(statements.c.seq))
                    .where(_standing(), column != "")
                    .group_by(column)
                )
                bodies = select(statements.c.body).where(statements.c.seq.in_(newest))
                for body in connection.scalars(bodies):
                    claim: Statement = from_json(Statement, body)
                    for thing in (claim.subject, claim.object):
                        if isinstance(thing, Term) and thing.id:
                            terms_by_id[thing.id] = thing
        return list(terms_by_id.values())

    def approved_among(self, ids: Sequence[str]) -> set[str]:
        """Those of these ids that are an end of an approved statement."""
        approved: set[str] = set()
        state = statements.c.state == str(State.APPROVED)
        with self.reading() as connection:
            for part in id_batches(list(ids)):
                for column in (statements.c.subject, statements.c.object):
                    query = select(column).where(state, column.in_(part)).distinct()
                    approved.update(connection.scalars(query))
        return approved

    def of_terms(self, ids: Sequence[str], limit: int) -> list[str]:
        """Ids of standing statements with one of these terms, or with words without a term."""
        statement_ids: dict[str, None] = {}
        with self.reading() as connection:
            query = select(statements.c.id).where(_standing()).order_by(statements.c.seq)
            for part in id_batches(list(ids)):
                ends = or_(statements.c.subject.in_(part), statements.c.object.in_(part))
                statement_ids |= dict.fromkeys(connection.scalars(query.where(ends).limit(limit)))
            statement_ids |= dict.fromkeys(connection.scalars(query.where(UNGROUNDED).limit(limit)))
        return list(statement_ids)[:limit]

    def settle(self, outcome: ConflictOutcome) -> ConflictOutcome | None:
        """Keep what was said of a conflict. Where something stands already it is given back, and
        nothing is kept.
        """
        place = _place(outcome.first, outcome.second, outcome.kind)
        with self.writing() as connection:
            first = select(statements.c.id).where(statements.c.id == outcome.first)
            connection.execute(first.with_for_update())  # on a server, one settles after another
            row = connection.execute(select(conflict_outcomes).where(place)).first()
            if row is not None:
                return ConflictOutcome(*_values(row))
            new = {
                name: getattr(outcome, name)
                for name in ("first", "second", "kind", "outcome", "note", "curator")
            }
            connection.execute(insert(conflict_outcomes).values(**new, time=self.clock()))
            return None

    def settled(self) -> list[ConflictOutcome]:
        """What was said and stands, oldest first."""
        query = select(conflict_outcomes).where(conflict_outcomes.c.undone == "")
        with self.reading() as connection:
            rows = connection.execute(query.order_by(conflict_outcomes.c.seq)).all()
            return [ConflictOutcome(*_values(row)) for row in rows]

    def reopen(self, first_statement: str, second: str, kind: str) -> int:
        """Take back what was said of a conflict; how many outcomes there were."""
        with self.writing() as connection:
            change = update(conflict_outcomes).where(_place(first_statement, second, kind))
            return connection.execute(change.values(undone=self.clock())).rowcount


def _place(first: str, second: str, kind: str) -> Any:
    """What stands of one conflict."""
    table = conflict_outcomes.c
    same = (table.first == first) & (table.second == second) & (table.kind == kind)
    return same & (table.undone == "")


def _standing() -> Any:
    return statements.c.state.in_([str(state) for state in STANDING])


def _values(row: Any) -> tuple[Any, ...]:
    names = ("first", "second", "kind", "outcome", "note", "curator", "time", "seq")
    return tuple(getattr(row, name) for name in names)
