from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.desk import open_desk
from core.model import Job, JobState
from core.settings import ENVIRONMENT, load_settings
from pages.components.shared import page
from tests.core.store.conftest import claim, ground

APP = str(Path(__file__).resolve().parents[2] / "app.py")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    for variable in ENVIRONMENT:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "mine"))
    page.reopen_desks()
    return AppTest.from_file(APP, default_timeout=30)


def shown(app: AppTest) -> str:
    return "\n".join(
        str(element.value)
        for kind in ("text", "markdown", "caption", "subheader", "info")
        for element in app.get(kind)
    )


def test_an_empty_home_says_what_the_app_does_and_what_to_do(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert app.title[0].value == "Home"
    words = shown(app)
    assert "what you approve" in words
    assert "Nothing yet" in words
    assert "built\\-in engines" in words


def test_the_example_project_is_one_button_away_and_keeps_its_name_in_the_address(
    app: AppTest, tmp_path: Path
) -> None:
    app.run()
    next(
        button for button in app.button if button.label == "Open the example project"
    ).click().run()
    assert not app.exception
    assert (tmp_path / "example-project" / "project.toml").is_file()
    assert app.query_params["project"] in ("example-project", ["example-project"])
    assert "is the example" in shown(app)
    assert not any("example" in button.label for button in app.button)


def test_a_filled_home_counts_what_waits(app: AppTest, tmp_path: Path) -> None:
    desk = open_desk(load_settings(tmp_path / "mine"))
    desk.store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(3)])
    desk.store.jobs.add(Job("j1", "extract", {}, JobState.INTERRUPTED))
    app.run()
    assert {metric.label: metric.value for metric in app.metric}["to decide"] == "3"


def test_a_hostile_project_name_is_shown_as_words(app: AppTest, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "project.toml").write_text(
        'project_name = "![](https://evil.example/x.png)<script>"\n'
    )
    app.run()
    assert not app.exception
    assert not any("evil.example" in str(markdown.value) for markdown in app.markdown)


def test_a_broken_setting_is_reported_on_the_page(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_MODEL_PARALLEL", "many")
    page.reopen_desks()
    app.run()
    assert not app.exception
    assert "GROUNDWORK_MODEL_PARALLEL" in shown(app)


def test_a_damaged_database_is_reported_on_the_page(app: AppTest, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "groundwork.db").write_text("no database" * 500)
    app.run()
    assert not app.exception
    assert "not a database" in shown(app)
