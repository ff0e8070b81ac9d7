"""From a question to an answer to a piece of evidence, in a real browser, without a key and without
a network.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.desk import Desk, open_desk
from core.model import Category, Evidence, ReferenceGround, Statement, Term, TextGround
from core.services.literature import namespaces
from core.settings import Settings
from tests.browser.conftest import Server
from tests.browser.journey import choose, introduce, press, ready

STATEMENT = Statement(
    Term("X:1", "kinase Q", Category.GENE),
    Term("x:phos", "phosphorylates"),
    Term("X:2", "tau", Category.GENE),
)
PROOF = "In our hands kinase Q phosphorylates β-tau at two sites."
PAPERS = (
    {
        "id": "PMID:1",
        "title": "Enzymes of neurons",
        "text": f"Mice were used. {PROOF} They were well.",
    },
    {
        "id": "PMID:2",
        "title": "A survey of kinases",
        "text": "Many kinases are known. None was seen near tau.",
    },
)


def opened(project: Path) -> Desk:
    return open_desk(Settings(project=project))


@pytest.fixture
def project(folder: Path, tmp_path: Path) -> Path:
    """A namespace of two papers and a statement that waits."""
    papers = tmp_path / "papers.jsonl"
    papers.write_text("\n".join(map(json.dumps, PAPERS)), "utf-8")
    desk = opened(folder)
    namespaces.create_namespace(desk, "tau")
    namespaces.add_files(desk, "tau", [papers])
    desk.store.statements.propose(
        [(STATEMENT, [Evidence(STATEMENT.id, ReferenceGround("PMID:7"))])], "", ""
    )
    desk.close()
    return folder


def test_from_a_question_to_an_answer_to_a_piece_of_evidence(page: Page, server: Server) -> None:
    page.goto(server.address("Literature"))
    ready(page)
    introduce(page)
    page.get_by_label("Question").fill("Which kinase phosphorylates tau?")
    press(page, "Search")
    expect(page.locator(".gt-place")).to_have_text("1 of 2")

    page.keyboard.press("t")
    press(page, "Answer from 1 ticked")
    answer = page.locator(".gw-answer")
    expect(answer).to_have_count(1)  # what a rerun replaces stays for a moment
    expect(answer).to_contain_text(PROOF)
    expect(answer).to_contain_text("✓ exact")

    answer.locator("a.gw-cite").first.click()
    expect(page.locator(".gt-card .gt-answered q")).to_have_text(PROOF)  # beside its passage
    page.get_by_role("button", name="↑ Answer").click()
    expect(answer).to_be_in_viewport()

    page.get_by_text("Add as evidence of a statement").click()
    ready(page)
    choose(page, "Statement", "kinase")
    words = page.get_by_label("Words that prove it")
    expect(words).to_have_value(PROOF)
    press(page, "Add as evidence")
    expect(page.get_by_text("are in Review as new evidence").first).to_be_attached()

    desk = opened(server.project)
    ground = desk.store.statements.get(STATEMENT.id).evidence[-1].ground
    assert isinstance(ground, TextGround)
    assert (ground.document, ground.quote) == ("PMID:1", PROOF)
    assert (
        ground.span.quote(desk.store.documents.text(ground.version, ground.document).text) == PROOF
    )
    desk.close()
