"""Roles and policies are held by the services, whatever page or verb asks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import Forbidden, InputError, Refused
from core.model import Curator, Reason, ReviewPolicy, Role, State, Verdict
from core.review.conflicts import ConflictKind
from core.review.statement_state import folded_state
from core.services.documents import intake, overview
from core.services.extract import batch, spending
from core.services.genes import api_catalogue
from core.services.graph.statement_import import import_file, restore_bundle
from core.services.home import project, projects
from core.services.literature import article_vectors, namespaces, triage
from core.services.people import agreement, roles
from core.services.reasoning import reasoning
from core.services.review import consequences, facets
from core.services.review.absent_text import supply_text
from core.services.review.bulk import decide_many
from core.services.review.conflict_work import (
    ConflictVerdict,
    conflict_of,
    reopen_conflict,
    settle_conflict,
)
from core.services.review.decision import DecisionResult, Judgement, add_reference, correct, decide
from core.services.review.undo import undo_decision
from core.services.settings import editing
from core.services.vocabularies import installation, memory, own_files
from tests import reviewing
from tests.reviewing import ADULTS, ANNA, BEN, DOCUMENT, NAUSEA, NOT_NAUSEA, RELIEVES

CARA = Curator("0000-0003-1415-9269", "Cara")
YES = Judgement(Verdict.APPROVE)
NO = Judgement(Verdict.REJECT, Reason.NO_RELATION)
SAME = conflict_of(RELIEVES.id, ADULTS.id, str(ConflictKind.QUALIFIED))
DRAFT = json.dumps(
    {
        "subject": {"id": "CHEBI:1", "label": "one"},
        "predicate": {"id": "biolink:treats", "label": "treats"},
        "object": {"id": "HP:1", "label": "two"},
    }
).encode()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    extraction = reviewing.filled(tmp_path)
    yield extraction
    extraction.close()


def judge(desk: Desk, curator: Curator, judgement: Judgement = YES) -> DecisionResult:
    version = desk.store.statements.get(RELIEVES.id).version
    return decide(desk, RELIEVES.id, version, judgement, curator=curator)


def state(desk: Desk) -> State:
    record = desk.store.statements.get(RELIEVES.id)
    assert folded_state(record).state is record.state
    return record.state


def test_without_an_owner_everybody_may_do_everything(desk: Desk) -> None:
    assert {person.role for person in roles.list_people(desk)} == {Role.OWNER}
    undo_decision(desk, judge(desk, ANNA).decisions[0].id, BEN)
    assert state(desk) is State.PROPOSED


def test_a_reader_decides_nothing_and_begins_no_work(desk: Desk) -> None:
    roles.add_person(desk, ANNA.orcid, "Anna", Role.OWNER, owner=ANNA.orcid)
    roles.add_person(desk, BEN.orcid, "Ben", Role.READER, owner=ANNA.orcid)
    with pytest.raises(Forbidden, match="reader"):
        judge(desk, BEN)
    with pytest.raises(Forbidden):
        desk.runner.start("learn", {}, BEN.orcid)
    assert state(desk) is State.PROPOSED


@pytest.mark.parametrize(
    "act",
    [
        lambda desk: add_reference(desk, RELIEVES.id, "PMID:1", "Fig 1", note="", curator=BEN),
        lambda desk: correct(desk, RELIEVES.id, version=1, corrected=NOT_NAUSEA, curator=BEN),
        lambda desk: decide_many(desk, [(RELIEVES.id, 1)], NO, BEN),
        lambda desk: settle_conflict(desk, SAME, ConflictVerdict.KEEP, BEN),
        lambda desk: reopen_conflict(desk, SAME, BEN.orcid),
        lambda desk: overview.assign_all(desk, [DOCUMENT], BEN.orcid, BEN),
        lambda desk: overview.tag_all(desk, [DOCUMENT], "mine", BEN),
        lambda desk: overview.mark_withdrawn(desk, DOCUMENT, "no", BEN),
        lambda desk: memory.remember_meaning(desk, "pain", "HP:0002315", BEN.orcid),
        lambda desk: memory.remember_refusal(desk, "pain", BEN.orcid),
        lambda desk: memory.from_sssom(desk, "subject_label\tobject_id\n", BEN.orcid),
        lambda desk: memory.forget_name(desk, "rule-1", BEN.orcid),
        lambda desk: import_file(desk, "x.jsonl", DRAFT, BEN.orcid),
        lambda desk: desk.store.statements.restore([], "", BEN.orcid),
        lambda desk: facets.save_view(desk, "Mine", {"order": "score"}, BEN),
        lambda desk: facets.remove_view(desk, "Mine", BEN),
        lambda desk: reasoning.remove_definition(desk, "painkiller", BEN),
        lambda desk: triage.judge_paper(desk, "papers", "PMID:1", "relevant", curator=BEN.orcid),
        lambda desk: triage.undo_verdict(desk, ["papers"], BEN.orcid),
        lambda desk: project.stop_job(desk, "j1", BEN.orcid),
        lambda desk: project.resume_job(desk, "j1", BEN.orcid),
        lambda desk: project.clear_cache(desk, BEN.orcid),
        lambda desk: editing.change_settings(desk, {"model": "x"}, BEN.orcid),
        lambda desk: editing.change_settings(desk, {"model": "x"}, ""),
        lambda desk: projects.rename_project(desk, "Mine", BEN.orcid),
        lambda desk: projects.rename_project(desk, "Mine", ""),
        lambda desk: supply_text(desk, DOCUMENT, "0" * 64, "words", curator=BEN.orcid),
        lambda desk: own_files.remove_vocabulary(desk, "hp", BEN.orcid),
        lambda desk: own_files.say_kinds(desk, "hp", [], BEN.orcid),
        lambda desk: consequences.refresh_labels(desk, "hp", BEN.orcid),
        lambda desk: installation.add_upload(desk, "x.obo", b"", curator=BEN.orcid),
        lambda desk: namespaces.create_namespace(desk, "mine", curator=BEN.orcid),
        lambda desk: namespaces.delete_namespace(desk, "mine", BEN.orcid),
        lambda desk: namespaces.add_project_documents(desk, "mine", BEN.orcid),
        lambda desk: article_vectors.upload_vectors(desk, "mine", [], BEN.orcid),
        lambda desk: namespaces.make_example_namespace(desk, BEN.orcid),
        lambda desk: api_catalogue.add_api(desk, "name: mine", curator=BEN.orcid),
        lambda desk: api_catalogue.remove_api(desk, "mine", BEN.orcid),
        lambda desk: spending.set_limit(desk, "j1", 1, BEN.orcid),
        lambda desk: batch.retry_batch(desk, "j1", BEN.orcid),
        lambda desk: intake.retry_intake(desk, "j1", BEN.orcid),
        lambda desk: consequences.replace_terms(desk, "hp", BEN),
        lambda desk: roles.set_policy(desk, ReviewPolicy(2), BEN.orcid),
        lambda desk: roles.add_person(desk, BEN.orcid, "Ben", Role.OWNER, owner=BEN.orcid),
        lambda desk: roles.add_person(desk, BEN.orcid, "Ben", Role.OWNER, owner=""),
    ],
)
def test_a_reader_changes_nothing_of_what_is_known(
    desk: Desk, act: Callable[[Desk], object]
) -> None:
    judge(desk, ANNA)
    roles.add_person(desk, ANNA.orcid, "Anna", Role.OWNER, owner=ANNA.orcid)
    roles.add_person(desk, BEN.orcid, "Ben", Role.READER, owner=ANNA.orcid)
    with pytest.raises(Forbidden, match="requires the role"):
        act(desk)
    assert state(desk) is State.APPROVED and len(desk.store.queue.records()) == 6


def test_reviewer_takes_back_another_curators_conflict_decision(desk: Desk) -> None:
    for person, role in ((ANNA, Role.OWNER), (BEN, Role.CURATOR), (CARA, Role.REVIEWER)):
        roles.add_person(desk, person.orcid, person.name, role, owner=ANNA.orcid)
    settle_conflict(desk, SAME, ConflictVerdict.KEEP, ANNA)
    with pytest.raises(Forbidden, match="reviewer"):
        reopen_conflict(desk, SAME, BEN.orcid)
    assert reopen_conflict(desk, SAME, CARA.orcid)
    settle_conflict(desk, SAME, ConflictVerdict.KEEP, BEN)
    assert reopen_conflict(desk, SAME, BEN.orcid)


def test_only_a_reviewer_takes_back_the_decision_of_another(desk: Desk) -> None:
    roles.add_person(desk, ANNA.orcid, "Anna", Role.OWNER, owner=ANNA.orcid)
    decision = judge(desk, ANNA).decisions[0]
    with pytest.raises(Forbidden, match="reviewer"):
        undo_decision(desk, decision.id, BEN)
    roles.add_person(desk, BEN.orcid, "Ben", Role.REVIEWER, owner=ANNA.orcid)
    undo_decision(desk, decision.id, BEN)
    assert state(desk) is State.PROPOSED


def test_a_newcomer_has_the_role_that_the_policy_says(desk: Desk) -> None:
    roles.add_person(desk, ANNA.orcid, "Anna", Role.OWNER, owner=ANNA.orcid)
    roles.set_policy(desk, ReviewPolicy(newcomer=Role.READER), ANNA.orcid)
    with pytest.raises(Forbidden):
        judge(desk, CARA)


def test_somebody_without_a_name_only_looks_once_there_is_an_owner(desk: Desk) -> None:
    roles.require_role(desk, "", Role.OWNER)
    roles.add_person(desk, ANNA.orcid, "Anna", Role.OWNER, owner=ANNA.orcid)
    with pytest.raises(Forbidden, match="Enter your name"):
        roles.require_role(desk, "")


def test_decisions_in_the_names_of_others_come_back_by_an_owner_alone(desk: Desk) -> None:
    roles.add_person(desk, ANNA.orcid, "Anna", Role.OWNER, owner=ANNA.orcid)
    roles.add_person(desk, BEN.orcid, "Ben", Role.REVIEWER, owner=ANNA.orcid)
    with pytest.raises(Forbidden, match="owner"):
        restore_bundle(desk, "kb.zip", b"", BEN.orcid)
    with pytest.raises(Forbidden, match="owner"):
        desk.store.statements.restore([], "", BEN.orcid)
    assert desk.store.statements.restore([], "", ANNA.orcid) == ([], [])


def test_only_an_owner_gives_roles_and_one_owner_stays(desk: Desk) -> None:
    roles.add_person(desk, ANNA.orcid, "Anna", Role.OWNER, owner=ANNA.orcid)
    with pytest.raises(Forbidden):
        roles.add_person(desk, BEN.orcid, "Ben", Role.OWNER, owner=BEN.orcid)
    with pytest.raises(Forbidden):
        roles.set_policy(desk, ReviewPolicy(), BEN.orcid)
    with pytest.raises(Refused, match="no owner"):
        roles.add_person(desk, ANNA.orcid, "Anna", Role.CURATOR, owner=ANNA.orcid)


def test_two_approvals_are_two_people(desk: Desk) -> None:
    roles.set_policy(desk, ReviewPolicy(approvals=2), ANNA.orcid)
    judge(desk, ANNA)
    assert state(desk) is State.PROPOSED
    judge(desk, ANNA)
    assert state(desk) is State.PROPOSED
    second = judge(desk, BEN).decisions[0]
    assert state(desk) is State.APPROVED
    undo_decision(desk, second.id, BEN)
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
        decide(desk, corrected.id, record.version, YES, curator=ANNA)
    decide(desk, corrected.id, record.version, YES, curator=BEN)
    assert desk.store.statements.get(corrected.id).state is State.APPROVED


def test_the_name_at_the_time_stays_with_the_decision(desk: Desk) -> None:
    judge(desk, ANNA)
    desk.store.curators.add(Curator(ANNA.orcid, "Anna Another"))
    decision = desk.store.statements.get(RELIEVES.id).decisions[0]
    assert decision.curator_name == "Anna"


def test_decision_contradicted_by_another_curator_must_be_settled(desk: Desk) -> None:
    judge(desk, ANNA)
    judge(desk, BEN, NO)
    (disagreement,) = agreement.to_settle(desk)
    assert [(reading.curator, reading.verdict) for reading in disagreement.readings] == [
        (ANNA.orcid, Verdict.APPROVE),
        (BEN.orcid, Verdict.REJECT),
    ]
    assert disagreement.quotes == ("Aspirin relieves headache",)
    judge(desk, ANNA, NO)
    assert agreement.to_settle(desk) == []


def appointed(desk: Desk) -> None:
    roles.appoint_person(desk, "0000-0002-1694-233X", "Olga", Role.OWNER)
    roles.appoint_person(desk, CARA.orcid, CARA.name, Role.REVIEWER)


@pytest.mark.parametrize("judgement", [YES, NO, Judgement(Verdict.UNSURE)])
def test_a_reviewer_who_is_neither_of_them_settles_a_disagreement(
    desk: Desk, judgement: Judgement
) -> None:
    appointed(desk)
    judge(desk, ANNA)
    judge(desk, BEN, NO)
    settled = judge(desk, CARA, judgement)
    assert agreement.to_settle(desk) == []
    undo_decision(desk, settled.decisions[0].id, CARA)
    assert len(agreement.to_settle(desk)) == 1


def test_a_reviewer_settles_by_taking_one_decision_back(desk: Desk) -> None:
    appointed(desk)
    judge(desk, ANNA)
    wrong = judge(desk, BEN, NO)
    undo_decision(desk, wrong.decisions[0].id, CARA)
    assert agreement.to_settle(desk) == []
    judge(desk, BEN, NO)
    assert len(agreement.to_settle(desk)) == 1


def test_neither_a_third_curator_nor_a_reviewer_of_the_two_settles(desk: Desk) -> None:
    appointed(desk)
    judge(desk, CARA)
    judge(desk, BEN, NO)
    judge(desk, CARA)
    assert len(agreement.to_settle(desk)) == 1
    judge(desk, ANNA)
    assert len(agreement.to_settle(desk)) == 1


def test_agreement_is_listed_for_each_pair_and_predicate(desk: Desk) -> None:
    judge(desk, ANNA)
    judge(desk, BEN)
    rows = agreement.agreement_of_pairs(desk)
    assert [(row.predicate, row.both, row.share) for row in rows] == [
        ("", 1, 1.0),
        ("treats", 1, 1.0),
    ]
