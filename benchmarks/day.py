"""A curator's day in a real Chromium, from a schema of one's own to a mistake taken back.

Run: `python benchmarks/day.py [STEP …] [--slow 4] [--pictures FOLDER] [--postgres]`; steps are
schema, marks, keys, bulk, two, hostile (default: all). Each prints what it took and stops at what
does not hold.
`--slow` divides the speed of the browser's processor, `--pictures` keeps a screenshot of each step;
`--postgres` puts the project into a PostgreSQL of its own, from the installed programs.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import open_desk
from core.model import (
    Category,
    Curator,
    Document,
    Evidence,
    Run,
    Span,
    State,
    Statement,
    Term,
    TextGround,
    TextVersion,
)
from core.settings import load_settings
from core.store import QueueFilter
from core.text.clean import text_version
from tests import reviewing
from tests.browser.conftest import FLAGS, PATIENCE, Server
from tests.browser.journey import ready
from tests.pages import test_any_label as labels
from tests.postgresql import running_server

ANNA = Curator("0000-0002-1825-0097", "Anna Alder")
BEN = Curator("0000-0001-5109-3700", "Ben Birch")
SETTINGS: dict[str, str] = {}  # of the project: where its database is
NOTE, SHA = "Aspirin relieves headache in most adults.", "cd" * 32
DECIDED, ALIKE = 300, 400
PACE = 100  # milliseconds between two keys: nobody reads faster
FACTS = (
    ("Lithium", "tremor"),
    ("amiodarone", "hypothyroidism"),
    ("aspirin", "headache"),
    ("warfarin", "nausea"),
    ("cisplatin", "vomiting"),
    ("cocaine", "seizures"),
    ("propranolol", "asthma"),
    ("metformin", "lactic acidosis"),
    ("clozapine", "agranulocytosis"),
    ("morphine", "constipation"),
)
PAPER = " ".join(f"In ward {n} {drug} went with {ill}." for n, (drug, ill) in enumerate(FACTS, 1))
OWN = "BRCA1 cause breast cancer. CFTR variants cause cystic fibrosis. TP53 was not looked at."
PAGES = (
    "",
    "Extract",
    "Documents",
    "Review",
    "Knowledge_graph",
    "Gene_questions",
    "Literature",
    "Vocabularies",
    "Settings",
    "Engine_quality",
    "People",
    "Projects",
    "Schemas",
)


def proposed(number: int, drug: Term) -> tuple[Statement, list[Evidence]]:
    ill = Term(f"MONDO:{number:07}", f"disease {number}", Category.DISEASE)
    statement = Statement(drug, Term("biolink:treats", "treats", Category.RELATION), ill)
    ground = TextGround("PMID:1", SHA, Span(0, len(NOTE)), NOTE)
    return statement, [Evidence(statement.id, ground, "r1", "", "builtin", 0.5)]


def fill(project: Path) -> None:
    """A text to mark facts on, and statements that wait: each of a drug of its own, then as many of
    one wrong term as the bulk decision takes.
    """
    desk = open_desk(load_settings(project, SETTINGS))
    desk.store.project.set("name", "A day")
    desk.store.documents.add(Document("PMID:1", "A note"))
    desk.store.documents.add_text(TextVersion(SHA, "PMID:1", NOTE))
    desk.store.documents.add(Document("PMID:2", "Ten wards"))
    desk.store.documents.add_text(text_version("PMID:2", PAPER))
    desk.store.runs.add(Run("r1", "extract", "builtin", document="PMID:1", text_version=SHA))
    drugs = [Term(f"CHEBI:{n}", f"drug {n}", Category.CHEMICAL) for n in range(DECIDED + 20)]
    wrong = Term("CHEBI:25016", "lead", Category.CHEMICAL)
    several = [proposed(number, drug) for number, drug in enumerate(drugs)]
    several += [proposed(10_000 + number, wrong) for number in range(ALIKE)]
    desk.store.statements.propose(several, "r1")
    desk.close()


class Day:
    """The app, the browser, and who sits before it."""

    def __init__(self, browser: Browser, server: Server, slow: float, pictures: Path | None):
        self.browser, self.server, self.slow, self.pictures = browser, server, slow, pictures

    def page_of(self, person: Curator) -> Page:
        """A browser of this person's own, at 1280 × 720."""
        context = self.browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.stop(f"the page failed: {error}"))
        page.on("dialog", lambda dialog: self.stop(f"a label opened {dialog.message}"))
        page.on("request", lambda request: self.stay(request.url))
        if self.slow > 1:
            rate = {"rate": self.slow}
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", rate)
        page.goto(self.server.address("People"))
        ready(page)
        page.get_by_label("Your name").fill(person.name)
        page.get_by_label("Your ORCID iD").fill(person.orcid)
        page.get_by_role("button", name="Save").first.click()
        expect(page.get_by_test_id("stSidebar").get_by_text(person.name)).to_be_visible()
        return page

    def stay(self, address: str) -> None:
        if not address.startswith((self.server.url, "ws://127.0.0.1", "data:", "blob:")):
            self.stop(f"the page called {address[:100]}")

    def stop(self, words: str) -> None:
        raise SystemExit(words)

    def picture(self, page: Page, name: str) -> None:
        if self.pictures:
            page.screenshot(path=self.pictures / f"day-{name}.png")

    def go(self, page: Page, name: str, **query: str) -> None:
        page.goto(self.server.address(name, **query))
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        ready(page)

    def states(self) -> dict[State, int]:
        desk = open_desk(load_settings(self.server.project, SETTINGS))
        counts = dict(desk.store.queue.state_counts())
        desk.close()
        return counts


