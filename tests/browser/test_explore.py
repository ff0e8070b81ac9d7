"""Explore in a real browser: what is done in the drawing is in the address, and comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser.conftest import Server
from tests.browser.journey import approved, ready
from tests.reviewing import HOSTILE_LABEL

# where a point, or the middle of a line, stands on screen
SPOT = """label => {
  const root = document.querySelector(".gx"), own = root.parentElement.explorer;
  const edge = root.getBoundingClientRect();
  const point = own.points.find((one) => one.label === label);
  const place = own.lines.findIndex((one) => one.words === label);
  const { x, y } = point ? own.at(point) : own.ways[place].middle;
  return { x: x + edge.left, y: y + edge.top };
}"""


@pytest.fixture
def project(folder: Path) -> Path:
    """A project in which everything is approved, with a label that would do harm as markup."""
    approved(folder)
    return folder


@pytest.fixture
def explore(page: Page, server: Server) -> Iterator[Page]:
    dialogs: list[str] = []

    def opened(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", opened)
    page.goto(server.address("Knowledge_graph", tab="Explore"))
    ready(page)
    expect(page.locator(".gx-note")).to_contain_text("statements")
    yield page
    assert dialogs == []


def spot(page: Page, label: str) -> dict[str, float]:
    position: dict[str, float] = page.evaluate(SPOT, label)
    return position


def find(page: Page, words: str, choice: str) -> None:
    page.get_by_label("Find a thing by name or id").fill(words)
    page.locator(".gx-row", has_text=words).get_by_title(choice, exact=True).click()
    ready(page)


def test_graph_view_is_kept_in_the_address_and_restored_by_it(
    explore: Page, browser: Browser
) -> None:
    page = explore
    expect(page.locator(".gx img")).to_have_count(0)  # labels are drawn, never markup
    find(page, "aspirin", "Show this thing")
    find(page, "Nausea", "Show this thing too")
    expect(page).to_have_url(re.compile(r"centre=CHEBI%3A15365&.*centre=HP%3A"))
    expect(page.locator(".gx-chip")).to_have_count(2)

    headache = spot(page, "Headache")
    page.mouse.dblclick(headache["x"], headache["y"])
    expect(page).to_have_url(re.compile("also=HP%3A0002315"))
    ready(page)
    before = page.evaluate(
        "() => document.querySelector('.gx').parentElement.explorer.points.length"
    )
    assert before > 3  # what else is tied to it is there too

    headache = spot(page, "Headache")
    page.mouse.move(headache["x"], headache["y"])
    page.mouse.down()
    page.mouse.move(headache["x"] + 60, headache["y"] + 40, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("pin=HP%3A0002315%40"))
    ready(page)

    page.locator(".gx-legend").get_by_role("button", name=re.compile("^negated: ")).click()
    expect(page).to_have_url(re.compile("said=-negated"))
    expect(page.locator(".gx-entry.gx-away")).to_have_text(re.compile("negated"))
    page.go_back()
    expect(page).not_to_have_url(re.compile("said="))
    expect(page.locator(".gx-entry.gx-away")).to_have_count(0)
    page.go_forward()
    expect(page.locator(".gx-entry.gx-away")).to_have_count(1)
    ready(page)

    line = spot(page, "has dose")
    page.mouse.click(line["x"], line["y"])
    expect(page).to_have_url(re.compile("statement=s1-"))
    expect(page.locator(".st-key-gw-beside")).to_contain_text("has dose")
    expect(page.locator(".gx")).to_be_visible()  # beside, not instead

    shared = browser.new_context(viewport={"width": 1440, "height": 1000})
    other = shared.new_page()
    other.goto(page.url)
    ready(other)
    expect(other.locator(".st-key-gw-beside")).to_contain_text("has dose")
    expect(other.locator(".gx-chip", has_text="aspirin")).to_be_visible()
    expect(other.locator(".gx-chip", has_text="1 pinned")).to_be_visible()
    expect(other.locator(".gx-entry.gx-away")).to_have_text(re.compile("negated"))
    shared.close()


def test_browser_back_undoes_one_step_in_the_graph(explore: Page) -> None:
    page = explore
    find(page, "aspirin", "Show this thing")
    first = page.url
    find(page, "Headache", "Show this thing")
    expect(page).to_have_url(re.compile("centre=HP%3A0002315.*thing=HP%3A0002315"))
    page.go_back()
    expect(page).to_have_url(first)
    expect(page.locator(".gx-chip", has_text="aspirin")).to_be_visible()


def test_a_label_that_would_do_harm_is_drawn_as_words(explore: Page) -> None:
    labels = explore.evaluate(
        "() => document.querySelector('.gx').parentElement.explorer.points.map((one) => one.label)"
    )
    start = HOSTILE_LABEL[:20]
    assert any(label.startswith(start) for label in labels)
    explore.get_by_label("Find a thing by name or id").fill("onerror")
    expect(explore.locator(".gx-name")).to_contain_text(start)
    expect(explore.locator(".gx img")).to_have_count(0)
