"""Two models compared on twenty abstracts, and a batch that is finished after faults, both with an
endpoint of another author, by the command line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.llm.connection import Connection
from core.model import Curator, Reason, Verdict
from core.services.review.decision import Judgement, decide
from core.settings import Settings
from tests.core.cli.test_model_runs import run
from tests.core.services.extracting import CURATOR, project
from tests.core.services.twenty_texts import HALF, MIDDLE, ROWS, TEXTS, TwoModels
from tests.endpoint import Endpoint, served

BATCH = ("batch", "--schema", "trial", "--engine", "spires", "--input", "@/papers.jsonl")


@pytest.fixture
def model() -> TwoModels:
    return TwoModels()


@pytest.fixture
def endpoint(model: TwoModels) -> Iterator[Endpoint]:
    with served(model, context=100_000) as endpoint:
        yield endpoint


@pytest.fixture
def desk(tmp_path: Path, endpoint: Endpoint) -> Iterator[Desk]:
    project(tmp_path)[0].close()
    (tmp_path / "papers.jsonl").write_text(ROWS, "utf-8")
    endpoints = {"there": Connection("there", endpoint.url, "sk-k")}
    desk = open_desk(Settings(tmp_path, endpoints=endpoints, model="own@there", model_retries=0))
    yield desk
    desk.close()


def batch_of(words: str) -> str:
    """The id of the batch that standard error names."""
    return words.partition("groundwork: batch ")[2].split()[0]


def test_a_batch_ended_by_its_limit_names_the_command_to_continue(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = {"own@there": (1.0, 4.0)}
    desk.settings = replace(desk.settings, prices=prices)
    desk.forget_models()
    assert run(desk, *BATCH, "--dollars", "0.000001") == 1
    out, err = capsys.readouterr()
    states = [json.loads(line)["status"] for line in out.splitlines()]
    assert states == ["done"] + ["not begun"] * 19
    command = f"python -m core batch --resume {batch_of(err)} --retry --dollars"
    assert "19 documents were not begun" in err
    assert f" limit: {command} N" in err
    assert run(desk, *command.split()[3:], "1") == 0
    out, err = capsys.readouterr()
    assert {json.loads(line)["status"] for line in out.splitlines()} == {"done"}
    assert "not begun" not in err


def test_two_models_are_compared_on_twenty_abstracts(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(desk, *BATCH, "--send", "--curator", CURATOR) == 0
    left = batch_of(capsys.readouterr().err)
    assert run(desk, *BATCH, "--model", "other@there") == 0
    right = batch_of(capsys.readouterr().err)
    for record in desk.store.queue.records():
        right_one = record.statement.subject.id == "CHEBI:15365"  # type: ignore[union-attr]
        rejected = Judgement(Verdict.REJECT, Reason.NO_RELATION)
        judgement = Judgement(Verdict.APPROVE) if right_one else rejected
        decide(desk, record.id, record.version, judgement, curator=Curator(CURATOR, "Ada"))
    assert run(desk, "compare", left, right) == 0
    head, *lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    rows = {name.split(",")[0]: (ours, theirs) for name, ours, theirs in lines}
    assert head[0] == "20 texts" and "own" in head[1] and "other" in head[2]
    assert rows["statements"] == ("25", "25") and rows["the same in both"] == ("20", "20")
    assert rows["only here"] == ("5", "5")
    assert rows["approved"] == ("80% of 25", "60% of 25")
    kinds = [name.partition(": ")[2] for name in (line[0] for line in lines) if ": " in name]
    assert [kinds.count(kind) for kind in ("only left", "only right", "same")] == [5, 5, 20]
    assert run(desk, "compare", left, right, "--format", "json") == 0
    listed = json.loads(capsys.readouterr().out)["statements"]
    assert len(listed) == 30 and listed[0]["document"] and listed[0]["left"]


def test_a_batch_with_faults_in_its_middle_is_finished_without_asking_the_rest_again(
    desk: Desk, model: TwoModels, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    model.broken.set()
    assert run(desk, *BATCH) == 1
    out, err = capsys.readouterr()
    states = [json.loads(line)["status"] for line in out.splitlines()]
    assert [n for n, state in enumerate(states) if state == "failed"] == list(MIDDLE)
    assert [n for n, state in enumerate(states) if state == "partly"] == list(HALF)
    assert states.count("done") == 9 and f"{len(MIDDLE)} documents failed." in err
    assert f"{len(HALF)} documents read with" in err
    assert f"Try them again: python -m core batch --resume {batch_of(err)} --retry" in err
    model.broken.clear()
    endpoint.bodies.clear()
    again = ("batch", "--resume", batch_of(err), "--retry")
    assert run(desk, *again) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["id"] for row in rows] == list(TEXTS)
    assert {row["status"] for row in rows} == {"done"} and all(row["statements"] for row in rows)
    asked = json.dumps(endpoint.bodies)
    assert len(endpoint.bodies) == len(MIDDLE) + 1  # the nested question is the same in all texts
    assert [n for n in range(20) if f"on ward {n:02}" in asked] == list(MIDDLE)
