"""The Knowledge graph page in its conditions: empty, filled, no endpoint, hostile labels."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from streamlit.testing.v1 import AppTest

from core.kb.gate.gate import GateReport, HoldReason
from core.kb.query.answer import QueryAnswer
from core.model import Category, ReviewPolicy, Role, Term, Verdict
from core.services.graph import explore, knowledge_base
from core.services.graph.view_request import ViewRequest
from core.services.people import roles
from core.services.reasoning import reasoning
from core.services.reasoning.reasoning import DefinedClass, MembershipCondition
from core.services.releases import export_job, making
from core.services.review import decision
from core.services.review.decision import Judgement
from pages.components.graph import explorer, exploring
from pages.components.graph.explorer import ExplorerAct, read_act, view_for_browser
from pages.components.shared import cached
from tests import reviewing
from tests.core.kb.formats.test_nanopub_signature import pem
from tests.core.services.releases.test_export_job import in_this_process
from tests.reviewing import ANNA, BEN, RELIEVES

PAGE = Path(__file__).resolve().parents[2] / "pages" / "4_Knowledge_graph.py"


def opened(**address: str) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=30)
    at.session_state["_curator"] = ANNA
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def approved(desk, note=""):
    judgement = Judgement(Verdict.APPROVE, note=note)
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, judgement, curator=ANNA)
    return desk


def words(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in [*at.markdown, *at.caption, *at.text])


def test_an_empty_project_says_what_to_do(project):
    reviewing.empty(project).store.queue.count()
    assert "approved yet" in words(opened())
    assert "nothing to export" in words(opened(tab="Export"))


def test_import_names_what_it_takes(project):
    reviewing.empty(project)
    assert "Turtle, N-Triples, JSON-LD" in words(opened(tab="Import"))


def test_proposed_statements_are_not_shown(project):
    reviewing.filled(project)
    assert "approved yet" in words(opened())


def test_clicked_node_is_described_beside_the_drawing(project, monkeypatch):
    monkeypatch.setattr("streamlit.page_link", lambda *_, **__: None)  # one page is run alone
    approved(reviewing.filled(project))
    assert "aspirin" not in words(opened())
    beside = opened(thing="CHEBI:15365")
    assert "aspirin" in words(beside)
    assert "in the knowledge" in words(beside)
    record = opened(statement=reviewing.RELIEVES.id)
    bodies = "".join(element.proto.body for element in record.get("html"))
    assert '<span class="gw-quote">Aspirin relieves headache</span>' in bodies
    assert "approve: Anna" in words(record)


def test_a_blind_reader_does_not_see_in_a_record_how_others_judged_it(project, monkeypatch):
    monkeypatch.setattr("streamlit.page_link", lambda *_, **__: None)  # one page is run alone
    desk = reviewing.filled(project)
    desk.store.project.set_policy(ReviewPolicy(blind=True))
    for record in desk.store.queue.records():
        reader, verdict = (
            (BEN, Verdict.UNSURE) if record.statement.negated else (ANNA, Verdict.APPROVE)
        )
        decision.decide(desk, record.id, record.version, Judgement(verdict), curator=reader)
    page_words = words(opened(statement=reviewing.NOT_NAUSEA.id))
    assert "verdicts once you" in page_words and "Ben" not in page_words


@pytest.mark.parametrize("tab", ["Classes", "Export", "Releases"])
def test_gate_results_seen_by_a_reader_are_not_stored(project, tab):
    desk = approved(reviewing.filled(project))
    roles.appoint_person(desk, BEN.orcid, BEN.name, Role.OWNER)
    roles.appoint_person(desk, ANNA.orcid, ANNA.name, Role.READER)
    opened(tab=tab)
    assert not desk.store.gate_results.stamp() and not desk.store.gate_results.all()
    assert not desk.store.project.base_iri
    roles.appoint_person(desk, ANNA.orcid, ANNA.name, Role.CURATOR)
    opened(tab="Export")
    assert desk.store.gate_results.all()


def test_going_back_shows_the_filters_that_were(project):
    """Each widget is named by its value, so the address alone says what is shown."""
    approved(reviewing.filled(project))
    at = opened(view="all", relations="treats", evidence="2")
    assert at.multiselect[0].value == ["treats"]
    assert at.number_input[0].value == 2
    del at.query_params["relations"], at.query_params["evidence"]
    at.run()
    assert at.multiselect[0].value == []
    assert at.number_input[0].value == 1


def test_a_filter_is_written_to_the_address(project):
    approved(reviewing.filled(project))
    at = opened()
    at.multiselect[0].select("treats").run()
    assert at.query_params["relations"] == "treats"
    next(button for button in at.button if button.label == "Remove all filters").click().run()
    assert "relations" not in at.query_params


def test_a_view_is_saved_under_a_name(project):
    approved(reviewing.filled(project))
    at = opened(centre="HP:0002018")
    at.text_input(key="graph-view·name").set_value("Nausea")
    at.button(key="graph-view·save").click().run()
    assert not at.exception
    other = opened()
    other.button(key="graph-view·0").click().run()
    assert other.query_params["centre"] == "HP:0002018"


def test_a_table_of_what_is_in_view_stands_beside(project):
    approved(reviewing.filled(project))
    at = opened(table="yes", centre="HP:0002018")
    assert at.dataframe[0].value["statement"].tolist() == ["aspirin NOT treats Nausea"]


def test_every_act_of_the_drawing_is_another_address():
    request = ViewRequest(view="around", centre=("a", "b"), also=("c",), fold=("d",))
    assert exploring.toggle_expanded(request, "c").also == ()
    assert exploring.toggle_expanded(request, "d").fold == ()
    assert exploring.toggle_expanded(request, "e").also == ("c", "e")
    assert exploring.centred_view(request, ("x",)).centre == ("x",)
    paths = replace(request, view="paths", centre=("a",))
    assert exploring.path_ends(paths, "x") == ("a", "x")
    assert exploring.path_ends(request, "x") == ("x",)
    act = ExplorerAct("pin", "a", across=3, down=4)
    assert exploring.pin_point(exploring.pin_point(request, act), act).pin == ("a@3,4",)
    assert exploring.view_without(request, "centre").centre == ()


@pytest.mark.parametrize(
    "message", [None, "x", {"kind": "delete"}, {"kind": None}, {"key": "a"}, {"kind": ["thing"]}]
)
def test_unknown_messages_of_the_drawing_are_ignored(message):
    assert read_act(message) is None


def test_places_from_the_browser_stay_within_the_frame():
    act = read_act({"kind": "pin", "key": "a", "across": 1e9, "down": "x"})
    assert (act.across, act.down) == (1000, 0)


def test_the_export_says_first_what_is_held_back_and_why(project):
    approved(reviewing.filled(project))
    at = opened(tab="Export")
    assert "will not be" in words(at)
    assert HoldReason.UNGROUNDED in at.dataframe[0].value["why"].tolist()


def test_the_export_names_what_the_chosen_format_leaves_out(project):
    approved(reviewing.filled(project))
    at = opened(tab="Export")
    at.session_state["format"] = "hpoa"
    at.run()
    assert not at.exception
    assert "left out: " in words(at)


def export_in_app() -> AppTest:
    at = AppTest.from_file(PAGE.parents[1] / "app.py", default_timeout=30)
    at.session_state["_curator"] = ANNA
    at.switch_page(f"pages/{PAGE.name}")
    at.query_params["tab"] = "Export"
    at.run()
    assert not at.exception
    return at


def in_view(at: AppTest) -> dict:
    """What Review's desk was sent."""
    assert not at.exception
    (list_view,) = [
        bidi_component
        for bidi_component in at.get("bidi_component")
        if bidi_component.proto.component_name == "review"
    ]
    return json.loads(list_view.proto.json)


