"""What an endpoint may do instead of answering, and what is said of it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as Asked
from werkzeug import Response

from core.errors import BadAnswer, RateLimited, RemoteError, Unreachable
from core.llm.completer import Message, Reply, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter

QUESTION = Request((Message("user", "What is the capital?"),))
LONG = Request((Message("user", "word " * 4000),))


def completion(message: dict[str, Any], finish: str = "stop", read: int = 10) -> Response:
    body = {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", **message},
                     "finish_reason": finish}],
        "usage": {"prompt_tokens": read, "completion_tokens": 2, "total_tokens": read + 2},
    }  # fmt: skip
    return Response(json.dumps(body), mimetype="application/json")


def refusal(status: int, **error: str) -> Response:
    return Response(json.dumps({"error": error}), status, mimetype="application/json")


def ask(server: HTTPServer, request: Request = QUESTION, **options: Any) -> Reply:
    options = {"first": 5.0, "retries": 0} | options
    heard, sleep = options.pop("heard", None), options.pop("sleep", time.sleep)
    asked = EndpointOptions("sk-1", server.url_for("/v1"), **options)
    return OpenAICompleter("m", asked, sleep=sleep).complete(request, heard)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (refusal(429, message="You exceeded your current quota", code="insufficient_quota"),
         RateLimited, "used up its quota"),
        (refusal(400, message="filtered", code="content_filter"), BadAnswer, "content filter"),
        (refusal(400, message="This model's maximum context length is 8192 tokens"),
         BadAnswer, "longer than the model"),
        (refusal(413, message="too long", code="context_length_exceeded"),
         BadAnswer, "longer than the model"),
        (completion({"content": "Par"}, "content_filter"), BadAnswer, "content filter"),
        (completion({"content": "<think>Hm, France"}, "length"), BadAnswer, "gave no answer"),
        (completion({"content": "", "reasoning_content": "Hm"}), BadAnswer, "gave no answer"),
    ],
    ids=["quota", "filter refuses", "context in words", "context by code", "filter cuts",
         "thoughts in text only", "thoughts in a field only"],
)  # fmt: skip
def test_fault_says_what_it_is(
    httpserver: HTTPServer, answer: Response, error: type[RemoteError], words: str
) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_response(answer)
    with pytest.raises(error, match=words) as caught:
        ask(httpserver)
    assert caught.value.hint
    assert "sk-1" not in str(caught.value) and "capital" not in str(caught.value)


def test_prompt_cut_in_silence_is_a_failure(httpserver: HTTPServer) -> None:
    answer = completion({"content": "Paris"}, read=512)
    httpserver.expect_request("/v1/chat/completions").respond_with_response(answer)
    with pytest.raises(BadAnswer, match="read about 512 of 4,999 tokens"):
        ask(httpserver, LONG)


def test_abstract_cut_in_silence_is_a_failure(httpserver: HTTPServer) -> None:
    answer = completion({"content": "Paris"}, read=294)
    httpserver.expect_request("/v1/chat/completions").respond_with_response(answer)
    with pytest.raises(BadAnswer, match="read about 294 of 749 tokens"):
        ask(httpserver, Request((Message("user", "word " * 600),)))


@pytest.mark.parametrize("words", ["word " * 200, f"word{30 * ' '}\n" * 100])
def test_blanks_and_few_words_are_no_cut(httpserver: HTTPServer, words: str) -> None:
    answer = completion({"content": "Paris"}, read=150)
    httpserver.expect_request("/v1/chat/completions").respond_with_response(answer)
    assert ask(httpserver, Request((Message("user", words),))).text == "Paris"


@pytest.mark.parametrize("count", [1, 9, 40])
def test_count_that_no_context_can_explain_is_not_believed(
    httpserver: HTTPServer, count: int
) -> None:
    answer = completion({"content": "Paris"}, read=count)
    httpserver.expect_request("/v1/chat/completions").respond_with_response(answer)
    assert ask(httpserver, LONG).text == "Paris"


def test_prompt_that_was_read_whole_is_not_a_failure(httpserver: HTTPServer) -> None:
    answer = completion({"content": "Paris"}, read=4000)
    httpserver.expect_request("/v1/chat/completions").respond_with_response(answer)
    assert ask(httpserver, LONG).text == "Paris"


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_field_is_kept_beside_the_answer(httpserver: HTTPServer, field: str) -> None:
    answer = completion({"content": "Paris", field: "France?"})
    httpserver.expect_request("/v1/chat/completions").respond_with_response(answer)
    reply = ask(httpserver)
    assert (reply.text, reply.reasoning) == ("Paris", "France?")


def test_refused_streaming_falls_back_to_a_whole_answer(httpserver: HTTPServer) -> None:
    def answer(asked: Asked) -> Response:
        if asked.get_json().get("stream"):
            return refusal(400, message="streaming is not supported by this model")
        return completion({"content": "Paris"})

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    heard: list[str] = []
    assert ask(httpserver, heard=heard.append).text == "Paris"
    assert heard == ["Paris"]


def test_silence_is_waited_for_once(httpserver: HTTPServer) -> None:
    import threading

    free, asked = threading.Event(), []

    def silent(request: Asked) -> Response:
        asked.append(request)
        free.wait(5)
        return completion({"content": "late"})

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(silent)
    with pytest.raises(Unreachable, match="did not answer"):
        ask(httpserver, first=0.2, retries=3)
    free.set()
    assert len(asked) == 1


def test_busy_endpoint_is_asked_again_after_its_own_time(httpserver: HTTPServer) -> None:
    busy = Response("{}", 429, {"Retry-After": "7"}, mimetype="application/json")
    httpserver.expect_ordered_request("/v1/chat/completions").respond_with_response(busy)
    httpserver.expect_ordered_request("/v1/chat/completions").respond_with_response(
        completion({"content": "Paris"})
    )
    waits: list[float] = []
    assert ask(httpserver, retries=2, sleep=waits.append).text == "Paris"
    assert waits == [7.0]


SAID = "The prompt “What is the capital?” with key sk-1 is not allowed, dear What is the capital?"


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("error", "words"),
    [
        ({"message": SAID, "code": 400}, "refused the request"),
        ({"message": SAID, "code": "content_filter"}, "content filter"),
        ({"message": SAID, "code": 502}, "reports an internal error"),
        (SAID, "refused the request"),
    ],
)
def test_error_in_a_body_says_neither_prompt_nor_key(
    httpserver: HTTPServer, error: Any, words: str, streamed: bool
) -> None:
    body = json.dumps({"error": error, "choices": None})
    kind = "text/event-stream" if streamed else "application/json"
    sent = f"data: {body}\n\n" if streamed else body
    answer = Response(sent, mimetype=kind)
    httpserver.expect_request("/v1/chat/completions").respond_with_response(answer)
    with pytest.raises(RemoteError, match=words) as caught:
        ask(httpserver, streams=streamed)
    assert "sk-1" not in str(caught.value) and "capital" not in str(caught.value)
