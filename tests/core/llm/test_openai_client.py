from __future__ import annotations

import base64
import json
import struct
import time
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as Asked
from werkzeug import Response

from core.errors import BadAnswer, RateLimited, SettingsError, Stopped, Unauthorised, Unreachable
from core.llm.completer import Message, Request, Tool, ToolCall
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from core.llm.openai_embedder import OpenAIEmbedder
from core.llm.parallel import results_in_order
from core.llm.reply_reader import LONGEST_TEXT
from tests.core.llm.conftest import StandIn
from tests.endpoint import Sent, served

CAPITAL = Request((Message("system", "Be short."), Message("user", "What is the capital?")))
TOOL = Tool(
    "esearch", "Search NCBI.", {"type": "object", "properties": {"term": {"type": "string"}}}
)
SCHEMA = {"title": "City", "type": "object", "properties": {"name": {"type": "string"}}}


def completer(stand_in: StandIn, **options: Any) -> OpenAICompleter:
    options = {"first": 5.0, "retries": 0} | options
    return OpenAICompleter("replay", EndpointOptions("sk-secret-1", stand_in.base_url, **options))


def test_a_question_is_answered_with_usage(stand_in: StandIn) -> None:
    reply = completer(stand_in).complete(CAPITAL)
    assert (reply.text, reply.finish, reply.model) == ("Paris", "stop", "replay")
    assert (reply.usage.tokens_in, reply.usage.tokens_out, reply.usage.estimated) == (8, 2, False)


def test_a_streamed_answer_is_the_same_answer(stand_in: StandIn) -> None:
    heard: list[str] = []
    reply = completer(stand_in).complete(CAPITAL, heard.append)
    assert "".join(heard) == reply.text == "Paris"
    assert reply == completer(stand_in).complete(CAPITAL)


def test_the_request_says_all_that_was_asked(stand_in: StandIn) -> None:
    request = Request(CAPITAL.messages, ("\n\n",), (TOOL,), SCHEMA, 0.0, 50, 7)
    completer(stand_in).complete(request)
    (body,) = stand_in.bodies()
    assert (body["temperature"], body["stop"], body["max_tokens"], body["seed"]) == (
        0.0,
        ["\n\n"],
        50,
        7,
    )
    assert body["tools"][0]["function"]["name"] == "esearch"
    assert body["response_format"]["json_schema"] == {"name": "City", "schema": SCHEMA}


def test_openai_request_omits_unset_parameters(stand_in: StandIn) -> None:
    completer(stand_in).complete(CAPITAL)
    assert set(stand_in.bodies()[0]) == {"model", "messages", "temperature"}


@pytest.mark.parametrize("streamed", [False, True])
def test_a_named_tool_comes_with_its_arguments_unread(stand_in: StandIn, streamed: bool) -> None:
    stand_in.fault("badargs")
    request = Request((Message("user", "capital"),), tools=(TOOL,))
    reply = completer(stand_in).complete(request, (lambda _: None) if streamed else None)
    assert reply.finish == "tool_calls"
    assert (reply.calls[0].name, reply.calls[0].arguments) == ("esearch", '{"db": gene,')


def test_a_tools_turn_is_sent_as_the_protocol_has_it(stand_in: StandIn) -> None:
    call = ToolCall("call_1", "esearch", "{}")
    turns = (
        Message("user", "capital"),
        Message("assistant", "", (call,)),
        Message("tool", "found", call_id="call_1"),
    )
    completer(stand_in).complete(Request(turns))
    sent = stand_in.bodies()[0]["messages"]
    assert sent[1]["tool_calls"] == [
        {"id": "call_1", "type": "function", "function": {"name": "esearch", "arguments": "{}"}}
    ]
    assert sent[2] == {"role": "tool", "content": "found", "tool_call_id": "call_1"}


