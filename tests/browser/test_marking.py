"""Marking a missed fact by hand in a real browser, by keyboard and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.model import MANUAL, Document, Span, State
from core.store import StatementRecord
from core.text.clean import text_version
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import introduce, ready

pytestmark = pytest.mark.browser

SIGNS = "🧪 TGF-β & <b>cafe\u0301</b> first.\n"
TEXT = SIGNS + "Aspirin relieved nausea in adults. Nothing else was seen."


@pytest.fixture
def project(folder: Path) -> Path:
    """A project with one text and two small vocabularies."""
    desk = reviewing.filled(folder)
    desk.store.documents.add(Document("PMID:5", "Signs"))
    desk.store.documents.add_text(text_version("PMID:5", TEXT))
    desk.close()
    return folder


@pytest.fixture
def opened(page: Page, server: Server) -> Page:
    page.goto(server.address("Documents", document="PMID:5"))
    ready(page)
    introduce(page)
    expect(page.locator(".gm-text")).to_contain_text("Aspirin relieved nausea")
    ready(page)
    return page


def marked(server: Server) -> list[StatementRecord]:
    desk = reviewing.empty(server.project)
    records = [
        record
        for record in desk.store.queue.records()
        if any(piece.engine == MANUAL for piece in record.evidence)
    ]
    desk.close()
    return records


def test_a_fact_is_marked_by_mouse_with_its_exact_quote(opened: Page, server: Server) -> None:
    assert opened.locator(".gm-text").inner_text().startswith("🧪 TGF-β & <b>cafe\u0301</b>")
    opened.locator(".gm-text .gw-mark", has_text="Aspirin").click()
    opened.locator(".gm-text .gw-mark", has_text="nausea").click()
    opened.get_by_label("Predicate").fill("treats")
    opened.get_by_role("button", name="Save statement").click()
    expect(opened.locator(".gm-note")).to_contain_text("Saved")
    (record,) = marked(server)
    (piece,) = [one for one in record.evidence if one.engine == MANUAL]
    start = TEXT.index("Aspirin")
    assert piece.ground.span == Span(start, start + len("Aspirin relieved nausea in adults."))
    assert piece.ground.quote == "Aspirin relieved nausea in adults."
    assert record.statement.subject.id == "CHEBI:15365" and record.state is State.PROPOSED


def test_a_fact_is_marked_by_keyboard_alone(opened: Page, server: Server) -> None:
    keys = opened.keyboard
    opened.locator("h1").first.click()  # nothing has the keyboard: the arrows begin in the text
    for _ in range(6):
        keys.press("Control+ArrowRight")
        if opened.evaluate("getSelection().toString()") == "Aspirin":
            break
    keys.press("Enter")
    expect(opened.locator(".gm-chip").first).to_contain_text("aspirin")
    for _ in range(6):
        keys.press("ArrowRight")
        if opened.evaluate("getSelection().toString()") == "relieved":
            break
    keys.press("Enter")
    expect(opened.get_by_label("Search terms")).to_have_value("relieved")
    opened.get_by_role("button", name="No term fits").press("Enter")
    expect(opened.get_by_label("Predicate")).to_be_focused()
    keys.type("affects")
    keys.press("Enter")
    keys.press("Enter")
    expect(opened.locator(".gm-note")).to_contain_text("Saved")
    (record,) = marked(server)
    assert record.statement.object.label == "relieved" and not record.statement.object.id
    assert record.statement.predicate.id == "biolink:affects"
