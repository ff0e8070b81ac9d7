"""A web API added by someone who reads only its page: from a description, and from an OpenAPI
document; then asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_httpserver import HTTPServer

from tests.browser.conftest import Server
from tests.browser.journey import press, ready

PETS = {
    "openapi": "3.0.3",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://pets.example.org/v1"}],
    "paths": {
        "/pet/{pet-id}": {
            "get": {
                "operationId": "getPet",
                "summary": "One pet",
                "parameters": [
                    {
                        "name": "pet-id",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "integer"},
                    }
                ],
            }
        },
        "/pets": {"get": {"operationId": "listPets"}},
    },
}


@pytest.fixture
def server(tmp_path: Path, httpserver: HTTPServer) -> Iterator[Server]:
    """The app of an operator who serves the API `pets-getpet` on loopback and no other host."""
    httpserver.expect_request("/v1/pet/3").respond_with_json({"name": "Rex", "id": 3})
    server = Server(tmp_path / "project", {"GROUNDWORK_URL_PETS_GETPET": httpserver.url_for("/v1")})
    server.start()
    yield server
    server.kill()


def write(page: Page, label: str, text: str) -> None:
    page.get_by_label(label).fill(text)
    page.get_by_label(label).press("Control+Enter")
    ready(page)


def choose(page: Page, name: str) -> None:
    page.get_by_test_id("stButtonGroup").get_by_text(name, exact=True).click()
    ready(page)


def test_an_api_is_described_kept_and_asked(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/Gene_questions")
    ready(page)
    page.get_by_role("tab", name="Other APIs").click()
    choose(page, "Add one")
    expect(page.get_by_label("Description")).to_have_value(re.compile("value: symbol"))
    whole = page.get_by_label("Description").input_value()

    write(page, "Description", whole.replace("value: symbol", "value: symbl"))
    expect(page.get_by_text("symbl is not among the fields.")).to_be_visible()
    expect(page.get_by_role("button", name="Save this description")).to_be_disabled()
    write(page, "Description", whole)
    expect(
        page.get_by_text("GET https://rest.genenames.org/search/symbol/TP53?format=json")
    ).to_be_visible()
    press(page, "Save this description")
    expect(
        page.get_by_test_id("stCode").get_by_text("rest.genenames.org", exact=True)
    ).to_be_visible()
    expect(page.get_by_role("button", name="Ask with these")).to_be_disabled()

    choose(page, "Add one")
    choose(page, "From an OpenAPI document")
    write(page, "or pasted", json.dumps(PETS))
    press(page, "Make a description")
    press(page, "Save this description")
    page.get_by_label("pet_id (needed)").fill("3")
    press(page, "Ask with these")
    expect(page.get_by_text("Rex").first).to_be_visible()
    expect(page.get_by_text("web API").first).to_be_visible()