@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        ("429", RateLimited, "asks to wait 1 second"),
        ("500", Unreachable, "an internal error"),
        ("badjson", BadAnswer, "language model gives"),
        ("empty", BadAnswer, "empty answer"),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_fault_is_explained_in_words(
    stand_in: StandIn, fault: str, error: type, message: str, streamed: bool
) -> None:
    stand_in.fault(fault)
    with pytest.raises(error, match=message) as caught:
        completer(stand_in).complete(CAPITAL, (lambda _: None) if streamed else None)
    assert "sk-secret-1" not in str(caught.value)
    assert "capital" not in str(caught.value)


def test_endpoint_that_stays_silent_times_out(stand_in: StandIn) -> None:
    stand_in.fault("timeout", hang=1)
    with pytest.raises(Unreachable, match="did not answer"):
        completer(stand_in, first=0.2).complete(CAPITAL)


def test_openai_client_retries_after_the_requested_wait(stand_in: StandIn) -> None:
    stand_in.fault("429,ok")
    start = time.monotonic()
    assert completer(stand_in, retries=2).complete(CAPITAL).text == "Paris"
    assert time.monotonic() - start >= 1.0
    assert len(stand_in.bodies()) == 2


def test_each_try_waits_for_its_turn(stand_in: StandIn) -> None:
    stand_in.fault("badjson,badjson,ok")
    turns: list[int] = []
    asked = completer(stand_in, retries=2, take_turn=lambda: turns.append(len(stand_in.bodies())))
    assert asked.complete(CAPITAL).text == "Paris"
    assert turns == [0, 1, 2]


@pytest.mark.parametrize("streamed", [False, True])
def test_an_answer_that_came_damaged_is_asked_for_again(stand_in: StandIn, streamed: bool) -> None:
    stand_in.fault("badjson,ok")
    heard: list[str] = []
    reply = completer(stand_in, retries=1).complete(CAPITAL, heard.append if streamed else None)
    assert reply.text == "Paris"
    assert "".join(heard) == ("Paris" if streamed else "")
    assert len(stand_in.bodies()) == 2


def test_a_page_that_is_not_a_completion_is_not_asked_for_again(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/chat/completions").respond_with_data("<html>Welcome</html>")
    options = EndpointOptions("key", httpserver.url_for(""), retries=3)
    with pytest.raises(BadAnswer):
        OpenAICompleter("replay", options).complete(CAPITAL)
    assert len(httpserver.log) == 1


def test_a_cut_answer_says_that_it_is_cut(stand_in: StandIn) -> None:
    stand_in.fault("cut,cut")
    for on_text in (None, lambda _: None):
        reply = completer(stand_in).complete(CAPITAL, on_text)
        assert (reply.text, reply.finish) == ("Pa", "length")


def test_an_answer_that_runs_away_is_cut(stand_in: StandIn) -> None:
    request = Request((Message("user", "run away"),))
    for on_text in (None, lambda _: None):
        reply = completer(stand_in).complete(request, on_text)
        assert (len(reply.text), reply.finish) == (LONGEST_TEXT, "runaway")


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "and so on " * 10_000},
        {"tool_calls": [{"index": 0, "id": "c", "function": {"arguments": "1" * 10_000}}]},
    ],
)
def test_thoughts_and_arguments_that_never_end_are_stopped(httpserver: HTTPServer, delta) -> None:
    sent: list[int] = []

    def endless(_: Asked) -> Response:
        line = f"data: {json.dumps({'choices': [{'delta': delta}]})}\n\n"

        def lines():
            for number in range(1000):
                sent.append(number)
                yield line

        return Response(lines(), content_type="text/event-stream")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(endless)
    options = EndpointOptions("k", httpserver.url_for("/v1"), retries=0)
    with pytest.raises(BadAnswer, match="not stop writing"):
        OpenAICompleter("m", options).complete(CAPITAL, lambda _: None)
    assert len(sent) < 500


@pytest.mark.parametrize("fault", ["fence", "preamble", "inject", "loop"])
def test_odd_answers_come_through_as_data(stand_in: StandIn, fault: str) -> None:
    stand_in.fault(fault)
    assert completer(stand_in).complete(CAPITAL).text


