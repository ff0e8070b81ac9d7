"""Answers in the many ways in which endpoints write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.llm.answer_parts import AnswerParts, CallParts, stream_events


def read(*events: Any) -> AnswerParts:
    parts = AnswerParts()
    for event in events:
        parts.add(event)
    return parts


def message(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"message": fields}]}


def delta(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"delta": fields}]}


@pytest.mark.parametrize(
    ("content", "text", "thoughts"),
    [
        ("Paris", "Paris", ""),
        (None, "", ""),
        (7, "", ""),
        ([{"type": "text", "text": "Par"}, {"type": "text", "text": "is"}], "Paris", ""),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}, "Paris"],
         "Paris", "Hm"),
        ([None, {"type": "image"}], "", ""),
    ],
    ids=["text", "null", "a number", "parts", "thoughts among parts", "other parts"],
)  # fmt: skip
def test_content_is_read_in_every_form(content: Any, text: str, thoughts: str) -> None:
    parts = read(message(content=content))
    assert (parts.text, parts.reasoning) == (text, thoughts)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("stop", "stop"), ("eos", "stop"), ("end_turn", "stop"), ("STOP", "stop"), ("", ""),
     ("MAX_TOKENS", "length"), ("length", "length"), ("tool_use", "tool_calls"),
     ("function_call", "tool_calls"), ("SAFETY", "content_filter"), (None, ""), (3, "")],
)  # fmt: skip
def test_end_of_an_answer_is_read_in_one_way(reason: Any, finish: str) -> None:
    assert read({"choices": [{"finish_reason": reason}]}).finish == finish


def test_refusal_instead_of_an_answer_is_a_filter() -> None:
    assert read(message(content=None, refusal="I cannot")).finish == "content_filter"
    pieces = [{"choices": [{"delta": {"refusal": word}}]} for word in ("I ", "cannot")]
    ended = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    assert read(*pieces, ended).finish == "content_filter"


@pytest.mark.parametrize("arguments", [{"id": "5"}, '{"id": "5"}'])
def test_arguments_become_text_in_whatever_form_they_arrive(arguments: Any) -> None:
    call = {"function": {"name": "look", "arguments": arguments}}
    (call_read,) = read(message(tool_calls=[call])).calls
    assert json.loads(call_read.arguments) == {"id": "5"}


def test_function_of_the_older_protocol_is_a_call() -> None:
    parts = read(message(function_call={"name": "look", "arguments": "{}"}))
    assert parts.calls == [CallParts("", "look", "{}")]


def test_pieces_of_calls_without_numbers_come_together() -> None:
    parts = read(
        delta(tool_calls=[{"id": "a", "function": {"name": "look", "arguments": '{"id"'}}]),
        delta(tool_calls=[{"function": {"arguments": ": 5}"}}]),
        delta(tool_calls=[{"id": "b", "function": {"name": "look", "arguments": "{}"}}]),
    )
    assert parts.calls == [CallParts("a", "look", '{"id": 5}'), CallParts("b", "look", "{}")]


def test_tokens_are_read_under_either_name() -> None:
    assert read({"usage": {"prompt_tokens": 4, "completion_tokens": 2}}).tokens == (4, 2)
    assert read({"usage": {"input_tokens": 4, "output_tokens": 2}}).tokens == (4, 2)
    assert read({"x_groq": {"usage": {"prompt_tokens": 4}}}).tokens == (4, 0)
    assert read({"usage": {"prompt_tokens": 0}}, {"usage": None}).tokens is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_stream_is_read_however_its_lines_end(end: str, mark: str) -> None:
    sent = mark + 'data:{"a": 1}\r\n\r\n: hello\nevent: x\n'
    sent += 'data: {"b":\ndata: 2}\n\ndata: {"c": "\u2028"}\n'
    whole = sent.replace("\r\n", "\n").replace("\n", end).encode()
    for cut in (1, 2, 3, 7, len(whole)):
        pieces = [whole[n : n + cut] for n in range(0, len(whole), cut)]
        assert list(stream_events(pieces)) == [{"a": 1}, {"b": 2}, {"c": "\u2028"}]


def test_an_event_is_given_out_before_the_next_piece_is_waited_for() -> None:
    def pieces() -> Iterator[bytes]:
        yield b'data: {"a": 1}\r'
        raise TimeoutError

    assert next(stream_events(pieces())) == {"a": 1}


def test_parts_after_the_end_of_a_stream_are_ignored() -> None:
    assert list(stream_events([b"data: [DONE]\n\ndata: nonsense\n\n"])) == []


@pytest.mark.parametrize("sent", [b"data: {half\n\ndata: {}\n\n", b"data: x" * 700_000])
def test_stream_that_is_not_a_stream_is_refused(sent: bytes) -> None:
    with pytest.raises(ValueError, match="of the stream"):
        list(stream_events([sent]))


@pytest.mark.parametrize("event", [None, [], "text", 5])
def test_stream_part_that_is_not_an_object_is_refused(event: Any) -> None:
    with pytest.raises(ValueError, match="not a completion"):
        read(event)


@pytest.mark.parametrize(
    "event",
    [{"choices": None}, {"choices": [None]}, {"choices": [{"delta": None}]}, {"usage": [1]},
     message(tool_calls=[None, 5, {"index": 10**9, "function": None}])],
)  # fmt: skip
def test_odd_fields_are_passed_over(event: Any) -> None:
    assert read(event).text == ""