def test_next_problem_opens_the_record_with_the_others_of_its_reason(project):
    approved(reviewing.filled(project))
    at = export_in_app()
    at.button(key="next-problem").click().run()
    assert at.query_params["held"] == HoldReason.UNGROUNDED
    assert [row["id"] for row in in_view(at)["rows"]] == [reviewing.WORDS.id]


def test_next_problem_begins_at_the_first_of_the_queue(project):
    desk = reviewing.filled(project)
    at = export_in_app()
    at.button(key="next-problem").click().run()
    ids = [record.id for record in desk.store.queue.records()]
    view = in_view(at)
    assert len(ids) > 2
    assert [row["id"] for row in view["rows"]][: len(ids)] == ids
    assert view["at"] == ""  # the first row of the view


def test_a_row_of_what_is_held_back_opens_its_record(project):
    reviewing.filled(project)
    at = export_in_app()
    ids = at.dataframe[1].value["id"].tolist()
    assert len(ids) > 2
    at.session_state["held-each"] = {"selection": {"rows": [], "columns": [], "cells": [[2, "id"]]}}
    at.run()
    view = in_view(at)
    assert view["at"] == ids[2]
    assert {row["id"] for row in view["rows"]} == set(ids)


@pytest.mark.parametrize("tab", ["Explore", "Export", "Import"])
def test_hostile_labels_break_nothing(project, tab):
    approved(reviewing.hostile(project))
    at = opened(tab=tab, centre="CHEBI:1")
    bodies = "".join(element.proto.body for element in at.get("html"))
    assert "<img" not in bodies
    assert "](http" not in "".join(markdown.value for markdown in at.markdown)