class Keys:
    """A keyboard that counts; the mouse is not touched."""

    def __init__(self, page: Page):
        self.page, self.pressed = page, 0

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)
            self.pressed += 1

    def type(self, words: str) -> None:
        self.page.keyboard.type(words)
        self.pressed += len(words)

    def reach(self, label: str, key: str = "Tab") -> None:
        """Tab, or go back by Shift+Tab, until the control of this name has the keyboard."""
        name = """() => { const it = document.activeElement; return it.ariaLabel
            || it.labels?.[0]?.innerText || (it.matches("a, button") ? it.innerText : "") }"""
        for _ in range(80):
            if label in str(self.page.evaluate(name)).split("\n"):
                return
            self.press(key)
        raise SystemExit(f"“{label}” cannot be reached by the keyboard")


def schema(day: Day) -> str:
    """Things and a relation of one's own, tried on a text, saved, and read by it: keys alone."""
    page = day.page_of(ANNA)
    day.go(page, "Schemas")
    expect(page.get_by_label("Your own text")).to_be_visible()
    keys, begun = Keys(page), time.monotonic()
    keys.reach("Name of the schema")
    keys.type("Gene disease")
    for thing, way in (("Gene", "Tab"), ("Disease", "Shift+Tab")):
        keys.reach("Name", way)
        keys.type(thing)
        keys.press("Tab")
        ready(page)
        keys.reach("Add this thing")
        keys.press("Enter")
        ready(page)
    keys.reach("Predicates: search, or type one of your own")
    keys.type("caus")
    expect(page.get_by_role("option").first).to_be_visible()
    keys.press("Enter")
    keys.press("Escape")
    ready(page)
    keys.reach("Add this relation")
    keys.press("Enter")
    ready(page)
    day.picture(page, "schema")
    keys.reach("Your own text")
    page.keyboard.insert_text(OWN)
    keys.press("Control+Enter")
    ready(page)
    day.picture(page, "schema-tried")
    keys.reach("Save this schema")
    keys.press("Enter")
    ready(page)
    keys.reach("Extract with it")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Extract", level=1)).to_be_visible()
    ready(page)
    keys.reach("Run")
    keys.press("Enter")
    expect(page.get_by_role("tab", name="Statements (2)")).to_be_visible()
    ready(page)
    day.picture(page, "schema-read")
    page.context.close()
    return f"{keys.pressed} keys, no mouse, {time.monotonic() - begun:.0f} s to the first statement"


def marks(day: Day) -> str:
    """Ten facts that no engine proposed, marked by keys."""
    page = day.page_of(ANNA)
    day.go(page, "Documents", document="PMID:2")
    page.locator(".gm-text").wait_for()
    ready(page)
    seconds, keys = [], Keys(page)
    for drug, ill in FACTS:
        begun = time.monotonic()
        for words in (drug, ill):
            select(keys, words)
            keys.press("Enter")
        expect(page.get_by_label("Predicate")).to_be_focused()
        keys.type("causes")
        keys.press("Enter", 2)
        expect(page.locator(".gm-note")).to_contain_text("Saved")
        seconds.append(time.monotonic() - begun)
        ready(page)
    day.picture(page, "marks")
    page.context.close()
    desk = open_desk(load_settings(day.server.project, SETTINGS))
    records = desk.store.queue.records(QueueFilter(document="PMID:2"))
    desk.close()
    quotes = {piece.ground.quote for claim in records for piece in claim.evidence}  # type: ignore[union-attr]
    if len(records) != len(FACTS) or len(quotes) != len(FACTS):
        raise SystemExit(f"{len(records)} statements with {len(quotes)} quotes were stored")
    return (
        f"{len(FACTS)} facts, each {keys.pressed / len(FACTS):.0f} keys and"
        f" {statistics.median(seconds):.1f} s (slowest {max(seconds):.1f})"
    )


