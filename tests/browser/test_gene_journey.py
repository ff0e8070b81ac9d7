"""From a gene question to a Turtle file, and many questions from a table: in a real browser, with a
loopback NCBI.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from rdflib import Graph, Literal

from tests.browser.conftest import Server
from tests.browser.journey import introduce, open_page, press, ready
from tests.browser.ncbi import loopback

LMP10 = "What is the official gene symbol of LMP10?"
MANY = (
    f'id,question\n1,{LMP10}\n2,Who won?\n3,"What are genes related to Meesmann corneal'
    ' dystrophy?"\n'
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """The app with a loopback NCBI."""
    with loopback() as environment:
        server = Server(tmp_path / "project", environment)
        server.start()
        yield server
        server.kill()


def begin(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/Gene_questions")
    ready(page)
    introduce(page)


def download(page: Page, name: str, file: Path, *, exact: bool = True) -> Path:
    with page.expect_download() as expected:
        page.get_by_role("button", name=name, exact=exact).first.click()
    expected.value.save_as(file)
    return file


def look_at_a_step_and_change_it(page: Page) -> None:
    page.locator("summary", has_text="esummary").click()
    expect(page.get_by_text("tool=groundwork&email=***&api_key=***").last).to_be_visible()
    expect(page.locator(".gw-quote").first).to_have_text('"PSMB10"')
    expect(page.get_by_text("not used: NCBIGene:8138: replaced by NCBIGene:5699")).to_be_visible()
    expect(page.locator("canvas:visible").first).to_be_visible()  # the table moves what follows it
    page.locator("button:visible", has_text="Change and run from here").click()
    page.get_by_label("id", exact=True).fill("3850")
    page.get_by_role("dialog").get_by_role("button", name="Run from here").click()
    expect(page.get_by_text("you changed a step").first).to_be_visible()


def test_from_a_question_to_a_turtle_file(page: Page, server: Server, tmp_path: Path) -> None:
    begin(page, server)
    page.get_by_label("Question", exact=True).first.fill(LMP10)
    page.get_by_label("Question", exact=True).first.press("Control+Enter")
    expect(page.locator(".gw-answer").first).to_have_text("PSMB10")
    ready(page)
    look_at_a_step_and_change_it(page)
    page.get_by_role("tab", name="Compare").click()
    expect(page.get_by_text("They differ (not found, answered)")).to_be_visible()
    press(page, "Open this one")
    expect(page.locator(".gw-answer").first).to_have_text("PSMB10")

    report = download(page, "Markdown", tmp_path / "answer.md").read_text()
    whole = download(page, "JSON", tmp_path / "answer.json").read_text()
    assert "**PSMB10** (answered)" in report and len(json.loads(whole)["record"]) == 2
    assert not re.search(r"key-0123456789abcdef|ada@mail", report + whole)

    press(page, "Send 1 to review")
    expect(page.get_by_role("link", name="in review")).to_be_visible()
    open_page(page, "Review")
    page.locator(".gr-statement").wait_for()
    page.keyboard.press("a")
    expect(page.get_by_text("Everything is decided.").first).to_be_visible()
    open_page(page, "Knowledge graph")
    page.get_by_role("tab", name="Export").click()
    graph = Graph().parse(download(page, "Download", tmp_path / "export.ttl", exact=False))
    assert Literal("LMP10") in set(graph.objects())


def test_many_questions_from_a_table(page: Page, server: Server, tmp_path: Path) -> None:
    begin(page, server)
    page.get_by_role("tab", name="Many questions").click()
    ready(page)
    file = {"name": "questions.csv", "mimeType": "text/csv", "buffer": MANY.encode()}
    page.locator("input[type=file]").first.set_input_files(file)  # type: ignore[arg-type]
    ready(page)
    press(page, "Ask all")
    expect(page.get_by_text("3 of 3 questions")).to_be_visible()
    page.reload()
    expect(page.get_by_text("3 of 3 questions · 2 answered · 1 not understood")).to_be_visible()
    ready(page)
    lines = download(page, "JSON lines", tmp_path / "answers.jsonl").read_text().splitlines()
    assert [json.loads(line)["answer"] for line in lines] == ["PSMB10", "", ["KRT12", "KRT3"]]
    press(page, "Send 2 answers to review")
    expect(page.get_by_text("Sent to review: 3 new")).to_be_visible()