def test_a_stop_while_streaming_keeps_what_had_come(stand_in: StandIn) -> None:
    def stop(piece: str) -> None:
        raise Stopped("Stopped.")

    with pytest.raises(Stopped) as caught:
        completer(stand_in).complete(CAPITAL, stop)
    assert caught.value.partial == "Paris"  # type: ignore[attr-defined]


def test_an_unknown_model_is_named(stand_in: StandIn) -> None:
    with pytest.raises(BadAnswer, match="have the model replay"):
        completer(stand_in).complete(Request((Message("user", "unheard of"),)))


def test_a_refused_connection_is_explained_in_words() -> None:
    client = local_at("http://127.0.0.1:9/v1")
    with pytest.raises(Unreachable, match="OPENAI_BASE_URL") as caught:
        client.complete(CAPITAL)
    assert "sk-secret-1" not in str(caught.value)


def test_no_more_requests_are_under_way_than_the_endpoints_limit(stand_in: StandIn) -> None:
    stand_in.fault("", delay=30)
    client = completer(stand_in, parallel=3)
    replies = results_in_order(
        lambda n: client.complete(Request((Message("user", f"capital {n}"),))), range(12), 12
    )
    assert [reply.text for reply in replies] == ["Paris"] * 12
    assert stand_in.log()["max_in_flight"] <= 3
    stand_in.fault("", delay=0)


def test_openai_client_lists_the_endpoints_models(stand_in: StandIn) -> None:
    assert "replay" in completer(stand_in).models()


@pytest.mark.parametrize("sent", [b"<html>", b"[" * 100_000, b'{"data": 1}'])
def test_a_list_of_models_that_cannot_be_read_is_reported(sent: bytes) -> None:
    def tamper(asked: str, answer: Sent) -> Sent:
        return (sent, answer[1], 200)

    with served(lambda body: "", tamper=tamper) as endpoint:
        client = OpenAICompleter("any", EndpointOptions("k", endpoint.url, retries=0))
        with pytest.raises(BadAnswer, match="not a list"):
            client.models()


def test_texts_become_vectors_in_order_and_in_batches(stand_in: StandIn) -> None:
    embedder = OpenAIEmbedder(
        "replay-embedding", EndpointOptions("k", stand_in.base_url, retries=0), batch=2
    )
    vectors = embedder.embed(["alpha", "beta", "alpha", ""])
    assert len(vectors) == 4
    assert vectors[0] == vectors[2] != vectors[1]
    assert len(stand_in.bodies()) == 2
    assert embedder.embed([]) == []


# ------------------------------------------------------------------ endpoints of other kinds


def body(text: str = "fine") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def local(httpserver: HTTPServer) -> OpenAICompleter:
    return local_at(httpserver.url_for("/v1"))


def local_at(url: str) -> OpenAICompleter:
    return OpenAICompleter("m", EndpointOptions("sk-secret-1", url, first=5.0, retries=0))


def refusing(words: str, status: int, argument: str):  # type: ignore[no-untyped-def]
    def answer(asked: Asked) -> Response:
        if argument in json.loads(asked.data):
            return Response(
                json.dumps({"error": {"message": words}}), status, content_type="application/json"
            )
        return Response(json.dumps(body()), content_type="application/json")

    return answer


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("This model does not support tools", 400),
        ("Unrecognized request argument: tools", 422),
        ("tool_choice is not known", 404),
        ("Unprocessable Entity", 422),
        ("Not Found", 404),
    ],
)
def test_an_endpoint_without_tools_is_found_out_once(
    httpserver: HTTPServer, words: str, status: int
) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(
        refusing(words, status, "tools")
    )
    client = local(httpserver)
    assert client.capabilities.tools
    for _ in range(2):
        assert client.complete(Request(CAPITAL.messages, tools=(TOOL,))).text == "fine"
    assert not client.capabilities.tools
    assert len(httpserver.log) == 3
    sent_body = json.loads(httpserver.log[-1][0].data)
    assert "tools" not in sent_body and "esearch" in sent_body["messages"][0]["content"]


