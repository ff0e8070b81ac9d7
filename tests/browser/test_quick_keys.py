"""Review by quick keys in a real browser: a key judges the statement on screen, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.model import Category, Evidence, ReferenceGround, State, Statement, Term
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.test_journey import introduce, ready

pytestmark = pytest.mark.browser

COUNT, FAST = 12, 120  # statements, milliseconds between keys


def statement(number: int) -> Statement:
    drug = Term(f"X:{number}", f"drug {number}", Category.CHEMICAL)
    return Statement(drug, Term("biolink:treats", "treats"), Term(f"Y:{number}", f"pain {number}", Category.DISEASE))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """The app over a project in which a dozen statements wait."""
    desk = reviewing.empty(tmp_path / "project")
    made = [statement(number) for number in range(COUNT)]
    desk.store.propose([(one, [Evidence(one.id, ReferenceGround("PMID:7"))]) for one in made], "", "")
    desk.close()
    found = Server(tmp_path / "project")
    found.start()
    yield found
    found.kill()


def approved(server: Server) -> set[str]:
    desk = reviewing.empty(server.project)
    made = [statement(number) for number in range(COUNT)]
    found = {one.subject.label for one in made if desk.store.statement(one.id).state is State.APPROVED}
    desk.close()
    return found


def test_a_quick_key_never_judges_a_statement_that_was_not_on_screen(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/Review")
    ready(page)
    introduce(page)
    in_view = page.locator(".gw-statement .gw-term").first
    shown = set()
    for _ in range(8):
        shown.add(in_view.inner_text())
        page.keyboard.press("a")
        page.wait_for_timeout(FAST)
    ready(page)
    page.wait_for_timeout(1000)  # what was sent is worked off, and nothing on the page tells
    ready(page)
    assert approved(server) and approved(server) <= shown
    expect(in_view).to_be_visible()
    assert in_view.inner_text() not in approved(server)
