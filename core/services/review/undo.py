"""Decisions taken back: one, a whole gesture, or the last of a curator."""

from __future__ import annotations

from dataclasses import replace

from core.desk import Desk
from core.errors import Refused
from core.model import Curator, Decision, Role, State, Verdict
from core.review.fold import still_counts
from core.services.review.decision import DecisionResult, decision, folded, refolded
from core.store import StatementRecord

FEW = 10
RECENT = 500  # how far `undo_last` looks back


def undo(desk: Desk, decision_id: str, curator: Curator, *, id: str = "") -> DecisionResult:
    """Undo a decision with everything decided in the same batch; undoing an undo restores it. `id`
    is for the undo of the decision named, where the caller made one.
    """
    first = desk.store.statements.decision(decision_id)
    gesture = desk.store.statements.decisions(batch=first.batch) if first.batch else [first]
    if any(made.curator != curator.orcid for made in gesture):
        desk.store.curators.need(curator.orcid, Role.REVIEWER)
    batch = desk.new_id() if len(gesture) > 1 else ""
    records = {
        record.id: record
        for record in desk.store.statements.of_ids([made.statement for made in gesture])
    }
    given = [
        taken_back(
            desk, records[made.statement], made, curator, batch, id if made.id == first.id else ""
        )
        for made in reversed(gesture)
    ]
    wanted = [one for one in given if one is not None]
    if not wanted:
        raise Refused("This decision was taken back before.", "Undo that undo to restore it.")
    late = desk.store.statements.decide_many(wanted)
    done = [made for made, _, _ in wanted if made.statement not in late]
    if not done:
        raise next(iter(late.values()))
    return DecisionResult(desk.store.statements.get(first.statement), tuple(done))


def taken_back(
    desk: Desk, record: StatementRecord, made: Decision, curator: Curator, batch: str, id: str = ""
) -> tuple[Decision, State, bool] | None:
    """The undo of one decision with what follows from it; None when it no longer counts."""
    if any(entry.undone for entry in folded(record).history if entry.decision.id == made.id):
        return None
    given = decision(desk, made.statement, record.version, Verdict.UNDO, curator, id)
    given = replace(given, undoes=made.id, evidence=made.evidence, batch=batch)
    after = refolded(desk, record, given)
    return given, after.state, after.has_news


def last_decision(desk: Desk, curator: str) -> Decision | None:
    """The latest decision of this curator that still counts, on whatever statement: what `u` takes
    back.
    """
    for limit in (FEW, RECENT):  # it is nearly always among the few
        for made in reversed(desk.store.statements.decisions(curator=curator, limit=limit)):
            history = folded(desk.store.statements.get(made.statement)).history
            if any(entry.decision.id == made.id and still_counts(entry) for entry in history):
                return made
    return None


def undo_last(desk: Desk, curator: Curator, *, id: str = "") -> DecisionResult:
    """Take back this curator's latest decision, also after a reload. Raises Refused when there is
    none.
    """
    made = last_decision(desk, curator.orcid)
    if made is None:
        raise Refused("There is no decision of yours to undo.")
    return undo(desk, made.id, curator, id=id)


def undo_named(desk: Desk, name: str, curator: Curator | None) -> DecisionResult:
    """Undo a decision by its id, or the decision in force on a statement by the statement's."""
    if name.startswith("s1-"):
        record = desk.store.statements.get(name)
        standing = [entry.decision for entry in folded(record).history if still_counts(entry)]
        if not standing:
            raise Refused("Nothing is decided on this statement, so there is nothing to undo.")
        made = standing[-1]
    else:
        made = desk.store.statements.decision(name)
    return undo(desk, made.id, curator or Curator(made.curator))
