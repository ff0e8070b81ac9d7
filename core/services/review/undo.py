"""Decisions taken back: one, a whole gesture, or the last of a curator."""

from __future__ import annotations

from dataclasses import replace

from core.desk_parts import HasStore
from core.errors import Refused
from core.model import Curator, Decision, Role, State, Verdict
from core.review.fold import still_counts
from core.services.review.decision import (
    DecidingCurator,
    DecisionResult,
    folded_state,
    permitted_author,
)
from core.store import StatementRecord

FEW = 10
RECENT = 500  # how far `undo_last` looks back


def undo_decision(
    desk: HasStore, decision_id: str, curator: Curator, *, id: str = ""
) -> DecisionResult:
    """Undo a decision with everything decided in the same batch; undoing an undo restores it. `id`
    is for the undo of the decision named, where the caller made one.
    """
    named_decision = desk.store.statements.decision(decision_id)
    gesture = (
        desk.store.statements.decisions(batch=named_decision.batch)
        if named_decision.batch
        else [named_decision]
    )
    if any(decision.curator != curator.orcid for decision in gesture):
        desk.store.curators.need(curator.orcid, Role.REVIEWER)
    batch = desk.new_id() if len(gesture) > 1 else ""
    records = {
        record.id: record
        for record in desk.store.statements.of_ids([decision.statement for decision in gesture])
    }
    decider = permitted_author(desk, curator)
    reversals = [
        taken_back(
            decider,
            records[decision.statement],
            decision,
            batch,
            id if decision.id == named_decision.id else "",
        )
        for decision in reversed(gesture)
    ]
    possible = [reversal for reversal in reversals if reversal is not None]
    if not possible:
        raise Refused("This decision was taken back before.", "Undo that undo to restore it.")
    late = desk.store.statements.decide_many(possible)
    undone = [decision for decision, _, _ in possible if decision.id not in late]
    if not undone:
        raise next(iter(late.values()))
    return DecisionResult(desk.store.statements.get(named_decision.statement), tuple(undone))


def taken_back(
    decider: DecidingCurator, record: StatementRecord, decision: Decision, batch: str, id: str = ""
) -> tuple[Decision, State, bool] | None:
    """The undo of one decision with what follows from it; None when it no longer counts."""
    if any(
        entry.undone for entry in folded_state(record).history if entry.decision.id == decision.id
    ):
        return None
    undoing = decider.decision(decision.statement, record.version, Verdict.UNDO, id)
    undoing = replace(undoing, undoes=decision.id, evidence=decision.evidence, batch=batch)
    after = decider.refolded(record, undoing)
    return undoing, after.state, after.has_news


def last_decision(desk: HasStore, curator: str) -> Decision | None:
    """The latest decision of this curator that still counts, on whatever statement: what `u` takes
    back.
    """
    for limit in (FEW, RECENT):  # it is nearly always among the few
        for decision in reversed(desk.store.statements.decisions(curator=curator, limit=limit)):
            history = folded_state(desk.store.statements.get(decision.statement)).history
            if any(entry.decision.id == decision.id and still_counts(entry) for entry in history):
                return decision
    return None


def undo_last(desk: HasStore, curator: Curator, *, id: str = "") -> DecisionResult:
    """Take back this curator's latest decision, also after a reload. Raises Refused when there is
    none.
    """
    latest = last_decision(desk, curator.orcid)
    if latest is None:
        raise Refused("There is no decision of yours to undo.")
    return undo_decision(desk, latest.id, curator, id=id)


def undo_named(desk: HasStore, name: str, curator: Curator) -> DecisionResult:
    """Undo a decision by its id, or the decision in force on a statement by the statement's."""
    if name.startswith("s1-"):
        record = desk.store.statements.get(name)
        standing = [entry.decision for entry in folded_state(record).history if still_counts(entry)]
        if not standing:
            raise Refused("Nothing is decided on this statement, so there is nothing to undo.")
        decision = standing[-1]
    else:
        decision = desk.store.statements.decision(name)
    return undo_decision(desk, decision.id, curator)
