"""Asking with a model: what is kept replays without a network and without a model, and makes the
right statements.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import NotFound, SettingsError
from core.genes.answer import AnswerStatus
from core.genes.strategies.decoding import EUTILS
from core.llm.completer import Reply, Request, ToolCall
from core.ncbi.example import ExampleFetcher
from core.services.genes import questions as genes
from core.services.genes import statement, trace
from core.settings import Settings

LMP10 = "What is the official gene symbol of LMP10?"
FINAL = (
    '{"answer": "PSMB10", "evidence": [{"record": "NCBIGene:5699", "field": "symbol"}], "status":'
    ' "answered"}'
)
LOOK = Reply("", (ToolCall("1", "esummary", '{"db": "gene", "id": "5699"}'),), "tool_calls")
STEPS = {
    "tools": (LOOK, Reply(FINAL)),
    "decoding": (Reply(f"[{EUTILS}/esummary.fcgi?db=gene&id=5699]"), Reply("Answer: PSMB10")),
}


class Model:
    """Says these things in turn."""

    model = "made-up"

    def __init__(self, *replies: Reply):
        self.said = list(replies)

    def complete(self, request: Request, on_text: object = None) -> Reply:
        return self.said.pop(0)


URLS = (
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "https://eutils.ncbi.nlm.nih.gov@169.254.169.254/entrez/eutils/esearch.fcgi?db=gene&term=x",
    "https://eutils.ncbi.nlm.nih.gov.example.org/entrez/eutils/esearch.fcgi?db=gene&term=x",
    "https://example.org/blast/Blast.cgi?CMD=Get&RID=ABCDEFGH016",
)
HOSTILE = {
    "addresses": tuple(Reply(f"<script>alert(1)</script>\n[{url}]") for url in URLS),
    "arguments": tuple(
        Reply(
            "",
            (ToolCall("1", "esearch", json.dumps({"db": "gene", "term": "x", name: url})),),
            "tool_calls",
        )
        for name, url in zip(("url", "base_url", "host", "api_key", "term"), URLS, strict=True)
    ),
    "names": tuple(
        Reply("", (ToolCall("1", name, "{}"),), "tool_calls")
        for name in ("run_shell", "fetch", "<b>", "")
    ),
    "json": tuple(
        Reply("", (ToolCall("1", "esearch", arguments),), "tool_calls")
        for arguments in ('{"db": gene,', "[]", "3")
    ),
}


class Nowhere:
    def fetch(self, request: object) -> None:
        raise AssertionError("a replay went out")


Open = Callable[..., Desk]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """The one project of the test, opened with a model (or none) and a network that knows the
    examples (or none).
    """
    desks: list[Desk] = []

    def make(*replies: Reply, network: bool = True, **settings: str) -> Desk:
        desk = Desk(Settings(tmp_path, **settings))  # type: ignore[arg-type]
        monkeypatch.setattr(
            desk, "completer", lambda *_, **__: Model(*replies) if replies else None
        )
        monkeypatch.setattr(
            desk, "web", lambda kind="api", hosts=(): ExampleFetcher() if network else Nowhere()
        )
        desks.append(desk)
        return desk

    yield make
    for desk in desks:
        desk.close()


@pytest.mark.parametrize("way", STEPS)
def test_a_replay_needs_neither_network_nor_model(opened: Open, way: str) -> None:
    asked_question = genes.ask_gene_question(
        opened(*STEPS[way], model="made-up"), LMP10, genes.AskOptions(way=way)
    )
    assert (asked_question.answer.status, asked_question.answer.text) == (
        AnswerStatus.ANSWERED,
        "PSMB10",
    )
    elsewhere = opened(network=False, ncbi_eutils_url="http://127.0.0.1:9/eutils", model="another")
    again = genes.replay_question(elsewhere, asked_question.run)
    assert (
        again.answer.text == asked_question.answer.text
        and again.answer.notes == asked_question.answer.notes
    )
    assert [value.value for value in again.answer.values] == [
        value.value for value in asked_question.answer.values
    ]
    assert genes.replay_question(elsewhere, again.run).answer.status is AnswerStatus.ANSWERED


def test_replay_asks_nothing_beyond_the_record(opened: Open) -> None:
    desk = opened(*STEPS["tools"], model="made-up")
    run = genes.create_run(desk, LMP10, genes.AskOptions(way="tools"))
    with pytest.raises(NotFound, match="not in the"):
        genes.replay_question(opened(network=False), run)


def test_without_a_model_nothing_is_kept(opened: Open) -> None:
    desk = opened()
    with pytest.raises(SettingsError):
        genes.ask_gene_question(desk, LMP10, genes.AskOptions(way="tools"))
    assert genes.asked_runs(desk) == []


def test_the_model_and_its_host_are_named_before_anything_is_sent(opened: Open) -> None:
    desk = opened(LOOK, model="made-up", openai_base_url="http://127.0.0.1:9/v1")
    notice = trace.what_leaves_machine(desk, LMP10, way="tools", api="mygene")
    assert all(
        word in notice for word in ("made-up at 127.0.0.1", "NCBI", "mygene.info", "records")
    )


@pytest.mark.parametrize("way", STEPS)
def test_a_models_answer_makes_the_statement_that_the_planners_makes(
    opened: Open, way: str
) -> None:
    desk = opened(*STEPS[way], model="made-up")
    ((mine, evidence),) = _claims(desk, genes.AskOptions(way=way))
    ((planned, _),) = _claims(desk, genes.AskOptions())
    assert mine.id == planned.id and evidence[0].ground.value == "LMP10"


@pytest.mark.parametrize(
    ("way", "steps"),
    [*(("tools", name) for name in HOSTILE), ("decoding", "addresses")],
    ids="/".join,
)
def test_hostile_steps_reach_nobody(
    opened: Open, monkeypatch: pytest.MonkeyPatch, way: str, steps: str
) -> None:
    def reached(*arguments: object, **more: object) -> None:
        raise AssertionError(f"something was reached: {arguments}")

    desk = opened(*HOSTILE[steps], Reply("Answer: x"), model="made-up")
    monkeypatch.setattr(
        desk, "web", Desk.web.__get__(desk)
    )  # the real way out, with every socket watched
    monkeypatch.setattr("socket.socket.connect", reached)
    monkeypatch.setattr("socket.getaddrinfo", reached)
    asked_question = genes.ask_gene_question(desk, LMP10, genes.AskOptions(way=way))
    assert asked_question.answer.status is AnswerStatus.UNSUPPORTED and len(
        asked_question.answer.steps
    ) == len(HOSTILE[steps])
    assert {step.status for step in asked_question.answer.steps} == {
        "refused"
    } and "<" not in re.sub(r"\\.", "", asked_question.markdown)


def test_an_unsupported_answer_makes_no_statement(opened: Open) -> None:
    desk = opened(LOOK, Reply(json.dumps({"answer": "MADEUP1"})), model="made-up")
    assert _claims(desk, genes.AskOptions(way="tools")) == ()


def _claims(desk: Desk, options: genes.AskOptions) -> tuple:
    asked_question = genes.ask_gene_question(desk, LMP10, options)
    return statement.claims_of_answer(desk, asked_question.run, asked_question.answer).proposed