def test_prompt_describes_the_tools_where_the_caller_wants_it(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_json(body())
    local(httpserver).complete(Request(CAPITAL.messages, tools=(TOOL,), tools_in_text=True))
    sent_body = json.loads(httpserver.log[0][0].data)
    assert "tools" not in sent_body and '{"tool": "name"' in sent_body["messages"][0]["content"]


def test_an_endpoint_without_json_schema_is_found_out_once(httpserver: HTTPServer) -> None:
    answer = refusing(
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported",
        400,
        "response_format",
    )
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    client = local(httpserver)
    assert client.complete(Request(CAPITAL.messages, response_schema=SCHEMA)).text == "fine"
    assert (client.capabilities.schema, client.capabilities.tools) == (False, True)


def test_a_strict_request_is_not_sent_without_its_schema(httpserver: HTTPServer) -> None:
    answer = refusing("'response_format' is not supported", 400, "response_format")
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    client = local(httpserver)
    for _ in range(2):
        with pytest.raises(BadAnswer, match="JSON Schema"):
            client.complete(Request(CAPITAL.messages, response_schema=SCHEMA, strict=True))
    assert len(httpserver.log) == 1


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        (
            (
                "Unsupported value: 'temperature' does not support 0 with this model. Only the"
                " default (1) is supported."
            ),
            "temperature",
        ),
        (
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
                " 'max_completion_tokens'."
            ),
            "max_tokens",
        ),
        ("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
        ("Unknown argument: seed", "seed"),
    ],
)
def test_a_parameter_that_a_model_does_not_take_is_left_out(
    httpserver: HTTPServer, words: str, argument: str
) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(
        refusing(words, 400, argument)
    )
    request = Request(
        CAPITAL.messages, stop=("ne",), max_tokens=9, seed=1, tools=(TOOL,), response_schema=SCHEMA
    )
    client = local(httpserver)
    assert client.complete(request).text == "fi"
    assert not getattr(client.capabilities, argument)
    assert (client.capabilities.tools, client.capabilities.schema) == (True, True)
    last = json.loads(httpserver.log[-1][0].data)
    assert last.get("max_tokens", last.get("max_completion_tokens")) == 9


def test_a_refusal_for_another_reason_is_an_error(httpserver: HTTPServer) -> None:
    answer = refusing("The prompt is too odd, sk-secret-1", 400, "messages")
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    with pytest.raises(BadAnswer, match="too odd") as caught:
        local(httpserver).complete(Request(CAPITAL.messages, tools=(TOOL,)))
    assert "sk-secret-1" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "error"),
    [(401, Unauthorised), (403, Unauthorised), (404, BadAnswer), (503, Unreachable)],
)
def test_a_status_is_explained_in_words(httpserver: HTTPServer, status: int, error: type) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_data("<html>no</html>", status)
    with pytest.raises(error, match=str(status)):
        local(httpserver).complete(CAPITAL)


@pytest.mark.parametrize(
    "page",
    [
        "<html>a page</html>",
        "{}",
        '{"choices": []}',
        "null",
        "[]",
        '{"choices": [{"message": null}]}',
    ],
)
def test_malformed_completion_is_refused_with_a_sentence(httpserver: HTTPServer, page: str) -> None:
    kind = "text/html" if page.startswith("<") else "application/json"
    httpserver.expect_request("/v1/chat/completions").respond_with_data(page, content_type=kind)
    with pytest.raises(BadAnswer):
        local(httpserver).complete(CAPITAL)


