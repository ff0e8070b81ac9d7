"""What one project exported is taken in by another on the page, with its evidence and its origin,
and with *Import its decisions* as it was decided.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.desk import open_desk
from core.model import State, Verdict
from core.services.graph import knowledge_base
from core.services.review import decision
from core.services.review.decision import Judgement
from core.settings import load_settings
from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import press, ready
from tests.reviewing import ANNA, HAS_DOSE, NOT_NAUSEA, RELIEVES

APPROVED = (RELIEVES, NOT_NAUSEA, HAS_DOSE)


@pytest.fixture
def written(tmp_path: Path) -> dict[str, bytes]:
    """Three statements of another project that were approved, in each format that is imported."""
    desk = reviewing.filled(tmp_path / "theirs")
    for statement in APPROVED:
        version = desk.store.statements.get(statement.id).version
        decision.decide(desk, statement.id, version, Judgement(Verdict.APPROVE), curator=ANNA)
    files = {
        name: knowledge_base.export_approved(desk, name).content
        for name in ("ttl", "kgx", "bundle")
    }
    desk.close()
    return files


def upload(page: Page, server: Server, name: str, content: bytes) -> None:
    page.goto(server.address("Knowledge_graph", tab="Import"))
    ready(page)
    page.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )
    ready(page)


@pytest.mark.parametrize(("kind", "name"), [("ttl", "kb.ttl"), ("kgx", "kb.kgx.zip")])
def test_a_file_of_another_project_is_proposed_with_its_evidence(
    page: Page, server: Server, written: dict[str, bytes], kind: str, name: str
) -> None:
    upload(page, server, name, written[kind])
    press(page, "Propose its statements")
    expect(page.get_by_text("3 statements were read: 3 new, 0 known.")).to_be_visible()
    expect(page.get_by_text("Quotes of doc:willow cannot be proven")).to_be_visible()
    desk = open_desk(load_settings(server.project, {}))
    for statement in APPROVED:
        record = desk.store.statements.get(statement.id)
        assert (record.statement, record.state) == (statement, State.PROPOSED)
        ((_, evidence),) = [claim for claim in reviewing.PROPOSED if claim[0] == statement]
        assert record.evidence == tuple(evidence)
        assert desk.store.runs.get(record.runs[0]).settings["file"] == name
    desk.close()


def test_a_bundle_brings_its_decisions_and_a_changed_one_is_refused(
    page: Page, server: Server, written: dict[str, bytes]
) -> None:
    upload(page, server, "kb.zip", written["bundle"])
    page.get_by_text("Import its decisions as well").click()
    ready(page)
    press(page, "Propose its statements")
    expect(page.get_by_text("3 statements were read: 3 new, 0 known.")).to_be_visible()
    desk = open_desk(load_settings(server.project, {}))
    assert desk.store.statements.get(RELIEVES.id).state is State.APPROVED
    desk.close()
    upload(page, server, "kb.zip", b"PK no bundle")
    press(page, "Propose its statements")
    expect(page.get_by_text("This ZIP cannot be read")).to_be_visible()