def drawing(project, **asked):
    desk = approved(reviewing.hostile(project))
    graph = knowledge_base.approved_graph(desk)
    return explore.drawing_of_view(desk, graph, ViewRequest(view="all", **asked))


def test_drawing_has_a_description_in_words(project):
    browser_view = view_for_browser(drawing(project), explore.drawing_colours([]), ViewRequest())
    assert any("<img" in point["label"] for point in browser_view["points"])  # set as text there
    assert not any(
        "\n" in point["label"] or "\u202e" in point["label"] for point in browser_view["points"]
    )
    browser = Path(explorer.__file__).parent / "browser"
    scripts = [path.read_text("utf-8") for path in browser.glob("*.js")]
    assert scripts
    assert not any("innerHTML" in text or "insertAdjacentHTML" in text for text in scripts)


def test_only_lines_of_negated_or_hedged_statements_are_dashed(project):
    browser_view = view_for_browser(drawing(project), explore.drawing_colours([]), ViewRequest())
    dashes = {line["id"]: line["dashes"] for line in browser_view["lines"]}
    assert dashes[reviewing.NOT_NAUSEA.id] != []
    assert dashes[reviewing.RELIEVES.id] == []


def test_values_show_on_hover_until_they_are_asked_for(project):
    assert not any(point.kind == "value" for point in drawing(project).view.points)


def test_values_are_points_when_they_are_asked_for(project):
    assert any(point.kind == "value" for point in drawing(project, values=True).view.points)


def test_a_release_is_made_on_the_page_and_listed(project):
    approved(reviewing.filled(project))
    at = opened(tab="Releases")
    assert "released yet" in words(at)
    at.toggle(key="prepare-release").set_value(True).run()
    at.selectbox[0].set_value("CC-BY-4.0")
    next(button for button in at.button if button.label == "Make the release").click().run()
    assert "leads nowhere" in words(at)
    assert at.text_input(key="release-base").placeholder.startswith("https://w3id.org/")
    at.text_input(key="release-base").set_value("https://w3id.org/willow-bark/")
    next(button for button in at.button if button.label == "Make the release").click().run()
    assert not at.exception
    for _ in range(200):
        if "release" in at.query_params:
            break
        at.run()
    assert at.dataframe[0].value["release"].tolist() == ["1.0.0"]
    assert at.dataframe[0].value["licence"].tolist() == ["CC-BY-4.0"]


