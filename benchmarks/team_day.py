"""Two people's day in a real Chromium: roles and policies, filters, a queue that both work on, a
disagreement, conflicts, papers that come in.

Run: `python benchmarks/team_day.py [STEP …] [--slow 4] [--pictures FOLDER]`; steps are policies,
facets, locks, undo, conflicts, papers, again (default: all, in this order; undo needs policies, and
again needs papers). Each prints what held and
stops at what does not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from day import ANNA, BEN, SETTINGS, Day, proposed, walked  # noqa: E402

from core.desk import open_desk  # noqa: E402
from core.model import (  # noqa: E402
    Category,
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
from core.services.review import facets, queue  # noqa: E402
from core.settings import load_settings  # noqa: E402
from tests.browser.journey import ready  # noqa: E402

NOTE, SHA = "Aspirin relieves headache in most adults.", "cd" * 32
WAITING = 60
DRUG = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
WILLOW = Term("CHEBI:16914", "salicylic acid", Category.CHEMICAL)
ILL = Term("HP:0002315", "Headache", Category.PHENOTYPE)
ABSTRACT = "Aspirin relieved headache in most adults. Aspirin did not relieve nausea."
RIS = f"""TY  - JOUR
TI  - Willow bark: a made-up trial
AB  - {ABSTRACT}
PY  - 2019
DO  - 10.1000/willow.1
ER  -
"""


def said(predicate: str, negated: bool = False, drug: Term = DRUG) -> Statement:
    relation = Term(f"biolink:{predicate}", predicate.replace("_", " "), Category.RELATION)
    return Statement(drug, relation, ILL, negated)


AT_ODDS = (
    said("treats"),
    said("treats", negated=True),
    said("causes"),
    said("treats", drug=Term("MESH:D001241", "aspirin", Category.CHEMICAL)),
    said("causes", drug=WILLOW),
    said("causes", negated=True, drug=WILLOW),
)


def fill(project: Path) -> None:
    """A text, statements that wait, and some that are at odds."""
    desk = open_desk(load_settings(project, SETTINGS))
    desk.store.project.set("name", "Two people")
    desk.store.documents.add(Document("PMID:1", "A note"))
    desk.store.documents.add_text(TextVersion(SHA, "PMID:1", NOTE))
    desk.store.runs.add(Run("r1", "extract", "builtin", document="PMID:1", text_version=SHA))
    several = [
        proposed(number, Term(f"CHEBI:{number}", f"drug {number}", Category.CHEMICAL))
        for number in range(WAITING)
    ]
    for statement in AT_ODDS:
        ground = TextGround("PMID:1", SHA, Span(0, len(NOTE)), NOTE)
        several.append((statement, [Evidence(statement.id, ground, "r1", "", "builtin", 0.8)]))
    desk.store.statements.propose(several, "r1")
    desk.close()


# ------------------------------------------------------------ what a person does


def statement(page: Page) -> str:
    return page.locator(".gr-statement").first.inner_text()


def review(day: Day, page: Page, **address: str) -> None:
    day.go(page, "Review", **address)
    page.locator(".gr-statement").wait_for()
    ready(page)


def judged(page: Page, *keys: str) -> str:
    """The statement that was in view when these keys were pressed and stored."""
    at = statement(page)
    for key in keys:
        page.keyboard.press(key)
    expect(page.get_by_text("✓ saved")).to_be_visible()
    return at


def role(day: Day, page: Page, person: str, orcid: str, words: str) -> None:
    day.go(page, "People")
    main = page.get_by_test_id("stMain")
    main.get_by_label("Name", exact=True).fill(person)
    main.get_by_label("ORCID iD").first.fill(orcid)
    main.get_by_role("combobox", name="Role").click()
    page.get_by_role("option", name=words).click()
    main.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"{person} is {words.split(':')[0]} in this project.")).to_be_visible()
    ready(page)


def policy(
    day: Day, page: Page, approvals: int, own: bool, blind: bool, outcome: str = "Saved."
) -> None:
    day.go(page, "People")
    page.get_by_role("tab", name="Reviews").click()
    ready(page)
    page.get_by_label("People who must approve a statement").fill(str(approvals))
    page.keyboard.press("Tab")
    for words, wanted in (("Curators may approve what they", own), ("Hide how others", blind)):
        box = page.get_by_test_id("stMain").get_by_role("checkbox", name=words)
        if box.is_checked() != wanted:
            page.get_by_text(words).click()
    page.get_by_test_id("stMain").get_by_role("button", name="Save").click()
    expect(page.get_by_text(outcome).first).to_be_visible()
    ready(page)


# ------------------------------------------------------------ the steps


def policies(day: Day) -> str:
    """An owner, a curator; two must approve, nobody their own, the second one blind."""
    anna, ben = day.page_of(ANNA), day.page_of(BEN)
    role(day, anna, ANNA.name, ANNA.orcid, "owner: also assigns")
    role(day, anna, BEN.name, BEN.orcid, "curator: proposes")
    policy(day, ben, 1, True, False, "owner")  # a curator is refused, and told who may
    day.picture(ben, "policy-refused")
    policy(day, anna, 2, False, True)
    day.picture(anna, "policy-set")
    review(day, anna)
    first = judged(anna, "a")
    review(day, anna)
    if statement(anna) == first:
        raise SystemExit("what Anna approved is shown to her again while it waits for another")
    desk = open_desk(load_settings(day.server.project, SETTINGS))
    waiting = [record for record in desk.store.queue.records() if record.decisions]
    desk.close()
    if [record.state for record in waiting] != [State.PROPOSED]:
        raise SystemExit("one approval of two was enough")
    review(day, ben, id=waiting[0].id)
    if statement(ben) != first:
        raise SystemExit("the second reader is not shown what waits for them")
    if ben.get_by_text(ANNA.name).count():
        raise SystemExit("the second reader sees who approved before they judged")
    day.picture(ben, "blind")
    judged(ben, "a")
    if day.states().get(State.APPROVED) != 1:
        raise SystemExit("two approvals of two were not enough")
    day.go(ben, "Documents", document="PMID:1")
    ben.locator(".gm-text .gw-mark", has_text="Aspirin").click()
    ben.locator(".gm-text .gw-mark", has_text="headache").click()
    ben.get_by_label("Predicate").fill("affects")
    ben.get_by_text("Approve at once").click()
    ben.get_by_role("button", name="Save statement").click()
    expect(ben.locator(".gm-note")).to_contain_text("Saved: ")
    expect(ben.locator(".gm-note")).to_contain_text("someone else must approve it")
    day.picture(ben, "own")
    policy(day, anna, 1, True, False)
    close(anna, ben)
    return "a curator may not set them; two of two approve, blind; nobody approves their own"


def facet_options(day: Day) -> int:
    """In how many facets what waits can be narrowed."""
    desk = open_desk(load_settings(day.server.project, SETTINGS))
    everything = queue.view_of({}).filter
    every = {name: facets.facet_values(desk, name, everything) for name in facets.TITLES}
    desk.close()
    return sum(1 for values in every.values() if values)


def facets_walked(day: Day) -> str:
    """Each facet is opened, its first value chosen: the queue has as many as the count said."""
    page, walked_facets = day.page_of(ANNA), 0
    for name, title in facets.TITLES.items():
        review(day, page)
        page.get_by_role("button", name="Filters").first.click()
        box = page.get_by_test_id("stPopoverBody")
        if name != next(iter(facets.TITLES)):  # the first is open already
            box.get_by_test_id("stButtonGroup").get_by_text(title, exact=True).click()
            ready(page)
        choice = box.get_by_role("combobox", name=title)
        choice.click()
        options = page.get_by_role("option").all_inner_texts()
        day.picture(page, f"facet-{name}")
        if len(options) < 2:
            page.keyboard.press("Escape")
            continue
        count = int(options[1].rsplit("(", 1)[1].rstrip(")").replace(",", ""))
        page.get_by_role("option").nth(1).click()
        page.keyboard.press("Escape")
        expect(page.locator(".gr-place")).to_have_text(f"{count} left")
        walked_facets += 1
    page.context.close()
    if walked_facets != facet_options(day):
        raise SystemExit(f"{walked_facets} of {facet_options(day)} facets could be chosen")
    return f"{walked_facets} facets with values, each leads to as many statements as its count says"


def locks(day: Day) -> str:
    """Two people on one queue at the same time: each gets statements of their own."""
    anna, ben = day.page_of(ANNA), day.page_of(BEN)
    review(day, anna)
    review(day, ben)
    mine: dict[Page, set[str]] = {anna: set(), ben: set()}
    for _ in range(10):
        for page in (anna, ben):
            at = statement(page)
            page.keyboard.press("s")
            expect(page.locator(".gr-statement").first).not_to_have_text(at)
            mine[page].add(at)
    for page in (anna, ben):
        expect(page.get_by_text("✓ saved")).to_be_visible()
        if page.get_by_text("Not saved").count():
            raise SystemExit("a decision was refused")
    day.picture(ben, "locks")
    close(anna, ben)
    if mine[anna] & mine[ben] or len(mine[anna] | mine[ben]) != 20:
        raise SystemExit(f"{len(mine[anna] & mine[ben])} statements were given to both")
    if day.states().get(State.UNSURE) != 20:
        raise SystemExit(f"stored: {day.states()}")
    return "20 decisions by turns, no statement given to both, none refused"


def undo(day: Day) -> str:
    """A curator may not take back what another decided, a reviewer may."""
    anna, ben = day.page_of(ANNA), day.page_of(BEN)
    review(day, anna)
    at = judged(anna, "a")
    review(day, ben, state="approved", order="newest")
    if statement(ben) != at:
        ben.locator(".gr-list li", has_text=at.split("CHEBI")[0].strip()).first.click()
    before = day.states()[State.APPROVED]
    taking_back(ben)
    expect(ben.get_by_text("⚠ Not saved")).to_contain_text("reviewer")
    day.picture(ben, "undo-refused")
    if day.states()[State.APPROVED] != before:
        raise SystemExit("a curator took back another's decision")
    role(day, anna, BEN.name, BEN.orcid, "reviewer: also takes")
    review(day, ben, state="approved", order="newest")
    if statement(ben) != at:
        ben.locator(".gr-list li", has_text=at.split("CHEBI")[0].strip()).first.click()
    taking_back(ben)
    expect(ben.get_by_text("✓ saved")).to_be_visible()
    if day.states().get(State.APPROVED, 0) != before - 1:
        raise SystemExit("a reviewer could not take back another's decision")
    close(anna, ben)
    return "refused for a curator with the reason, done by a reviewer"


def taking_back(page: Page) -> None:
    history = page.locator(".gr-fold", has_text="History")
    if history.get_attribute("open") is None:
        history.locator("summary").click()
    history.get_by_role("button", name="Undo").first.click()


OUTCOMES = (
    ("Keep both: the literature disagrees", "keep both", ""),
    ("They are about different things", "different thing", ""),
    ("Reject the second", "one is wrong", "no relation stated"),
    ("The second is a duplicate", "duplicate", ""),
)


def conflicts(day: Day) -> str:
    """What is at odds, both sentences side by side; each of the four outcomes once."""
    page = day.page_of(ANNA)
    day.go(page, "Review", state="conflicts")
    for settled, (button, outcome, reason) in enumerate(OUTCOMES):
        expect(page.get_by_role("button", name=button)).to_be_visible()
        expect(page.get_by_text(NOTE)).to_have_count(2)
        if reason:
            page.get_by_role("combobox", name="Why is one wrong?").click()
            page.get_by_role("option", name=reason).click()
            ready(page)
        day.picture(page, f"conflict-{settled}")
        page.get_by_role("button", name=button).click()
        expect(page.get_by_text(f"Settled: {outcome}")).to_be_visible()
        ready(page)
    day.picture(page, "conflicts-settled")
    page.context.close()
    rejected = day.states().get(State.REJECTED, 0)
    if rejected != 2:
        raise SystemExit(f"{rejected} statements were rejected by two of four outcomes")
    return "opposite, excluding and same name: each of the four outcomes, two statements rejected"


def papers(day: Day) -> str:
    """A text file, a RIS file and nonsense in one go: each with its title and status; read, sent,
    read again.
    """
    page, folder = day.page_of(ANNA), day.server.project.parent / "papers"
    folder.mkdir()
    (folder / "one.ris").write_text(RIS)
    (folder / "two.txt").write_text("Two drugs\n\nWarfarin caused nausea in one patient.")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    day.go(page, "Documents")
    page.get_by_text("Add papers and texts").first.click()
    page.get_by_label("PMIDs, PMC ids").fill("no-such-id")
    files = page.get_by_test_id("stFileUploaderDropzoneInput")
    files.set_input_files([str(path) for path in sorted(folder.iterdir())])
    expect(page.get_by_text("two.txt")).to_be_visible()
    page.get_by_role("combobox", name="Schema").first.click()
    page.get_by_role("option", name="Chemicals and diseases", exact=True).click()
    ready(page)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("2 items taken in")).to_be_visible()
    ready(page)
    day.picture(page, "papers")
    page.get_by_role("button", name="Try the 1 failed again").click()
    ready(page)
    expect(page.get_by_text("1 failed, 1 not understood")).to_be_visible()
    page.get_by_role("link", name="Follow the extraction").click()
    send = page.get_by_role("button", name="Send all", exact=False).first
    expect(send).to_be_enabled()
    ready(page)
    day.picture(page, "batch")
    send.click()
    expect(page.get_by_text("known before")).to_be_visible()
    desk = open_desk(load_settings(day.server.project, SETTINGS))
    of_ris = [record.statement for record in desk.store.queue.records() if _from(record, "willow")]
    desk.close()
    if not of_ris:
        raise SystemExit("nothing of the RIS file's paper came to Review")
    day.go(page, "Documents", find="Willow bark")
    expect(page.get_by_text("1 document")).to_be_visible()
    day.picture(page, "papers-found")
    page.context.close()
    return f"two of four items taken in, {len(of_ris)} statements of the RIS file's paper sent"


def again(day: Day) -> str:
    """A statement is rejected and its paper read again: it comes back marked, with the reason."""
    desk = open_desk(load_settings(day.server.project, SETTINGS))
    record = next(record for record in desk.store.queue.records() if _from(record, "willow"))
    desk.close()
    page = day.page_of(ANNA)
    review(day, page, id=record.id)
    judged(page, "x", "5")
    ready(page)
    day.go(page, "Documents", document="DOI:10.1000/willow.1")
    page.get_by_test_id("stMain").get_by_text("Runs", exact=True).click()
    ready(page)
    page.get_by_role("button", name="Read this text again").click()
    expect(page.get_by_text("1 rejected before").first).to_be_visible()
    ready(page)
    day.picture(page, "again")
    before = day.states()
    expect(page.get_by_role("button", name="Nothing new to send")).to_be_disabled()
    page.context.close()
    if day.states() != before:
        raise SystemExit("reading again changed what was decided")
    return "read again: what was rejected is marked with its reason, and is not sent again"


def _from(record: object, words: str) -> bool:
    pieces = getattr(record, "evidence", ())
    return words in json.dumps([getattr(piece.ground, "document", "") for piece in pieces])


def close(*pages: Page) -> None:
    for page in pages:
        page.context.close()


STEPS: dict[str, Callable[[Day], str]] = {
    "policies": policies,
    "facets": facets_walked,
    "locks": locks,
    "undo": undo,
    "conflicts": conflicts,
    "papers": papers,
    "again": again,
}


if __name__ == "__main__":
    walked(STEPS, fill, __doc__ or "")
