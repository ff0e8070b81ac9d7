"""Any OpenAI-compatible endpoint, through the `openai` package (imported on first use: it takes 0.6
s). What is sent is written by `request_body`, what comes back is read by `reply_reader`.

What an endpoint refuses (tools, a response schema, a temperature, …) is left out from then on:
tools are told in the prompt instead (`tool_text`), and `capabilities` tells callers to ask in
words. Seconds throughout.

A request as endpoints take it: the JSON that is sent, without what an endpoint does not know.

Vectors as endpoints write them: numbers, or the bytes of 32-bit floats in base64.

A model as an endpoint lists it. Endpoints tell more or less of it, each in fields of its own.
"""

from __future__ import annotations

import base64
import json
import math
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from core.errors import (
    BadAnswer,
    GarbledAnswer,
    RateLimited,
    RemoteError,
    SettingsError,
    Unreachable,
)
from core.llm.completer import ModelCapabilities, OnText, Reply, Request, Tool
from core.llm.endpoint_options import EndpointOptions
from core.llm.fault import retry_pause, translate_error
from core.llm.parallel import ParallelLimit
from core.llm.refusal import FEATURES, Unsupported, was_refused
from core.llm.reply_reader import ReplyReader, checked_reply
from core.llm.tool_text import with_tools_in_words
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
    *,
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