def test_release_form_keeps_its_text_across_tabs(project):
    approved(reviewing.filled(project))
    at = opened(tab="Releases")
    at.toggle(key="prepare-release").set_value(True).run()
    at.text_input(key="release-title").set_value("Willow bark, all of it").run()
    for tab in ("Import", "Releases"):
        at.session_state["tab"] = tab
        at.run()
    assert at.text_input(key="release-title").value == "Willow bark, all of it"
    next(button for button in at.button if button.label == "Make the release").click().run()
    assert "needs a licence" in words(at)


def released_twice(project) -> AppTest:
    """The page after a release, where the form is filled in once more and nothing changed."""
    desk = approved(reviewing.filled(project))
    preview = making.preview_release(desk)
    making.make_release(
        desk, replace(preview.form, licence="CC-BY-4.0", placeholder_iri=True), ANNA.orcid
    )
    at = opened(tab="Releases")
    at.toggle(key="prepare-release").set_value(True).run()
    next(button for button in at.button if button.label == "Make the release").click().run()
    return at


def test_a_release_in_which_nothing_changed_is_refused_before_any_job(project):
    at = released_twice(project)
    assert "since release 1.0.0" in words(at)
    assert "job" not in at.query_params


def test_a_release_names_what_a_format_leaves_out(project):
    at = released_twice(project)
    at.selectbox(key="release-format").set_value("hpoa").run()
    assert "left out: " in words(at)


@pytest.mark.parametrize("tab", ["Export", "Releases"])
def test_a_large_file_is_made_by_a_job_and_then_downloaded(project, monkeypatch, tab):
    monkeypatch.setattr(f"pages.components.graph.{tab.lower()}.AT_ONCE", 0)
    monkeypatch.setattr(export_job, "in_child", in_this_process)
    desk = approved(reviewing.filled(project))
    making.make_release(
        desk,
        replace(making.preview_release(desk).form, licence="CC-BY-4.0", placeholder_iri=True),
        ANNA.orcid,
    )
    at = opened(tab=tab)
    assert "in the background" in words(at)
    address = {"Export": "export-job", "Releases": "release-file"}[tab]
    at.button(key=f"make·{address}").click().run()
    for _ in range(200):
        if address not in at.query_params:
            break
        at.run()
    assert not at.exception
    assert "statements, 0.0 MB" in words(at)
    assert (
        next(download_button.proto.label for download_button in at.get("download_button"))
        == "Download Turtle"
    )


def test_nanopublications_are_signed_with_the_key_of_the_desk(project, monkeypatch, tmp_path):
    key = tmp_path / "key.pem"
    key.write_bytes(pem(rsa.generate_private_key(65537, 2048)))
    monkeypatch.setenv("GROUNDWORK_NANOPUB_KEY", str(key))
    approved(reviewing.filled(project))
    at = opened(tab="Export")
    at.session_state["format"] = "nanopub"
    at.run()
    at.toggle(key="sign·export").set_value(True).run()
    at.toggle(key="look").set_value(True).run()
    assert "hasSignature" in at.code[0].value


def test_schema_mismatches_are_listed_and_open_on_review(project):
    desk = reviewing.filled(project)
    prevents = Term("biolink:preventative_for_condition", "prevents", Category.RELATION)
    wrong = replace(reviewing.RELIEVES, subject=reviewing.NAUSEA, predicate=prevents)
    evidence = reviewing.quoted(wrong, "Aspirin relieves headache")
    desk.store.statements.propose([(wrong, [evidence])], "r1", ANNA.orcid)
    approved(desk, "overruled: said so in the discussion")  # or the gate holds it back at once
    at = export_in_app()
    at.toggle(key="schema-check").set_value(True).run()
    assert not at.exception
    (asked,) = [
        dataframe.value
        for dataframe in at.dataframe
        if "what the schema requires" in dataframe.value
    ]
    assert [words.startswith("Nausea") for words in asked["statement"]] == [True]
    cell = {"rows": [], "columns": [], "cells": [[0, "statement"]]}
    at.session_state["schema-mismatches"] = {"selection": cell}
    at.run()
    assert in_view(at)["at"] == wrong.id


