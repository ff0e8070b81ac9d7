"""The Review page in its conditions: empty, filled, no endpoint, hostile labels; and what its
buttons do.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from core.model import Document, Reason, State, Verdict
from core.services.review import decision
from core.services.review.decision import Judgement
from core.text.clean import text_version
from tests import reviewing
from tests.reviewing import ANNA, BEN, RELIEVES, WORDS

PAGE = Path(__file__).resolve().parents[2] / "pages" / "3_Review.py"


def opened(address: dict[str, str] | None = None, person: bool = True) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=30)
    if person:
        at.session_state["_curator"] = ANNA
    for name, value in (address or {}).items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def button(at: AppTest, key: str) -> Button:
    """The one button of that key; those that decide name the statement and its version after it."""
    (found,) = (one for one in at.button if one.key == key or str(one.key).startswith(f"{key}·"))
    return found


def press(at: AppTest, key: str) -> AppTest:
    button(at, key).click().run()
    assert not at.exception
    return at


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


def state(desk, statement=RELIEVES) -> State:
    return desk.store.statements.get(statement.id).state


def test_an_empty_project_says_what_to_do(project):
    reviewing.empty(project).store.queue.count()
    assert any("No statements to review yet" in one.value for one in opened().markdown)


def test_the_first_statement_is_in_view_with_its_quote_marked(project):
    reviewing.filled(project)
    page = html(opened())
    assert '<span class="gw-quote" title="the quote">Aspirin relieves headache</span>' in page
    assert "Willow bark was brewed for ages." in page


def test_hostile_labels_stay_text(project):
    reviewing.hostile(project)
    page = html(opened({"id": reviewing.HOSTILE.id}))
    assert "&lt;img src=x" in page
    assert "<img" not in page


def test_without_a_curator_nothing_can_be_decided(project):
    reviewing.filled(project)
    at = opened(person=False)
    assert button(at, "do·Approve").disabled


def test_approving_moves_to_the_next(project):
    desk = reviewing.filled(project)
    at = press(opened(), "do·Approve")
    assert state(desk) is State.APPROVED
    assert at.query_params["id"] == reviewing.NOT_NAUSEA.id


def test_a_rejection_asks_for_a_reason_and_the_last_is_repeated(project):
    desk = reviewing.filled(project)
    at = press(opened(), "do·Reject")
    press(at, "why·NO_RELATION")
    press(at, "do·Reject")
    press(at, "why·again")
    given = [
        desk.store.statements.get(one.id).decisions[0].reason
        for one in (RELIEVES, reviewing.NOT_NAUSEA)
    ]
    assert given == [Reason.NO_RELATION, Reason.NO_RELATION]


@pytest.mark.parametrize("button", ["do·Reject", "do·Edit"])
def test_a_form_is_not_opened_on_what_another_tab_has_decided(project, button):
    desk = reviewing.filled(project)
    at = opened()
    version = desk.store.statements.get(RELIEVES.id).version
    decision.decide(desk, RELIEVES.id, version, Judgement(Verdict.APPROVE), BEN)
    press(at, button)
    assert any("changed" in one.value for one in at.warning)
    assert not [one for one in at.button if one.key and one.key.startswith(("why·NO", "save·"))]


def test_other_without_a_note_is_refused_in_words(project):
    desk = reviewing.filled(project)
    at = press(press(opened(), "do·Reject"), "why·OTHER")
    assert any("note" in one.value for one in at.warning)
    assert state(desk) is State.PROPOSED


def test_undo_works_after_a_reload(project):
    desk = reviewing.filled(project)
    press(opened(), "do·Approve")
    at = press(opened(), "do·Undo")
    assert state(desk) is State.PROPOSED
    assert at.query_params["id"] == RELIEVES.id


def test_the_second_tab_is_told_and_overwrites_nothing(project):
    desk = reviewing.filled(project)
    first, second = opened({"id": RELIEVES.id}), opened({"id": RELIEVES.id})
    press(first, "do·Approve")
    press(second, "do·Unsure")
    assert state(desk) is State.APPROVED
    assert any(
        "changed since you opened it" in one.value.replace("\\", "") for one in second.warning
    )


def test_next_and_previous_walk_the_queue(project):
    reviewing.filled(project)
    at = press(opened(), "do·Next")
    assert at.query_params["id"] == reviewing.NOT_NAUSEA.id
    assert press(at, "do·Back").query_params["id"] == RELIEVES.id


def test_filters_live_in_the_address(project):
    reviewing.filled(project)
    page = html(opened({"text": "willow"}))
    assert "willow bark" in page


def test_a_filter_that_nothing_passes_says_so(project):
    reviewing.filled(project)
    at = opened({"state": "rejected"})
    assert any("No statements match these filters" in one.value for one in at.markdown)


def test_a_statement_that_does_not_exist_is_no_crash(project):
    reviewing.filled(project)
    opened({"id": "s1-gone", "state": "nonsense", "offset": "-5x"})


def test_candidates_say_why_they_matched(project):
    reviewing.filled(project)
    frames = [frame.value for frame in opened({"id": RELIEVES.id}).dataframe]
    matches = [match for frame in frames if "match" in frame for match in frame["match"]]
    assert "normalised (upper case) · hp test" in matches


def test_a_nodes_statements_are_shown_together(project):
    reviewing.filled(project)
    at = opened({"id": reviewing.AMOUNT.id})
    assert any("Same Dose (2)" in tab.label for tab in at.tabs)


def test_a_nodes_statements_are_approved_in_one_gesture_and_undone_in_one(project):
    desk = reviewing.filled(project)
    at = opened({"id": reviewing.AMOUNT.id})
    name = f"together·{reviewing.AMOUNT.id}"
    at.session_state[f"{name}·verdict"] = Verdict.APPROVE
    at.run()
    press(press(at, f"{name}·preview"), f"{name}·do")
    assert [state(desk, one) for one in (reviewing.AMOUNT, reviewing.HAS_DOSE)] == [
        State.APPROVED,
        State.APPROVED,
    ]
    press(at, "do·Undo")
    assert [state(desk, one) for one in (reviewing.AMOUNT, reviewing.HAS_DOSE)] == [
        State.PROPOSED,
        State.PROPOSED,
    ]


def test_a_correction_is_saved_and_shown(project):
    desk = reviewing.filled(project)
    at = press(opened({"id": RELIEVES.id}), "do·Edit")
    at.checkbox(key=f"not·{RELIEVES.id}").check().run()
    press(at, "save·yes")
    assert state(desk) is State.SUPERSEDED
    (corrected,) = desk.store.statements.get(RELIEVES.id).decisions
    assert desk.store.statements.get(corrected.replacement).state is State.APPROVED


def test_a_reference_is_added(project):
    desk = reviewing.filled(project)
    at = opened({"id": RELIEVES.id})
    next(one for one in at.text_input if one.label == "Document id").set_value("PMID:7")
    next(one for one in at.button if one.label == "Add").click()
    at.run()
    assert len(desk.store.statements.get(RELIEVES.id).evidence) == 2


def test_a_statement_that_says_the_opposite_is_pointed_out(project):
    desk = reviewing.filled(project)
    desk.store.statements.propose([(replace(RELIEVES, negated=True), [])])
    assert any("says the opposite" in one.value for one in opened({"id": RELIEVES.id}).text)


def test_decisions_of_others_are_in_the_history(project):
    desk = reviewing.filled(project)
    version = desk.store.statements.get(WORDS.id).version
    decision.decide(
        desk, WORDS.id, version, decision.Judgement(decision.Verdict.UNSURE, note="hm"), BEN
    )
    assert any(
        BEN.orcid in one.value and "hm" in one.value for one in opened({"id": WORDS.id}).text
    )


def test_a_quote_whose_text_is_elsewhere_says_so_and_takes_the_text(project):
    desk = reviewing.filled(project)
    sha = text_version("PMID:9", reviewing.TEXT).sha
    claim = replace(RELIEVES, document="PMID:9", negated=True)
    piece = reviewing.quoted(claim, "Aspirin relieves headache")
    ground = replace(piece.ground, document="PMID:9", version=sha)
    desk.store.documents.add(Document("PMID:9"))
    desk.store.statements.propose([(claim, [replace(piece, ground=ground)])], "r1", ANNA.orcid)
    at = opened({"id": claim.id})
    assert any("will not be exported" in one.value for one in at.text)
    assert any("The text of PMID:9 is not in this project" in one.value for one in at.text)
    area = next(one for one in at.text_area if one.label == "The text")
    area.set_value(reviewing.TEXT).run()
    press(at, f"give·{desk.store.statements.get(claim.id).evidence[0].id}")
    assert "✓ quote proven" in html(at)
    assert not any("it is not exported" in one.value for one in at.text)


def test_undo_works_when_nothing_is_left_to_review(project):
    desk = reviewing.filled(project)
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, Judgement(Verdict.UNSURE), ANNA)
    at = opened()
    assert any("Everything is decided" in one.value for one in at.markdown)
    press(at, "do·Undo")
    assert desk.store.queue.state_counts()[State.PROPOSED] == 1


def test_no_reason_is_preset_for_a_bulk_rejection(project):
    reviewing.filled(project)
    at = opened()
    at.toggle(key="many").set_value(True).run()
    at.session_state["batch·verdict"] = Verdict.REJECT
    at.run()
    (reason,) = [one for one in at.selectbox if one.key == "batch·reason"]
    assert reason.value is None and button(at, "batch·preview").disabled
