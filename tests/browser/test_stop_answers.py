"""Answers of a slow model, paper by paper: the page stays alive, and Stop stops them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.desk import open_desk
from core.model import JobState
from core.services.literature import namespaces
from core.settings import Settings
from tests.browser.conftest import Server
from tests.browser.journey import introduce, press, ready
from tests.core.services.model_uses import words_for
from tests.flavours import Flavour, flavoured

PAPERS = 5


@pytest.fixture
def slow() -> Iterator[Flavour]:
    with flavoured("vllm", words_for, pause=2.0) as flavour:
        yield flavour


@pytest.fixture
def server(tmp_path: Path, slow: Flavour) -> Iterator[Server]:
    rows = [
        {"id": f"PMID:{n}", "title": f"Paper {n}",
         "text": f"Kinase Q phosphorylates tau in neurons, it was seen {n} times."}
        for n in range(1, PAPERS + 1)
    ]  # fmt: skip
    papers = tmp_path / "papers.jsonl"
    papers.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    folder = tmp_path / "slow"
    desk = open_desk(Settings(project=folder))
    desk.store.project.set("name", "Slow")
    namespaces.create_namespace(desk, "tau")
    namespaces.add_files(desk, "tau", [papers])
    desk.close()
    environment = {
        "GROUNDWORK_ENDPOINT_NEAR_URL": slow.url, "GROUNDWORK_ENDPOINT_NEAR_KEY": "none",
        "GROUNDWORK_MODEL": "m@near", "GROUNDWORK_MODEL_PARALLEL": "1",
    }  # fmt: skip
    app = Server(folder, environment)
    app.start()
    yield app
    app.kill()


def test_answers_paper_by_paper_are_stopped(page: Page, server: Server, slow: Flavour) -> None:
    page.goto(server.address("Literature"))
    ready(page)
    introduce(page)
    page.get_by_label("Question").fill("Does Kinase Q phosphorylate tau?")
    press(page, "Search")
    expect(page.locator(".gt-place")).to_have_text(f"1 of {PAPERS}")
    page.get_by_text("One answer per paper").click()
    ready(page)
    page.get_by_role("button", name=re.compile("^Answer from")).click()
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_visible()
    stop.click()
    expect(page.get_by_text(re.compile(rf"Stopped after \d of {PAPERS}"))).to_be_visible()
    asked = len(slow.bodies)
    assert 0 < asked < PAPERS
    page.wait_for_timeout(3000)  # longer than an answer takes
    assert len(slow.bodies) == asked  # nothing is asked after Stop
    desk = open_desk(Settings(project=server.project))
    (job,) = desk.store.jobs.find(name="literature answer")
    desk.close()
    assert job.state is JobState.STOPPED
