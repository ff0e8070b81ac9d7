"""What a run with a model takes on the command line: another model, further questions, and leave to
send what is not whole.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli import batch, extraction, gene_questions, literature, literature_answers, namespace
from core.desk import Desk, open_desk
from core.errors import RateLimited, SettingsError
from core.llm.connection import Connection
from core.ncbi.example import ExampleFetcher
from core.services.literature import answer
from core.settings import Settings
from tests.core.extraction.fakes import RuleModel
from tests.core.services.extracting import CURATOR, RULES, TEXT, project
from tests.core.services.model_uses import CHUNKS, words_for
from tests.endpoint import Endpoint, served

VERBS = {
    verb.name: verb
    for room in (batch, extraction, gene_questions, literature, literature_answers, namespace)
    for verb in room.VERBS
}
QUESTION = "Does Kinase Q act on tau?"


def run(desk: Desk, *words: str) -> int:
    verb, parser = VERBS[words[0]], ArgumentParser()
    verb.add_arguments(parser)
    return verb.run(
        desk, parser.parse_args([w.replace("@/", f"{desk.folder}/") for w in words[1:]])
    )


# ------------------------------------------------------------------ what is not whole


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[Desk]:
    """A desk whose model answers everything."""
    desk, _ = project(tmp_path)
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    (tmp_path / "papers.jsonl").write_text(json.dumps({"id": "PMID:1", "text": TEXT}), "utf-8")
    yield desk
    desk.close()


@pytest.mark.parametrize(("limit", "status"), [("3", 0), ("2", 1)])
def test_a_text_with_unasked_questions_ends_with_status_1(
    whole: Desk, capsys: pytest.CaptureFixture[str], limit: str, status: int
) -> None:
    assert run(whole, *EXTRACT, "--max-calls", limit) == status
    assert ("1 question was not asked" in capsys.readouterr().err) is bool(status)


def test_destination_of_a_text_is_shown_when_only_the_run_names_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_desk, _ = project(tmp_path)
    made_desk.close()
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    with served(words_for) as endpoint:
        endpoints = {"there": Connection("there", endpoint.url, "sk-k")}
        desk = open_desk(Settings(tmp_path, endpoints=endpoints))
        run(desk, "extract", "--schema", "trial", "--input", "@/text.txt", "--model", "own@there")
        desk.close()
    assert "the model own@there at 127.0.0.1" in capsys.readouterr().err


def test_the_first_questions_of_a_batch_say_what_it_takes(
    whole: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(whole, *BATCH, "--first-question") == 0
    estimate = json.loads(capsys.readouterr().out)
    assert (estimate["calls"], estimate["counted"]) == (3, True)
    assert run(whole, *BATCH) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "done"


@pytest.fixture
def half(tmp_path: Path) -> Iterator[Desk]:
    """A desk whose model fails at one question of the text."""
    desk, _ = project(tmp_path, {**RULES, "ibuprofen NOT": RateLimited("Wait.")})
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    (tmp_path / "papers.jsonl").write_text(json.dumps({"id": "PMID:1", "text": TEXT}), "utf-8")
    yield desk
    desk.close()


EXTRACT = ("extract", "--schema", "trial", "--input", "@/text.txt", "--curator", CURATOR)
BATCH = ("batch", "--schema", "trial", "--input", "@/papers.jsonl", "--curator", CURATOR)


@pytest.mark.parametrize("command", [EXTRACT, BATCH], ids=["extract", "batch"])
def test_incomplete_result_is_not_sent_by_send_alone(
    half: Desk, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    run(half, *command, "--send")
    messages = capsys.readouterr().err
    assert re.search("Not sent.*: 1 question failed", messages)
    assert "--send-incomplete" in messages and half.store.queue.count() == 0


@pytest.mark.parametrize("command", [EXTRACT, BATCH], ids=["extract", "batch"])
def test_incomplete_result_is_sent_by_send_incomplete_and_marked_so(
    half: Desk, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    run(half, *command, "--send-incomplete")
    assert re.search("Sent .*: 1 question failed", capsys.readouterr().err)
    assert half.store.queue.count() == 1


# ------------------------------------------------------------------ a model for one run


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with served(words_for, context=100_000) as endpoint:
        yield endpoint


@pytest.fixture
def desk(tmp_path: Path, endpoint: Endpoint) -> Iterator[Desk]:
    """A desk with a model of its own, an endpoint with others, and a namespace on tau."""
    project(tmp_path)[0].close()
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    (tmp_path / "papers.jsonl").write_text(json.dumps({"id": "PMID:1", "text": TEXT}), "utf-8")
    rows = [{"id": c.document, "title": "", "text": c.text[:80]} for c in CHUNKS]
    (tmp_path / "tau.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    endpoints = {"there": Connection("there", endpoint.url, "sk-k")}
    settings = Settings(tmp_path, endpoints=endpoints, model="own@there", model_retries=0)
    desk = open_desk(settings)
    desk.web = lambda kind="api", hosts=(): ExampleFetcher()  # type: ignore[method-assign,assignment]
    run(desk, "namespace", "add", "tau", "@/tau.jsonl")
    yield desk
    desk.close()


RUNS = {
    "extract": ("extract", "--schema", "trial", "--input", "@/text.txt", "--engine", "spires"),
    "batch": ("batch", "--schema", "trial", "--input", "@/papers.jsonl", "--engine", "spires"),
    "ask": ("ask", "What is the official gene symbol of LMP10?", "--way", "tools"),
    "answer": ("answer", "tau", QUESTION),
    "search": ("search", "tau", QUESTION, "--keywords-by", "model"),
}


@pytest.mark.parametrize("verb", RUNS)
def test_a_run_asks_the_model_of_the_project_or_the_one_named_for_it(
    desk: Desk, endpoint: Endpoint, verb: str
) -> None:
    assert run(desk, *RUNS[verb]) == 0
    assert {body["model"] for body in endpoint.bodies} == {"own"}
    endpoint.bodies.clear()
    assert run(desk, *RUNS[verb], "--model", "other@there") == 0
    assert {body["model"] for body in endpoint.bodies} == {"other"}


@pytest.mark.parametrize("of_project", ["", "own@there"])
def test_a_text_is_read_by_a_model_where_only_reading_or_the_run_has_one(
    desk: Desk, endpoint: Endpoint, of_project: str
) -> None:
    desk.settings = replace(desk.settings, model="", model_extraction=of_project)
    words = () if of_project else ("--model", "other@there")
    assert run(desk, "extract", "--schema", "trial", "--input", "@/text.txt", *words) == 0
    assert {body["model"] for body in endpoint.bodies} == {"own" if of_project else "other"}


@pytest.mark.parametrize("verb", RUNS)
def test_a_model_without_an_endpoint_is_refused_before_anything_is_sent(
    desk: Desk, endpoint: Endpoint, verb: str
) -> None:
    desk.settings = replace(desk.settings, model="", endpoints={})
    refusal = r"theirs@gone has no endpoint|needs a language model"
    with pytest.raises(SettingsError, match=refusal):
        run(desk, *RUNS[verb], "--model", "theirs@gone")
    assert not endpoint.bodies


# ------------------------------------------------------------------ keywords, further questions


def test_keywords_of_a_search_are_the_models_and_what_goes_to_it_is_reported(
    desk: Desk, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    run(desk, *RUNS["search"])
    out, err = capsys.readouterr()
    assert set(json.loads(out)[0]["counts"]) == {"Kinase Q", "tau"}
    assert "the model own@there at 127.0.0.1" in err


def test_keywords_by_the_model_need_one(desk: Desk) -> None:
    desk.settings = replace(desk.settings, model="", endpoints={})
    with pytest.raises(SettingsError, match="No model is"):
        run(desk, *RUNS["search"])


def test_keywords_that_the_model_did_not_name_are_made_by_rules_and_it_is_reported(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk._parts["completer own@there"] = RuleModel({})
    desk._parts["completer"] = RuleModel({})
    capsys.readouterr()
    assert run(desk, *RUNS["search"], "--format", "jsonl") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["results"] and "model gave none" in err


def test_follow_up_question_sends_the_passages_and_the_conversation(
    desk: Desk, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    run(desk, *RUNS["answer"], "--format", "jsonl")
    first = json.loads(capsys.readouterr().out)["run"]
    run(desk, "answer", "tau", "In which cells?", "--after", first, "--format", "jsonl")
    second = json.loads(capsys.readouterr().out)["run"]
    prompt = json.dumps(endpoint.bodies[-1]["messages"])
    assert QUESTION in prompt and "In which cells?" in prompt and "It does:" in prompt
    assert answer.kept_answer(desk, second).chunks == answer.kept_answer(desk, first).chunks
    assert answer.asked_before(desk, desk.store.runs.get(second))[0][0] == QUESTION
    assert answer.run_of_answer(desk, second).model == "own@there"


def test_fourth_question_carries_the_three_before(desk: Desk, endpoint: Endpoint) -> None:
    known = answer.begin_answer(desk, "Question 0 on tau?", CHUNKS)
    for number in range(1, 5):
        answer.answer_run(desk, known)
        known = answer.follow_up(desk, known, f"Question {number} on tau?")
    earlier = [asked for asked, _ in answer.asked_before(desk, desk.store.runs.get(known))]
    assert earlier == [f"Question {number} on tau?" for number in (1, 2, 3)]
