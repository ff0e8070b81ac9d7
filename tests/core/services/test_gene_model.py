"""Asking with a model: what is kept replays without a network and without a model, and makes the right statements."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import NotFound, SettingsError
from core.genes.answer import Status
from core.genes.decoding import EUTILS
from core.llm.completer import Reply, Request, ToolCall
from core.ncbi.example import ExampleFetcher
from core.services import gene_questions as genes
from core.services import gene_statement
from core.settings import Settings

LMP10 = "What is the official gene symbol of LMP10?"
FINAL = '{"answer": "PSMB10", "evidence": [{"record": "NCBIGene:5699", "field": "symbol"}], "status": "answered"}'
LOOK = Reply("", (ToolCall("1", "esummary", '{"db": "gene", "id": "5699"}'),), "tool_calls")
STEPS = {
    "tools": (LOOK, Reply(FINAL)),
    "decoding": (Reply(f"[{EUTILS}/esummary.fcgi?db=gene&id=5699]"), Reply("Answer: PSMB10")),
}


class Model:
    """Says these things in turn."""

    model = "made-up"

    def __init__(self, *said: Reply):
        self.said = list(said)

    def complete(self, request: Request, on_text: object = None) -> Reply:
        return self.said.pop(0)


class Nowhere:
    def fetch(self, request: object) -> None:
        raise AssertionError("a replay went out")


Open = Callable[..., Desk]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """The one project of the test, opened with a model (or none) and a network that knows the examples (or none)."""
    desks: list[Desk] = []

    def make(*said: Reply, network: bool = True, **settings: str) -> Desk:
        desk = Desk(Settings(tmp_path, **settings))  # type: ignore[arg-type]
        monkeypatch.setattr(desk, "completer", lambda: Model(*said) if said else None)
        monkeypatch.setattr(desk, "web", lambda kind="api", hosts=(): ExampleFetcher() if network else Nowhere())
        desks.append(desk)
        return desk

    yield make
    for desk in desks:
        desk.close()


@pytest.mark.parametrize("way", STEPS)
def test_a_replay_needs_neither_network_nor_model(opened: Open, way: str) -> None:
    found = genes.ask(opened(*STEPS[way], model="made-up"), LMP10, genes.Options(way=way))
    assert (found.answer.status, found.answer.text) == (Status.ANSWERED, "PSMB10")
    elsewhere = opened(network=False, ncbi_eutils_url="http://127.0.0.1:9/eutils", model="another")
    again = genes.replay(elsewhere, found.run)
    assert again.answer.text == found.answer.text and again.answer.notes == found.answer.notes
    assert [one.value for one in again.answer.found] == [one.value for one in found.answer.found]
    assert genes.replay(elsewhere, again.run).answer.status is Status.ANSWERED


def test_what_is_not_in_the_record_is_not_asked_in_a_replay(opened: Open) -> None:
    desk = opened(*STEPS["tools"], model="made-up")
    run = genes.keep(desk, LMP10, genes.Options(way="tools"))
    with pytest.raises(NotFound, match="not in the record"):
        genes.replay(opened(network=False), run)


def test_without_a_model_nothing_is_kept(opened: Open) -> None:
    desk = opened()
    with pytest.raises(SettingsError):
        genes.ask(desk, LMP10, genes.Options(way="tools"))
    assert genes.asked(desk) == []


@pytest.mark.parametrize("way", STEPS)
def test_a_models_answer_makes_the_statement_that_the_planners_makes(opened: Open, way: str) -> None:
    desk = opened(*STEPS[way], model="made-up")
    ((mine, evidence),) = _claims(desk, genes.Options(way=way))
    ((planned, _),) = _claims(desk, genes.Options())
    assert mine.id == planned.id and evidence[0].ground.value == "PSMB10"


def test_an_unsupported_answer_makes_no_statement(opened: Open) -> None:
    desk = opened(LOOK, Reply(json.dumps({"answer": "MADEUP1"})), model="made-up")
    assert _claims(desk, genes.Options(way="tools")) == ()


def _claims(desk: Desk, options: genes.Options) -> tuple:
    found = genes.ask(desk, LMP10, options)
    return gene_statement.claims(desk, found.run, found.answer).proposed
