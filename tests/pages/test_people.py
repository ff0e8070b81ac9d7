from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.model import Reason, Role, Statement, Term, Verdict
from core.services.review.decision import Judgement, decide
from pages.components.shared import page
from tests import reviewing
from tests.reviewing import ANNA, ASPIRIN, BEN, HEADACHE, RELIEVES

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "9_People.py")


@pytest.fixture
def app(project: Path) -> AppTest:
    page.reopen_desks()
    reviewing.filled(project).close()
    app = AppTest.from_file(PAGE, default_timeout=30)
    app.session_state["_curator"] = ANNA
    return app


def test_a_role_is_given_and_a_policy_set(app: AppTest, project: Path) -> None:
    app.run()
    assert not app.exception
    app.text_input(key="person·orcid").set_value(ANNA.orcid)
    app.selectbox(key="person·role").set_value(Role.OWNER)
    next(button for button in app.button if button.label == "Save").click().run()
    assert not app.exception and not app.error
    app.number_input(key="policy·approvals").set_value(2)
    [button for button in app.button if button.label == "Save"][1].click().run()
    assert not app.error
    desk = reviewing.empty(project)
    assert desk.store.curators.role(ANNA.orcid) is Role.OWNER
    assert desk.store.project.policy().approvals == 2
    desk.close()


def test_different_readings_stand_side_by_side(app: AppTest, project: Path) -> None:
    desk = reviewing.empty(project)
    for person, verdict in ((ANNA, Verdict.APPROVE), (BEN, Verdict.REJECT)):
        version = desk.store.statements.get(RELIEVES.id).version
        reason = Reason.NO_RELATION if verdict is Verdict.REJECT else None
        decide(desk, RELIEVES.id, version, Judgement(verdict, reason), curator=person)
    desk.close()
    app.run()
    assert not app.exception
    words = "\n".join(str(text.value) for text in app.text)
    assert "aspirin · treats · Headache" in words
    assert "Anna\napprove" in words
    assert "Ben\nreject: no relation stated" in words


def test_a_schemas_predicate_in_capitals_reads_as_words_where_people_disagree(
    app: AppTest, project: Path
) -> None:
    desk = reviewing.empty(project)
    loud = Statement(ASPIRIN, Term("", "HAS_EFFECT_ON"), HEADACHE, document=reviewing.DOCUMENT)
    desk.store.statements.propose([(loud, [])], "r1", ANNA.orcid)
    for person, verdict in ((ANNA, Verdict.UNSURE), (BEN, Verdict.REJECT)):
        version = desk.store.statements.get(loud.id).version
        reason = Reason.NO_RELATION if verdict is Verdict.REJECT else None
        decide(desk, loud.id, version, Judgement(verdict, reason), curator=person)
    desk.close()
    app.run()
    assert not app.exception
    assert "aspirin · has effect on · Headache" in [str(text.value) for text in app.text]
    agreeing = next(
        dataframe.value for dataframe in app.dataframe if "Cohen's kappa" in dataframe.value
    )
    assert list(agreeing["predicate"]) == ["all", "has effect on"]
    assert list(agreeing.columns)[:2] == ["first person", "second person"]


def test_another_address_is_refused_on_every_page(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = st.get_option
    monkeypatch.setattr(
        st, "get_option", lambda name: "0.0.0.0" if name == "server.address" else own(name)
    )
    app.run()
    assert not app.exception
    assert "GROUNDWORK" in app.error[0].value
    assert not app.tabs
