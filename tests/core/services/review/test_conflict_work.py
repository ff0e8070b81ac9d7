"""Conflicts as work: what is found, what a curator says of it, and that it stays said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import InputError, Refused, StaleVersion
from core.model import Category, Reason, State, Term, Verdict
from core.review.conflicts import ConflictKind
from core.services.review import conflict_work, decision, undo
from core.services.review.conflict_work import ConflictVerdict
from core.services.review.decision import Judgement
from core.services.vocabularies import mappings
from tests import reviewing
from tests.reviewing import ANNA, ASPIRIN, BEN, HEADACHE, NOT_NAUSEA, RELIEVES

CAUSES = Term("biolink:causes", "causes", Category.RELATION)
OTHER = Term("MESH:D001241", "Aspirin", Category.CHEMICAL)


@pytest.fixture
def desk(tmp_path):
    desk = reviewing.empty(tmp_path)
    desk.store.statements.propose([(RELIEVES, [reviewing.quoted(RELIEVES, "Aspirin")])])
    yield desk
    desk.close()


def add(desk, claim):
    desk.store.statements.propose([(claim, [reviewing.quoted(claim, "Aspirin")])])
    return claim


def kinds(desk) -> dict[ConflictKind, set[str]]:
    return {
        conflict.kind: {conflict.statement, conflict.other}
        for conflict in conflict_work.read_conflicts(desk).open
    }


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
def test_opposite_statements_are_listed_as_conflicts(desk, claim, kind):
    add(desk, claim)
    assert kinds(desk) == {kind: {RELIEVES.id, claim.id}}


def test_compatible_statements_are_no_conflict(desk):
    add(desk, NOT_NAUSEA)
    add(desk, replace(RELIEVES, predicate=CAUSES, negated=True))
    assert ConflictKind.EXCLUDING not in kinds(desk)
    assert conflict_work.read_conflicts(desk, str(ConflictKind.NAME)).open == ()


@pytest.fixture
def opposite(desk):
    add(desk, replace(RELIEVES, negated=True))
    (conflict,) = conflict_work.read_conflicts(desk).open
    return conflict


@pytest.mark.parametrize("end", [ConflictVerdict.KEEP, ConflictVerdict.DIFFERENT])
def test_kept_conflict_decides_nothing_and_is_not_asked_again(desk, opposite, end):
    assert conflict_work.settle_conflict(desk, opposite, end, ANNA, note="two trials") is None
    assert {record.state for record in desk.store.queue.records()} == {State.PROPOSED}
    work = conflict_work.read_conflicts(desk)
    assert (work.open, work.settled) == ((), 1)
    assert conflict_work.reopen_conflict(desk, opposite, ANNA.orcid)
    assert conflict_work.read_conflicts(desk).open == (opposite,)


@pytest.mark.parametrize(
    ("end", "reason", "stored_reason"),
    [
        (ConflictVerdict.WRONG, Reason.WRONG_RELATION, Reason.WRONG_RELATION),
        (ConflictVerdict.DUPLICATE, None, Reason.DUPLICATE),
    ],
)
def test_the_wrong_one_is_rejected_with_its_reason(desk, opposite, end, reason, stored_reason):
    done = conflict_work.settle_conflict(
        desk, opposite, end, ANNA, wrong=RELIEVES.id, version=1, reason=reason
    )
    assert (done.record.state, done.decisions[0].reason) == (State.REJECTED, stored_reason)
    assert conflict_work.read_conflicts(desk).open == ()


def test_the_statement_that_stays_gets_the_evidence_of_its_duplicate(desk):
    twin = replace(RELIEVES, subject=OTHER)
    desk.store.statements.propose(
        [(twin, [reviewing.quoted(twin, "Aspirin"), reviewing.quoted(twin, "nausea")])]
    )
    record = desk.store.statements.get(twin.id)
    refused = reviewing.quoted(twin, "nausea").id
    unlike = Judgement(Verdict.REJECT, Reason.WRONG_RELATION)
    decision.decide(desk, twin.id, record.version, unlike, curator=ANNA, evidence=refused)
    extra = reviewing.quoted(twin, "headache")
    desk.store.statements.propose([(twin, [extra])])
    (conflict,) = conflict_work.read_conflicts(desk).open
    version = desk.store.statements.get(twin.id).version
    conflict_work.settle_conflict(
        desk, conflict, ConflictVerdict.DUPLICATE, ANNA, wrong=twin.id, version=version
    )
    kept = {piece.id for piece in desk.store.statements.get(RELIEVES.id).evidence}
    assert kept == {
        reviewing.quoted(RELIEVES, "Aspirin").id,
        replace(extra, statement=RELIEVES.id).id,
    }


def test_a_duplicate_of_the_opposite_gives_no_evidence(desk, opposite):
    denied = replace(RELIEVES, negated=True)
    desk.store.statements.propose([(denied, [reviewing.quoted(denied, "headache")])])
    conflict_work.settle_conflict(
        desk, opposite, ConflictVerdict.DUPLICATE, ANNA, wrong=denied.id, version=2
    )
    (piece,) = desk.store.statements.get(RELIEVES.id).evidence
    assert piece == reviewing.quoted(RELIEVES, "Aspirin")


def test_a_duplicate_with_another_relation_gives_no_evidence(desk):
    causes = replace(RELIEVES, predicate=CAUSES)
    desk.store.statements.propose([(causes, [reviewing.quoted(causes, "headache")])])
    (conflict,) = conflict_work.read_conflicts(desk).open
    conflict_work.settle_conflict(
        desk, conflict, ConflictVerdict.DUPLICATE, ANNA, wrong=causes.id, version=1
    )
    (piece,) = desk.store.statements.get(RELIEVES.id).evidence
    assert piece == reviewing.quoted(RELIEVES, "Aspirin")


def test_a_statement_takes_the_other_id_of_its_name_and_keeps_its_evidence(desk):
    claim = add(desk, replace(NOT_NAUSEA, subject=OTHER))
    (conflict,) = conflict_work.read_conflicts(desk).open
    done = conflict_work.settle_conflict(
        desk, conflict, ConflictVerdict.DUPLICATE, ANNA, wrong=claim.id, version=1
    )
    corrected = done.record
    assert corrected.id == replace(NOT_NAUSEA, derived_from="").id
    assert (corrected.state, corrected.statement.derived_from) == (State.PROPOSED, claim.id)
    assert [piece.ground.quote for piece in corrected.evidence] == ["Aspirin"]
    assert len(desk.store.statements.get(RELIEVES.id).evidence) == 1
    assert conflict_work.read_conflicts(desk).open == ()
    undo.undo_decision(desk, done.decisions[0].id, ANNA)
    assert conflict_work.read_conflicts(desk).open == (conflict,)


def test_a_rejection_needs_the_one_and_the_version_that_was_seen(desk, opposite):
    with pytest.raises(InputError):
        conflict_work.settle_conflict(
            desk, opposite, ConflictVerdict.DUPLICATE, ANNA, wrong="s1-other"
        )
    with pytest.raises(StaleVersion):
        conflict_work.settle_conflict(
            desk, opposite, ConflictVerdict.DUPLICATE, ANNA, wrong=RELIEVES.id, version=0
        )
    assert conflict_work.read_conflicts(desk).open == (opposite,)


def test_both_sentences_are_shown_side_by_side(desk, opposite):
    case = conflict_work.conflict_case(desk, opposite)
    assert {case.first.record.id, case.second.record.id} == {opposite.statement, opposite.other}


@pytest.mark.parametrize("end", ConflictVerdict)
def test_second_settlement_is_refused_and_changes_nothing(desk, opposite, end):
    conflict_work.settle_conflict(
        desk, opposite, ConflictVerdict.KEEP, replace(ANNA, orcid=BEN.orcid)
    )
    with pytest.raises(Refused, match="settled as “keep both”"):
        conflict_work.settle_conflict(
            desk, opposite, end, ANNA, wrong=RELIEVES.id, version=1, reason=Reason.NEGATED
        )
    assert {record.state for record in desk.store.queue.records()} == {State.PROPOSED}
    (outcome,) = desk.store.conflicts.settled()
    assert outcome.curator == BEN.orcid


@pytest.mark.parametrize("end", ConflictVerdict)
def test_a_conflict_whose_statement_was_rejected_meanwhile_is_not_settled(desk, opposite, end):
    decision.decide(
        desk,
        RELIEVES.id,
        version=1,
        judgement=Judgement(Verdict.REJECT, Reason.NEGATED),
        curator=BEN,
    )
    with pytest.raises(Refused, match="was rejected meanwhile"):
        conflict_work.settle_conflict(
            desk, opposite, end, ANNA, wrong=opposite.statement, version=1, reason=Reason.NEGATED
        )
    assert desk.store.conflicts.settled() == []


def test_a_settlement_whose_rejection_is_refused_is_not_kept(desk, opposite):
    with pytest.raises(InputError, match="needs a reason"):
        conflict_work.settle_conflict(
            desk, opposite, ConflictVerdict.WRONG, ANNA, wrong=RELIEVES.id, version=1
        )
    assert desk.store.conflicts.settled() == []


def test_ids_that_a_mapping_calls_the_same_are_equivalent(desk):
    other = replace(OTHER, label="Acetylsalicylic acid")
    claim = add(desk, replace(RELIEVES, subject=other))
    assert kinds(desk) == {}
    row = {
        "subject_id": other.id, "predicate_id": "skos:exactMatch", "object_id": ASPIRIN.id,
        "predicate_modifier": "", "subject_label": "", "object_label": "",
    }  # fmt: skip
    mappings.keep_mappings(desk, [row])
    assert kinds(desk) == {ConflictKind.MAPPED: {RELIEVES.id, claim.id}}
    mappings.keep_mappings(desk, [row | {"predicate_modifier": "Not"}])
    assert kinds(desk) == {}


def test_a_conflict_is_open_again_once_the_rejection_that_settled_it_is_undone(desk, opposite):
    done = conflict_work.settle_conflict(
        desk, opposite, ConflictVerdict.DUPLICATE, ANNA, wrong=RELIEVES.id, version=1
    )
    undo.undo_decision(desk, done.decisions[0].id, ANNA)
    assert conflict_work.read_conflicts(desk).open == (opposite,)
    assert conflict_work.read_conflicts(desk).settled == 0
    assert conflict_work.settle_conflict(desk, opposite, ConflictVerdict.KEEP, BEN) is None
    assert conflict_work.read_conflicts(desk).open == ()
    (settled,) = conflict_work.kept_conflicts(desk)
    assert (settled.outcome, settled.curator) == (ConflictVerdict.KEEP, BEN.orcid)


def test_two_ids_of_one_name_that_were_kept_are_not_asked_again_of_other_statements(desk):
    first = add(desk, replace(NOT_NAUSEA, subject=OTHER))
    (conflict,) = conflict_work.read_conflicts(desk).open
    conflict_work.settle_conflict(desk, conflict, ConflictVerdict.DIFFERENT, ANNA)
    add(desk, replace(first, predicate=CAUSES))
    decision.decide(
        desk, first.id, version=1, judgement=Judgement(Verdict.REJECT, Reason.NEGATED), curator=ANNA
    )
    assert kinds(desk) == {}
