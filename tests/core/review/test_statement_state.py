"""The state of a statement is a function of its log."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Decision, Evidence, ReferenceGround, State, Statement, Term, Verdict
from core.review.statement_state import (
    EvidenceStanding,
    ReviewState,
    approvers,
    fold_log,
    history_entries,
)

ANNA, BEN = "0000-0002-1825-0097", "0000-0001-5109-3700"


def piece(number: int) -> Evidence:
    return Evidence("s1-x", ReferenceGround(f"PMID:{number}"))


class Log:
    """A statement's log as a store keeps it: every decision carries the version that was seen."""

    def __init__(self, evidence: int = 1):
        self.evidence = [piece(number) for number in range(evidence)]
        self.decisions: list[Decision] = []

    def arrives(self) -> Evidence:
        self.evidence.append(piece(len(self.evidence)))
        return self.evidence[-1]

    def decide(
        self, verdict: Verdict, *, evidence: str = "", undoes: str = "", curator: str = ANNA
    ) -> str:
        number = len(self.decisions)
        version = len(self.evidence) + number
        decision = Decision(
            f"d{number}",
            "s1-x",
            version,
            verdict,
            curator,
            f"2026-01-01T00:00:{number:02}Z",
            evidence,
        )
        self.decisions.append(replace(decision, undoes=undoes))
        return decision.id

    def fold(self) -> ReviewState:
        return fold_log(self.evidence, self.decisions)


def test_statement_without_decisions_is_proposed():
    assert (Log().fold().state, Log().fold().version) == (State.PROPOSED, 1)


@pytest.mark.parametrize(
    ("verdict", "state"),
    [
        ("approve", "approved"),
        ("reject", "rejected"),
        ("unsure", "unsure"),
        ("supersede", "superseded"),
    ],
)
def test_the_last_verdict_decides(verdict, state):
    log = Log()
    log.decide(Verdict.APPROVE)
    log.decide(Verdict(verdict))
    assert log.fold().state == state


def test_approval_accepts_the_evidence_that_was_seen():
    log = Log(2)
    log.decide(Verdict.APPROVE)
    assert len(log.fold().accepted) == 2


def test_evidence_after_the_approval_waits():
    log = Log()
    log.decide(Verdict.APPROVE)
    new = log.arrives()
    assert log.fold().waiting == (new,)
    assert log.fold().has_news


def test_approving_again_accepts_what_waited():
    log = Log()
    log.decide(Verdict.APPROVE)
    log.arrives()
    log.decide(Verdict.APPROVE)
    assert not log.fold().waiting


def test_evidence_is_judged_on_its_own():
    log = Log()
    log.decide(Verdict.APPROVE)
    good, bad = log.arrives(), log.arrives()
    log.decide(Verdict.APPROVE, evidence=good.id)
    log.decide(Verdict.REJECT, evidence=bad.id)
    folded = log.fold()
    assert (folded.state, folded.accepted[-1], folded.rejected) == (State.APPROVED, good, (bad,))


def test_rejected_evidence_stays_rejected_when_its_statement_is_approved():
    log = Log(2)
    log.decide(Verdict.REJECT, evidence=log.evidence[0].id)
    log.decide(Verdict.APPROVE)
    assert log.fold().accepted == (log.evidence[1],)


def test_undo_restores_the_state_before():
    log = Log()
    log.decide(Verdict.APPROVE)
    second = log.decide(Verdict.REJECT)
    log.decide(Verdict.UNDO, undoes=second)
    assert log.fold().state is State.APPROVED


def test_an_undone_undo_restores_the_decision():
    log = Log()
    first = log.decide(Verdict.APPROVE)
    undo = log.decide(Verdict.UNDO, undoes=first)
    log.decide(Verdict.UNDO, undoes=undo)
    assert log.fold().state is State.APPROVED


def test_undoing_an_approval_shows_only_what_the_earlier_one_saw():
    log = Log()
    log.decide(Verdict.APPROVE)
    new = log.arrives()
    second = log.decide(Verdict.APPROVE)
    log.decide(Verdict.UNDO, undoes=second)
    assert log.fold().waiting == (new,)


def test_the_history_keeps_what_was_undone():
    log = Log()
    log.decide(Verdict.UNDO, undoes=log.decide(Verdict.APPROVE))
    assert [entry.undone for entry in log.fold().history] == [True, False]


steps = st.lists(
    st.sampled_from(["arrives", "approve", "reject", "unsure", "undo", "judge"]), max_size=12
)


def replay(kinds: list[str]) -> Log:
    log = Log()
    for kind in kinds:
        if kind == "arrives":
            log.arrives()
        elif kind == "undo" and log.decisions:
            log.decide(Verdict.UNDO, undoes=log.decisions[len(kinds) % len(log.decisions)].id)
        elif kind == "judge":
            log.decide(Verdict.REJECT, evidence=log.evidence[-1].id)
        elif kind != "undo":
            log.decide(Verdict(kind))
    return log


def seen(folded: ReviewState) -> tuple[object, ...]:
    return folded.state, folded.accepted, folded.waiting, folded.rejected