def test_an_empty_query_is_reported_as_empty(project):
    approved(reviewing.filled(project))
    at = opened(tab="Ask", ask="SPARQL")
    (query,) = [area for area in at.text_area if area.label == "SPARQL"]
    query.set_value("").run()
    assert "query is empty" not in words(at)
    next(button for button in at.button if button.label == "Ask").click().run()
    assert "query is empty" in words(at)


def test_a_question_is_filled_in_and_answered_with_a_table(project):
    approved(reviewing.filled(project))
    at = opened(tab="Ask", ask="about")
    at.text_input[0].set_value("Headache").run()
    assert not at.exception
    assert "aspirin" in at.dataframe[0].value["subject"].tolist()


def test_an_answer_is_empty_because_nothing_passes_the_gate_and_says_so(project, monkeypatch):
    approved(reviewing.filled(project))
    monkeypatch.setattr(cached, "gate_report", lambda desk: GateReport((), ()))
    none = QueryAnswer(("thing",), ())
    monkeypatch.setattr(cached, "query_answer", lambda desk, text: none)
    at = opened(tab="Ask", ask="about")
    at.text_input[0].set_value("Headache").run()
    assert "No approved statement" in at.info[0].value


def test_the_form_of_a_class_is_empty_again_once_it_is_saved(project):
    desk = approved(reviewing.filled(project))
    at = opened(tab="Classes")
    at.selectbox(key="class·kind").select("category:chemical").run()
    at.text_input(key="class·name·0").input("painkiller").run()
    at.text_input(key="class·words·0·0").input("Headache").run()
    (save,) = (button for button in at.button if button.label == "Save this class")
    save.click().run()
    (defined,) = reasoning.class_definitions(desk)
    assert [tie.term for tie in defined.ties] == ["HP:0002315"]
    assert [
        text_input.value for text_input in at.text_input if text_input.key.startswith("class·")
    ] == ["", ""]


def test_the_form_of_a_class_says_so_where_nothing_passes_the_checks(project):
    desk = reviewing.empty(project)
    strange = replace(RELIEVES, subject=Term("CHEBI:999999999", "nothing known"))
    desk.store.statements.propose([(strange, [])], "", ANNA.orcid)
    record = desk.store.statements.get(strange.id)
    decision.decide(desk, strange.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    at = opened(tab="Classes")
    assert len(at.info) == 1
    assert "No approved statement" in at.info[0].value and "**Export**" in at.info[0].value


def test_a_class_is_defined_and_its_members_are_listed(project):
    desk = approved(reviewing.filled(project))
    assert "class groups things" in words(opened(tab="Classes"))
    tie = MembershipCondition(("biolink:treats",), "HP:0002315", "treats", "Headache")
    reasoning.define_class(desk, DefinedClass("painkiller", "category:chemical", (tie,)), ANNA)
    at = opened(tab="Classes")
    assert "any chemical with treats: Headache" in words(at)
    assert "not classified yet" in words(at)
    at.button(key="class·start").click().run()
    for _ in range(200):
        if "class-job" not in at.query_params:
            break
        at.run()
    assert "found by pyELK: nothing changed since" in words(at)
    assert at.dataframe[0].value["thing"].tolist() == ["aspirin"]
    at.button(key="class·remove·painkiller").click().run()
    assert reasoning.class_definitions(desk) == []


def test_the_most_frequent_relations_in_view_have_the_colours():
    legend = explore.Legend(relations=(("located in", 2),))
    drawn = explore.Drawing(explore.GraphView(), explore.Placement(), legend=legend)
    assert set(explorer.paints(drawn, dark=False).relations) == {"located in"}