def test_tokens_are_estimated_where_they_are_not_counted(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_json(body("four"))
    usage = local(httpserver).complete(CAPITAL).usage
    assert (usage.tokens_out, usage.estimated) == (1, True)


def test_unstorable_characters_of_an_answer_are_replaced(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_json(body("aspirin \ud800\0 𝛽"))
    assert local(httpserver).complete(CAPITAL).text == "aspirin \ufffd\ufffd 𝛽"


def test_answer_of_a_dropped_stream_is_marked_as_cut(httpserver: HTTPServer) -> None:
    def half(asked: Asked) -> Response:
        choice = {"index": 0, "delta": {"content": "half an"}, "finish_reason": None}
        event = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": [choice],
        }
        return Response(f"data: {json.dumps(event)}\n\n", content_type="text/event-stream")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(half)
    reply = local(httpserver).complete(CAPITAL, lambda _: None)
    assert (reply.text, reply.finish) == ("half an", "cut")


def test_a_model_must_be_named() -> None:
    with pytest.raises(SettingsError, match="GROUNDWORK_MODEL"):
        OpenAICompleter("")


def embedded(server: HTTPServer, *texts: str) -> list[list[float]]:
    return OpenAIEmbedder("v", EndpointOptions("sk-1", server.url_for("/v1"), retries=1)).embed(
        texts
    )


def test_an_endpoint_that_takes_no_form_of_vectors_is_asked_without_it(
    httpserver: HTTPServer,
) -> None:
    def answer(asked: Asked) -> Response:
        if "encoding_format" in asked.get_json():
            refusal = "Setting {'encoding_format': 'float'} is not supported"
            return Response(json.dumps({"error": {"message": refusal}}), 400)
        packed = base64.b64encode(struct.pack("<2f", 0.5, 1.0)).decode()
        rows = [{"index": 1, "embedding": packed}, {"index": 0, "embedding": [1, 2.5]}]
        return Response(json.dumps({"data": rows}), mimetype="application/json")

    httpserver.expect_request("/v1/embeddings").respond_with_handler(answer)
    assert embedded(httpserver, "tau", "rho") == [[1.0, 2.5], [0.5, 1.0]]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"data": None},
        {"data": [{"index": 0}]},
        {"data": [{"index": 3, "embedding": [1]}]},
        {"data": [{"embedding": "!!"}]},
        {"data": [{"embedding": ["a"]}]},
        {"data": [{"embedding": []}]},
        [],
    ],
)
def test_malformed_embeddings_are_refused_with_a_sentence(
    httpserver: HTTPServer, body: Any
) -> None:
    httpserver.expect_request("/v1/embeddings").respond_with_json(body)
    with pytest.raises(BadAnswer, match=r"language model (gives|gave)"):
        embedded(httpserver, "tau")


def test_vectors_are_asked_for_again_after_trouble_that_may_pass(httpserver: HTTPServer) -> None:
    busy = {"error": {"message": "busy"}}
    httpserver.expect_ordered_request("/v1/embeddings").respond_with_json(
        busy, 429, headers={"Retry-After": "0"}
    )
    rows = [{"index": 0, "embedding": [1.0]}]
    httpserver.expect_ordered_request("/v1/embeddings").respond_with_json({"data": rows})
    assert embedded(httpserver, "tau") == [[1.0]]


@pytest.mark.parametrize("status", [200, 400])
def test_a_refusal_of_vectors_does_not_quote_the_text(httpserver: HTTPServer, status: int) -> None:
    refusal = {"error": {"message": "bad input: The patient of bed seven has a rare fever"}}
    httpserver.expect_request("/v1/embeddings").respond_with_json(refusal, status)
    with pytest.raises(BadAnswer) as caught:
        embedded(httpserver, "The patient of bed seven has a rare fever.")
    assert "fever" not in str(caught.value)


@pytest.mark.parametrize("streamed", [False, True])
def test_an_answer_nested_too_deeply_is_refused_with_a_sentence(
    httpserver: HTTPServer, streamed: bool
) -> None:
    deep, kind = '{"choices": ' + "[" * 100_000, "application/json"
    if streamed:
        deep, kind = f"data: {deep}\n\n", "text/event-stream"
    httpserver.expect_request("/chat/completions").respond_with_data(deep, content_type=kind)
    options = EndpointOptions("key", httpserver.url_for(""), retries=0)
    with pytest.raises(BadAnswer, match="language model gives"):
        OpenAICompleter("m", options).complete(CAPITAL, (lambda _: None) if streamed else None)