@given(steps)
def test_the_fold_is_a_function_of_the_log_and_loses_no_evidence(kinds):
    log = replay(kinds)
    folded = log.fold()
    assert folded == fold_log(tuple(log.evidence), tuple(log.decisions))
    assert {e.id for e in (*folded.accepted, *folded.waiting, *folded.rejected)} == {
        e.id for e in log.evidence
    }
    assert folded.version == len(log.evidence) + len(log.decisions)


@given(steps, st.sampled_from(list(Verdict)[:4]))
def test_undoing_the_last_decision_restores_what_was_there(kinds, verdict):
    log = replay(kinds)
    before = seen(log.fold())
    log.decide(Verdict.UNDO, undoes=log.decide(verdict))
    assert seen(log.fold()) == before


@given(steps)
def test_undoing_twice_changes_nothing(kinds):
    log = replay(kinds)
    last = log.decide(Verdict.REJECT)
    before = seen(log.fold())
    log.decide(Verdict.UNDO, undoes=log.decide(Verdict.UNDO, undoes=last))
    assert seen(log.fold()) == before
    assert sum(entry.undone for entry in history_entries(log.decisions)) >= 1


def test_each_piece_of_evidence_shows_its_own_status():
    claim = Statement(Term("X:1", "a"), Term("biolink:treats", "treats"), Term("Y:1", "b"))
    yes, no, later = (Evidence(claim.id, ReferenceGround(f"PMID:{n}")) for n in (1, 2, 3))
    folded = ReviewState(State.APPROVED, 3, accepted=(yes,), waiting=(later,), rejected=(no,))
    assert [folded.standing(piece) for piece in (yes, no, later)] == [
        EvidenceStanding.ACCEPTED,
        EvidenceStanding.REJECTED,
        EvidenceStanding.WAITING,
    ]


def test_evidence_that_a_curator_is_unsure_of_waits_under_an_approved_statement():
    log = Log(2)
    log.decide(Verdict.APPROVE)
    log.decide(Verdict.UNSURE, evidence=log.evidence[0].id)
    folded = log.fold()
    assert (folded.accepted, folded.waiting) == ((log.evidence[1],), (log.evidence[0],))


@pytest.mark.parametrize("verdict", [Verdict.REJECT, Verdict.UNSURE, Verdict.SUPERSEDE])
def test_only_an_approval_accepts_evidence(verdict):
    log = Log()
    log.decide(verdict)
    assert log.fold().waiting == (log.evidence[0],)


def test_an_approval_after_other_decisions_accepts_no_evidence_that_came_later():
    log = Log()
    log.decide(Verdict.UNSURE)
    log.decide(Verdict.APPROVE)
    later = log.arrives()
    assert log.fold().waiting == (later,)


def test_evidence_is_new_only_on_an_approved_statement():
    log = Log()
    assert not log.fold().has_news
    log.decide(Verdict.APPROVE)
    assert not log.fold().has_news
    log.arrives()
    assert log.fold().has_news
    log.decide(Verdict.REJECT)
    assert not log.fold().has_news


def test_a_decision_in_the_history_counts_until_it_is_undone():
    log = Log()
    log.decide(Verdict.APPROVE)
    assert [entry.undone for entry in log.fold().history] == [False]


def state_where_two_must_approve(log: Log) -> State:
    return fold_log(log.evidence, log.decisions, approvals=2).state


def test_one_of_two_required_approvals_leaves_a_statement_waiting():
    log = Log()
    log.decide(Verdict.APPROVE)
    log.decide(Verdict.APPROVE)  # by the same person: still one
    assert state_where_two_must_approve(log) is State.PROPOSED
    log.decide(Verdict.APPROVE, curator=BEN)
    assert state_where_two_must_approve(log) is State.APPROVED


def test_one_rejection_is_enough_where_two_must_approve():
    log = Log()
    log.decide(Verdict.REJECT)
    assert state_where_two_must_approve(log) is State.REJECTED


def test_a_withdrawn_approval_does_not_count_as_one_of_two():
    log = Log()
    first = log.decide(Verdict.APPROVE)
    log.decide(Verdict.UNDO, undoes=first)
    log.decide(Verdict.APPROVE, curator=BEN)
    assert state_where_two_must_approve(log) is State.PROPOSED
    log.decide(Verdict.UNSURE)
    log.decide(Verdict.APPROVE, curator=BEN)
    assert state_where_two_must_approve(log) is State.PROPOSED
    assert approvers(log.decisions) == {BEN}


def test_approving_a_piece_of_evidence_does_not_approve_the_statement():
    log = Log()
    log.decide(Verdict.APPROVE, evidence=log.evidence[0].id)
    log.decide(Verdict.APPROVE, curator=BEN)
    assert state_where_two_must_approve(log) is State.PROPOSED


def test_an_approval_undone_by_another_curator_does_not_count():
    log = Log()
    approval = log.decide(Verdict.APPROVE)
    log.decide(Verdict.UNDO, undoes=approval, curator=BEN)
    assert approvers(log.decisions) == set()


def test_rejecting_a_piece_of_evidence_leaves_its_curator_with_the_statement():
    log = Log()
    log.decide(Verdict.APPROVE)
    log.decide(Verdict.REJECT, evidence=log.evidence[0].id)
    log.decide(Verdict.APPROVE, curator=BEN)
    assert state_where_two_must_approve(log) is State.APPROVED
