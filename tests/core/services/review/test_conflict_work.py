"""Conflicts as work: what is found, what a curator says of it, and that it stays said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import InputError, StaleVersion
from core.model import Category, Reason, State, Term
from core.review.conflicts import ConflictKind
from core.services.review import conflict_work
from core.services.review.conflict_work import ConflictEnd
from tests import reviewing
from tests.reviewing import ANNA, ASPIRIN, HEADACHE, NOT_NAUSEA, RELIEVES

CAUSES = Term("biolink:causes", "causes", Category.RELATION)
OTHER = Term("MESH:D001241", "Aspirin", Category.CHEMICAL)


@pytest.fixture
def desk(tmp_path):
    found = reviewing.empty(tmp_path)
    found.store.statements.propose([(RELIEVES, [reviewing.quoted(RELIEVES, "Aspirin")])])
    yield found
    found.close()


def add(desk, claim):
    desk.store.statements.propose([(claim, [reviewing.quoted(claim, "Aspirin")])])
    return claim


def kinds(desk) -> dict[ConflictKind, set[str]]:
    return {one.kind: {one.statement, one.other} for one in conflict_work.work(desk).open}


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        (replace(RELIEVES, negated=True), ConflictKind.OPPOSITE),
        (replace(RELIEVES, predicate=CAUSES), ConflictKind.EXCLUDING),
        (replace(RELIEVES, subject=HEADACHE, object=ASPIRIN), ConflictKind.REVERSED),
        (replace(RELIEVES, subject=OTHER), ConflictKind.EQUIVALENT),
        (replace(RELIEVES, subject=replace(OTHER, id="")), ConflictKind.EQUIVALENT),
        (replace(NOT_NAUSEA, subject=OTHER), ConflictKind.NAME),
    ],
)
def test_what_is_at_odds_is_found(desk, claim, kind):
    add(desk, claim)
    assert kinds(desk) == {kind: {RELIEVES.id, claim.id}}


def test_what_is_not_at_odds_is_no_work(desk):
    add(desk, NOT_NAUSEA)
    add(desk, replace(RELIEVES, predicate=CAUSES, negated=True))
    assert ConflictKind.EXCLUDING not in kinds(desk)
    assert conflict_work.work(desk, str(ConflictKind.NAME)).open == ()


@pytest.fixture
def opposite(desk):
    add(desk, replace(RELIEVES, negated=True))
    (conflict,) = conflict_work.work(desk).open
    return conflict


@pytest.mark.parametrize("end", [ConflictEnd.KEEP, ConflictEnd.DIFFERENT])
def test_what_is_kept_decides_nothing_and_is_not_asked_again(desk, opposite, end):
    assert conflict_work.settle_conflict(desk, opposite, end, ANNA, note="two trials") is None
    assert {record.state for record in desk.store.queue.records()} == {State.PROPOSED}
    work = conflict_work.work(desk)
    assert (work.open, work.settled) == ((), 1)
    assert conflict_work.reopen_conflict(desk, opposite, ANNA.orcid)
    assert conflict_work.work(desk).open == (opposite,)


@pytest.mark.parametrize(
    ("end", "reason", "given"),
    [
        (ConflictEnd.WRONG, Reason.WRONG_RELATION, Reason.WRONG_RELATION),
        (ConflictEnd.DUPLICATE, None, Reason.DUPLICATE),
    ],
)
def test_the_wrong_one_is_rejected_with_its_reason(desk, opposite, end, reason, given):
    done = conflict_work.settle_conflict(
        desk, opposite, end, ANNA, wrong=RELIEVES.id, version=1, reason=reason
    )
    assert (done.record.state, done.decisions[0].reason) == (State.REJECTED, given)
    assert conflict_work.work(desk).open == ()


def test_a_rejection_needs_the_one_and_the_version_that_was_seen(desk, opposite):
    with pytest.raises(InputError):
        conflict_work.settle_conflict(desk, opposite, ConflictEnd.DUPLICATE, ANNA, wrong="s1-other")
    with pytest.raises(StaleVersion):
        conflict_work.settle_conflict(
            desk, opposite, ConflictEnd.DUPLICATE, ANNA, wrong=RELIEVES.id, version=0
        )
    assert conflict_work.work(desk).open == (opposite,)


def test_both_sentences_are_shown_side_by_side(desk, opposite):
    case = conflict_work.conflict_case(desk, opposite)
    assert {case.first.record.id, case.second.record.id} == {opposite.statement, opposite.other}
