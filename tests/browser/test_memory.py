"""Memory takes an SSSOM table from a file, shows how far it is, and names rows left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.desk import open_desk
from core.services.vocabularies import memory
from core.settings import load_settings
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import introduce, ready

ROWS = 3_000


@pytest.fixture
def project(folder: Path) -> Path:
    reviewing.filled(folder).close()
    return folder


def test_a_table_of_names_is_imported_with_its_progress(page: Page, server: Server) -> None:
    lines = [f"name {number}\tX:{number}\tthing {number}" for number in range(ROWS)]
    lines[1_700] = "name 1700\tno id\tthing"
    table = "subject_label\tobject_id\tobject_label\n" + "\n".join(lines) + "\n"
    page.goto(server.address("Vocabularies"))
    ready(page)
    introduce(page)
    page.get_by_role("tab", name="Memory").click()
    ready(page)
    page.locator(
        "input[type=file]:visible, [role=tabpanel]:visible input[type=file]"
    ).first.set_input_files(
        {
            "name": "names.sssom.tsv",
            "mimeType": "text/tab-separated-values",
            "buffer": table.encode(),
        }
    )
    ready(page)
    page.get_by_role("button", name="Import its rows").click()
    expect(page.get_by_text("rows read")).to_be_visible()
    expect(page.get_by_text(f"{ROWS - 1:,} rows imported.")).to_be_visible()
    expect(page.get_by_text("row 1701")).to_be_visible()
    desk = open_desk(load_settings(server.project, {}))
    assert len(memory.remembered_names(desk, "name 29")) == 111
    desk.close()
