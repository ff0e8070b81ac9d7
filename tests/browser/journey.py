"""What a curator does on any page of the app, in a real browser: steps that the browser tests
share.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from core.model import Verdict
from core.services.review import decision
from core.services.review.decision import Judgement
from tests import reviewing
from tests.browser.conftest import Server
from tests.reviewing import ANNA

TEXT = (
    "High-dose acetaminophen can cause acute liver failure. "
    "Hydroxychloroquine did not treat COVID-19 in this small group of patients. "
    "Methotrexate was given for rheumatoid arthritis."
)


AT_REST = "[data-testid=stApp][data-test-script-state=notRunning]"


def ready(page: Page) -> None:
    """The rerun that a click asked for begins a moment later, and another may follow it."""
    for milliseconds in (300, 200):
        page.wait_for_timeout(milliseconds)
        page.wait_for_selector(AT_REST)


def approved(folder: Path) -> None:
    """A project in which everything is approved, with a label that would do harm as markup."""
    desk = reviewing.hostile(folder)
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    desk.close()


def open_page(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    ready(page)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()
    ready(page)


def choose(page: Page, label: str, option: str) -> None:
    """An option of a select box, once the list shows it."""
    page.get_by_role("combobox", name=label).press_sequentially(option)
    page.get_by_role("option", name=option).first.click()
    ready(page)


def introduce(page: Page) -> None:
    page.get_by_label("Your name").fill("Josiah Carberry")
    page.get_by_label("Your ORCID iD").fill("0000-0002-1825-0097")
    press(page, "Save")
    expect(page.get_by_text("Josiah Carberry")).to_be_visible()


def extract(page: Page, server: Server) -> None:
    """Home → example project → a pasted text, read by the built-in engine."""
    page.goto(server.address())
    ready(page)
    press(page, "Open the example project")
    introduce(page)
    open_page(page, "Extract")
    page.get_by_label("Text", exact=True).fill(TEXT)
    press(page, "Run")  # one click takes a text that was just pasted
    expect(page.get_by_role("tab", name="Terms")).to_be_visible()
    ready(page)
