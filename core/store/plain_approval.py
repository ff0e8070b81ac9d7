"""What most of a knowledge base is: statements approved by one decision, as the texts that are
stored, for who goes through very many of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Text, select, type_coerce

from core.model import State, Verdict
from core.store.database import Repository
from core.store.id_batches import id_batches
from core.store.table import decisions, evidence, statements


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
