"""Twelve ways in which endpoints behave, and five uses: each ends in a right result or in a true
message. The table in docs/model-endpoints.md is what this test found.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as Asked
from werkzeug import Response

from core.desk import Desk, open_desk
from core.errors import GroundworkError
from core.genes.answer import AnswerStatus
from core.literature.answers.answer import QuoteProof
from core.literature.chunk import Chunk
from core.literature.query import keyword_model
from core.llm.connection import Connection
from core.ncbi.example import ExampleFetcher
from core.services.extract.run import RunOptions, extracted, keep_text, new_run
from core.services.genes import questions as genes
from core.services.literature import answer as literature
from core.settings import Settings
from tests.core.services.extracting import RULES, SCHEMA, TEXT, project

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "model-endpoints.md"
LONG = TEXT + " " + " ".join(f"Patient {n} went home well." for n in range(260))
CONTEXT = 1000  # tokens, of the endpoint that cuts prompts in silence
FINAL = (
    '{"answer": "PSMB10", "evidence": [{"record": "NCBIGene:5699", "field": "symbol"}], "status":'
    ' "answered"}'
)
TREE = {"triples": [{"subject": "aspirin", "predicate": "TREATS", "object": "migraine"}]}
CHUNKS = [
    Chunk(f"PMID:{n}@0", f"PMID:{n}", "Kinase Q phosphorylates tau in neurons. " + "It is. " * 400)
    for n in (1, 2, 3)
]
SILENT = threading.Event()

BEHAVIOURS = {
    "refuses a JSON Schema": "schema-refused",
    "ignores a JSON Schema": "schema-ignored",
    "has no tools": "no-tools",
    "has no streaming": "no-streaming",
    "reasons in its text": "thinks",
    "reasons in a field": "field",
    "puts fences round answers": "fences",
    "cuts long prompts in silence": "truncates",
    "has used up its quota": "quota",
    "filters content": "filter",
    "hangs": "hangs",
    "answers with a web page": "html",
}


# ------------------------------------------------------------------ the endpoint


def words_for(body: dict[str, Any]) -> str | dict[str, Any]:
    """What a good model answers; an object is a tool call."""
    messages = body["messages"]
    whole = "\n".join(str(message.get("content") or "") for message in messages)
    if "biomedical keywords" in whole:
        return '["Kinase Q", "tau"]'
    if "numbered passages" in whole:
        return 'It does: "phosphorylates tau in neurons" [1].'
    if body.get("tools") or "To use a tool" in whole:
        if "PSMB10" in whole:
            return FINAL
        call = {"name": "esummary", "arguments": {"db": "gene", "id": "5699"}}
        if body.get("tools"):
            return call
        return json.dumps({"tool": call["name"], "arguments": call["arguments"]})
    if "response_format" in body:
        return json.dumps(TREE if "Aspirin" in whole else {"triples": []})
    asked = whole.rpartition("Text:\n")[2]
    if TEXT in asked:
        return str(RULES[TEXT])
    return str(next((answer for known, answer in RULES.items() if known in asked), "triples: none"))


def refusal(status: int, message: str, **more: str) -> Response:
    body = {"error": {"message": message, **more}}
    return Response(json.dumps(body), status, mimetype="application/json")


def answered(asked: Asked) -> Response:
    body, how = asked.get_json(), asked.path.split("/")[1]
    if how == "schema-refused" and "response_format" in body:
        return refusal(400, "response_format is not supported")
    if how == "no-tools" and body.get("tools"):
        return refusal(400, "this model does not support tools")
    if how == "no-streaming" and body.get("stream"):
        return refusal(400, "streaming is not supported")
    if how == "quota":
        return refusal(429, "You exceeded your current quota", code="insufficient_quota")
    if how == "filter":
        return refusal(400, "The prompt was filtered", code="content_filter")
    if how == "html":
        return Response("<html><body>Sign in</body></html>", 200, mimetype="text/html")
    if how == "hangs":
        SILENT.wait(3)
    size = sum(len(str(message.get("content") or "")) for message in body["messages"]) // 4
    said: str | dict[str, Any] = words_for(body)
    if how == "truncates" and size > CONTEXT:
        said, size = "triples: none", CONTEXT
    if how == "schema-ignored" and "response_format" in body:
        said = "The text says that aspirin helps."
    return reply(body, said, how, size)


def reply(body: dict[str, Any], said: str | dict[str, Any], how: str, size: int) -> Response:
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(said, dict):
        called = {"name": said["name"], "arguments": json.dumps(said["arguments"])}
        message["tool_calls"] = [{"id": "c1", "index": 0, "type": "function", "function": called}]
    else:
        dressed = {"thinks": f'<think>["wrong"] triples: nothing</think>{said}',
                   "fences": f"```\n{said}\n```"}  # fmt: skip
        message["content"] = dressed.get(how, said)
    if how == "field":
        message["reasoning_content"] = '["wrong"] triples: nothing'
    shared = {"id": "x", "created": 1, "model": "m"}
    usage = {"prompt_tokens": size, "completion_tokens": 9, "total_tokens": size + 9}
    if body.get("stream"):
        events: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ]
        lines = [json.dumps(shared | {"object": "chat.completion.chunk"} | one) for one in events]
        text = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"])
        return Response(text, mimetype="text/event-stream")
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    whole = shared | {"object": "chat.completion", "choices": [choice], "usage": usage}
    return Response(json.dumps(whole), mimetype="application/json")


# ------------------------------------------------------------------ the uses


def spires(desk: Desk, model: str) -> str:
    return extraction(desk, model, "spires")


def one_call(desk: Desk, model: str) -> str:
    return extraction(desk, model, "one-call")


def extraction(desk: Desk, model: str, engine: str) -> str:
    entered = keep_text(desk, "trial", LONG)
    run = new_run(desk, entered, engine, "", RunOptions(model=model, reuse=False))
    found = extracted(desk, run)
    ids = {mention.chosen.id for mention in found.mentions if mention.chosen}
    assert {"CHEBI:15365", "MONDO:0005277"} <= ids
    codes = {problem.code for problem in found.problems}
    said = {"fell-back": "by questions", "read-in-parts": "in parts"}
    return ", ".join(["right", *(words for code, words in said.items() if code in codes)])


def gene_tools(desk: Desk, model: str) -> str:
    settings = desk.settings
    desk.settings = replace(settings, model_interpretation=model)
    try:
        question = "What is the official gene symbol of LMP10?"
        found = genes.ask(desk, question, genes.AskOptions(way="tools", reuse=False)).answer
    finally:
        desk.settings = settings
    if found.status is AnswerStatus.FAILED:
        raise GroundworkError(" ".join(found.notes))
    assert found.text == "PSMB10"
    return "right"


def keywords(desk: Desk, model: str) -> str:
    completer = desk.completer(model=model)
    assert completer is not None
    found = keyword_model.ask(completer, "Does Kinase Q act on tau?")
    assert [one.text for one in found] == ["Kinase Q", "tau"]
    return "right"


def literature_answer(desk: Desk, model: str) -> str:
    run = literature.begin(desk, "Does Kinase Q act on tau?", CHUNKS, engine="model", model=model)
    given = literature.answer_run(desk, run, lambda piece: None).answers[0]
    assert given.sentences[0].quotes[0].proof is QuoteProof.EXACT
    assert given.sentences[0].chunks == ("PMID:1@0",)
    return "right, from fewer passages" if given.left else "right"


USES: dict[str, Callable[[Desk, str], str]] = {
    "SPIRES": spires,
    "one call": one_call,
    "gene tools": gene_tools,
    "keywords": keywords,
    "literature answer": literature_answer,
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    server = HTTPServer(threaded=True)
    server.expect_request(re.compile(r"/[\w-]+/v1/chat/completions")).respond_with_handler(answered)
    server.start()
    folder = tmp_path_factory.mktemp("behaviours")
    made, _ = project(folder)
    made.close()
    assert SCHEMA
    names = BEHAVIOURS.values()
    endpoints = {name: Connection(name, server.url_for(f"/{name}/v1"), "sk-k") for name in names}
    found = open_desk(
        Settings(folder, endpoints=endpoints, model="m", model_timeout=1.0, model_retries=0)
    )
    found.web = lambda kind="api", hosts=(): ExampleFetcher()  # type: ignore[method-assign,assignment]
    yield found
    SILENT.set()
    found.close()
    server.stop()


def outcome(desk: Desk, use: Callable[[Desk, str], str], how: str) -> str:
    try:
        return use(desk, f"m@{how}")
    except GroundworkError as error:
        assert "sk-k" not in str(error) and "Aspirin" not in str(error)
        return f"“{error.message.replace(f'm@{how}', 'M').split('. ')[0].rstrip('.')}”"


TRUE = {  # what a message must say, where there is no right result
    "quota": "used up its quota",
    "filter": "content filter",
    "hangs": "did not answer in time",
    "html": "not a completion",
}


def test_every_behaviour_ends_in_a_right_result_or_a_true_message(desk: Desk) -> None:
    rows = {
        title: [outcome(desk, use, how) for use in USES.values()]
        for title, how in BEHAVIOURS.items()
    }
    for title, cells in rows.items():
        how = BEHAVIOURS[title]
        for cell in cells:
            wanted = TRUE.get(how)
            assert re.search(wanted, cell) if wanted else cell.startswith("right"), (title, cells)
    lines = [f"| It … | {' | '.join(USES)} |", "|---" * (len(USES) + 1) + "|"]
    lines += [f"| {title} | {' | '.join(cells)} |" for title, cells in rows.items()]
    table = "\n".join(lines)
    if os.environ.get("GROUNDWORK_WRITE_DOCS"):
        text = DOCUMENT.read_text(encoding="utf-8")
        text = re.sub(r"\| It … \|.*(?:\n\|.*)*", lambda _: table, text)
        DOCUMENT.write_text(text, encoding="utf-8")
    assert table in DOCUMENT.read_text(encoding="utf-8")
