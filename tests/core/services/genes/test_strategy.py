"""What an operator's E-utilities never serve is not asked for in each question; a replay asks what
its run asked.
"""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from core.desk import Desk
from core.errors import NotServed, Stopped, Unreachable
from core.ncbi.example import ExampleFetcher
from core.services.genes import questions, strategy
from core.services.genes.questions import AskOptions
from core.settings import Settings
from core.web import Fetch, Fetched

MEESMANN = "What are genes related to Meesmann corneal dystrophy?"
OWN = "http://127.0.0.1:9/eutils"


class WithoutLinks(ExampleFetcher):
    trouble: type[Exception] = NotServed

    def fetch(self, request: Fetch) -> Fetched:
        if request.url.endswith("elink.fcgi"):
            raise self.trouble("NCBI says: no.")
        if "elink" not in request.url and dict(request.params).get("db") == "gene":
            return Fetched(200, '{"esearchresult": {"count": "0", "idlist": []}}')
        return super().fetch(request)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(strategy, "_REFUSED", {})
    monkeypatch.setattr(strategy, "ENOUGH", 2)
    settings = Settings(
        tmp_path / "desk", ncbi_eutils_url=OWN, ncbi_blast_url=f"{OWN}/b", datasets_url=""
    )
    desk = Desk(settings)
    monkeypatch.setattr(desk, "web", lambda kind="api", hosts=(): WithoutLinks())
    yield desk
    desk.close()


def tools(answered: questions.AskedQuestion) -> list[str]:
    return [step.tool for step in answered.answer.steps]


def test_links_that_are_never_served_are_not_asked_for_in_each_question(own: Desk):
    three_answers = [questions.ask_gene_question(own, MEESMANN) for _ in range(3)]
    assert ["elink" in tools(answered) for answered in three_answers] == [True, True, False]
    assert all(answered.answer.text == ["KRT12", "KRT3"] for answered in three_answers)


def test_an_address_that_gave_links_once_is_always_asked(
    own: Desk, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(own, "web", lambda kind="api", hosts=(): ExampleFetcher())
    questions.ask_gene_question(own, MEESMANN)
    monkeypatch.setattr(own, "web", lambda kind="api", hosts=(): WithoutLinks())
    assert all(
        "elink" in tools(questions.ask_gene_question(own, MEESMANN, AskOptions(reuse=False)))
        for _ in range(3)
    )


def test_a_replay_asks_what_its_run_asked(own: Desk):
    for asked in [questions.ask_gene_question(own, MEESMANN) for _ in range(3)]:
        assert tools(questions.replay_question(own, asked.run)) == tools(asked)


def test_trouble_with_links_is_not_kept_in_mind(own: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(WithoutLinks, "trouble", Unreachable)
    three_answers = [questions.ask_gene_question(own, MEESMANN) for _ in range(3)]
    assert ["elink" in tools(answered) for answered in three_answers] == [True, True, True]
    assert all(str(answered.answer.status) == "failed" for answered in three_answers)


def test_ncbi_itself_is_always_asked(own: Desk, monkeypatch: pytest.MonkeyPatch):
    standard = Settings(own.settings.project)
    own.settings = replace(own.settings, ncbi_eutils_url=standard.ncbi_eutils_url)
    assert all("elink" in tools(questions.ask_gene_question(own, MEESMANN)) for _ in range(3))


def test_a_wait_that_ncbi_asks_for_is_reported_and_can_be_stopped(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    httpserver.expect_request(re.compile(".*")).respond_with_data(
        "slow down", 429, {"Retry-After": "60"}
    )
    notices: list[str] = []

    def stop() -> None:
        if notices:
            raise Stopped("The job was stopped.")

    with (
        closing(
            Desk(Settings(tmp_path, ncbi_eutils_url=httpserver.url_for("/entrez/eutils")))
        ) as desk,
        pytest.raises(Stopped),
    ):
        questions.ask_gene_question(
            desk, "What is the official gene symbol of LMP10?", check=stop, tell=notices.append
        )
    assert notices[0].endswith("answered 429; trying again in 60 s")
