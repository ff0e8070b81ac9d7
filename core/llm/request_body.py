"""A request as endpoints take it: the JSON that is sent, without what an endpoint does not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.llm.completer import ModelCapabilities, Request, Tool
from core.model import Json


@dataclass(slots=True)
class EndpointCapabilities(ModelCapabilities):
    """What an endpoint takes beside these, as far as it has not refused it. The names are those of
    `fault.FEATURES`; `usage` is whether it counts tokens in streams.
    """

    usage: bool = True
    temperature: bool = True
    max_tokens: bool = True  # else `max_completion_tokens`, its newer name
    stop: bool = True
    seed: bool = True
    encoding: bool = True  # of vectors


def request_body(
    model: str,
    request: Request,
    able: EndpointCapabilities,
    max_tokens: int = 0,
    stream: bool = False,
) -> dict[str, Json]:
    """The JSON of a request. `max_tokens` is of answers whose request sets none, 0 leaves it to the
    endpoint.
    """
    body: dict[str, Json] = {"model": model, "messages": list(_messages(request))}
    body |= {"temperature": request.temperature} if able.temperature else {}
    body |= {"stop": list(request.stop) or None} if able.stop else {}
    body |= {"seed": request.seed} if able.seed else {}
    most = "max_tokens" if able.max_tokens else "max_completion_tokens"
    body |= {most: request.max_tokens or max_tokens or None}
    body |= {"tools": [_tool(tool) for tool in request.tools] or None}
    if request.response_schema is not None and able.schema:
        body["response_format"] = _format(request.response_schema)
    if stream:
        body["stream"] = True
        body |= {"stream_options": {"include_usage": True}} if able.usage else {}
    return {name: value for name, value in body.items() if value is not None}


def _tool(tool: Tool) -> Json:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


def _messages(request: Request) -> Iterator[Json]:
    for message in request.messages:
        message_body: dict[str, Json] = {"role": message.role, "content": message.content}
        if message.calls:
            message_body["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for call in message.calls
            ]
        yield message_body | ({"tool_call_id": message.call_id} if message.call_id else {})


def _format(schema: Json) -> Json:
    name = str(schema.get("title") or "answer") if isinstance(schema, dict) else "answer"
    safe = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)[:60]
    return {"type": "json_schema", "json_schema": {"name": safe or "answer", "schema": schema}}
