"""Tools in words: the prompt lists them, and the first JSON object with `tool` is the call."""

from __future__ import annotations

import json

import pytest

from core.llm.completer import Message, Request, Tool, ToolCall
from core.llm.tool_text import calls_in, json_objects, with_tools_in_words

TOOL = Tool(
    "esearch", "Search NCBI.", {"type": "object", "properties": {"term": {"type": "string"}}}
)
CALL = '{"tool": "esearch", "arguments": {"term": "x"}}'


def test_tools_calls_and_results_become_plain_turns() -> None:
    turns = (
        Message("system", "Be short."),
        Message("user", "Who?"),
        Message("assistant", "", (ToolCall("1", "esearch", "{}"),)),
        Message("tool", "found", call_id="1"),
    )
    request = with_tools_in_words(Request(turns, tools=(TOOL,)))
    assert not request.tools and [message.role for message in request.messages] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert (
        request.messages[0].content.startswith("Be short.")
        and "esearch: Search NCBI." in request.messages[0].content
    )
    assert not any(message.calls or message.call_id for message in request.messages)


def test_a_prompt_without_a_system_turn_gets_one() -> None:
    request = with_tools_in_words(Request((Message("user", "Who?"),), tools=(TOOL,)))
    assert [message.role for message in request.messages] == ["system", "user"]


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"```json\n{CALL}\n```",
        f"Sure! Here {{is}} it:\n{CALL}\nResult: {{}}",
        CALL + CALL.replace("x", "y"),
    ],
)
def test_the_first_call_in_a_text_counts(text: str) -> None:
    (call,) = calls_in(text)
    assert (call.name, json.loads(call.arguments)) == ("esearch", {"term": "x"})


@pytest.mark.parametrize(
    "text", ["", "no", '{"answer": "x"}', "{" * 5000, '{"a":' * 5000, '[{"b": 1}']
)
def test_text_without_a_tool_call_gives_none(text: str) -> None:
    assert calls_in(text) == ()


def test_objects_are_the_outermost_ones() -> None:
    assert list(json_objects('a {"b": {"c": 1}} {bad {"d": 2}')) == [{"b": {"c": 1}}, {"d": 2}]
