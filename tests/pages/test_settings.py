from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.desk import Desk, open_desk
from core.jobs.order import jobs_in_order
from core.model import Call, CallState, Curator, Job, JobState
from core.settings import ENVIRONMENT, load_settings
from pages.components.shared import page

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "8_Settings.py")
HOSTILE = "![](https://evil.example/x.png) <script>alert(1)</script> **bold**"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for variable in ENVIRONMENT:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "mine"))
    page.reopen_desks()
    return open_desk(load_settings(tmp_path / "mine"))


@pytest.fixture
def app(desk: Desk) -> AppTest:
    return AppTest.from_file(PAGE, default_timeout=30)


def shown(app: AppTest) -> str:
    kinds = ("text", "markdown", "caption", "success", "error", "info")
    return "\n".join(str(element.value) for kind in kinds for element in app.get(kind))


def test_settings_page_without_an_endpoint_says_how_to_add_one(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert "up an endpoint" in shown(app)
    assert 'OPENAI_API_KEY="sk-…"' in "\n".join(str(code.value) for code in app.code)
    assert "No job has" in shown(app)
    assert "No request has" in shown(app)


def test_a_key_is_never_shown(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("GROUNDWORK_MODEL", "m")
    monkeypatch.setenv("GROUNDWORK_MODEL_RETRIES", "0")
    page.reopen_desks()
    app.run()
    app.button(key="list·main").click().run()
    assert not app.exception
    assert any("cannot be reached" in error.value for error in app.error)
    values = [str(text_input.value) for text_input in app.text_input] + [shown(app)]
    assert not any("sk-secret" in value for value in values)


def test_a_setting_is_saved_and_holds_at_once(app: AppTest, desk: Desk) -> None:
    app.run()
    app.number_input(key="setting max_calls").set_value(20)
    next(button for button in app.button if button.label == "Save").click().run()
    assert not app.exception
    assert load_settings(desk.folder).max_calls == 20


@pytest.fixture
def endpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("GROUNDWORK_ENDPOINT_NEAR_URL", "http://127.0.0.1:9/v1")
    page.reopen_desks()


def test_a_models_name_is_never_read_as_markup(app: AppTest, desk: Desk, endpoints: None) -> None:
    """An image in a label would make the browser ask for it."""
    name = "![x](http://10.0.0.1/x.png) **b**"
    desk.store.project.set("endpoint near", {"time": "2026-11-22", "models": [{"id": name}]})
    desk.store.project.set(f"model {name}@near", {"model": f"{name}@near"})
    app.run()
    app.selectbox(key="model").select(f"{name}@near").run()
    label = app.button(key="test model").label
    assert label.startswith("Test ") and "![x](" not in label and "**b**" not in label


def test_settings_page_chooses_a_model_per_task(app: AppTest, desk: Desk, endpoints: None) -> None:
    desk.store.project.set("endpoint near", {"time": "2026-11-22", "models": [{"id": "small"}]})
    app.run()
    app.selectbox(key="setting model_keywords").set_value("small@near")
    next(button for button in app.button if button.label == "Save the choice").click().run()
    assert not app.exception
    saved = load_settings(desk.folder)
    assert saved.model_for("keywords") == "small@near"
    assert saved.model_for("answers") == ""


def test_the_signs_of_what_is_known_of_a_model_are_explained(
    app: AppTest, endpoints: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_MODEL", "own@near")
    page.reopen_desks()
    app.run()
    assert "✓ works, ✕ does not, ? not tried" in shown(app)
    assert "Embeddings are tried" in shown(app)


def test_a_price_and_a_length_are_set_and_unknown_says_so(
    app: AppTest, desk: Desk, endpoints: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_MODEL", "own@near")
    page.reopen_desks()
    app.run()
    assert (app.dataframe[0].value["price, $ per million"] == "unknown").all()
    app.number_input(key="price·in·own@near").set_value(2.0)
    app.number_input(key="price·out·own@near").set_value(0.0)
    app.number_input(key="context·own@near").set_value(8192)
    next(button for button in app.button if button.label == "Save these values").click().run()
    assert not app.exception
    saved = load_settings(desk.folder)
    assert (saved.prices, saved.contexts) == ({"own@near": (2.0, 0.0)}, {"own@near": 8192})
    assert app.dataframe[0].value["context length"][0] == "8,192 tokens"
    assert app.dataframe[0].value["answers"][0] == "?"  # until it is tested


def test_half_a_price_is_not_taken_for_a_free_other_half(
    app: AppTest, desk: Desk, endpoints: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_MODEL", "own@near")
    page.reopen_desks()
    app.run()
    app.number_input(key="price·in·own@near").set_value(2.0)
    next(button for button in app.button if button.label == "Save these values").click().run()
    assert "both prices" in "\n".join(error.value for error in app.error)
    assert load_settings(desk.folder).prices == {}
    assert (app.dataframe[0].value["price, $ per million"] == "unknown").all()


def test_settings_from_the_environment_cannot_be_edited(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_MODEL", "fixed")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    page.reopen_desks()
    app.run()
    assert app.selectbox(key="setting model").disabled
    assert app.selectbox(key="setting model").value == "fixed"


def test_a_curator_is_added(app: AppTest, desk: Desk) -> None:
    app.run()
    app.text_input(key="curator name").input("Josiah Carberry")
    app.text_input(key="curator orcid").input("0000-0002-1825-0097")
    next(button for button in app.button if button.label == "Add a curator").click().run()
    assert desk.store.curators.all() == [Curator("0000-0002-1825-0097", "Josiah Carberry")]


def test_the_cache_is_shown_and_cleared(app: AppTest, desk: Desk) -> None:
    call = Call("c1", "r1", "a", "model", {"messages": [{"content": HOSTILE}]}, "h")
    desk.store.calls.begin(call)
    desk.store.calls.finish(
        replace(call, state=CallState.DONE, answer={"text": HOSTILE}, tokens_in=5), reusable=True
    )
    app.run()
    assert not app.exception
    next(button for button in app.button if button.label == "Clear the cache").click().run()
    assert desk.store.calls.cache_size() == 0
    assert len(desk.store.calls.of_run("r1")) == 1


def test_jobs_are_listed_with_what_can_be_done(app: AppTest, desk: Desk) -> None:
    desk.store.jobs.add(Job("j1", "extract", {}, JobState.INTERRUPTED, error=HOSTILE))
    desk.store.jobs.add(Job("j2", HOSTILE, {}, JobState.QUEUED))
    app.run()
    assert not app.exception
    assert {button.label for button in app.button} >= {"Resume", "Stop"}
    assert not any(
        "![](" in str(element.value) or "<script>" in str(element.value)
        for element in (*app.caption, *app.markdown)
    )
    app.button(key="stop j2").click().run()
    assert desk.store.jobs.get("j2").state == JobState.STOPPED


def test_resume_of_a_job_that_somebody_else_resumed_first_is_not_an_error(
    app: AppTest, desk: Desk
) -> None:
    desk.store.curators.add(Curator("0000-0002-1825-0097", "Anna Alder"))
    desk.store.jobs.add(
        Job("j1", "extract", {}, JobState.INTERRUPTED, curator="0000-0002-1825-0097")
    )
    app.run()
    assert any("interrupted · Anna Alder" in text.value for text in app.text)
    desk.store.jobs.requeue("j1")
    desk.store.jobs.claim("j1", "another machine/1/1/x")
    app.button(key="resume j1").click().run()
    assert not app.exception and not app.error
    assert desk.store.jobs.get("j1").state == JobState.RUNNING


@pytest.mark.parametrize("name", ["section", "tab"])
def test_an_address_opens_its_tab_under_either_name(app: AppTest, name: str) -> None:
    app.query_params[name] = "jobs"
    app.run()
    assert not app.exception
    assert app.session_state["section"] == "Jobs"


def test_a_job_that_waits_behind_another_is_put_first(app: AppTest, desk: Desk) -> None:
    for id in ("j1", "j2"):
        desk.store.jobs.add(Job(id, "literature-update", {}))
    app.run()
    (button,) = [b for b in app.button if b.label == "Do this next"]
    button.click().run()
    assert [job.id for job in jobs_in_order(desk.store.jobs.find())] == ["j2", "j1"]
