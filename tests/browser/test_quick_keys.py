"""Review by quick keys in a real browser: a key judges the statement on screen, or nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.model import Role, State, Verdict
from core.services.people import roles
from core.services.review import decision
from core.services.review.decision import Judgement
from core.services.review.reading_desk import AHEAD, READY
from core.store import QueueFilter
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import introduce, ready
from tests.browser.waiting import (
    COUNT,
    FAST,
    in_view,
    opened,
    propose,
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


@contextmanager
def busy() -> Iterator[None]:
    """The machine has something else to do on every core."""
    command = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_count_of_the_rest_covers_only_the_current_view(review: Page, server: Server) -> None:
    """A view of what is proposed shows one that was set aside, because its approval was undone."""
    review.keyboard.press("s")
    saved(review)
    desk = reviewing.empty(server.project)
    (aside,) = desk.store.statements.of_ids([statement(0).id])
    decision.decide(
        desk, aside.id, aside.version, Judgement(Verdict.APPROVE), curator=reviewing.ANNA
    )
    desk.close()
    review.reload()
    ready(review)
    review.locator(".gr-statement").wait_for()
    for key in "ua":
        review.keyboard.press(key)
        saved(review)
        ready(review)
        expect(review.locator(".gr-place")).to_have_text(f"{COUNT + 1} left")
    assert stored(server) == {"drug 0": State.APPROVED}


@pytest.mark.parametrize("denied", ["setItem", "getItem", "removeItem"])
def test_a_browser_that_can_keep_nothing_stores_what_is_decided(
    page: Page, server: Server, denied: str
) -> None:
    """Its storage is full, or it allows none."""
    refusal = "throw new DOMException('', 'QuotaExceededError')"
    page.add_init_script(f"Storage.prototype.{denied} = () => {{ {refusal}; }}")
    review = opened(page, server)
    for key in ("a", "x", "1", "s"):
        review.keyboard.press(key)
        review.wait_for_timeout(FAST)
    saved(review)
    states = {f"drug {n}": state for n, state in enumerate(("approved", "rejected", "unsure"))}
    assert stored(server) == states


def test_twelve_quick_keys_under_load_judge_what_was_on_screen(
    review: Page, server: Server
) -> None:
    wanted = {}
    with busy():
        for number in range(COUNT):
            key = "as"[number % 2]
            shown = in_view(review)
            wanted[shown] = {"a": State.APPROVED, "s": State.UNSURE}[key]
            review.keyboard.press(key)
            review.wait_for_timeout(FAST)
            while in_view(review) == shown:  # slower to paint than the hand: refused and told
                review.keyboard.press(key)
                review.wait_for_timeout(FAST)
        saved(review)
    assert len(wanted) == COUNT
    assert stored(server) == wanted


def test_keys_without_a_pause_judge_nothing_that_was_not_on_screen(
    review: Page, server: Server
) -> None:
    first = in_view(review)
    review.evaluate(
        """() => { for (let n = 0; n < 5; n++)
            document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "a", bubbles: true}));
        }"""
    )
    expect(review.get_by_text("That key came before this statement was on screen")).to_be_visible()
    saved(review)
    assert stored(server) == {first: State.APPROVED}


def test_verdicts_outlast_a_killed_server_and_a_reload(page: Page, mortal: Server) -> None:
    review, wanted = opened(page, mortal), {}
    mortal.kill()
    for _ in range(3):
        wanted[in_view(review)] = State.APPROVED
        review.keyboard.press("a")
        review.wait_for_timeout(FAST)
    expect(review.get_by_text("3 not saved")).to_be_visible()
    expect(review.get_by_role("button", name="Try again")).to_be_visible()
    mortal.start()
    review.goto(mortal.address("Review"))
    saved(review)
    assert stored(mortal) == wanted


def test_quick_keys_wait_for_a_slow_server(page: Page, mortal: Server) -> None:
    """What the browser holds is decided before the server says what comes next: not the end."""
    desk = reviewing.empty(mortal.project)
    propose(desk, range(COUNT + 2, AHEAD + 3))
    desk.close()
    review = opened(page, mortal)
    for number in range(AHEAD - READY + 2):  # then all that it holds is there with everything
        while in_view(review) == f"drug {number}":
            review.keyboard.press("s")
            review.wait_for_timeout(FAST)
    saved(review)
    assert mortal.process is not None
    mortal.process.send_signal(signal.SIGSTOP)
    try:
        while review.locator(".gr-statement").count():
            review.keyboard.press("s")
            review.wait_for_timeout(FAST // 4)
        expect(review.get_by_text("Loading …")).to_be_visible()
    finally:
        mortal.process.send_signal(signal.SIGCONT)
    expect(review.locator(".gr-statement .gw-term").first).to_have_text(f"drug {AHEAD}")
    saved(review)
    assert len(stored(mortal)) == COUNT + 2  # of those that `stored` looks at: all


def test_undo_goes_back_to_the_statement_and_a_rejection_asks_for_a_reason(
    review: Page, server: Server
) -> None:
    first = in_view(review)
    review.keyboard.press("x")
    expect(review.get_by_text("Why is this statement rejected?")).to_be_visible()
    assert in_view(review) == first and stored(server) == {}
    review.keyboard.press("9")
    expect(review.get_by_text("Rejected: background")).to_be_visible()
    saved(review)
    assert stored(server) == {first: State.REJECTED}
    review.keyboard.press("u")
    expect(review.get_by_text("Taken back")).to_be_visible()
    saved(review)
    assert (in_view(review), stored(server)) == (first, {})


def test_the_last_statement_of_a_queue_is_taken_back_by_one_key(page: Page, server: Server) -> None:
    page.goto(server.address("Review", text="drug 13"))
    ready(page)
    introduce(page)
    page.locator(".gr-statement").wait_for()
    page.keyboard.press("a")
    saved(page)
    expect(page.locator(".gr-statement")).to_have_count(0)
    assert stored(server) == {"drug 13": State.APPROVED}
    page.keyboard.press("u")
    expect(page.get_by_text("Taken back")).to_be_visible()
    saved(page)
    assert (in_view(page), stored(server)) == ("drug 13", {})


def test_an_undo_that_is_refused_says_so_and_leaves_the_statement_in_view(
    page: Page, server: Server
) -> None:
    desk = reviewing.empty(server.project)
    roles.appoint_person(desk, BEN.orcid, BEN.name, Role.OWNER)
    decision.decide(
        desk, statement(3).id, version=1, judgement=Judgement(Verdict.UNSURE), curator=BEN
    )
    desk.close()
    page.goto(server.address("Review", state="unsure"))
    ready(page)
    introduce(page)
    history = page.locator(".gr-fold", has_text="History")
    history.evaluate("fold => { fold.open = true }")
    history.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("⚠ Not saved: drug 3")).to_contain_text("reviewer")
    expect(page.locator(".gr-statement")).to_be_visible()
    expect(page.get_by_text("Taken back")).to_have_count(0)


def test_a_filter_that_is_chosen_stays_chosen_when_it_is_clicked_again(review: Page) -> None:
    review.get_by_role("button", name="Filters").click()
    ready(review)
    for name in ("Predicate", "Proposed"):
        review.get_by_test_id("stMain").get_by_role("radio", name=name).or_(
            review.get_by_role("radio", name=name)
        ).first.click()
        ready(review)
    expect(review.get_by_role("combobox", name="Predicate")).to_be_visible()
    expect(review.get_by_role("radio", name="Predicate")).to_be_checked()


def test_a_desk_that_is_drawn_from_nothing_knows_what_was_judged_and_why(review: Page) -> None:
    for key in ("x", "9", "a"):
        review.keyboard.press(key)
        review.wait_for_timeout(FAST)
    saved(review)
    expect(review.locator(".gr-statement .gw-term").first).to_have_text("drug 2")
    review.evaluate(  # as when Streamlit puts something else in its place and then draws it again
        """() => { const root = document.querySelector(".gr").parentElement, desk = root.review;
            desk.close();
            delete root.review;
            desk.send({ window: desk.window, presses: [], at: desk.rows[0].id, attempt: 99 }); }"""
    )
    expect(review.locator(".gr-statement .gw-term").first).to_have_text("drug 2")
    reasons = review.get_by_text("Why is this statement rejected?")
    while not reasons.is_visible():  # slower to paint than the hand: refused and told
        review.keyboard.press("x")
        review.wait_for_timeout(FAST)
    review.keyboard.press("Enter")
    expect(review.get_by_text("Rejected: background")).to_be_visible()
    saved(review)


def test_a_gesture_on_all_that_are_alike_is_taken_back_by_one_key(
    review: Page, server: Server
) -> None:
    review.keyboard.press("l")
    review.get_by_text(f"same predicate ({COUNT + 2})").click()
    review.get_by_role("radio", name="Mark unsure").click()
    review.get_by_role("button", name="Preview").click()
    review.get_by_role("button", name=f"Mark unsure {COUNT + 2}").click()
    expect(review.get_by_text("Everything is decided")).to_be_visible()
    ready(review)
    review.keyboard.press("u")
    expect(review.get_by_text(f"Taken back: {COUNT + 2} statements")).to_be_visible()
    saved(review)
    expect(review.locator(".gr-statement .gw-term").first).to_have_text("drug 0")
    assert stored(server) == {}
    while in_view(review) == "drug 0":  # each is at another version now: judged as it stands
        review.keyboard.press("a")
        review.wait_for_timeout(FAST)
    saved(review)
    assert stored(server) == {"drug 0": State.APPROVED}


def test_two_keys_swap_and_negate_a_statement_and_the_queue_moves_on(
    review: Page, server: Server
) -> None:
    first = in_view(review)
    review.keyboard.press("w")
    expect(review.locator(".gr-statement .gw-term").first).to_have_text("pain 0")
    review.keyboard.press("n")
    expect(review.locator(".gr-draft .gr-not")).to_have_text("not")
    review.keyboard.press("a")
    expect(review.locator(".gr-draft")).to_have_count(0)
    saved(review)
    assert in_view(review) == "drug 1"
    desk = reviewing.empty(server.project)
    (approved,) = desk.store.queue.records(QueueFilter(states=(State.APPROVED,)))
    desk.close()
    assert (approved.statement.object.label, approved.statement.negated) == (first, True)


def test_layout_stays_still_while_statements_are_judged(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(server.address("Review"))
    ready(page)
    introduce(page)
    page.locator(".gr-statement").wait_for()
    boxes = ["Approve", "Next", "Undo"]

    def places() -> list[object]:
        return [page.get_by_role("button", name=name).first.bounding_box() for name in boxes]

    before = places()
    for key in ("s", "x", "Escape", "x", "5", "w", "Escape", "j", "u"):
        page.keyboard.press(key)
        page.wait_for_timeout(FAST)
        assert places() == before, key
    saved(page)
    assert page.locator(".gr-card").evaluate("card => card.getBoundingClientRect().bottom") <= 720
