"""Takes the pictures of the curator's guide: `python docs/screenshots.py [NAME …]`, all of them or
those named (needs `chromium`).

A project is made in a temporary folder from the shipped example texts, by the desk's
own services, so that a page shows what a curator would see.
"""

from __future__ import annotations

import io
import sys
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.desk import open_desk  # noqa: E402
from core.model import Curator, Reason, Verdict  # noqa: E402
from core.services.documents import intake, overview  # noqa: E402
from core.services.extract import result, run  # noqa: E402
from core.services.releases import making  # noqa: E402
from core.services.review import decision  # noqa: E402
from core.services.settings import models  # noqa: E402
from core.settings import load_settings  # noqa: E402
from tests.browser.conftest import FLAGS, PATIENCE, Server  # noqa: E402
from tests.endpoint import served  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
ORCID = "0000-0002-1825-0097"
NAME = "Josiah Carberry"
BASE_IRI = "https://w3id.org/willow-and-kidney/"
PAPERS = b"""TY  - JOUR
TI  - Willow bark and headache: a made-up trial
AB  - Aspirin relieved headache in most adults. Aspirin did not relieve nausea.
PY  - 2019
JO  - Journal of Invented Results
DO  - 10.1000/willow.1
ER  -
TY  - JOUR
TI  - Cisplatin and the kidney: a made-up review
AB  - Cisplatin-induced nephrotoxicity is prevented by amifostine.
PY  - 2022
JO  - Journal of Invented Results
DO  - 10.1000/kidney.2
ER  -
"""
GENE_EXAMPLE = "What are genes related to Meesmann corneal dystrophy?"
SENTENCES = "Aspirin relieved headache in most adults. Cisplatin induced nephrotoxicity."
SCHEMAS = ("chemical_disease", "disease_treatment", "signaling_pathway")
PAGES = {
    "home": "",
    "extract": "Extract",
    "documents": "Documents",
    "document": "Documents?document={document}",
    "review": "Review",
    "knowledge-graph": "Knowledge_graph",
    "gene-questions": "Gene_questions",
    "literature": "Literature",
    "vocabularies": "Vocabularies",
    "settings": "Settings",
    "schemas": "Schemas",
    "people": "People",
    "projects": "Projects",
    "engine-quality": "Engine_quality",
    "releases": "Knowledge_graph?tab=Releases",
}


def fill(project: Path) -> str:
    """Statements of three examples, of which two thirds are approved and one is rejected; two
    papers of a reference manager's file, one of them marked as retracted. Gives a document's id.
    """
    person = Curator(ORCID, NAME)
    with closing(open_desk(load_settings(project))) as desk:
        for name in SCHEMAS:
            text = (ROOT / "schemas" / "examples" / f"{name}.txt").read_text(encoding="utf-8")
            job = run.start_run(desk, name, text)
            desk.runner.wait(job.id)
            result.send_to_review(desk, str(job.arguments["run"]), ORCID)
        desk.store.curators.add(person)
        desk.runner.wait(intake.start_intake(desk, "", [intake.InputFile("two.ris", PAPERS)]).id)
        overview.mark_withdrawn(desk, "DOI:10.1000/kidney.2", "made up, as its title says", person)
        overview.set_tags(desk, "DOI:10.1000/willow.1", ["pain", "first round"], person)
        overview.assign_document(desk, "DOI:10.1000/willow.1", ORCID, person)
        records = desk.store.queue.records()
        for place, record in enumerate(records[: len(records) * 2 // 3]):
            verdict = (
                decision.Judgement(Verdict.REJECT, Reason.WRONG_TERM)
                if place == 3
                else decision.Judgement(Verdict.APPROVE)
            )
            decision.decide(desk, record.id, record.version, verdict, curator=person)
        proposal = making.preview_release(desk).form
        proposal = replace(
            proposal, title="Drugs and diseases", licence="CC-BY-4.0", base_iri=BASE_IRI
        )
        making.make_release(desk, proposal, ORCID)
        return records[0].evidence[0].ground.document


def settled(page: Page) -> None:
    for milliseconds in (1000, 2500):  # charts and tables are drawn after the script has run
        page.wait_for_timeout(milliseconds)
        page.wait_for_selector(
            "[data-testid=stApp][data-test-script-state=notRunning]", timeout=PATIENCE
        )
        for grey in ("stSkeleton", "stAppSkeleton"):  # stands where a piece is still loaded
            expect(page.get_by_test_id(grey)).to_have_count(0, timeout=PATIENCE)
    page.wait_for_timeout(1000)


def open_example(page: Page, name: str) -> None:
    """Press what fills a page that begins empty."""
    match name:
        case "extract":
            page.get_by_role("button", name="Example text").click()
        case "gene-questions":
            page.get_by_role("button", name=GENE_EXAMPLE).click()
        case "literature":
            page.get_by_role("button", name="Try it with the example texts").click()
        case "schemas":
            page.get_by_text("Start from scratch, or from an existing schema").click()
            page.get_by_role("button", name="Copy and adapt").click()
            expect(page.get_by_label("Name of the schema")).not_to_have_value("", timeout=PATIENCE)
            page.get_by_label("Your own text").fill(SENTENCES)
            page.get_by_label("Your own text").blur()
        case _:
            return
    settled(page)


def keep(page: Page, path: Path) -> None:
    """A picture of the window in 128 colours: half the bytes, and the eye sees no difference."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(128).save(path, optimize=True)


def models_tested(playwright: Playwright, project: Path) -> None:
    """Settings, Models, with an endpoint that was listed and tested: a server of the tests."""
    with served(lambda body: '{"organ": "heart"}', context=32_768, tells=True) as endpoint:
        fill(project)
        lines = {
            "GROUNDWORK_ENDPOINT_OLLAMA_URL": endpoint.url,
            "GROUNDWORK_ENDPOINT_OLLAMA_KEY": "none",
            "GROUNDWORK_MODEL": "theirs@ollama",
            "GROUNDWORK_BASE_SET": "on",
        }
        with closing(open_desk(load_settings(project, lines))) as desk:
            models.refresh_models(desk, "ollama")
            models.try_out(desk, "theirs@ollama")
        server = Server(project, lines)
        server.start()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            for name, address in (("settings-models", "Settings?section=Models"),
                                  ("extract-model", "Extract")):  # fmt: skip
                page.goto(f"{server.url}/{address}")
                settled(page)
                if name == "extract-model":
                    page.get_by_role("button", name="Example text").click()
                    settled(page)
                keep(page, PICTURES / f"{name}.png")
        finally:
            browser.close()
            server.kill()


def main(wanted: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        project = Path(folder) / "project"
        shown = fill(project)
        server = Server(project, {"GROUNDWORK_BASE_SET": "on"})
        server.start()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        try:
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            cookie = quote(f"{ORCID}|{NAME}", safe="")
            context.add_cookies(
                [{"name": "groundwork_curator", "value": cookie, "url": server.url}]
            )
            page = context.new_page()
            for name, address in PAGES.items():
                if wanted and name not in wanted:
                    continue
                page.goto(f"{server.url}/{address.format(document=shown)}", timeout=PATIENCE)
                settled(page)
                open_example(page, name)
                keep(page, PICTURES / f"{name}.png")
        finally:
            browser.close()
            server.kill()
        if not wanted or set(wanted) - set(PAGES):
            models_tested(playwright, Path(folder) / "models")


if __name__ == "__main__":
    main(sys.argv[1:])