def vectors_in(body: Json) -> list[list[float]]:
    """The vectors of an answer, in the order of the texts. Raises ValueError for anything else."""
    rows = body.get("data") if isinstance(body, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("not a list of vectors")
    places = [row.get("index", place) for place, row in enumerate(rows)]
    if sorted(map(str, places)) != sorted(map(str, range(len(rows)))):
        raise ValueError("vectors of unknown texts")
    vectors = {
        str(place): _vector(row.get("embedding")) for place, row in zip(places, rows, strict=True)
    }
    return [vectors[str(place)] for place in range(len(rows))]


def _vector(value: Json) -> list[float]:
    if isinstance(value, str):
        packed = base64.b64decode(value, validate=True)
        value = (
            list(struct.unpack(f"<{len(packed) // 4}f", packed)) if len(packed) % 4 == 0 else None
        )
    if not isinstance(value, list) or not value:
        raise ValueError("no vector")
    vector = [float(number) for number in value if isinstance(number, int | float)]
    if len(vector) != len(value) or not all(map(math.isfinite, vector)):
        raise ValueError("no vector of numbers")
    return vector


LENGTHS = (  # tokens read at once: vLLM, OpenRouter, Mistral, Groq, LM Studio, llama.cpp, LiteLLM
    "max_model_len",
    "context_length",
    "max_context_length",
    "context_window",
    "loaded_context_length",
    "n_ctx",
    "max_input_tokens",
)
INNER = ("meta", "top_provider", "capabilities", "limits")  # where some of them put it
MILLION = 1_000_000
LONGEST_NAME = 200  # characters


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """`context` in tokens, 0 where it is not told; `price` in US dollars a million tokens (in and
    out), None where it is not told.
    """

    id: str
    context: int = 0
    price: tuple[float, float] | None = None


def offered_models(body: Json) -> list[OfferedModel]:
    """The answer of `/models`, by name: a list, or one below `data`. A row that cannot be read is
    left out. Raises ValueError for anything else.
    """
    rows = body.get("data") if isinstance(body, dict) else body
    if not isinstance(rows, list):
        raise ValueError("not a list of models")
    models = [offered_model(row) for row in rows]
    return sorted((model for model in models if model.id), key=lambda model: model.id)


def offered_model(row: Json) -> OfferedModel:
    """A row of `/models`. Never raises: what cannot be read is not told."""
    if not isinstance(row, dict):
        return OfferedModel("")
    id = row.get("id")
    id = id.strip()[:LONGEST_NAME] if isinstance(id, str) else ""
    id = id if id.isprintable() else ""  # a line end or a direction sign is in no model's name
    lengths = [length for part in _parts(row) for name in LENGTHS if (length := _count(part, name))]
    return OfferedModel(id, lengths[0] if lengths else 0, _price(row.get("pricing")))


def _parts(row: dict[str, Json]) -> Iterator[dict[str, Json]]:
    yield row
    for name in INNER:
        if isinstance(inner := row.get(name), dict):
            yield inner


def _count(row: dict[str, Json], name: str) -> int:
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 256 <= value <= 100_000_000 else 0


def _price(prices: Json) -> tuple[float, float] | None:
    """OpenRouter's dollars a token, and the dollars a million tokens of Together."""
    if not isinstance(prices, dict):
        return None
    try:
        if "prompt" in prices and "completion" in prices:
            pair = (float(prices["prompt"]) * MILLION, float(prices["completion"]) * MILLION)
        elif "input" in prices and "output" in prices:
            pair = (float(prices["input"]), float(prices["output"]))
        else:
            return None
    except (TypeError, ValueError):
        return None
    low, high = sorted(pair)
    return (round(pair[0], 6), round(pair[1], 6)) if low >= 0 and high <= MILLION else None


PATH, EMBEDDINGS, MODELS = "/chat/completions", "/embeddings", "/models"
DEFAULTS = EndpointOptions()
NO_KEY = "none"  # the package insists on a key; local endpoints do not
Sent = TypeVar("Sent")


class OpenAICompleter:
    """A Completer. Safe to share between threads; at most `options.parallel` requests are under
    way at once.
    """

    def __init__(
        self,
        model: str,
        options: EndpointOptions = DEFAULTS,
        *,
        client: Any = None,
        sleep: Callable[[float], None] = time.sleep,
    ):
        if not model:
            raise SettingsError(
                "No model is chosen.", "Set GROUNDWORK_MODEL, or choose one on the Settings page."
            )
        self._model, self.options = model, options
        self.capabilities = EndpointCapabilities(options.context)
        self._sleep = sleep
        self._client, self._lock = client, threading.Lock()
        self._limit = ParallelLimit.of(options.url or "openai", options.parallel)
        self.secrets = (options.key,) if options.key else ()
        self._reader = ReplyReader(self.model, options, self.secrets)

    @property
    def model(self) -> str:
        return self.options.title or self._model

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """The answer; streamed to `on_text` piece by piece if given. `finish` is `cut` when it
        broke off, `runaway` when it did not end, `length` when the endpoint ended it. Raises the
        RemoteError tree; an empty answer is a BadAnswer.
        """
        with self._limit:
            reply = self._ask(request, on_text)
        return checked_reply(self.model, request, reply, self.capabilities.context)

    def reply_in(self, body: Json, request: Request) -> Reply:
        """The reply in the body of an answer that came some other way, such as in a batch. Raises
        the RemoteError tree, and ValueError for what is no completion.
        """
        return checked_reply(
            self.model, request, self._reader.body(body, request), self.capabilities.context
        )

    def models(self) -> list[str]:
        """The names of what the endpoint offers, sorted."""
        return [model.id for model in self.offered()]

    def offered(self) -> list[OfferedModel]:
        """What the endpoint offers, by name, with all that it tells of each. Raises the RemoteError
        tree.
        """
        import httpx2

        with self._translated():
            content = self.opened().get(MODELS, cast_to=httpx2.Response).content
        try:
            body = json.loads(content)
            self._reader.look_for_error(body, ())
            return offered_models(body)
        except (ValueError, RecursionError) as error:
            raise BadAnswer(
                "The endpoint answered with something that is not a list of models.",
                f"Check that {self.options.variables[1]} is right; most end in /v1.",
            ) from error

    def embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors that the endpoint gives for texts that are not empty, in their order."""
        with self._limit:
            try:
                return self.patiently(lambda: self._vectors(texts))
            except Unsupported as unknown:
                setattr(self.capabilities, unknown.feature, False)
                return self.patiently(lambda: self._vectors(texts))

    def _vectors(self, texts: Sequence[str]) -> list[list[float]]:
        body: dict[str, Json] = {"model": self._model, "input": list(texts)}
        body |= {"encoding_format": "float"} if self.capabilities.encoding else {}
        with self._translated(body):
            answer = json.loads(self._post(body, EMBEDDINGS).content)
            self._reader.look_for_error(answer, texts)
            return vectors_in(answer)

    # ------------------------------------------------------------------ asking

    def _ask(self, request: Request, on_text: OnText | None) -> Reply:
        """Ask, leaving out what the endpoint turns out not to know; at most once for each."""
        for _ in range(len(FEATURES) + 1):
            if request.strict and not self.capabilities.schema:
                raise BadAnswer(
                    "The endpoint does not enforce a JSON Schema.", "Ask in words instead."
                )
            try:
                return self.patiently(lambda: self._send(request, on_text))
            except Unsupported as unknown:
                setattr(self.capabilities, unknown.feature, False)
            except BadAnswer as error:
                untold = request.tools and self.capabilities.tools and not request.tools_in_text
                if not (untold and was_refused(error)):
                    raise
                return self._without_tools(request, on_text, error)
        raise BadAnswer(
            f"The model {self.model} refuses every form of this request.",
            "Choose another endpoint.",
        )

    def _without_tools(self, request: Request, on_text: OnText | None, error: BadAnswer) -> Reply:
        """A refusal that does not say why may mean the tools: then the same request passes without
        them.
        """
        try:
            reply = self._send(replace(request, tools_in_text=True), on_text)
        except (RemoteError, Unsupported):
            raise error from None
        self.capabilities.tools = False
        return reply

    def patiently(self, send: Callable[[], Sent]) -> Sent:
        """Ask again after trouble that may pass, as long after as the endpoint asks to wait. One
        that was silent for the whole time limit is not waited for a second time.
        """
        for attempt in range(self.options.retries):
            try:
                return send()
            except (RateLimited, Unreachable, GarbledAnswer) as error:
                seconds = retry_pause(error, attempt)
                if seconds is None:
                    raise
                self._sleep(seconds)
        return send()

    def _send(self, request: Request, on_text: OnText | None) -> Reply:
        request = self._with_tools_as_text(request)
        body = self._body(request, stream=self._streams(request, on_text is not None))
        with self._translated(body):
            if not body.get("stream"):
                reply = self._reader.complete_reply(self._post(body), request)
                if on_text and reply.text:
                    on_text(reply.text)
                return reply
            with closing(self._post(body)) as answer:
                reply = self._reader.stream(answer, request, on_text)
        if reply.usage.estimated and reply.finish not in ("cut", "runaway"):
            self.capabilities.usage = False  # unwatched answers come whole from now on
        return reply

    def _streams(self, request: Request, watched: bool) -> bool:
        """Whether an answer is taken as it is written. Unwatched ones with tools come whole, which
        more endpoints do well; and where no tokens are counted in streams.
        """
        unwatched = self.options.streams and self.capabilities.usage and not request.tools
        return self.capabilities.stream and (watched or unwatched)

    def _post(self, body: Mapping[str, Json], path: str = PATH) -> Any:
        """The HTTP response. The package's own method for completions would look at every message
        of a body that is plain JSON already, which takes a third of a call's processor time.
        """
        import httpx2

        streamed = bool(body.get("stream"))
        self.options.take_turn()
        return self.opened().post(path, body=body, cast_to=httpx2.Response, stream=streamed)

    def _with_tools_as_text(self, request: Request) -> Request:
        """With its tools in words where the endpoint does not take them."""
        untaken = request.tools_in_text or not self.capabilities.tools
        return with_tools_in_words(request) if request.tools and untaken else request

    def _translated(self, body: dict[str, Any] | None = None) -> Any:
        return translate_error(self.model, self.secrets, body, self.options.variables)

    def body(self, request: Request) -> dict[str, Json]:
        """The request as it is sent for an answer that comes whole."""
        return self._body(self._with_tools_as_text(request), stream=False)

    def _body(self, request: Request, stream: bool) -> dict[str, Json]:
        return request_body(
            self._model,
            request,
            self.capabilities,
            max_tokens=self.options.max_tokens,
            stream=stream,
        )

    def opened(self) -> Any:
        """The package's client of this endpoint."""
        with self._lock:
            if self._client is None:
                from openai import OpenAI

                from core.llm.watched_client import WatchedClient

                limit = self.options.first
                self._client = OpenAI(
                    api_key=self.options.key or NO_KEY,
                    base_url=self.options.url or None,
                    timeout=limit,
                    max_retries=0,  # `patiently` tries again
                    http_client=WatchedClient(limit),
                )
            return self._client
