"""No key fires while something is typed: in a real browser, because only a browser knows where a
key goes.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.model import State
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import extract, introduce, press, ready
from tests.reviewing import RELIEVES

KEYS = "axsuejk 123456789"  # every key of Review


@pytest.fixture
def waiting(warm: Server, folder: Path) -> Server:
    """The app over a project in which statements wait."""
    reviewing.filled(folder).close()
    return warm.over(folder)


@pytest.fixture
def review(page: Page, waiting: Server) -> Page:
    page.goto(waiting.address("Review", id=RELIEVES.id))
    ready(page)
    introduce(page)
    return page


def typed(page: Page, field: Locator, words: str = KEYS) -> None:
    """Key by key, as a hand types; then out of the field."""
    field.click()
    page.keyboard.type(words, delay=60)
    expect(field).to_have_value(words)


def decided(server: Server) -> dict[State, int]:
    desk = reviewing.empty(server.project)
    counts = desk.store.queue.state_counts()
    desk.close()
    return {
        state: count for state, count in counts.items() if count and state is not State.PROPOSED
    }


def test_words_to_find_decide_nothing(review: Page, waiting: Server) -> None:
    typed(review, review.get_by_placeholder("Label or id"))
    assert decided(waiting) == {}
    assert RELIEVES.id in review.url


def test_a_note_on_a_rejection_decides_nothing_by_its_letters_and_digits(
    review: Page, waiting: Server
) -> None:
    press(review, "Reject")
    typed(review, review.get_by_placeholder("Note (required for “other”)"))
    assert decided(waiting) == {}
    press(review, "wrong term")
    expect(review.get_by_text("Rejected: wrong term").first).to_be_attached()
    expect(review.get_by_text("✓ saved")).to_be_visible()
    assert decided(waiting) == {State.REJECTED: 1}
    desk = reviewing.empty(waiting.project)
    assert desk.store.statements.get(RELIEVES.id).decisions[0].note == KEYS
    desk.close()


def test_a_correction_is_typed_without_a_decision(review: Page, waiting: Server) -> None:
    review.keyboard.press("e")
    ready(review)
    typed(review, review.get_by_label("Search subject"))
    typed(review, review.get_by_label("Note", exact=True).first)
    assert decided(waiting) == {}
    assert RELIEVES.id in review.url


def test_an_id_and_a_search_on_extract_choose_nothing(page: Page, mortal: Server) -> None:
    extract(page, mortal)
    before = page.get_by_text("grounded by hand").count()
    typed(page, page.get_by_label("Search the vocabularies"), "1 2 3 z n")
    assert page.get_by_text("grounded by hand").count() == before


def test_half_a_character_in_a_pasted_text_stops_nothing(page: Page, server: Server) -> None:
    page.goto(server.address("Extract"))
    ready(page)
    page.get_by_label("Text", exact=True).fill("x")
    page.keyboard.press("Control+a")
    page.evaluate("document.execCommand('insertText', false, 'Aspirin \\ud800 here.')")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Aspirin \ufffd here.").first).to_be_visible()
    expect(page.get_by_role("tab", name="How it was read")).to_be_visible()


def test_keys_for_mentions_work_after_a_click_into_the_table_of_terms(
    page: Page, mortal: Server
) -> None:
    extract(page, mortal)
    first = words_in_view(page)
    table = page.get_by_test_id("stDataFrame").first
    table.click(position={"x": 250, "y": 55})  # a cell that can be written in
    page.keyboard.press("Alt+j")
    expect(page.locator(".gw-focus").first).not_to_have_text(first)
    second = words_in_view(page)
    table.click(position={"x": 250, "y": 55})
    page.keyboard.press("Alt+k")
    expect(page.locator(".gw-focus").first).not_to_have_text(second)


def words_in_view(page: Page) -> str:
    """The words of the mention that is to be judged."""
    return page.locator(".gw-focus").first.inner_text()
