"""Roles and policies are held by the services, whatever page or verb asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import Forbidden, InputError, Refused
from core.model import Curator, Reason, ReviewPolicy, Role, State, Verdict
from core.services.people import agreement, roles
from core.services.review.decision import DecisionResult, Judgement, decide, folded
from core.services.review.undo import undo
from tests import reviewing
from tests.reviewing import ANNA, BEN, NAUSEA, RELIEVES

CARA = Curator("0000-0003-1415-9269", "Cara")
YES = Judgement(Verdict.APPROVE)
NO = Judgement(Verdict.REJECT, Reason.NO_RELATION)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = reviewing.filled(tmp_path)
    yield found
    found.close()


def judge(desk: Desk, curator: Curator, judgement: Judgement = YES) -> DecisionResult:
    version = desk.store.statements.get(RELIEVES.id).version
    return decide(desk, RELIEVES.id, version, judgement, curator)


def state(desk: Desk) -> State:
    record = desk.store.statements.get(RELIEVES.id)
    assert folded(record).state is record.state
    return record.state


def test_without_an_owner_everybody_may_do_everything(desk: Desk) -> None:
    assert {one.role for one in roles.people(desk)} == {Role.OWNER}
    undo(desk, judge(desk, ANNA).decisions[0].id, BEN)
    assert state(desk) is State.PROPOSED


def test_a_reader_decides_nothing_and_begins_no_work(desk: Desk) -> None:
    roles.add(desk, ANNA.orcid, "Anna", Role.OWNER, ANNA.orcid)
    roles.add(desk, BEN.orcid, "Ben", Role.READER, ANNA.orcid)
    with pytest.raises(Forbidden, match="reader"):
        judge(desk, BEN)
    with pytest.raises(Forbidden):
        desk.runner.start("learn", {}, BEN.orcid)
    assert state(desk) is State.PROPOSED


def test_only_a_reviewer_takes_back_the_decision_of_another(desk: Desk) -> None:
    roles.add(desk, ANNA.orcid, "Anna", Role.OWNER, ANNA.orcid)
    made = judge(desk, ANNA).decisions[0]
    with pytest.raises(Forbidden, match="reviewer"):
        undo(desk, made.id, BEN)
    roles.add(desk, BEN.orcid, "Ben", Role.REVIEWER, ANNA.orcid)
    undo(desk, made.id, BEN)
    assert state(desk) is State.PROPOSED


def test_a_newcomer_has_the_role_that_the_policy_says(desk: Desk) -> None:
    roles.add(desk, ANNA.orcid, "Anna", Role.OWNER, ANNA.orcid)
    roles.set_policy(desk, ReviewPolicy(newcomer=Role.READER), ANNA.orcid)
    with pytest.raises(Forbidden):
        judge(desk, CARA)


def test_only_an_owner_gives_roles_and_one_owner_stays(desk: Desk) -> None:
    roles.add(desk, ANNA.orcid, "Anna", Role.OWNER, ANNA.orcid)
    with pytest.raises(Forbidden):
        roles.add(desk, BEN.orcid, "Ben", Role.OWNER, BEN.orcid)
    with pytest.raises(Forbidden):
        roles.set_policy(desk, ReviewPolicy(), BEN.orcid)
    with pytest.raises(Refused, match="no owner"):
        roles.add(desk, ANNA.orcid, "Anna", Role.CURATOR, ANNA.orcid)


def test_two_approvals_are_two_people(desk: Desk) -> None:
    roles.set_policy(desk, ReviewPolicy(approvals=2), ANNA.orcid)
    judge(desk, ANNA)
    assert state(desk) is State.PROPOSED
    judge(desk, ANNA)
    assert state(desk) is State.PROPOSED
    second = judge(desk, BEN).decisions[0]
    assert state(desk) is State.APPROVED
    undo(desk, second.id, BEN)
    assert state(desk) is State.PROPOSED


def test_a_policy_of_no_approval_is_refused(desk: Desk) -> None:
    with pytest.raises(InputError):
        roles.set_policy(desk, ReviewPolicy(approvals=0), ANNA.orcid)


def test_ones_own_correction_is_approved_by_somebody_else(desk: Desk) -> None:
    roles.set_policy(desk, ReviewPolicy(own_approval=False), ANNA.orcid)
    corrected = replace(RELIEVES, object=NAUSEA, derived_from=RELIEVES.id)
    desk.store.statements.propose([(corrected, [])], "", ANNA.orcid)
    record = desk.store.statements.get(corrected.id)
    with pytest.raises(Forbidden, match="yourself"):
        decide(desk, corrected.id, record.version, YES, ANNA)
    decide(desk, corrected.id, record.version, YES, BEN)
    assert desk.store.statements.get(corrected.id).state is State.APPROVED


def test_the_name_at_the_time_stays_with_the_decision(desk: Desk) -> None:
    judge(desk, ANNA)
    desk.store.curators.add(Curator(ANNA.orcid, "Anna Another"))
    made = desk.store.statements.get(RELIEVES.id).decisions[0]
    assert made.curator_name == "Anna"


def test_a_decision_changed_by_another_is_to_be_settled(desk: Desk) -> None:
    judge(desk, ANNA)
    judge(desk, BEN, NO)
    (one,) = agreement.to_settle(desk)
    assert [(said.curator, said.verdict) for said in one.readings] == [
        (ANNA.orcid, Verdict.APPROVE),
        (BEN.orcid, Verdict.REJECT),
    ]
    assert one.quotes == ("Aspirin relieves headache",)
    judge(desk, ANNA, NO)
    assert agreement.to_settle(desk) == []


def test_agreement_is_told_for_each_pair_and_predicate(desk: Desk) -> None:
    judge(desk, ANNA)
    judge(desk, BEN)
    rows = agreement.pairs(desk)
    assert [(row.predicate, row.both, row.share) for row in rows] == [
        ("", 1, 1.0),
        ("treats", 1, 1.0),
    ]
