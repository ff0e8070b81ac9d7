"""Takes the pictures of the curator's guide: `python docs/screenshots.py` (needs `chromium`).

A project is made in a temporary folder from the shipped example texts, by the desk's
own services, so that a page shows what a curator would see.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.desk import open_desk  # noqa: E402
from core.model import Curator, Reason, Verdict  # noqa: E402
from core.services.extract import result, run  # noqa: E402
from core.services.review import decision  # noqa: E402
from core.settings import load_settings  # noqa: E402
from tests.browser.conftest import FLAGS, Server  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
ORCID = "0000-0002-1825-0097"
SCHEMAS = ("chemical_disease", "disease_treatment", "signaling_pathway")
PAGES = {
    "home": "",
    "extract": "Extract",
    "documents": "Documents",
    "review": "Review",
    "knowledge-graph": "Knowledge_graph",
    "gene-questions": "Gene_questions",
    "literature": "Literature",
    "vocabularies": "Vocabularies",
    "settings": "Settings",
}


def fill(project: Path) -> None:
    """Statements of three examples, of which two thirds are approved and one is rejected."""
    person = Curator(ORCID, "Josiah Carberry")
    with closing(open_desk(load_settings(project))) as desk:
        for name in SCHEMAS:
            text = (ROOT / "schemas" / "examples" / f"{name}.txt").read_text(encoding="utf-8")
            job = run.start(desk, name, text)
            desk.runner.wait(job.id)
            result.send_to_review(desk, str(job.arguments["run"]), ORCID)
        records = desk.store.queue.records()
        for place, record in enumerate(records[: len(records) * 2 // 3]):
            verdict = (
                decision.Judgement(Verdict.REJECT, Reason.WRONG_TERM)
                if place == 3
                else decision.Judgement(Verdict.APPROVE)
            )
            decision.decide(desk, record.id, record.version, verdict, person)


def settled(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_timeout(1500)  # charts and tables are drawn after the script has run


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        project = Path(folder) / "project"
        fill(project)
        server = Server(project)
        server.start()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            for name, address in PAGES.items():
                page.goto(f"{server.url}/{address}")
                settled(page)
                page.screenshot(path=PICTURES / f"{name}.png")
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
