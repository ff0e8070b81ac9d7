"""One record in two tabs of a real browser: the slower hand is told, and nothing is overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.model import State
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import introduce, press, ready
from tests.reviewing import RELIEVES


@pytest.fixture
def project(folder: Path) -> Path:
    """A project in which statements wait."""
    reviewing.filled(folder).close()
    return folder


@pytest.fixture
def tabs(browser: Browser, server: Server) -> Iterator[tuple[Page, Page]]:
    """Two tabs of one person, both with the same record in view."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    first, second = context.new_page(), context.new_page()
    address = server.address("Review", id=RELIEVES.id)
    first.goto(address)
    ready(first)
    introduce(first)
    second.goto(address)
    ready(second)
    expect(second.get_by_text("Josiah Carberry")).to_be_visible()
    yield first, second
    context.close()


def state(server: Server) -> State:
    desk = reviewing.empty(server.project)
    current = desk.store.statements.get(RELIEVES.id).state
    desk.close()
    return current


def test_second_tab_gets_a_notice_and_an_undo_comes_after_a_reload(
    tabs: tuple[Page, Page], server: Server
) -> None:
    first, second = tabs
    press(first, "Reject")
    press(first, "no relation stated")
    expect(first.get_by_text("✓ saved")).to_be_visible()
    assert state(server) is State.REJECTED

    card = second.locator(".gr-card").bounding_box()
    press(second, "Approve")
    expect(second.get_by_text("This statement changed since you opened it")).to_be_visible()
    assert state(server) is State.REJECTED

    first.reload()
    ready(first)
    first.locator(".gr-statement").wait_for()
    press(first, "Undo")
    expect(first.get_by_text("✓ saved")).to_be_visible()
    assert state(server) is State.PROPOSED

    press(second, "Next")
    press(second, "Unsure")
    expect(second.get_by_text("⚠ 1 refused")).to_be_visible()
    expect(second.get_by_text("⚠ Not saved:")).to_contain_text("UTC")
    assert second.locator(".gr-card").bounding_box() == card  # nothing jumps
    expect(second.get_by_text("✓ saved")).to_have_count(0)
    press(second, "Close")
    expect(second.get_by_text("✓ saved")).to_be_visible()
