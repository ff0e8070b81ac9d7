"""The tab of web APIs: adding one from a description or an OpenAPI document, and what keeps it from
being asked.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.model import Curator
from pages.components.shared import page

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "5_Gene_questions.py")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GROUNDWORK_MODEL", "GROUNDWORK_API_HOSTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "desk"))
    page.reopen_desks()
    app = AppTest.from_file(PAGE, default_timeout=60)
    app.session_state["_curator"] = Curator("0000-0002-1825-0097", "Ada Example")
    return app


def shown(app: AppTest) -> str:
    return "\n".join(text.value for text in app.text)


def part(app: AppTest, name: str) -> AppTest:
    """The part of the tab of web APIs."""
    app.session_state["api·part"] = name
    return app.run()


def test_an_api_is_checked_as_it_is_written_and_kept(app: AppTest):
    part(app, "Add one")
    text = app.text_area(key="api·new")
    text.set_value(text.value.replace("records: /response/docs", "record: /response/docs")).run()
    line = (
        text.value.splitlines().index(
            next(line for line in text.value.splitlines() if "record: /" in line)
        )
        + 1
    )
    assert f"✕ Line {line}: answer.record: " in shown(app)
    assert app.button(key="api·keep").disabled
    text.set_value(text.value.replace("record: /response", "records: /response")).run()
    assert "described correctly: symbol" in shown(app)
    assert "GET https://rest.genenames.org/search/symbol/TP53?format=json" in [
        code.value for code in app.code
    ]
    app.button(key="api·keep").click().run()
    assert (
        "GROUNDWORK_API_HOSTS=rest.genenames.org" in [code.value for code in app.code]
        and not app.exception
    )
    assert app.selectbox(key="api·name").value == "genenames" and app.text_input(
        key="api·genenames·symbol"
    )


def test_an_openapi_document_becomes_a_description(app: AppTest):
    app.session_state["api·start"] = "From an OpenAPI document"
    part(app, "Add one")
    pet = {"operationId": "pet", "parameters": [{"name": "id", "in": "path", "required": True}]}
    servers = [{"url": "https://pets.example.org"}]
    document = {"openapi": "3.0.0", "servers": servers, "paths": {"/p/{id}": {"get": pet}}}
    app.text_area(key="api·document").set_value(json.dumps(document)).run()
    app.button(key="api·make").click().run()
    assert (
        "path: /p/{id}" in app.text_area(key="api·new").value
        and not app.button(key="api·keep").disabled
    )


def test_with_a_model_an_api_can_be_one_of_its_tools(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("GROUNDWORK_MODEL", "none")
    monkeypatch.setenv("GROUNDWORK_MODEL_RETRIES", "0")
    part(app, "Ask one")
    app.selectbox(key="api·name").select("mygene").run()
    app.checkbox(key="api·beside").check()
    app.text_input(key="api·text·mygene").set_value("Which gene makes p53?").run()
    app.button(key="api·ask·mygene").click().run()
    desk = page.open_desk(page.screen.project_folder("", {}), {})
    desk.runner.wait(str(app.query_params["job"]), 30)
    (run,) = [
        ask_run
        for ask_run in desk.store.runs.find("ask")
        if ask_run.settings.get("api") == "mygene"
    ]
    assert run.engine == "tools" and not app.exception


def test_a_question_that_rules_do_not_understand_is_not_begun(app: AppTest):
    part(app, "Ask one")
    app.selectbox(key="api·name").select("ensembl").run()
    app.text_input(key="api·text·ensembl").set_value(
        "why is the sky blue today and not green?"
    ).run()
    app.button(key="api·ask·ensembl").click().run()
    assert "needs a model" in "".join(
        error.value for error in app.error
    ) and not app.query_params.get("job")
