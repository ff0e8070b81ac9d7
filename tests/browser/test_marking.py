"""Marking a missed fact by hand in a real browser, by keyboard and by mouse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.model import MANUAL, Category, Document, Modality, Span, State
from core.services.extract import schema_building
from core.services.extract.schema_building import (
    PredicateForm,
    RelationForm,
    SchemaForm,
    ThingForm,
)
from core.services.vocabularies import memory
from core.store import StatementRecord
from core.text.clean import text_version
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import introduce, ready
from tests.reviewing import ANNA

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
    (piece,) = [evidence for evidence in record.evidence if evidence.engine == MANUAL]
    start = TEXT.index("Aspirin")
    assert piece.ground.span == Span(start, start + len("Aspirin relieved nausea in adults."))
    assert piece.ground.quote == "Aspirin relieved nausea in adults."
    assert record.statement.subject.id == "CHEBI:15365" and record.state is State.PROPOSED
    assert record.statement.subject.category is Category.CHEMICAL
    opened.get_by_role("listitem").get_by_role("link", name="Review").first.click()
    expect(opened.locator(".gr-statement")).to_contain_text("aspirin")  # of this project


def test_a_denied_fact_of_two_sentences_is_approved_by_its_author_with_clicks(
    opened: Page, server: Server
) -> None:
    draft(opened)
    opened.get_by_text("Approve at once").click()
    opened.get_by_role("button", name="Save statement").click()
    expect(opened.locator(".gm-note")).to_contain_text("approved")
    (record,) = marked(server)
    assert record.state is State.APPROVED and record.decisions[0].curator == ANNA.orcid
    assert record.statement.negated and record.statement.modality is Modality.HYPOTHESIS
    assert [
        (qualifier.name, qualifier.value.value) for qualifier in record.statement.qualifiers
    ] == [("population", "β-adults 🧪")]
    quotes = [piece.ground for piece in record.evidence if piece.engine == MANUAL]
    assert sorted(quote.quote for quote in quotes) == [
        "Aspirin relieved nausea in adults.",
        "Nothing else was seen.",
    ]
    assert all(quote.span.quote(TEXT) == quote.quote for quote in quotes)


def select(page: Page, words: str) -> None:
    """Drag the mouse over words of the text."""
    left, right, middle = page.evaluate(
        """(words) => {
            const text = document.querySelector(".gm-text"), range = document.createRange();
            const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
            for (let node = walk.nextNode(); node; node = walk.nextNode()) {
                const at = node.data.indexOf(words);
                if (at < 0) continue;
                range.setStart(node, at);
                range.setEnd(node, at + words.length);
                const { left, right, top, bottom } = range.getBoundingClientRect();
                return [left + 1, right - 1, (top + bottom) / 2];
            }
        }""",
        words,
    )
    page.mouse.move(left, middle)
    page.mouse.down()
    page.mouse.move(right, middle, steps=5)
    page.mouse.up()


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


def edge(page: Page, words: str) -> tuple[float, float]:
    """Where the mention of these words ends on screen."""
    box = page.locator(".gm-text .gw-mark", has_text=words).bounding_box()
    assert box
    return box["x"] + box["width"] - 1, box["y"] + box["height"] / 2


def test_the_words_of_a_mention_are_corrected_by_dragging_its_edge(
    opened: Page, server: Server
) -> None:
    begin, middle = edge(opened, "nausea")
    opened.mouse.move(begin, middle)
    opened.mouse.down()
    opened.mouse.move(begin + 55, middle, steps=4)  # over “in adults”
    opened.mouse.up()
    expect(opened.locator(".gm-note")).to_contain_text("the mention is now “nausea in adults”")
    opened.get_by_role("button", name="Remember: “nausea in adults” means Nausea").click()
    expect(opened.locator(".gm-note")).to_contain_text(
        "from now on “nausea in adults” means Nausea"
    )
    corrected = opened.locator(".gm-text .gw-mark", has_text="nausea in adults")
    expect(corrected).to_have_count(1)
    opened.reload()
    expect(corrected).to_have_count(1)
    corrected.click()
    expect(opened.locator(".gm-chip").first).to_contain_text("HP:0002018")  # its term stays
    assert marked(server) == []  # nothing was said about a relation
    desk = reviewing.empty(server.project)
    assert [name.words for name in memory.remembered_names(desk)] == ["nausea in adults"]
    desk.close()


def test_the_words_of_a_mention_are_corrected_by_keys(opened: Page) -> None:
    keys = opened.keyboard
    opened.locator("h1").first.click()
    while opened.evaluate("getSelection().toString()") != "nausea":
        keys.press("Control+ArrowRight")
    keys.press("Control+Shift+ArrowUp")
    keys.press("Control+Shift+ArrowRight")
    keys.press("Control+Shift+ArrowRight")
    keys.press("Control+Shift+ArrowLeft")
    expect(opened.locator(".gm-note")).to_contain_text("the mention is now “relieved nausea in”")
    expect(opened.locator(".gm-text .gw-mark", has_text="relieved nausea in")).to_have_count(1)


def test_a_term_is_searched_by_typing(opened: Page, server: Server) -> None:
    opened.locator("h1").first.click()
    while opened.evaluate("getSelection().toString()") != "relieved":
        opened.keyboard.press("ArrowRight")
    opened.keyboard.press("Enter")
    expect(opened.get_by_label("Search terms")).to_be_focused()
    opened.keyboard.type("headache")
    expect(opened.locator(".gm-options li").first).to_contain_text("HP:0002315")
    opened.keyboard.press("Enter")
    expect(opened.locator(".gm-chip").first).to_contain_text("Headache")


SIGNED = "🧪👍🏽 β-catenin ↓ café 𝛼-syn. Nausēa?"


BESIDE = 1.2  # pixels: on one of these before a word Chromium itself selects nothing


EDGES_OF_WORDS = """(root, words) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), ends = [];
    const at = root.textContent.indexOf(words), upTo = at + words.length;
    for (let node, past = 0; (node = walk.nextNode()); past += node.data.length) {
      const next = past + node.data.length;
      if (at >= past && at < next) ends[0] = [node, at - past];
      if (upTo > past && upTo <= next) ends[1] = [node, upTo - past];
    }
    const range = document.createRange();
    range.setStart(...ends[0]); range.setEnd(...ends[1]);
    const box = range.getBoundingClientRect();
    return [box.left, box.right, (box.top + box.bottom) / 2];
}"""


@pytest.mark.parametrize("beside", [BESIDE, -BESIDE])
def test_words_with_signs_are_selected_by_mouse_to_the_code_point(
    page: Page, server: Server, beside: float
) -> None:
    """Also where the drag begins in the space beside them, and somebody types at once."""
    desk = reviewing.empty(server.project)
    desk.store.documents.add(Document("PMID:6", "Signs"))
    desk.store.documents.add_text(text_version("PMID:6", SIGNED))
    desk.close()
    page.goto(server.address("Documents", document="PMID:6"))
    ready(page)
    introduce(page)
    text = page.locator(".gm-text")
    expect(text).to_contain_text("catenin")
    ready(page)
    for words in ("cafe\u0301", "\U0001d6fc-syn", "\U0001f44d\U0001f3fd"):
        left, right, middle = text.evaluate(EDGES_OF_WORDS, words)
        page.mouse.move(left + beside, middle)
        page.mouse.down()
        page.mouse.move(right - 1, middle, steps=6)
        page.mouse.up()
        expect(page.get_by_label("Search terms")).to_have_value(words)
        page.keyboard.type("head")
        expect(page.get_by_label("Search terms")).to_have_value("head")


def test_dragging_over_a_marked_term_takes_it_and_another_can_be_searched(opened: Page) -> None:
    box = opened.locator(".gm-text .gw-mark", has_text="nausea").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    opened.mouse.move(box["x"] + 1, middle)
    opened.mouse.down()
    opened.mouse.move(box["x"] + box["width"] - 1, middle, steps=4)
    opened.mouse.up()
    chip = opened.locator(".gm-chip").first
    expect(chip).to_contain_text("HP:0002018")
    opened.get_by_role("button", name="Another term for the subject").click()
    expect(opened.get_by_label("Search terms")).to_have_value("nausea")
    opened.keyboard.type("headache")
    expect(opened.locator(".gm-options li").first).to_contain_text("HP:0002315")
    opened.keyboard.press("Enter")
    expect(chip).to_contain_text("HP:0002315")


def test_a_predicate_of_ones_own_goes_into_a_schema_and_the_pair_stays(
    opened: Page, server: Server
) -> None:
    desk = reviewing.empty(server.project)
    things = (ThingForm("Drug", Category.CHEMICAL), ThingForm("Symptom", Category.PHENOTYPE))
    relation = RelationForm("Drug", (PredicateForm("causes", "biolink:causes"),), "Symptom")
    schema_building.keep_schema(desk, SchemaForm("Ward notes", "", things, (relation,)))
    desk.close()
    opened.reload()
    ready(opened)
    opened.locator(".gm-text .gw-mark", has_text="Aspirin").click()
    opened.locator(".gm-text .gw-mark", has_text="nausea").click()
    opened.get_by_label("Predicate").fill("activates")  # another name of RO:0002450
    expect(opened.get_by_role("button", name="Save statement")).to_be_enabled()
    opened.get_by_label("Predicate").fill("soothes")
    expect(opened.get_by_role("button", name="Save statement")).to_be_disabled()
    opened.get_by_role("button", name="Add it to Ward notes").click()
    expect(opened.locator(".gm-note")).to_contain_text("is now a predicate of ward_notes")
    opened.get_by_role("button", name="Save statement").click()
    expect(opened.locator(".gm-note")).to_contain_text("soothes")
    (record,) = marked(server)
    assert record.statement.predicate.id == "ward_notes:soothes"


def test_refused_input_stands_in_the_form_again(opened: Page) -> None:
    opened.locator(".gm-text .gw-mark", has_text="Aspirin").click()
    opened.locator(".gm-text .gw-mark", has_text="nausea").click()
    opened.get_by_role("button", name="Another term for the object").click()
    opened.keyboard.type("aspirin")
    expect(opened.locator(".gm-options li").first).to_contain_text("CHEBI:15365")
    opened.keyboard.press("Enter")
    opened.get_by_label("Predicate").fill("treats")
    opened.get_by_role("button", name="Save statement").click()
    expect(opened.locator(".gm-note")).to_contain_text("Subject and object are the same")
    expect(opened.locator(".gm-chip").last).to_contain_text("aspirin")
    expect(opened.get_by_label("Predicate")).to_have_value("treats")


def draft(page: Page) -> None:
    """Everything of a statement but saving it."""
    page.locator(".gm-text .gw-mark", has_text="Aspirin").click()
    page.locator(".gm-text .gw-mark", has_text="nausea").click()
    page.get_by_label("Predicate").fill("treats")
    page.get_by_text("Negated", exact=True).click()
    page.get_by_label("Modality").select_option("hypothesis")
    page.get_by_placeholder("Qualifier").fill("population")
    page.get_by_placeholder("Value").fill("β-adults 🧪")
    page.get_by_role("button", name="Add qualifier").click()
    select(page, "Nothing else was seen.")
    page.get_by_role("button", name="Add selected sentence").click()
    expect(page.locator(".gm-quotes > li")).to_have_count(2)


def reloaded(page: Page) -> None:
    page.reload()
    expect(page.locator(".gm-text")).to_contain_text("nausea")
    ready(page)


def test_a_statement_not_saved_yet_stands_in_the_form_after_a_reload(
    opened: Page, server: Server
) -> None:
    draft(opened)
    reloaded(opened)
    expect(opened.locator(".gm-chip").first).to_contain_text("CHEBI:15365")
    expect(opened.locator(".gm-chip").last).to_contain_text("HP:0002018")
    expect(opened.locator(".gm-quotes > li")).to_have_count(2)
    expect(opened.locator(".gm-note")).to_have_text("This statement is not saved yet.")
    opened.get_by_role("button", name="Save statement").click()
    expect(opened.locator(".gm-note")).to_contain_text("Saved")
    (record,) = marked(server)
    assert record.statement.negated and record.statement.modality is Modality.HYPOTHESIS
    assert [qualifier.name for qualifier in record.statement.qualifiers] == ["population"]
    assert len([piece for piece in record.evidence if piece.engine == MANUAL]) == 2
    reloaded(opened)
    assert_empty(opened)  # saved, and no longer kept


def assert_empty(page: Page) -> None:
    for chip in (page.locator(".gm-chip").first, page.locator(".gm-chip").last):
        expect(chip).to_have_text("Select words in the text")
    expect(page.locator(".gm-quotes > li")).to_have_count(0)
    expect(page.get_by_label("Predicate")).to_have_value("")
    expect(page.get_by_text("Negated", exact=True)).not_to_be_checked()


def test_words_whose_term_is_being_searched_are_searched_again_after_a_reload(
    opened: Page,
) -> None:
    select(opened, "relieved")
    expect(opened.get_by_label("Search terms")).to_have_value("relieved")
    reloaded(opened)
    expect(opened.get_by_label("Search terms")).to_have_value("relieved")
    opened.get_by_role("button", name="No term fits").click()
    expect(opened.locator(".gm-chip").first).to_contain_text("relieved")


def test_a_cleared_statement_does_not_come_back(opened: Page) -> None:
    draft(opened)
    opened.get_by_role("button", name="Clear", exact=True).click()
    reloaded(opened)
    assert_empty(opened)


def test_another_version_of_the_text_does_not_take_up_a_statement(
    opened: Page, server: Server
) -> None:
    draft(opened)
    newer = text_version("PMID:5", "Corrected. " + TEXT)
    desk = reviewing.empty(server.project)
    desk.store.documents.add_text(newer)
    desk.close()
    opened.goto(server.address("Documents", document="PMID:5", version=newer.sha))
    expect(opened.locator(".gm-text")).to_contain_text("Corrected.")
    ready(opened)
    assert_empty(opened)


LEAVE = """(entry) => {
  sessionStorage.setItem(...entry);
  Storage.prototype.setItem = () => {};  // until the reload: an answer on its way keeps the form
}"""
FOREIGN = [
    ("subject", "5"),
    ("subject", '{"id": "X:1", "label": "x", "category": "chemical", "start": 9, "end": 9999}'),
    ("object", '{"id": "X:1", "label": "x", "category": "spell", "start": 1, "end": 2}'),
    ("quotes", "[[3, 5]]"),
    ("qualifiers", '[{"name": "dose"}]'),
    ("negated", '"no"'),
    ("modality", '"certain"'),
]


def test_a_kept_statement_that_is_none_of_this_text_is_not_taken_up(opened: Page) -> None:
    draft(opened)
    name, kept = opened.evaluate(
        'Object.entries(sessionStorage).find(([name]) => name.startsWith("marking "))'
    )
    for part, value in FOREIGN:
        changed = json.dumps(json.loads(kept) | {part: json.loads(value)})
        opened.evaluate(LEAVE, [name, changed])
        reloaded(opened)
        assert_empty(opened)


def test_the_first_search_after_the_text_was_left_finds_its_own_words(opened: Page) -> None:
    select(opened, "relieved")
    expect(opened.locator(".gm-options")).to_contain_text("No term found")
    opened.get_by_role("button", name="Clear", exact=True).click()
    for part in ("Runs", "Text"):
        opened.get_by_test_id("stMain").get_by_text(part, exact=True).click()
        ready(opened)
    opened.locator(".gm-text .gw-mark", has_text="Aspirin").click()
    opened.get_by_role("button", name="Another term for the subject").click()
    expect(opened.locator(".gm-options li").first).to_contain_text("CHEBI:15365")
