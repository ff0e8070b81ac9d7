"""Documents: those that are ticked are tagged and assigned together, and the list is narrowed to
them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.model import Curator, Document
from core.services.documents import overview
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import choose, introduce, press, ready

BOX, TITLE, FIRST_ROW, ROW = 17, 140, 52, 35  # pixels in the table


@pytest.fixture
def project(folder: Path) -> Path:
    desk = reviewing.empty(folder)
    desk.store.project.set("name", "Five papers")
    desk.store.curators.add(Curator("0000-0001-5109-3700", "Ben Birch"))
    for number in range(1, 6):
        desk.store.documents.add(Document(f"PMID:{number}", f"Paper {number}"))
    desk.close()
    return folder


def click(page: Page, row: int, x: int) -> None:
    table = page.get_by_test_id("stDataFrame")
    table.click(position={"x": x, "y": FIRST_ROW + ROW * row})
    ready(page)


def test_ticked_documents_are_tagged_assigned_and_found_again(
    page: Page, server: Server, project: Path
) -> None:
    page.goto(server.address("Documents", order="title"))
    ready(page)
    introduce(page)
    for row in (1, 3):
        click(page, row, BOX)
    press(page, "With the 2 ticked")
    page.get_by_label("Add a tag").fill("first round")
    press(page, "Add")
    choose(page, "Assign to", "Ben Birch")
    press(page, "Assign")
    page.keyboard.press("Escape")
    choose(page, "Any tag", "first round")
    expect(page.get_by_text("2 documents of 5")).to_be_visible()
    click(page, 0, TITLE)
    expect(page.get_by_text("Paper 2").first).to_be_visible()
    desk = reviewing.empty(project)
    marked = [row for row in overview.list_documents(desk) if row.tags]
    assert sorted((row.title, row.assigned) for row in marked) == [
        ("Paper 2", "Ben Birch"), ("Paper 4", "Ben Birch")]  # fmt: skip
    desk.close()
