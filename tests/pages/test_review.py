"""The Review page in its conditions: empty, filled, hostile labels; what the browser is given, and
what its forms do. Keys are pressed in tests/browser/test_quick_keys.py.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from core.model import Document, State, Verdict
from core.services.review import decision, queue, undo
from core.services.review.decision import Judgement
from core.text.clean import text_version
from tests import reviewing
from tests.reviewing import ANNA, ASPIRIN, BEN, NOT_NAUSEA, RELIEVES, WORDS

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
    """The one button of that key."""
    (pressed_button,) = (shown_button for shown_button in at.button if shown_button.key == key)
    return pressed_button


def press(at: AppTest, key: str) -> AppTest:
    button(at, key).click().run()
    assert not at.exception
    return at


def given(at: AppTest) -> dict:
    """What the queue in the browser was given."""
    (list_view,) = at.get("bidi_component")
    return json.loads(list_view.proto.json)


def in_view(at: AppTest) -> dict:
    """The statement that the browser shows first."""
    view = given(at)
    wanted = view["at"] or view["rows"][0]["id"]
    return next(card for card in view["cards"] if card["id"] == wanted)


def form(what: str, statement, person: bool = True, **more: object) -> AppTest:
    """The page with a form that the browser asked for."""
    at = AppTest.from_file(PAGE, default_timeout=30)
    if person:
        at.session_state["_curator"] = ANNA
    version = more.pop("version", 1)
    at.session_state["_review_open"] = {
        "what": what,
        "id": statement.id,
        "version": version,
        **more,
    }
    at.run()
    assert not at.exception
    return at


def state(desk, statement=RELIEVES) -> State:
    return desk.store.statements.get(statement.id).state


def test_an_empty_project_says_what_to_do(project):
    reviewing.empty(project).store.queue.count()
    assert any("to review yet" in markdown.value for markdown in opened().markdown)


def test_the_first_statement_is_in_view_with_its_quote_marked(project):
    reviewing.filled(project)
    (passage,) = in_view(opened())["passages"]
    assert ["Aspirin relieves headache", "gw-quote", "the quote"] in passage["parts"]
    assert "Willow bark was brewed for ages. " in passage["parts"][0][0]
    assert "✓ quote proven" in passage["source"]


def test_hostile_labels_stay_text(project):
    reviewing.hostile(project)
    at = opened({"id": reviewing.HOSTILE.id})
    assert "<img src=x" in in_view(at)["statement"]["subject"]["label"]
    assert not [html for html in at.get("html") if "<img" in html.proto.body]


def test_without_a_curator_nothing_can_be_decided(project):
    reviewing.filled(project)
    assert given(opened(person=False))["off"]


def test_the_next_statements_are_in_the_browser_already(project):
    reviewing.filled(project)
    view = given(opened())
    assert [row["id"] for row in view["rows"]] == [card["id"] for card in view["cards"]]
    assert (len(view["cards"]), view["total"]) == (6, 6)


def test_the_address_says_which_statement_is_in_view(project):
    reviewing.filled(project)
    assert in_view(opened({"id": WORDS.id}))["label"] == "willow bark treats Headache"


def test_filters_live_in_the_address(project):
    reviewing.filled(project)
    rows = given(opened({"text": "willow"}))["rows"]
    assert [row["id"] for row in rows] == [WORDS.id]


def test_a_filter_that_nothing_passes_says_so(project):
    reviewing.filled(project)
    view = given(opened({"state": "rejected"}))
    assert (view["rows"], view["empty"]) == ([], queue.view_of({"state": "rejected"}).empty)


def test_a_statement_that_does_not_exist_is_not_a_crash(project):
    reviewing.filled(project)
    opened({"id": "s1-gone", "state": "nonsense", "order": "-5x", "band": "9"})


def test_candidates_say_why_they_matched(project):
    reviewing.filled(project)
    terms = in_view(opened({"id": RELIEVES.id}))["terms"]
    assert "normalised (upper case) · hp test · 0.95" in [
        candidate["why"] for term in terms for candidate in term["candidates"]
    ]


def test_a_statement_that_says_the_opposite_is_pointed_out(project):
    desk = reviewing.filled(project)
    desk.store.statements.propose([(replace(RELIEVES, negated=True), [])])
    kinds = [conflict["kind"] for conflict in in_view(opened({"id": RELIEVES.id}))["conflicts"]]
    assert "says the opposite" in kinds


def test_decisions_of_others_are_in_the_history(project):
    desk = reviewing.filled(project)
    version = desk.store.statements.get(WORDS.id).version
    decision.decide(
        desk, WORDS.id, version, decision.Judgement(decision.Verdict.UNSURE, note="hm"), curator=BEN
    )
    (entry,) = in_view(opened({"id": WORDS.id, "state": "unsure"}))["history"]
    assert "Ben" in entry["words"] and "hm" in entry["words"]


def test_a_nodes_statements_are_approved_in_one_gesture_and_undone_in_one(project):
    desk = reviewing.filled(project)
    at = form("together", reviewing.AMOUNT)
    name = f"together·{reviewing.AMOUNT.id}"
    at.session_state[f"{name}·verdict"] = Verdict.APPROVE
    at.run()
    press(press(at, f"{name}·preview"), f"{name}·do")
    both = (reviewing.AMOUNT, reviewing.HAS_DOSE)
    assert [state(desk, statement) for statement in both] == [State.APPROVED] * 2
    undo.undo_last(desk, ANNA)
    assert [state(desk, statement) for statement in both] == [State.PROPOSED] * 2


def test_correction_is_saved_and_sent_to_the_queue(project):
    desk = reviewing.filled(project)
    at = form("edit", RELIEVES)
    at.checkbox(key=f"not·{RELIEVES.id}").check().run()
    press(at, "save·yes")
    assert state(desk) is State.SUPERSEDED
    (corrected,) = desk.store.statements.get(RELIEVES.id).decisions
    assert desk.store.statements.get(corrected.replacement).state is State.APPROVED
    assert at.session_state["_review_memory"].outside["states"] == {RELIEVES.id: "superseded"}


@pytest.mark.parametrize("what", ["edit", "alike", "reference"])
def test_a_form_is_not_opened_on_what_another_tab_has_decided(project, what):
    desk = reviewing.filled(project)
    decision.decide(desk, RELIEVES.id, version=1, judgement=Judgement(Verdict.APPROVE), curator=BEN)
    at = form(what, RELIEVES)
    assert "_review_open" not in at.session_state
    assert not [
        shown_button
        for shown_button in at.button
        if str(shown_button.key).startswith(("save·", "ref·"))
    ]


def test_a_reference_is_added(project):
    desk = reviewing.filled(project)
    at = form("reference", RELIEVES)
    at.text_input(key=f"ref·id·{RELIEVES.id}").set_value("PMID:7").run()
    press(at, "ref·add")
    assert len(desk.store.statements.get(RELIEVES.id).evidence) == 2


def test_a_quote_whose_text_is_elsewhere_says_so_and_takes_the_text(project):
    desk = reviewing.filled(project)
    sha = text_version("PMID:9", reviewing.TEXT).sha
    claim = replace(RELIEVES, document="PMID:9", negated=True)
    piece = reviewing.quoted(claim, "Aspirin relieves headache")
    ground = replace(piece.ground, document="PMID:9", version=sha)
    desk.store.documents.add(Document("PMID:9"))
    desk.store.statements.propose([(claim, [replace(piece, ground=ground)])], "r1", ANNA.orcid)
    card = in_view(opened({"id": claim.id}))
    assert any("not be exported" in words for words in card["warnings"])
    assert "PMID:9 is not" in card["passages"][0]["warning"]
    evidence = desk.store.statements.get(claim.id).evidence[0].id
    at = form("absent", claim, evidence=evidence)
    next(text_area for text_area in at.text_area if text_area.label == "The text").set_value(
        reviewing.TEXT
    ).run()
    press(at, f"give·{evidence}")
    shown = in_view(opened({"id": claim.id}))["passages"][0]["source"]
    assert "the quote stands" in shown  # which says the contrary, so not "proven"


def test_no_reason_is_preset_for_a_bulk_rejection(project):
    reviewing.filled(project)
    at = form("several", RELIEVES, ticked=[[RELIEVES.id, 1], [WORDS.id, 1]])
    at.session_state["several·verdict"] = Verdict.REJECT
    at.run()
    (reason,) = [selectbox for selectbox in at.selectbox if selectbox.key == "several·reason"]
    assert reason.value is None and button(at, "several·preview").disabled


def test_a_view_is_saved_and_opened_again(project):
    desk = reviewing.filled(project)
    at = opened({"text": "willow", "order": "newest"})
    at.text_input(key="view·name").set_value("Bark").run()
    press(at, "view·save")
    (view,) = desk.store.views.all()
    assert (view.name, view.address) == ("Bark", {"text": "willow", "order": "newest"})
    at = press(opened(), "view·0")
    assert at.query_params["text"] == ["willow"] or at.query_params["text"] == "willow"


def test_a_conflict_is_settled_with_both_sentences_side_by_side(project):
    desk = reviewing.filled(project)
    opposite = replace(RELIEVES, negated=True)
    piece = reviewing.quoted(opposite, "did not relieve nausea")
    desk.store.statements.propose([(opposite, [piece])])
    at = opened({"state": "conflicts"})
    sentences = [html.proto.body for html in at.get("html") if "gw-quote" in html.proto.body]
    assert any("Aspirin relieves headache" in sentence for sentence in sentences)
    assert any("did not relieve nausea" in sentence for sentence in sentences)
    assert button(at, "conflict·wrong·first").disabled  # no reason is preset
    press(at, "conflict·duplicate·first")
    assert desk.store.queue.state_counts()[State.REJECTED] == 1
    assert len(desk.store.conflicts.settled()) == 1
    assert button(at, "conflict·undo").proto.shortcut == "u"  # as everywhere in Review
    press(at, "conflict·undo")
    assert desk.store.queue.state_counts().get(State.REJECTED, 0) == 0
    assert desk.store.conflicts.settled() == []


def test_both_statements_use_the_chosen_id_of_a_name(project):
    desk = reviewing.empty(project)
    other = replace(NOT_NAUSEA, subject=replace(ASPIRIN, id="MESH:D001241"))
    for claim, words in ((RELIEVES, "headache"), (other, "nausea")):
        desk.store.statements.propose([(claim, [reviewing.quoted(claim, words)])])
    at = opened({"state": "conflicts"})
    first = min(RELIEVES.id, other.id) == RELIEVES.id
    stays = "first" if first else "second"
    used = next(
        shown_button for shown_button in at.button if shown_button.label == f"Use the {stays}'s id"
    )
    used.click().run()
    assert not at.exception
    assert desk.store.statements.get(other.id).state is State.SUPERSEDED
    assert desk.store.statements.get(RELIEVES.id).state is State.PROPOSED


def test_no_reason_is_preset_for_the_next_conflict(project):
    desk = reviewing.filled(project)
    for claim in (replace(RELIEVES, negated=True), replace(NOT_NAUSEA, negated=False)):
        piece = reviewing.quoted(claim, "did not relieve nausea")
        desk.store.statements.propose([(claim, [piece])])
    at = opened({"state": "conflicts"})
    reason = next(selectbox for selectbox in at.selectbox if selectbox.key == "conflict·reason")
    reason.set_value(reason.options[0]).run()
    press(at, "conflict·wrong·first")
    assert desk.store.queue.state_counts()[State.REJECTED] == 1
    assert button(at, "conflict·wrong·first").disabled


def test_conflicts_that_were_kept_are_listed_and_opened_again(project):
    desk = reviewing.filled(project)
    opposite = replace(RELIEVES, negated=True)
    piece = reviewing.quoted(opposite, "did not relieve nausea")
    desk.store.statements.propose([(opposite, [piece])])
    at = opened({"state": "conflicts"})
    next(text_input for text_input in at.text_input if text_input.key == "conflict·note").set_value(
        "two trials"
    ).run()
    press(at, "conflict·KEEP")
    at = opened({"state": "conflicts"})  # after a reload
    assert any("keep both · Anna" in text.value and "two trials" in text.value for text in at.text)
    press(at, "conflict·reopen·1")
    assert desk.store.conflicts.settled() == []
    assert button(at, "conflict·KEEP")


def test_a_blind_reader_does_not_see_how_others_judged_what_waits(project):
    desk = reviewing.filled(project)
    desk.store.project.set_policy(replace(desk.store.project.policy(), blind=True))
    decision.decide(
        desk, RELIEVES.id, version=1, judgement=Judgement(Verdict.UNSURE, note="hm"), curator=BEN
    )
    card = in_view(opened({"id": RELIEVES.id, "state": "unsure"}))
    assert card["history"] == [] and "Ben" not in json.dumps(card)
    assert card["state"] == "proposed"


def test_lone_surrogate_from_an_old_import_breaks_no_page(project):
    desk = reviewing.filled(project)
    with desk.store.database.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE statements SET body = replace(body, 'Headache', 'half \\ud83d ache')"
        )
    card = in_view(opened({"id": RELIEVES.id}))
    assert card["statement"]["object"]["label"] == "half ? ache"


def test_an_empty_review_of_the_example_project_does_not_offer_the_example_project(project):
    reviewing.empty(project).close()
    assert any("example project" in markdown.value for markdown in opened().markdown)
    example = project.with_name("example-project")
    reviewing.empty(example).close()
    at = opened({"project": example.name})
    assert not any("example project" in markdown.value for markdown in at.markdown)


def test_no_model_is_offered_where_there_is_none(project):
    reviewing.filled(project)
    assert not [t for t in opened().toggle if t.label.startswith("Ask a model")]


def test_a_model_is_asked_only_by_a_press(project, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("GROUNDWORK_MODEL", "second")
    desk = reviewing.filled(project)
    at = opened()
    toggle = next(t for t in at.toggle if t.label.startswith("Ask a model"))
    assert not [b for b in at.button if b.label == "Ask the model"]
    toggle.set_value(True).run()
    assert not at.exception
    assert any("will be sent to the model second at" in c.value for c in at.caption)
    assert [b for b in at.button if b.label == "Ask the model"]
    assert not desk.store.runs.find("support")
