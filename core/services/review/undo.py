"""Decisions taken back: one, a whole gesture, or the last of a curator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.desk_parts import HasStore
from core.errors import Refused
from core.model import Curator, Decision, Role, State, Verdict
from core.review.statement_state import folded_state, still_counts
from core.services.review.decision import (
    DecidingCurator,
    DecisionResult,
    forget_correction,
    permitted_author,
)
from core.store import StatementRecord

Reversal = tuple[Decision, State, bool]  # a decision with the state and the news it leads to
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
    corrections = [decision for decision in gesture if decision.verdict is Verdict.SUPERSEDE]
    batch = desk.new_id() if len(gesture) > 1 or corrections else ""
    records = {
        record.id: record
        for record in desk.store.statements.of_ids(
            [
                *(decision.statement for decision in gesture),
                *(correction.replacement for correction in corrections),
            ]
        )
    }
    decider = permitted_author(desk, curator)
    possible: list[Reversal] = []
    for decision in reversed(gesture):
        own_id = id if decision.id == named_decision.id else ""
        reversal = taken_back(decider, records[decision.statement], decision, batch, id=own_id)
        if reversal is None:
            continue
        aside = _set_aside(decider, records, decision, batch)
        for step in (aside, reversal) if aside else (reversal,):
            records[step[0].statement] = _with_step(records[step[0].statement], step)
            possible.append(step)
    if not possible:
        raise Refused("This decision was taken back before.", "Undo that undo to restore it.")
    with desk.store.together():
        late = desk.store.statements.decide_many(possible)
        undone = [decision for decision, _, _ in possible if decision.id not in late]
        if not undone or (late and corrections):  # a correction is taken back whole or not at all
            raise next(iter(late.values()))
    _forget(desk, corrections, undone)
    return DecisionResult(desk.store.statements.get(named_decision.statement), tuple(undone))


def _set_aside(
    decider: DecidingCurator,
    records: Mapping[str, StatementRecord],
    correction: Decision,
    batch: str,
) -> Reversal | None:
    """What becomes of the corrected statement whose correction is taken back: the first one stands
    in its place again, unless something but the correction speaks for it.
    """
    corrected = records.get(correction.replacement)
    if correction.verdict is not Verdict.SUPERSEDE or corrected is None:
        return None
    known = {piece.ground for piece in records[correction.statement].evidence}
    if (
        corrected.statement.derived_from != correction.statement
        or any(still_counts(entry) for entry in folded_state(corrected).history)
        or any(piece.ground not in known for piece in corrected.evidence)
    ):
        return None
    aside = decider.decision(corrected.id, corrected.version, Verdict.SUPERSEDE)
    aside = replace(aside, replacement=correction.statement, batch=batch)
    return aside, State.SUPERSEDED, False


def _with_step(record: StatementRecord, step: Reversal) -> StatementRecord:
    decision, state, _ = step
    decisions = (*record.decisions, decision)
    return replace(record, decisions=decisions, version=record.version + 1, state=state)


def _forget(desk: HasStore, corrections: list[Decision], undone: list[Decision]) -> None:
    """What corrections taught that were just taken back counts no more."""
    taken = {decision.undoes for decision in undone}
    for correction in corrections:
        pair = desk.store.statements.of_ids([correction.statement, correction.replacement])
        if correction.id in taken and len(pair) == 2:
            forget_correction(desk, pair[0], pair[1].statement, correction)


def taken_back(
    decider: DecidingCurator,
    record: StatementRecord,
    decision: Decision,
    batch: str,
    *,
    id: str = "",
) -> Reversal | None:
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
            record = desk.store.statements.get(decision.statement)
            history = folded_state(record).history
            if is_set_aside(record, decision):
                continue
            if any(entry.decision.id == decision.id and still_counts(entry) for entry in history):
                return decision
    return None


def is_set_aside(record: StatementRecord, decision: Decision) -> bool:
    """Whether this decision followed from taking a correction back."""
    return bool(decision.replacement) and decision.replacement == record.statement.derived_from


def undo_last(desk: HasStore, curator: Curator, *, id: str = "") -> DecisionResult:
    """Take back this curator's latest decision, also after a reload. Raises Refused when there is
    none.
    """
    latest = last_decision(desk, curator.orcid)
    if latest is None:
        raise Refused("There is no decision of yours to undo.")
    return undo_decision(desk, latest.id, curator, id=id)


def undo_named(desk: HasStore, name: str, curator: Curator) -> DecisionResult:
    """Undo a decision by its id, what was decided in one gesture by that of its batch, or the
    decision in force on a statement by the statement's.
    """
    if name.startswith("s1-"):
        record = desk.store.statements.get(name)
        standing = [entry.decision for entry in folded_state(record).history if still_counts(entry)]
        if not standing:
            raise Refused("Nothing is decided on this statement, so there is nothing to undo.")
        decision = standing[-1]
    elif together := desk.store.statements.decisions(batch=name, limit=1):
        decision = together[0]
    else:
        decision = desk.store.statements.decision(name)
    return undo_decision(desk, decision.id, curator)