def select(keys: Keys, words: str) -> None:
    for _ in range(60):
        if str(keys.page.evaluate("getSelection().toString()")) == words:
            return
        keys.press("Control+ArrowRight")
    raise SystemExit(f"“{words}” is not offered in the text")


METER = """() => {
    const meter = window.meter = { painted: [], loading: 0, refused: 0 };
    let pressed = 0, shown = "";
    const look = () => {
        const said = document.querySelector(".gr-said")?.textContent ?? "";
        if (/press (the key|it) again/.test(said) && said !== meter.said) meter.refused += 1;
        meter.said = said;
        const now = document.querySelector(".gr-statement")?.textContent ?? "";
        if (!now && pressed) meter.loading += 1;
        if (!now || now === shown) return;
        shown = now;
        if (!pressed) return;
        const began = pressed;
        pressed = 0;
        const painted = () => meter.painted.push(performance.now() - began);
        requestAnimationFrame(() => setTimeout(painted));
    };
    document.addEventListener("keydown", (event) => {
        if ("as1".includes(event.key)) pressed ||= event.timeStamp;
    }, true);
    new MutationObserver(look).observe(document.querySelector(".gr"),
        { childList: true, subtree: true, characterData: true });
    look();
}"""


def keys(day: Day) -> str:
    """Three hundred statements: approved, rejected with a reason, left unsure."""
    page, before = day.page_of(ANNA), day.states()
    day.go(page, "Review")
    begun = time.monotonic()
    meter = decide(page, DECIDED)
    took = time.monotonic() - begun
    expect(page.get_by_text("✓ saved")).to_be_visible()
    day.picture(page, "keys")
    page.context.close()
    after = day.states()
    decided = before[State.PROPOSED] - after[State.PROPOSED]
    if decided != DECIDED:
        raise SystemExit(f"{DECIDED} were judged and {decided} are stored")
    milliseconds = sorted(meter["painted"])
    return (
        f"{DECIDED} judged and stored in {took:.0f} s, a key every {PACE} ms; key to the next"
        f" statement on screen: median {milliseconds[DECIDED // 2]:.0f} ms, p95"
        f" {milliseconds[DECIDED * 95 // 100]:.0f}, slowest {milliseconds[-1]:.0f};"
        f" not there yet {meter['loading']}, refused {meter['refused']}"
    )


def decide(page: Page, wanted: int) -> dict[str, Any]:
    """So many statements judged by a hand that never waits longer than `PACE` between two keys. The
    browser itself takes the milliseconds from a key to the frame on which the next statement
    stands (`painted`).
    """
    page.locator(".gr-statement").first.wait_for()
    page.evaluate(METER)
    refused = 0
    for number in range(wanted):
        judge(page, number)
        while page.evaluate("meter.painted.length") <= number:
            page.wait_for_timeout(PACE)
            if page.evaluate("meter.refused") > refused:  # said so on screen: pressed once more
                refused += 1
                page.keyboard.press("Escape")
                judge(page, number)
    return dict(page.evaluate("meter"))


def judge(page: Page, number: int) -> None:
    for key in (("a",), ("a",), ("x", "1"), ("s",))[number % 4]:
        page.keyboard.press(key)
        page.wait_for_timeout(PACE)


def bulk(day: Day) -> str:
    """Four hundred of one wrong term, after a preview, and all of it taken back by one key."""
    page, before = day.page_of(ANNA), day.states()
    day.go(page, "Review", text="lead")
    page.locator(".gr-statement").wait_for()
    ready(page)
    begun = time.monotonic()
    opened = page.get_by_text(f"same subject ({ALIKE})")
    while not opened.count():  # a key that came before the statement was on screen is refused
        page.keyboard.press("l")
        page.wait_for_timeout(3_000)
    opened.click()
    page.get_by_role("radio", name="Reject").last.click()
    page.get_by_role("combobox", name="Reason").click()
    page.get_by_role("option", name="wrong term").click()
    ready(page)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text(f"Reject {ALIKE} statements")).to_be_visible()
    day.picture(page, "bulk-preview")
    looked = time.monotonic() - begun
    page.get_by_role("button", name=f"Reject {ALIKE}").click()
    expect(page.get_by_text(f"{ALIKE} statements decided")).to_be_visible()
    ready(page)
    day.picture(page, "bulk-done")
    rejected = day.states().get(State.REJECTED, 0) - before.get(State.REJECTED, 0)
    page.keyboard.press("u")
    expect(page.get_by_text("Taken back")).to_be_visible()
    expect(page.get_by_text("✓ saved")).to_be_visible()
    ready(page)
    day.picture(page, "bulk-undone")
    page.context.close()
    if rejected != ALIKE or day.states() != before:
        raise SystemExit(f"{rejected} of {ALIKE} were rejected; then {day.states()}, not {before}")
    return f"{ALIKE} rejected after a preview ({looked:.0f} s to it), taken back by one key"


