"""Review by quick keys in a real browser: a key judges the statement on screen, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.model import Category, Evidence, ReferenceGround, State, Statement, Term
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import introduce, ready

pytestmark = pytest.mark.browser

COUNT, FAST = 12, 120  # statements, milliseconds between keys


def statement(number: int) -> Statement:
    drug = Term(f"X:{number}", f"drug {number}", Category.CHEMICAL)
    return Statement(
        drug,
        Term("biolink:treats", "treats"),
        Term(f"Y:{number}", f"pain {number}", Category.DISEASE),
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in which a dozen statements wait."""
    folder = tmp_path / "project"
    desk = reviewing.empty(folder)
    made = [statement(number) for number in range(COUNT)]
    desk.store.statements.propose(
        [(one, [Evidence(one.id, ReferenceGround("PMID:7"))]) for one in made], "", ""
    )
    desk.close()
    return folder


def approved(server: Server) -> set[str]:
    desk = reviewing.empty(server.project)
    made = [statement(number) for number in range(COUNT)]
    found = {
        one.subject.label
        for one in made
        if desk.store.statements.get(one.id).state is State.APPROVED
    }
    desk.close()
    return found


def test_a_quick_key_never_judges_a_statement_that_was_not_on_screen(
    page: Page, server: Server
) -> None:
    page.goto(f"{server.url}/Review")
    ready(page)
    introduce(page)
    in_view = page.locator(".gw-statement .gw-term").first
    shown = set()
    for _ in range(8):
        shown.add(in_view.inner_text())
        page.keyboard.press("a")
        page.wait_for_timeout(FAST)
    for _ in range(60):  # what was sent is worked off, and nothing on the page tells
        ready(page)
        page.wait_for_timeout(500)
        if in_view.inner_text() not in approved(server):
            break
    assert approved(server) and approved(server) <= shown
    assert in_view.inner_text() not in approved(server)


def test_the_message_of_a_decision_covers_no_button_of_the_bar(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{server.url}/Review")
    ready(page)
    introduce(page)
    page.keyboard.press("s")
    expect(page.get_by_test_id("stToast").first).to_be_visible()
    for name in ("Back", "Next", "Undo"):
        button = page.get_by_role("button", name=name).first
        middle = button.evaluate(
            "(b) => { const r = b.getBoundingClientRect(); return"
            " b.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); }"
        )
        assert middle, name
