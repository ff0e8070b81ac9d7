"""Tools for endpoints that know none: they are listed in the prompt, and a call is one JSON object
in the text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from core.llm.completer import Message, Request, Tool, ToolCall
from core.model import Json

SAID = """To use a tool write one JSON object and nothing else: {"tool": "name", "arguments": {…}}.
The tools are:
"""
READ = 20_000  # characters of a text in which JSON is looked for


def with_tools_in_words(request: Request) -> Request:
    """The same request without the feature: the tools stand in the system message, calls and
    results are turns.
    """
    listed = SAID + "\n".join(_described(tool) for tool in request.tools)
    first_message, *later_messages = (
        request.messages
        if request.messages[0].role == "system"
        else (Message("system", ""), *request.messages)
    )
    system = Message("system", f"{first_message.content}\n{listed}".lstrip())
    return replace(
        request,
        tools=(),
        messages=(system, *(_plain_message(message) for message in later_messages)),
    )


def calls_in(text: str) -> tuple[ToolCall, ...]:
    """The call that a text makes: the first JSON object with `tool`. What stands after it is not
    looked at, for a model may go on and make the result up.
    """
    for tool_json in json_objects(text):
        if "tool" in tool_json:
            return (
                ToolCall(
                    "",
                    str(tool_json["tool"]),
                    json.dumps(tool_json.get("arguments") or {}, ensure_ascii=False),
                ),
            )
    return ()


def json_objects(text: str) -> Iterator[dict[str, Json]]:
    """The JSON objects in a text, outermost ones only, in order."""
    text, at = text[:READ], 0
    while (at := text.find("{", at)) >= 0:
        try:
            json_object, at = json.JSONDecoder(strict=False).raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            yield json_object


def _described(tool: Tool) -> str:
    return (
        f"{tool.name}: {tool.description}"
        f" {json.dumps(tool.parameters.get('properties', {}), ensure_ascii=False)}"
    )


def _plain_message(message: Message) -> Message:
    if message.role == "tool":
        return Message("user", message.content)
    call_texts = [
        json.dumps({"tool": call.name, "arguments": call.arguments}, ensure_ascii=False)
        for call in message.calls
    ]
    return Message(message.role, "\n".join(filter(None, [message.content, *call_texts])))
