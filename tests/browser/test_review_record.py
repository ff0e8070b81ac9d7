"""What Review shows after a search, an undo or a refusal, in a real browser: what is so."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.desk import Desk
from core.model import Reason, ReviewPolicy, Role, State, Verdict
from core.services.people import roles
from core.services.review import decision
from core.services.review.decision import Judgement
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import ready
from tests.browser.waiting import (
    COUNT,
    FAST,
    in_view,
    opened,
    saved,
    statement,
    stored,
    waiting_project,
)
from tests.reviewing import BEN


@pytest.fixture
def project(folder: Path) -> Path:
    return waiting_project(folder)


@pytest.fixture
def review(page: Page, server: Server) -> Page:
    return opened(page, server)


def by_ben(desk: Desk, number: int, judgement: Judgement) -> None:
    """Another curator decides a statement."""
    roles.appoint_person(desk, BEN.orcid, BEN.name, Role.OWNER)
    record = desk.store.statements.get(statement(number).id)
    decision.decide(desk, record.id, record.version, judgement, curator=BEN)


def find(page: Page, words: str) -> None:
    field = page.get_by_role("textbox", name="Find")
    field.fill(words)
    field.press("Enter")
    ready(page)


def test_a_search_that_finds_something_after_one_that_did_not_shows_it(review: Page) -> None:
    find(review, "zzqq")
    expect(review.get_by_text("No statement of this search")).to_be_visible()
    find(review, "drug 7")
    expect(review.locator(".gr-statement .gw-term").first).to_have_text("drug 7")
    expect(review.get_by_role("button", name="✓ Approve")).to_be_enabled()


def test_a_correction_that_is_taken_back_shows_its_statement_proposed_again(review: Page) -> None:
    for key in "na":
        review.keyboard.press(key)
        review.wait_for_timeout(FAST)
    saved(review)
    review.keyboard.press("k")
    expect(review.get_by_role("button", name="Open the correction")).to_be_visible()
    review.keyboard.press("u")
    expect(review.get_by_text("Taken back")).to_be_visible()
    saved(review)
    expect(review.locator(".gr-statement .gw-term").first).to_have_text("drug 0")
    state = review.locator(".gr-card .gr-state").first
    expect(state).to_contain_text("proposed")
    expect(review.get_by_role("button", name="Open the correction")).to_have_count(0)


def test_counts_of_the_states_follow_a_gesture_that_is_taken_back(review: Page) -> None:
    every = COUNT + 2
    review.keyboard.press("l")
    review.get_by_text(f"same predicate ({every})").click()
    review.get_by_role("radio", name="Mark unsure").click()
    review.get_by_role("button", name="Preview").click()
    review.get_by_role("button", name=f"Mark unsure {every}").click()
    expect(review.get_by_role("radio", name=f"Unsure {every}")).to_be_visible()
    ready(review)
    review.keyboard.press("u")
    expect(review.get_by_text(f"Taken back: {every} statements")).to_be_visible()
    expect(review.get_by_role("radio", name=f"Proposed {every}")).to_be_visible()


def test_a_refused_decision_says_so_and_nothing_else_is_taken_back(
    review: Page, server: Server
) -> None:
    review.keyboard.press("a")
    saved(review)
    desk = reviewing.empty(server.project)
    by_ben(desk, 1, Judgement(Verdict.REJECT, Reason.NEGATED))
    desk.close()
    assert in_view(review) == "drug 1"
    review.keyboard.press("a")
    expect(review.get_by_text("⚠ 1 refused")).to_be_visible()
    expect(review.get_by_text("⚠ Not saved: drug 1")).to_be_visible()
    expect(review.get_by_role("button", name="Try again")).to_have_count(0)
    expect(review.locator(".gr-list li", has_text="drug 1 treats")).not_to_contain_text("○")
    review.keyboard.press("u")
    expect(review.get_by_text("was not saved, so there is nothing to take back")).to_be_visible()
    assert stored(server) == {"drug 0": State.APPROVED, "drug 1": State.REJECTED}
    review.keyboard.press("u")
    expect(review.get_by_text("Taken back — drug 0")).to_be_visible()
    saved(review)
    assert stored(server) == {"drug 1": State.REJECTED}


def test_a_statement_that_another_has_in_hand_says_so(page: Page, server: Server) -> None:
    desk = reviewing.empty(server.project)
    desk.store.queue_slices.take(curator=BEN.orcid, seconds=600, limit=1, most=1)
    desk.close()
    review = opened(page, server)
    review.locator(".gr-list li", has_text="drug 0 treats").click()
    expect(review.locator(".gr-card")).to_contain_text("Another curator has this statement in hand")


def test_the_first_of_two_approvals_does_not_read_as_approved(page: Page, server: Server) -> None:
    desk = reviewing.empty(server.project)
    roles.appoint_person(desk, BEN.orcid, BEN.name, Role.OWNER)
    roles.set_policy(desk, ReviewPolicy(approvals=2), BEN.orcid)
    desk.close()
    review = opened(page, server)
    review.keyboard.press("a")
    expect(review.locator(".gr-said")).to_have_text("drug 0 treats pain 0: 1 of 2 approvals")
    review.keyboard.press("k")
    expect(review.locator(".gr-card .gr-state").first).to_contain_text("1 of 2 approvals")


def test_the_bar_is_one_line_where_the_window_is_small(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    review = opened(page, server)
    review.locator(".gr-place").evaluate("place => { place.textContent = '100,000 left' }")
    boxes = [
        box
        for button in review.locator(".gr-bar button").all()
        if (box := button.bounding_box()) is not None
    ]
    assert len({round(box["y"] + box["height"] / 2) for box in boxes}) == 1
