"""The Knowledge graph page in its conditions: empty, filled, no endpoint, hostile labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.model import Category, Verdict
from core.services.graph import knowledge_base
from core.services.review import decision
from core.services.review.decision import Judgement
from pages.components.graph.chart import clicks, spec
from tests import reviewing
from tests.reviewing import ANNA

PAGE = Path(__file__).resolve().parents[2] / "pages" / "4_Knowledge_graph.py"


def opened(**address: str) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=30)
    at.session_state["_curator"] = ANNA
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def approved(desk):
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), ANNA)
    return desk


def words(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in [*at.markdown, *at.caption, *at.text])


def test_an_empty_project_says_what_to_do(project):
    reviewing.empty(project).store.queue.count()
    assert "Nothing is approved yet" in words(opened())
    assert "nothing to export yet" in words(opened(tab="Export"))


def test_proposed_statements_are_not_shown(project):
    reviewing.filled(project)
    assert "Nothing is approved yet" in words(opened())


def test_the_busiest_thing_stands_in_the_middle(project):
    approved(reviewing.filled(project))
    at = opened()
    assert at.selectbox[0].value == "CHEBI:15365"
    assert "statements in view" in words(at)


def test_the_export_says_first_what_is_held_back_and_why(project):
    approved(reviewing.filled(project))
    at = opened(tab="Export")
    assert "What will not be exported, and why" in words(at)
    assert "words without a term" in at.dataframe[0].value["why"].tolist()


@pytest.mark.parametrize("tab", ["Explore", "Export", "Import"])
def test_hostile_labels_break_nothing(project, tab):
    approved(reviewing.hostile(project))
    at = opened(tab=tab, centre="CHEBI:1")
    bodies = "".join(element.proto.body for element in at.get("html"))
    assert "<img" not in bodies
    assert "](http" not in "".join(one.value for one in at.markdown)


def drawing(project):
    desk = approved(reviewing.hostile(project))
    return knowledge_base.everything(knowledge_base.approved(desk))


def test_no_template_is_made_of_outside_text(project):
    found = spec(drawing(project), dark=False)
    (series,) = found["series"]
    assert found["tooltip"]["renderMode"] == "richText"
    assert "formatter" not in found["tooltip"]
    assert all(
        "formatter" not in point and "formatter" not in point["label"] for point in series["data"]
    )
    assert all("{" not in line["label"]["formatter"] for line in series["links"])


def test_what_is_not_plainly_so_is_dashed(project):
    found = drawing(project)
    links = {
        link["statement"]: link["lineStyle"]["type"]
        for link in spec(found, dark=True)["series"][0]["links"]
    }
    assert links[reviewing.NOT_NAUSEA.id] == "dashed"
    assert links[reviewing.RELIEVES.id] == "solid"


def test_values_are_told_on_hover_until_they_are_asked_for(project):
    approved(reviewing.filled(project))
    at = opened(view="everything")
    assert not any(
        "value" in html.proto.body for html in at.get("html") if "unnamed thing" in html.proto.body
    )
    at.toggle(key="values").set_value(True).run()
    assert any(
        "value" in html.proto.body for html in at.get("html") if "unnamed thing" in html.proto.body
    )


def test_clicks_name_things_and_statements(project):
    found = drawing(project)

    def selection(kind: str, number: int):
        return {"selection": {"selected": [{"data_type": kind, "data_indices": [number]}]}}

    assert clicks(selection("node", 0), found) == [(found.view.points[0].key, "")]
    assert clicks(selection("edge", 1), found) == [("", found.view.lines[1].statement)]
    assert clicks(selection("node", 999), found) == []
    assert clicks(None, found) == []


def test_the_picture_of_hostile_labels_asks_nothing_of_anyone(project):
    page = knowledge_base.picture(
        drawing(project), dict.fromkeys(Category, "#123456"), "</title><script>"
    )
    assert "<img" not in page
    assert "</title><script>" not in page


def test_a_release_is_made_on_the_page_and_listed(project):
    approved(reviewing.filled(project))
    at = opened(tab="Releases")
    assert "Nothing is released yet" in words(at)
    at.toggle(key="prepare-release").set_value(True).run()
    at.selectbox[0].set_value("CC-BY-4.0")
    next(one for one in at.button if one.label == "Make the release").click().run()
    assert not at.exception
    for _ in range(200):
        if "release" in at.query_params:
            break
        at.run()
    assert at.dataframe[0].value["release"].tolist() == ["1.0.0"]
    assert at.dataframe[0].value["licence"].tolist() == ["CC-BY-4.0"]


def test_a_question_is_filled_in_and_answered_with_a_table(project):
    approved(reviewing.filled(project))
    at = opened(tab="Ask", ask="about")
    at.text_input[0].set_value("Headache").run()
    assert not at.exception
    assert "aspirin" in at.dataframe[0].value["subject"].tolist()
