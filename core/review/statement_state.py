"""What the log of a statement says: its state, and which evidence counts (docs/architecture.md).

Nothing is stored that is not in the log: the state of a statement is a function of its evidence in
order of arrival and its decisions in order of arrival, and so an undo is one more decision. A
statement's version is the count of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from core.model import Decision, Evidence, State, Verdict


class EvidenceStanding(StrEnum):
    """What became of a piece of evidence."""

    ACCEPTED = "accepted"
    WAITING = "waiting"  # not judged yet
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A decision in the history. `undone` says that it no longer counts."""

    decision: Decision
    undone: bool = False


@dataclass(frozen=True, slots=True)
class ReviewState:
    """What a statement's log says. Evidence keeps its order of arrival; `deciding` is the decision
    in force.
    """

    state: State
    version: int
    accepted: tuple[Evidence, ...] = ()
    waiting: tuple[Evidence, ...] = ()
    rejected: tuple[Evidence, ...] = ()
    history: tuple[HistoryEntry, ...] = ()
    deciding: Decision | None = None

    @property
    def has_news(self) -> bool:
        """Evidence came after the approval and waits for judgement."""
        return self.state is State.APPROVED and bool(self.waiting)

    def standing(self, evidence: Evidence) -> EvidenceStanding:
        if any(evidence.id == piece.id for piece in self.accepted):
            return EvidenceStanding.ACCEPTED
        if any(evidence.id == piece.id for piece in self.rejected):
            return EvidenceStanding.REJECTED
        return EvidenceStanding.WAITING


STATES = {
    Verdict.APPROVE: State.APPROVED,
    Verdict.REJECT: State.REJECTED,
    Verdict.UNSURE: State.UNSURE,
    Verdict.SUPERSEDE: State.SUPERSEDED,
}


def fold_log(
    evidence: Sequence[Evidence], decisions: Sequence[Decision], approvals: int = 1
) -> ReviewState:
    """The state that follows from the log, both sequences in order of arrival. With `approvals`
    above 1 a statement is approved once so many people stand by it; before, it goes on waiting.
    """
    history = history_entries(decisions)
    counting = [entry.decision for entry in history if still_counts(entry)]
    deciding = next((d for d in reversed(counting) if not d.evidence), None)
    approved = deciding is not None and deciding.verdict is Verdict.APPROVE
    if approved and approvals > 1 and len(approvers(decisions)) < approvals:
        deciding = None
    own_verdicts = {d.evidence: d.verdict for d in counting if d.evidence}
    covered = evidence_covered(deciding, decisions)
    standings = [
        evidence_standing(at < covered, own_verdicts.get(piece.id))
        for at, piece in enumerate(evidence)
    ]

    def those(standing: EvidenceStanding) -> tuple[Evidence, ...]:
        return tuple(
            piece
            for piece, piece_standing in zip(evidence, standings, strict=True)
            if piece_standing is standing
        )

    return ReviewState(
        state=STATES[deciding.verdict] if deciding else State.PROPOSED,
        version=len(evidence) + len(decisions),
        accepted=those(EvidenceStanding.ACCEPTED),
        waiting=those(EvidenceStanding.WAITING),
        rejected=those(EvidenceStanding.REJECTED),
        history=history,
        deciding=deciding,
    )


class Logged(Protocol):
    """What the store has of a statement: its log, and the state that counts."""

    @property
    def evidence(self) -> Sequence[Evidence]: ...
    @property
    def decisions(self) -> Sequence[Decision]: ...
    @property
    def state(self) -> State: ...


def folded_state(record: Logged) -> ReviewState:
    """What the log says; where approvals are still missing, as the stored state says too."""
    review_state = fold_log(record.evidence, record.decisions)
    if review_state.state is State.APPROVED and record.state is State.PROPOSED:
        return fold_log(record.evidence, record.decisions, len(approvers(record.decisions)) + 1)
    return review_state


def history_entries(decisions: Sequence[Decision]) -> tuple[HistoryEntry, ...]:
    """Every decision with whether it was undone. An undone undo restores what it had taken back."""
    undone: set[str] = set()
    for decision in reversed(decisions):
        if decision.verdict is Verdict.UNDO and decision.id not in undone:
            undone.add(decision.undoes)
    return tuple(HistoryEntry(decision, decision.id in undone) for decision in decisions)


def still_counts(entry: HistoryEntry) -> bool:
    return not entry.undone and entry.decision.verdict is not Verdict.UNDO


def approvers(decisions: Sequence[Decision]) -> set[str]:
    """Who stands by a statement: the ORCIDs of those whose last verdict on it is to approve."""
    last_by_curator = {
        entry.decision.curator: entry.decision.verdict
        for entry in history_entries(decisions)
        if still_counts(entry) and not entry.decision.evidence
    }
    return {curator for curator, verdict in last_by_curator.items() if verdict is Verdict.APPROVE}


def evidence_standing(covered: bool, own: Verdict | None) -> EvidenceStanding:
    """A judgement of the piece itself wins; otherwise an approval covers what its curator could
    see.
    """
    if own is None:
        return EvidenceStanding.ACCEPTED if covered else EvidenceStanding.WAITING
    if own is Verdict.APPROVE:
        return EvidenceStanding.ACCEPTED
    return EvidenceStanding.REJECTED if own is Verdict.REJECT else EvidenceStanding.WAITING


def evidence_covered(deciding: Decision | None, log: Sequence[Decision]) -> int:
    """How many pieces of evidence there were when the statement was approved: the version seen less
    the decisions before it.
    """
    if deciding is None or deciding.verdict is not Verdict.APPROVE:
        return 0
    return deciding.version - next(at for at, entry in enumerate(log) if entry.id == deciding.id)
