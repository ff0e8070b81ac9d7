"""The ways in which endpoints behave, and five uses: each ends in a right result or in a true
message. The table in docs/model-endpoints.md is what this test found.
"""

from __future__ import annotations

import email.utils
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as Asked
from werkzeug import Response

from core.desk import Desk, open_desk
from core.errors import GroundworkError
from core.llm.connection import Connection
from core.ncbi.example import ExampleFetcher
from core.settings import Settings
from tests.core.services.extracting import SCHEMA, project
from tests.core.services.model_uses import USES, words_for

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "model-endpoints.md"
CONTEXT = 1000  # tokens, of the endpoint that cuts prompts in silence
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
    "has no such address": "lost",
    "stands behind a firewall": "firewall",
    "redirects to another address": "redirect",
    "reports an error with status 200": "error-200",
    "is overloaded": "overloaded",
    "asks to wait until a date": "wait",
    "packs answers otherwise than it says": "packed",
    "declines in a field of its own": "declines",
    "ends answers before their first word": "wordless",
    "quotes the key and the question": "quotes",
    "writes content in parts": "parts",
    "streams in odd pieces": "pieces",
}


# ------------------------------------------------------------------ the endpoint


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
    if how in FAULTS:
        return FAULTS[how](asked)
    if how == "hangs":
        SILENT.wait(3)
    size = sum(len(str(message.get("content") or "")) for message in body["messages"]) // 4
    answer: str | dict[str, Any] = words_for(body)
    if how == "truncates" and size > CONTEXT:
        answer, size = "triples: none", CONTEXT
    if how == "schema-ignored" and "response_format" in body:
        answer = "The text says that aspirin helps."
    return reply(body, answer, how, size)


def odd_pieces(stream: str) -> Iterator[bytes]:
    """Comments, other line ends, letters cut in two, no mark of the end."""
    dressed = ": still here\n\n" + stream.replace("data: [DONE]\n\n", "").replace("data: ", "data:")
    data = dressed.replace("\n", "\r\n").encode()
    return (data[at : at + 5] for at in range(0, len(data), 5))


def packed(_: Asked) -> Response:
    return Response(
        b"\x1f\x8bno", 200, headers={"Content-Encoding": "gzip"}, mimetype="application/json"
    )


def quoting(asked: Asked) -> Response:
    words = " ".join(str(message.get("content")) for message in asked.get_json()["messages"])
    return refusal(400, f"bad request {asked.headers['Authorization']} {words}")


def waiting(_: Asked) -> Response:
    late = refusal(429, "slow down")
    late.headers["Retry-After"] = email.utils.formatdate(time.time() + 8000, usegmt=True)
    return late


FAULTS: dict[str, Callable[[Asked], Response]] = {
    "lost": lambda _: Response("<html>nginx</html>", 404, mimetype="text/html"),
    "firewall": lambda _: Response("<html>Attention</html>", 403, mimetype="text/html"),
    "redirect": lambda _: Response("", 307, headers={"Location": "http://127.0.0.2:1/v1"}),
    "error-200": lambda _: refusal(200, "upstream overloaded", code="503"),
    "overloaded": lambda _: refusal(503, "try again"),
    "wait": waiting,
    "packed": packed,
    "quotes": quoting,
}


def reply(body: dict[str, Any], answer: str | dict[str, Any], how: str, size: int) -> Response:
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(answer, dict):
        called = {"name": answer["name"], "arguments": json.dumps(answer["arguments"])}
        message["tool_calls"] = [{"id": "c1", "index": 0, "type": "function", "function": called}]
    else:
        dressed = {"thinks": f'<think>["wrong"] triples: nothing</think>{answer}',
                   "fences": f"```\n{answer}\n```"}  # fmt: skip
        message["content"] = dressed.get(how, answer)
    if how == "parts" and message["content"]:
        message["content"] = [{"type": "text", "text": word} for word in re.split("( )", answer)]
    if how == "declines":
        message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    if how == "wordless":
        message = {"role": "assistant", "content": ""}
    finish = "length" if how == "wordless" else "stop"
    if how == "field":
        message["reasoning_content"] = '["wrong"] triples: nothing'
    shared = {"id": "x", "created": 1, "model": "m"}
    usage = {"prompt_tokens": size, "completion_tokens": 9, "total_tokens": size + 9}
    if body.get("stream"):
        events: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
            {"choices": [], "usage": usage},
        ]
        lines = [
            json.dumps(shared | {"object": "chat.completion.chunk"} | event) for event in events
        ]
        text = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"])
        data = odd_pieces(text) if how == "pieces" else text
        return Response(data, mimetype="text/event-stream")
    choice = {"index": 0, "message": message, "finish_reason": finish}
    whole = shared | {"object": "chat.completion", "choices": [choice], "usage": usage}
    return Response(json.dumps(whole), mimetype="application/json")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    server = HTTPServer(threaded=True)
    server.expect_request(re.compile(r"/[\w-]+/v1/chat/completions")).respond_with_handler(answered)
    server.start()
    folder = tmp_path_factory.mktemp("behaviours")
    opened_desk, _ = project(folder)
    opened_desk.close()
    assert SCHEMA
    names = BEHAVIOURS.values()
    endpoints = {name: Connection(name, server.url_for(f"/{name}/v1"), "sk-k") for name in names}
    desk = open_desk(
        Settings(folder, endpoints=endpoints, model="m", model_timeout=1.0, model_retries=0)
    )
    desk.web = lambda kind="api", hosts=(): ExampleFetcher()  # type: ignore[method-assign,assignment]
    yield desk
    SILENT.set()
    desk.close()
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
    "html": "instead of a model's answer",
    "lost": "no endpoint for models at this address",
    "firewall": "between this machine and the endpoint",
    "redirect": "redirect to another address",
    "error-200": "internal error",
    "overloaded": "internal error",
    "wait": "asks to wait 2 hours",
    "packed": "cannot be unpacked",
    "declines": "content filter",
    "wordless": "before it wrote a word",
    "quotes": "refused the request",
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
