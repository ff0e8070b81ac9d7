from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.model import Reason, Verdict
from core.services.review.decision import Judgement, decide
from pages.components.shared import page
from tests import reviewing
from tests.reviewing import ANNA, RELIEVES

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "9_Engine_quality.py")


@pytest.fixture
def app(project: Path) -> AppTest:
    page.reopen_desks()
    return AppTest.from_file(PAGE, default_timeout=60)


def test_before_any_decision_the_page_says_what_to_do(app: AppTest, project: Path) -> None:
    reviewing.filled(project).close()
    app.run()
    assert not app.exception
    assert any("Decide some statements" in str(text.value) for text in app.text)


def test_precision_stands_with_its_interval(app: AppTest, project: Path) -> None:
    desk = reviewing.filled(project)
    version = desk.store.statements.get(RELIEVES.id).version
    decide(desk, RELIEVES.id, version, Judgement(Verdict.APPROVE), curator=ANNA)
    desk.close()
    app.run()
    assert not app.exception
    assert {metric.label: metric.value for metric in app.metric}["right as proposed"] == "100 %"
    assert any("between 21 % and 100 %" in str(caption.value) for caption in app.caption)


def test_what_decisions_taught_is_listed(app: AppTest, project: Path) -> None:
    desk = reviewing.filled(project)
    version = desk.store.statements.get(RELIEVES.id).version
    judgement = Judgement(Verdict.REJECT, Reason.WRONG_TERM)
    decide(desk, RELIEVES.id, version, judgement, curator=ANNA)
    desk.close()
    app.run()
    assert not app.exception
    assert any("learned today" in str(text.value) for text in app.text)
    tables = [list(table.value.columns) for table in app.dataframe]
    assert ["of", "name", "right", "wrong", "so it is", "last decision"] in tables


def test_a_rule_is_made_of_two_examples_and_taken_back(app: AppTest, project: Path) -> None:
    reviewing.filled(project).close()
    app.run()
    app.text_input(key="own_rules·first").set_value("<Veratin> soothes [tremor].")
    app.text_input(key="own_rules·second").set_value("<Veratin> soothed [pain].").run()
    next(b for b in app.button if b.label == "Show what it would find").click().run()
    next(b for b in app.button if b.label == "Keep this rule").click().run()
    assert not app.exception
    kept = (project / "schemas" / "relation_rules.tsv").read_text()
    assert "sooth*" in kept
    next(b for b in app.button if b.label == "Take back").click().run()
    assert "sooth*" not in (project / "schemas" / "relation_rules.tsv").read_text()
