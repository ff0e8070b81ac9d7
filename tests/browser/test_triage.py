"""A triage of a hundred papers by keyboard in a real browser: what is kept is what was pressed on
what was shown.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.desk import Desk, open_desk
from core.services.literature import namespaces, triage
from core.settings import Settings
from tests.browser.conftest import Server
from tests.browser.journey import introduce, ready

KEYS = {"a": "include", "x": "exclude", "s": "maybe", "n": "no evidence here"}
PRESSED = "axsnaaxxan" * 10
FAST, LEAST = 120, 100  # milliseconds between keys, papers


def opened(project: Path) -> Desk:
    return open_desk(Settings(project=project))


@pytest.fixture
def project(folder: Path, tmp_path: Path) -> Path:
    """A namespace of a hundred papers that all answer one question."""
    papers = tmp_path / "papers.jsonl"
    rows = [
        {
            "id": f"PMID:{n}",
            "title": f"Kinase Q and tau {n}",
            "text": "Kinase Q phosphorylates tau. " * (1 + n % 7),
        }
        for n in range(1, LEAST + 1)
    ]
    papers.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    desk = opened(folder)
    namespaces.create_namespace(desk, "tau")
    namespaces.add_files(desk, "tau", [papers])
    desk.close()
    return folder


@pytest.fixture
def listed(page: Page, server: Server) -> Page:
    page.goto(server.address("Literature", ns="tau", q="kinase tau"))
    ready(page)
    introduce(page)
    expect(place(page)).to_have_text("1 of 100")
    return page


def place(page: Page) -> Locator:
    return page.locator(".gt-place")


def shown(page: Page) -> str:
    return page.locator(".gt-facts a").inner_text().split()[0]


def stored(server: Server) -> dict[str, str]:
    desk = opened(server.project)
    verdicts = triage.paper_verdicts(desk, ["tau"])
    desk.close()
    return verdicts


def settled(page: Page, words: str) -> None:
    expect(page.get_by_text(words)).to_be_visible()
    ready(page)


def judge(page: Page, key: str, number: int) -> None:
    """A key on paper `number`; where the machine was slower to paint it than the hand, the key is
    refused, so again.
    """
    while True:
        page.keyboard.press(key)
        page.wait_for_timeout(FAST)
        if number == LEAST or place(page).inner_text() != f"{number} of {LEAST}":
            return


def test_a_hundred_papers_are_judged_by_quick_keys(
    listed: Page, server: Server, tmp_path: Path
) -> None:
    wanted = {}
    for number, key in enumerate(PRESSED, 1):
        if number % 10 == 2:
            listed.keyboard.press("2")  # the reason of the next verdict
        wanted[shown(listed)] = KEYS[key]
        judge(listed, key, number)
    settled(listed, "100 papers judged in tau")
    with listed.expect_download() as download:
        listed.get_by_role("button", name="CSV").click()
    file = tmp_path / "judged.csv"
    download.value.save_as(file)
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert {row["document"]: row["verdict"] for row in rows} == wanted and len(wanted) == LEAST
    assert [row["reason"] for row in rows].count("wrong species") == 10


def test_keys_without_a_pause_never_judge_a_paper_that_was_not_on_screen(
    listed: Page, server: Server
) -> None:
    listed.evaluate(
        """() => { for (let n = 0; n < 5; n++)
            document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "a", bubbles: true}));
        }"""
    )
    expect(listed.get_by_text("That key came before this paper was on screen")).to_be_visible()
    expect(place(listed)).to_have_text("2 of 100")
    settled(listed, "1 paper judged in tau")
    assert len(stored(server)) == 1


def test_undo_goes_back_to_the_paper_and_frees_it_and_a_reload_keeps_the_place(
    listed: Page, server: Server
) -> None:
    for key in "axu":
        listed.keyboard.press(key)
        listed.wait_for_timeout(FAST)
    expect(place(listed)).to_have_text("2 of 100")
    settled(listed, "1 paper judged in tau")
    listed.reload()
    expect(place(listed)).to_have_text("2 of 100")
    listed.keyboard.press("u")
    settled(listed, "0 papers judged in tau")
    assert stored(server) == {}


def test_a_list_opens_at_its_first_paper_and_a_key_leads_to_the_first_unjudged_one(
    listed: Page, server: Server
) -> None:
    for key in "ax":
        listed.keyboard.press(key)
        listed.wait_for_timeout(FAST)
    settled(listed, "2 papers judged in tau")
    fresh = listed.context.new_page()
    fresh.goto(server.address("Literature", ns="tau", q="kinase tau"))
    ready(fresh)
    expect(place(fresh)).to_have_text("1 of 100")
    fresh.keyboard.press("l")
    expect(place(fresh)).to_have_text("3 of 100")
    expect(fresh.get_by_role("button", name="Next unjudged")).to_be_enabled()
    fresh.close()


def test_no_key_judges_while_words_are_typed(listed: Page, server: Server) -> None:
    listed.get_by_label("Question", exact=True).fill("")
    listed.get_by_label("Question", exact=True).press_sequentially("axsnu")
    expect(place(listed)).to_have_text("1 of 100")
    assert stored(server) == {}


def test_a_paper_judged_in_another_tab_is_not_judged_over(
    listed: Page, server: Server, browser: Browser
) -> None:
    first = shown(listed)
    other = listed.context.new_page()
    other.goto(listed.url)
    expect(place(other)).to_have_text("1 of 100")
    other.keyboard.press("x")
    settled(other, "1 paper judged in tau")
    listed.bring_to_front()
    listed.keyboard.press("a")
    expect(listed.get_by_text("was judged “exclude” since it was shown")).to_be_visible()
    assert stored(server) == {first: "exclude"}


def test_while_a_new_search_replaces_the_list_only_one_is_ever_seen(listed: Page) -> None:
    listed.evaluate(
        """() => { window.most = 0; const look = () => {
            const lists = [...document.querySelectorAll(".gt")].filter((one) => one.offsetParent);
            window.most = Math.max(window.most, lists.length); requestAnimationFrame(look); };
        look(); }"""
    )
    for words in ("kinase", "tau"):
        question = listed.get_by_label("Question", exact=True)
        expect(question).to_have_count(1)  # what a rerun replaces stays for a moment
        question.fill(words)
        listed.get_by_role("button", name="Search", exact=True).click()
        listed.wait_for_url(f"**q={words}**")
        ready(listed)
        expect(listed.locator(".gt:visible")).to_have_count(1)
    assert listed.evaluate("window.most") == 1
