"""A model is chosen for one run: also one that no endpoint has listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.journey import choose, introduce, ready
from tests.core.services.extracting import TEXT, project
from tests.core.services.model_uses import words_for
from tests.endpoint import Endpoint, served


@pytest.fixture
def elsewhere() -> Iterator[Endpoint]:
    with served(words_for) as endpoint:
        yield endpoint


@pytest.fixture
def server(tmp_path: Path, elsewhere: Endpoint) -> Iterator[Server]:
    folder = tmp_path / "trial"
    desk, _ = project(folder)
    desk.store.project.set("name", "Trial")
    desk.close()
    environment = {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "none",
        "GROUNDWORK_ENDPOINT_ELSEWHERE_URL": elsewhere.url, "GROUNDWORK_MODEL": "own",
    }  # fmt: skip
    app = Server(folder, environment)
    app.start()
    yield app
    app.kill()


def test_a_model_that_no_endpoint_has_listed_is_typed_and_used(
    page: Page, server: Server, elsewhere: Endpoint
) -> None:
    page.goto(server.address("Extract"))
    ready(page)
    introduce(page)
    choose(page, "Schema: what to look for", "Trial")
    page.get_by_text("Settings of this run").click()
    ready(page)  # a list opened while the panel still unfolds is closed again
    box = page.get_by_role("combobox", name="Model")
    box.click()
    box.press_sequentially("fresh@elsewhere")
    page.get_by_role("option", name="Add: fresh@elsewhere").click()
    ready(page)
    expect(page.get_by_text("will be sent to the model fresh@")).to_be_visible()
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.get_by_label("Text", exact=True).press("Control+Enter")
    expect(page.get_by_role("tab", name="Terms")).to_be_visible()
    assert {body["model"] for body in elsewhere.bodies if "messages" in body} == {"fresh"}
