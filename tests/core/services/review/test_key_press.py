"""What a browser says was pressed is stored once, in order, on what was on screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import event

from core.errors import StoreError
from core.model import Curator, Qualifier, ReviewPolicy, Role, State, Verdict
from core.services.people import roles
from core.services.review import bulk, key_press
from core.services.review.card import statement_card
from core.services.review.decision import Judgement
from core.services.review.key_press import KeyPress
from core.store import statement as statements
from pages.components.review.card_row import card_row
from tests import reviewing
from tests.reviewing import ADULTS, ANNA, BEN, HEADACHE, NAUSEA, NOT_NAUSEA, RELIEVES, WORDS


@pytest.fixture
def desk(tmp_path):
    extraction = reviewing.filled(tmp_path)
    yield extraction
    extraction.close()


def pressed(number: int, kind: str = "approve", statement=RELIEVES, **more) -> KeyPress:
    details = {"statement": statement.id, "version": 1, "curator": ANNA.orcid, **more}
    return KeyPress(f"k-abcdefgh-{number}", kind, **details)


def state(desk, statement=RELIEVES) -> State:
    return desk.store.statements.get(statement.id).state


def test_presses_are_stored_in_order(desk):
    wanted = [
        pressed(1),
        pressed(2, "reject", NOT_NAUSEA, reason="background"),
        pressed(3, "unsure", RELIEVES, version=2),
    ]
    assert [outcome.saved for outcome in key_press.store_presses(desk, wanted, ANNA)] == [True] * 3
    decisions = desk.store.statements.decisions(curator=ANNA.orcid)
    assert [claim.id for claim in decisions] == [claim.id for claim in wanted]
    assert (state(desk), state(desk, NOT_NAUSEA)) == (State.UNSURE, State.REJECTED)


def test_a_press_that_is_sent_again_is_stored_once(desk):
    key_press.store_presses(desk, [pressed(1)], ANNA)
    (again,) = key_press.store_presses(desk, [pressed(1)], ANNA)
    assert (again.saved, again.version) == (True, 2)
    assert len(desk.store.statements.get(RELIEVES.id).decisions) == 1


def test_a_verdict_asks_the_database_seven_times(desk):
    asked = []
    event.listen(
        desk.store.database.engine,
        "before_cursor_execute",
        lambda _, cursor, statement, *rest: asked.append(statement),
    )
    (result,) = key_press.store_presses(desk, [pressed(1)], ANNA)
    assert result.saved
    kinds = Counter(statement.split()[0] for statement in asked)
    assert (kinds["SELECT"], kinds["UPDATE"], kinds["INSERT"]) == (5, 1, 1)


def test_press_result_is_the_stored_version_and_state(desk):
    first, second = key_press.store_presses(
        desk, [pressed(1), pressed(2, "unsure", NOT_NAUSEA)], ANNA
    )
    for result in (first, second):
        record = desk.store.statements.get(result.statement)
        assert (result.version, result.state) == (record.version, str(record.state))


def test_a_key_that_was_stored_for_another_statement_is_reported(desk):
    key_press.store_presses(desk, [pressed(1)], ANNA)
    (result,) = key_press.store_presses(desk, [pressed(1, statement=NOT_NAUSEA)], ANNA)
    assert not result.saved and "another statement" in result.words
    assert state(desk, NOT_NAUSEA) is State.PROPOSED


def test_a_stale_press_is_reported_and_the_others_are_stored(desk):
    key_press.store_presses(desk, [pressed(1)], ANNA)
    late = pressed(1, curator=BEN.orcid)
    late = replace(late, id="k-hgfedcba-1")
    outcome = key_press.store_presses(
        desk, [late, pressed(9, statement=WORDS, curator=BEN.orcid)], BEN
    )
    assert [saved.saved for saved in outcome] == [False, True]
    assert "changed since you" in outcome[0].words


def test_a_press_of_another_curator_is_not_stored_under_this_name(desk):
    (outcome,) = key_press.store_presses(desk, [pressed(1)], BEN)
    assert not outcome.saved and ANNA.orcid in outcome.words
    assert state(desk) is State.PROPOSED


def test_a_rejection_without_a_reason_is_reported(desk):
    (outcome,) = key_press.store_presses(desk, [pressed(1, "reject")], ANNA)
    assert not outcome.saved and "reason" in outcome.words


def test_undo_takes_back_the_press_that_it_names_and_only_once(desk):
    key_press.store_presses(desk, [pressed(1)], ANNA)
    back = pressed(2, "undo", target="k-abcdefgh-1")
    assert [outcome.saved for outcome in key_press.store_presses(desk, [back, back], ANNA)] == [
        True,
        True,
    ]
    assert state(desk) is State.PROPOSED
    assert len(desk.store.statements.get(RELIEVES.id).decisions) == 2


def test_undo_without_a_target_leads_to_the_last_decision(desk):
    key_press.store_presses(desk, [pressed(1, statement=WORDS)], ANNA)
    (outcome,) = key_press.store_presses(
        desk, [KeyPress("k-abcdefgh-2", "undo", curator=ANNA.orcid)], ANNA
    )
    assert (outcome.saved, outcome.statement) == (True, WORDS.id)


def test_undo_of_a_gesture_names_all_of_it_also_when_it_is_sent_again(desk):
    several = [(RELIEVES.id, 1), (NOT_NAUSEA.id, 1)]
    bulk.decide_many(desk, several, Judgement(Verdict.UNSURE), ANNA)
    key = pressed(1, key_press.UNDO, statement=RELIEVES)
    key = replace(key, statement="")
    for _ in range(2):
        (result,) = key_press.store_presses(desk, [key], ANNA)
        assert result.undone == (RELIEVES.id, NOT_NAUSEA.id) and result.statement == RELIEVES.id
    assert state(desk) is State.PROPOSED


def test_a_database_that_cannot_be_written_loses_no_press(desk, monkeypatch):
    def full(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(statements, "_decide", full)
    with pytest.raises(StoreError):
        key_press.store_presses(desk, [pressed(1)], ANNA)
    monkeypatch.undo()
    (outcome,) = key_press.store_presses(desk, [pressed(1)], ANNA)
    assert outcome.saved


def corrected(desk, edit, statement=RELIEVES, approve=True):
    wanted = pressed(5, "correct", statement, edit=edit, approve=approve)
    (outcome,) = key_press.store_presses(desk, [wanted], ANNA)
    assert outcome.saved, outcome.words
    return desk.store.statements.get(outcome.statement)


def test_another_candidate_takes_the_terms_place(desk):
    record = corrected(desk, {"terms": {"object": NAUSEA.id}})
    assert (record.statement.object.id, record.state) == (NAUSEA.id, State.APPROVED)
    assert state(desk) is State.SUPERSEDED


def test_ends_are_swapped_and_negated_and_left_for_review(desk):
    record = corrected(desk, {"swap": True, "negated": True}, approve=False)
    claim = record.statement
    assert (claim.subject, claim.negated, record.state) == (HEADACHE, True, State.PROPOSED)


def test_a_qualifier_is_dropped_and_another_added(desk):
    edit = {"dropped": [0], "added": [["Age group", "over 60"]]}
    claim = corrected(desk, edit, ADULTS).statement
    (only,) = claim.qualifiers
    assert isinstance(only, Qualifier)
    assert (only.name, only.value.value) == ("age_group", "over 60")


@pytest.mark.parametrize(
    "edit",
    [
        {"terms": {"object": "HP:9999999"}},
        {"dropped": [3]},
        {"added": [["", "x"]]},
        {"modality": "loud"},
        {},
        None,
        {"terms": [1]},
    ],
)
def test_a_correction_that_cannot_be_made_is_reported(desk, edit):
    (outcome,) = key_press.store_presses(desk, [pressed(1, "correct", edit=edit)], ANNA)
    assert not outcome.saved and outcome.words
    assert state(desk) is State.PROPOSED


def test_a_correction_cut_off_before_its_approval_is_finished(desk, monkeypatch):
    record = corrected(desk, {"negated": True}, approve=False)
    (outcome,) = key_press.store_presses(
        desk, [pressed(5, "correct", edit={"negated": True})], ANNA
    )
    assert (outcome.statement, outcome.state) == (record.id, str(State.APPROVED))


@pytest.mark.parametrize(
    "message",
    [None, "x", [None], [{"id": "d1", "kind": "approve"}], [{"id": "k-abcdefgh-1", "kind": "own"}]],
)
def test_a_malformed_message_is_not_a_key_press(message):
    assert key_press.presses_of_message(message) == []


def test_a_message_is_read_as_it_was_sent():
    row = {"id": "k-abcdefgh-7", "kind": "reject", "statement": "s1-a", "version": 3}
    row |= {"reason": str(Verdict.REJECT), "curator": "o", "approve": False, "more": 1}
    (press_read,) = key_press.presses_of_message([row])
    assert (press_read.statement, press_read.version, press_read.approve) == ("s1-a", 3, False)
    assert Curator(press_read.curator).orcid == "o"


@pytest.mark.parametrize("approve", [True, False])
def test_undo_of_a_correction_names_only_the_statement_that_stands_again(desk, approve):
    corrected(desk, {"negated": True}, approve=approve)
    undone = pressed(6, "undo", target="k-abcdefgh-5")
    for _ in range(2):
        (outcome,) = key_press.store_presses(desk, [undone], ANNA)
        assert (outcome.saved, outcome.undone) == (True, (RELIEVES.id,))


def test_the_first_of_two_approvals_says_how_many_there_are(desk):
    roles.appoint_person(desk, ANNA.orcid, ANNA.name, Role.OWNER)
    roles.appoint_person(desk, BEN.orcid, BEN.name, Role.CURATOR)
    roles.set_policy(desk, ReviewPolicy(approvals=2), ANNA.orcid)
    (first,) = key_press.store_presses(desk, [pressed(1)], ANNA)
    assert (first.saved, first.state, first.words) == (True, "proposed", "1 of 2 approvals")
    assert "1 of 2 approvals" in card_row(statement_card(desk, RELIEVES.id, ANNA.orcid))["line"]
    (second,) = key_press.store_presses(desk, [pressed(2, version=2, curator=BEN.orcid)], BEN)
    assert (second.state, second.words) == ("approved", "")
