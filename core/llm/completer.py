"""What the desk asks of a language model, from any provider."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from core.model import Json

OnText = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `role` is system, user, assistant or tool; `calls` are an assistant's tool calls,
    and `call_id` says which of them a tool's turn answers.
    """

    role: str
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may name; `parameters` is a JSON Schema of an object."""

    name: str
    description: str
    parameters: Json


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model named. `arguments` is the text it wrote: JSON that has not been
    checked.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Request:
    """A question to a model. `path` is its place in the run's tree; it orders calls and is not part
    of the request.

    `response_schema` is a JSON Schema that the answer must satisfy; `max_tokens` 0 leaves it to the
    endpoint. One that cannot hold to the schema is asked without it; with `strict` it is not asked,
    and `complete` raises BadAnswer. `tools_in_text`: tools are told in the prompt, also where the
    endpoint seems to take them (see `tool_text`).
    """

    messages: tuple[Message, ...]
    stop: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    response_schema: Json = None
    temperature: float = 0.0
    max_tokens: int = 0
    seed: int | None = None
    path: str = ""
    strict: bool = False
    tools_in_text: bool = False

    def payload(self) -> Json:
        """The request as JSON, without its place: what is stored, shown and hashed."""
        payload_json = {
            "messages": [message_json(m) for m in self.messages],
            "stop": list(self.stop),
            "tools": [
                {"name": t.name, "description": t.description, "parameters": t.parameters}
                for t in self.tools
            ],
            "response_schema": self.response_schema,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
        }
        return payload_json | ({"tools_in_text": True} if self.tools_in_text else {})


def message_json(message: Message) -> Json:
    calls = [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in message.calls]
    message_fields = {
        "role": message.role,
        "content": message.content,
        "calls": calls,
        "call_id": message.call_id,
    }
    return {
        key: value for key, value in message_fields.items() if value or key in ("role", "content")
    }


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as counted by the endpoint, or estimated at four characters a token (`estimated`)."""

    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer. `finish` is stop, tool_calls, length (a limit of the endpoint ended it),
    cut (the connection did) or runaway (it was longer than any answer). `call` is the id of the
    stored Call, if any. `reasoning` are the thoughts that came with it: shown, never read as an
    answer.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    call: str = ""
    reasoning: str = ""

    @property
    def whole(self) -> bool:
        """Whether it came to its end."""
        return self.finish not in ("length", "cut", "runaway")


class Completer(Protocol):
    """Anything that answers a Request. `complete` raises the RemoteError tree; it never returns a
    failed answer.
    """

    @property
    def model(self) -> str: ...

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply: ...


@dataclass(slots=True)
class ModelCapabilities:
    """What is known of a model: `context` is the tokens that it reads at once, 0 where nobody
    knows; whether it takes tools, a schema of the answer, and streams. Each is true until refused.
    """

    context: int = 0
    tools: bool = True
    schema: bool = True
    stream: bool = True


@runtime_checkable
class KnowsCapabilities(Protocol):
    """A completer that can say what its model is able to do."""

    @property
    def capabilities(self) -> ModelCapabilities: ...


def capabilities_of(completer: object) -> ModelCapabilities:
    """What a completer says of its model; every ability, where it says nothing."""
    return (
        completer.capabilities if isinstance(completer, KnowsCapabilities) else ModelCapabilities()
    )


class Embedder(Protocol):
    """Anything that turns texts into vectors: one list of floats a text, in order."""

    @property
    def model(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]: ...
