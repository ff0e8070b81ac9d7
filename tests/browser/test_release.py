"""Releases on the page: two of them compared, and what a reader who has only the web site learns
about where a fact is from.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.desk import open_desk
from core.model import Reason, Verdict
from core.services.documents.overview import mark_withdrawn
from core.services.review import decision
from core.services.review.decision import Judgement
from core.settings import load_settings
from tests.browser.conftest import Server
from tests.browser.journey import approved, choose, introduce, press, ready
from tests.reviewing import ADULTS, ANNA, DOCUMENT


@pytest.fixture
def project(folder: Path) -> Path:
    """A project with everything approved."""
    approved(folder)
    return folder


def make_release(page: Page, server: Server) -> None:
    page.goto(server.address("Knowledge_graph", tab="Releases"))
    ready(page)
    if page.get_by_label("Your name").is_visible():
        introduce(page)
    page.get_by_text("Prepare a release", exact=True).first.click()
    ready(page)


def test_two_releases_are_made_compared_and_read_by_somebody_who_has_only_the_site(
    page: Page, server: Server, browser: Browser, tmp_path: Path
) -> None:
    make_release(page, server)
    press(page, "Make the release")
    expect(page.get_by_text("A release needs a licence.").first).to_be_visible()
    choose(page, "Licence", "CC-BY-4.0")
    press(page, "Make the release")
    expect(page.get_by_text("a placeholder that leads nowhere").first).to_be_visible()
    page.get_by_role("textbox", name="Base IRI").fill("https://w3id.org/willow-bark/")
    page.get_by_role("textbox", name="Base IRI").press("Enter")
    ready(page)
    press(page, "Make the release")
    expect(page.get_by_text("Release 1.0.0 was made. It never changes.")).to_be_visible()

    desk = open_desk(load_settings(server.project, {}))
    version = desk.store.statements.get(ADULTS.id).version
    verdict = Judgement(Verdict.REJECT, Reason.DUPLICATE)
    decision.decide(desk, ADULTS.id, version, verdict, curator=ANNA)
    mark_withdrawn(desk, DOCUMENT, "figures were reused", ANNA)
    desk.close()

    make_release(page, server)
    expect(page.get_by_text("figures were reused").first).to_be_visible()
    press(page, "Make the release")
    expect(page.get_by_text("Release 2.0.0 was made. It never changes.")).to_be_visible()
    expect(page.get_by_text("What changed")).to_be_visible()
    with page.expect_download() as notes:
        page.get_by_role("button", name="Download the release notes").click()
    notes_text = notes.value.path().read_text()
    assert "figures were reused" in notes_text
    assert "Josiah Carberry" in notes_text or "duplicate" in notes_text

    press(page, "Make its web site")
    with page.expect_download() as site:
        page.get_by_role("button", name="Download the web site (ZIP)").click()
    folder = tmp_path / "site"
    with zipfile.ZipFile(site.value.path()) as archive:
        archive.extractall(folder)
    read_as_somebody_else(browser, folder)


def read_as_somebody_else(browser: Browser, folder: Path) -> None:
    """On a telephone, from the folder alone: which words does *not treats nausea* rest on?"""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / "index.html").as_uri())
    page.get_by_label("Search").fill("nau")
    page.keyboard.press("Enter")
    page.locator("#found").get_by_role("link", name="Nausea").click()
    page.get_by_role("listitem").filter(has_text="NOT").get_by_role("link", name="evidence").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("aspirin · NOT treats · Nausea")
    expect(page.locator("blockquote")).to_have_text("did not relieve nausea")
    expect(page.get_by_text("figures were reused")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto((folder / "changes.html").as_uri())
    expect(page.get_by_text("Retracted papers (")).to_be_visible()
    expect(page.get_by_text("Withdrawn (1)")).to_be_visible()
    assert all(address.startswith("file:") for address in asked)
    context.close()


def test_the_search_of_a_site_lists_words_with_this_beginning_first(
    browser: Browser,
) -> None:
    page = browser.new_page()
    names = ("ground teaspoon", "willow aspirin", "aspirin", "aspirin tablet")
    rows = [[name, "", "food", 1 if name == "aspirin" else 9, name] for name in names]
    page.set_content('<input name="q"><p id="said"></p><ul id="found"></ul>')
    page.add_script_tag(content=f"const THINGS = {rows};")
    assets = Path(__file__).parents[2] / "core/kb/site/assets"
    page.add_script_tag(path=assets / "search.js")
    for words, expected in (
        ("asp", ["aspirin tablet", "aspirin", "willow aspirin", "ground teaspoon"]),
        ("aspirin", ["aspirin", "aspirin tablet", "willow aspirin"]),
    ):
        page.locator("input").fill(words)
        assert page.locator("#found a").all_inner_texts() == expected
    page.close()