def two(day: Day) -> str:
    """Two people, two browsers: each judges the same statement, and both readings stand beside each
    other.
    """
    anna, ben = day.page_of(ANNA), day.page_of(BEN)
    day.go(anna, "Review")
    anna.locator(".gr-statement").wait_for()
    anna.keyboard.press("a")
    expect(anna.get_by_text("✓ saved")).to_be_visible()
    day.go(ben, "Review", state="approved", order="newest")
    ben.locator(".gr-statement").wait_for()
    ben.keyboard.press("x")
    expect(ben.get_by_text("Why is this statement rejected?")).to_be_visible()
    ben.keyboard.press("2")
    expect(ben.get_by_text("✓ saved")).to_be_visible()
    day.go(ben, "People")
    ben.get_by_role("tab", name="To settle").click()
    ready(ben)
    for person in (ANNA, BEN):
        expect(ben.get_by_test_id("stMain").get_by_text(person.name).first).to_be_visible()
    day.picture(ben, "two")
    ben.get_by_role("link", name="Settle it").first.click()
    expect(ben.locator(".gr-statement")).to_be_visible()
    ready(ben)
    day.picture(ben, "two-settle")
    for page in (anna, ben):
        page.context.close()
    return "one approved, one rejected: both readings side by side, and the way to the statement"


def hostile(day: Day) -> str:
    """Labels that no page expects, on every page: nothing runs, nothing breaks, nothing widens."""
    project = day.server.project.with_name("hostile")
    desk = reviewing.empty(project)
    desk.store.project.set("name", "Hostile <b>labels</b>")
    for number, several in enumerate(labels.draws(), 1):
        labels.add(desk, number, several)
    desk.close()
    there = Day(day.browser, day.server.over(project), day.slow, day.pictures)
    page = there.page_of(ANNA)
    addresses: list[tuple[str, dict[str, str]]] = [(name, {}) for name in PAGES]
    addresses += [("Review", {"state": "all"}), ("Review", {"state": "conflicts"})]
    addresses += [("Documents", {"document": f"PMID:{n}"}) for n in (1, 2, 3)]
    addresses += [("Knowledge_graph", {"tab": tab}) for tab in ("Explore", "Export", "Releases")]
    for name, query in addresses:
        there.go(page, name, **query)
        page_name = "-".join([name or "home", *query.values()]).replace(":", "")
        there.picture(page, f"hostile-{page_name}")
        if page.get_by_test_id("stException").count():
            raise SystemExit(
                f"{page_name}: {page.get_by_test_id('stException').first.inner_text()}"
            )
        wide = """() => { const main = document.querySelector("[data-testid=stMain]");
            return main.scrollWidth - main.clientWidth }"""
        if page.evaluate(wide) > 0:
            raise SystemExit(f"{page_name}: the page is wider than its window")
        if not page.get_by_role("heading", level=1).count():
            raise SystemExit(f"{page_name}: nothing is drawn")
    page.context.close()
    return f"{len(addresses)} views of {len(labels.draws())} papers of hostile labels"


STEPS: dict[str, Callable[[Day], str]] = {
    "schema": schema,
    "marks": marks,
    "keys": keys,
    "bulk": bulk,
    "two": two,
    "hostile": hostile,
}


def walked(
    steps: dict[str, Callable[[Day], str]], fill_project: Callable[[Path], None], words: str
) -> None:
    """Walk the steps that the command line names in one browser, over one project."""
    parser = argparse.ArgumentParser(description=words.split("\n\n")[0])
    parser.add_argument("steps", nargs="*", choices=[*steps, []], default=[])
    parser.add_argument("--slow", type=float, default=1)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--postgres", action="store_true")
    args = parser.parse_args()
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server() if args.postgres else contextlib.nullcontext("") as url,
        sync_playwright() as playwright,
    ):
        if url:
            SETTINGS["GROUNDWORK_DATABASE_URL"] = url
        project = Path(folder) / "day"
        fill_project(project)
        server = Server(project, SETTINGS | {"GROUNDWORK_BASE_SET": "on"})
        server.start()
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            for name in args.steps or steps:
                day = Day(browser, server, args.slow, args.pictures)
                print(f"{name}: {steps[name](day)}", flush=True)
        except BaseException:
            for number, context in enumerate(browser.contexts):
                day.picture(context.pages[0], f"{name}-stopped-{number}")
            raise
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    walked(STEPS, fill, __doc__ or "")
