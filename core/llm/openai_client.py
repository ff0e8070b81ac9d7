"""Any OpenAI-compatible endpoint, through the `openai` package (imported on first use: it takes 0.6
s).

What an endpoint refuses (tools, a response schema, a temperature, …) is left out from then on:
tools are told in the prompt instead (`tool_text`), and `supports_schema` tells callers to ask in
words. Seconds throughout.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import (
    BadAnswer,
    ContextExceeded,
    Filtered,
    RateLimited,
    RemoteError,
    SettingsError,
    Unreachable,
)
from core.llm.completer import OnText, Reply, Request, ToolCall, Usage
from core.llm.fault import (
    FEATURES,
    TRANSPORT,
    VARIABLES,
    Unsupported,
    retry_pause,
    translate_error,
    was_refused,
)
from core.llm.offered import OfferedModel, offered_model
from core.llm.parallel import Limit
from core.llm.reasoning import AnswerStream, separate_thoughts
from core.llm.recorded import until_stop_word
from core.llm.tool_text import in_words
from core.model import Json

LONGEST_TEXT = 100_000  # characters: beyond it an answer is cut
FILTERED = "content_filter"  # why an answer ended, in the words of the protocol
NOTICED = 4000  # characters of a prompt from which a silent cut can be told from a short count
SPARSEST = 6.5  # characters a token, at the most, of a prompt that was read whole
USUAL = 4.4  # characters a token of most prompts
ROUND = (2048, 4096, 8192, 16_384, 32_768)  # tokens: a count just below one may be a full context
UNSOUND = re.compile(r"[\0\ud800-\udfff]")
NO_KEY = "none"  # the package insists on a key; local endpoints do not


class OpenAICompleter:
    """A Completer. Safe to share between threads; at most `parallel` requests are under way at
    once. `title` is the model's name for people and the record, where it is not the endpoint's own;
    `variables` are those that hold the endpoint's key and address; `context` is the tokens that
    the model can read at once, 0 where nobody knows.
    """

    def __init__(
        self,
        model: str,
        api_key: str = "",
        base_url: str = "",
        *,
        timeout: float = 120.0,
        retries: int = 3,
        parallel: int = 8,
        max_tokens: int = 0,
        title: str = "",
        variables: tuple[str, str] = VARIABLES,
        client: Any = None,
        sleep: Callable[[float], None] = time.sleep,
    ):
        if not model:
            raise SettingsError(
                "No model is named.", "Set GROUNDWORK_MODEL, or choose one on the Settings page."
            )
        self._model, self._title, self._variables = model, title or model, variables
        self.max_tokens, self.context = max_tokens, 0
        self._options: dict[str, Any] = {"api_key": api_key or NO_KEY, "base_url": base_url or None}
        self._options |= {"timeout": timeout, "max_retries": 0}  # `_patiently` tries again
        self._retries, self._sleep = retries, sleep
        self._client, self._lock = client, threading.Lock()
        self._limit = Limit.of(base_url or "openai", parallel)
        self.secrets = (api_key,) if api_key else ()
        self.supports_tools = True
        self.supports_schema = True
        self.supports_usage = True
        self.supports_temperature = True
        self.supports_max_tokens = True
        self.supports_stop = True
        self.supports_seed = True
        self.supports_stream = True

    @property
    def model(self) -> str:
        return self._title

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """The answer; streamed to `on_text` piece by piece if given. `finish` is `cut` when it
        broke off or ran away, `length` when the endpoint ended it. Raises the RemoteError tree; an
        empty answer is a BadAnswer.
        """
        with self._limit:
            reply = self._ask(request, on_text)
        if reply.finish == FILTERED:
            raise Filtered(
                f"The content filter of the endpoint stopped the answer of {self.model}.",
                "Ask about a shorter part of the text, or use another endpoint.",
            )
        if not reply.text.strip() and not reply.calls and reply.reasoning:
            raise BadAnswer(
                f"The model {self.model} reasoned and gave no answer.",
                "Allow more tokens for an answer on Settings, or choose another model.",
            )
        self._check_length(request, reply)
        if not reply.text.strip() and not reply.calls:
            raise BadAnswer(
                f"The model {self.model} gave an empty answer.",
                "Run it again, or choose another model.",
            )
        return reply

    def _check_length(self, request: Request, reply: Reply) -> None:
        """Some endpoints drop the part of a prompt that does not fit, and say nothing."""
        asked = sum(len(message.content) for message in request.messages)
        read = reply.usage.tokens_in
        full = any(size - 16 <= read <= size for size in (*ROUND, self.context))
        least = asked / (USUAL if full else SPARSEST)
        if not reply.usage.estimated and asked > NOTICED and read < least:
            raise ContextExceeded(
                f"The model {self.model} read about {read:,} of {asked // 4:,} tokens: the endpoint"
                " cut the text off without saying so.",
                "Read the text in parts (chunks), or give the endpoint a longer context.",
                read,
            )

    def models(self) -> list[str]:
        """The names of what the endpoint offers, sorted."""
        return [one.id for one in self.offered()]

    def offered(self) -> list[OfferedModel]:
        """What the endpoint offers, by name, with all that it tells of each. Raises the RemoteError
        tree.
        """
        with translate_error(self.model, self.secrets, variables=self._variables):
            listed = [offered_model(one.to_dict()) for one in self._open().models.list()]
        return sorted((one for one in listed if one.id), key=lambda one: one.id)

    def embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors that the endpoint gives for texts that are not empty, in their order."""
        with self._limit, translate_error(self.model, self.secrets, variables=self._variables):
            answer = self._open().embeddings.create(
                model=self._model, input=list(texts), encoding_format="float"
            )
            return [list(one.embedding) for one in sorted(answer.data, key=lambda one: one.index)]

    def _ask(self, request: Request, on_text: OnText | None) -> Reply:
        """Ask, leaving out what the endpoint turns out not to know; at most once for each."""
        for _ in range(len(FEATURES) + 1):
            if request.strict and not self.supports_schema:
                raise BadAnswer(
                    "The endpoint does not hold answers to a JSON Schema.", "Ask in words instead."
                )
            try:
                return self._patiently(request, on_text)
            except Unsupported as unknown:
                setattr(self, f"supports_{unknown.feature}", False)
            except BadAnswer as error:
                if not (
                    request.tools
                    and self.supports_tools
                    and not request.tools_in_text
                    and was_refused(error)
                ):
                    raise
                return self._without_tools(request, on_text, error)
        raise BadAnswer(
            f"The model {self.model} refuses every form of this request.",
            "Choose another endpoint.",
        )

    def _patiently(self, request: Request, on_text: OnText | None) -> Reply:
        """Ask again after trouble that may pass, as long after as the endpoint asks to wait. One
        that was silent for the whole time limit is not waited for a second time.
        """
        for attempt in range(self._retries):
            try:
                return self._send(request, on_text)
            except (RateLimited, Unreachable) as error:
                seconds = retry_pause(error, attempt)
                if seconds is None:
                    raise
                self._sleep(seconds)
        return self._send(request, on_text)

    def _send(self, request: Request, on_text: OnText | None) -> Reply:
        if request.tools and (request.tools_in_text or not self.supports_tools):
            request = in_words(request)
        streamed = on_text is not None and self.supports_stream
        sent = self._arguments(request, stream=streamed)
        with translate_error(self.model, self.secrets, sent, self._variables):
            if on_text and streamed:
                return self._streamed(sent, request, on_text)
            reply = self._whole(sent, request)
        if on_text and reply.text:
            on_text(reply.text)
        return reply

    def _without_tools(self, request: Request, on_text: OnText | None, error: BadAnswer) -> Reply:
        """A refusal that does not say why may mean the tools: then the same request passes without
        them.
        """
        try:
            reply = self._send(replace(request, tools_in_text=True), on_text)
        except (RemoteError, Unsupported):
            raise error from None
        self.supports_tools = False
        return reply

    def _whole(self, sent: dict[str, Any], request: Request) -> Reply:
        answer = self._open().chat.completions.create(**sent)
        if isinstance(answer, str):
            raise self._no_completion()
        if not getattr(answer, "choices", None):
            raise BadAnswer(
                f"The model {self.model} gave an answer without content.", "Run it again."
            )
        choice = answer.choices[0]
        calls = [
            (call.id, call.function.name, call.function.arguments)
            for call in choice.message.tool_calls or ()
            if getattr(call, "function", None)
        ]
        parts = _Parts(
            choice.message.content or "",
            calls,
            choice.finish_reason or "stop",
            answer.model or "",
            reasoning_of(choice.message),
        )
        return self._reply(parts, answer.usage, request)

    def _streamed(self, sent: dict[str, Any], request: Request, on_text: OnText) -> Reply:
        stream = self._open().chat.completions.create(**sent)
        if "html" in stream.response.headers.get("content-type", ""):
            stream.close()
            raise self._no_completion()
        parts, usage = _Parts(finish=""), None
        shown = AnswerStream(on_text)
        try:
            for event in stream:
                usage = event.usage or usage
                parts.model = event.model or parts.model
                if event.choices and (piece := parts.add(event.choices[0])):
                    shown.add(piece)
                if len(parts.text) > LONGEST_TEXT:
                    break
        except Exception as error:
            if not parts.text or not broke_off(error):
                error.partial = parts.text  # type: ignore[attr-defined]
                raise
        finally:
            stream.close()
        shown.end()
        parts.finish = parts.finish or "cut"
        return self._reply(parts, usage, request)

    def _no_completion(self) -> BadAnswer:
        """A sign-in page or an address that is not the endpoint's."""
        return BadAnswer(
            "The endpoint answered with a page or plain text, which is not a completion.",
            f"Check that {self._variables[1]} is right; most end in /v1.",
        )

    def _reply(self, parts: _Parts, usage: Any, request: Request) -> Reply:
        text, thoughts = separate_thoughts(storable_text(parts.text))
        text, finish = until_stop_word(text, request.stop), parts.finish
        thoughts = "\n".join(
            part for part in (storable_text(parts.reasoning).strip(), thoughts) if part
        )
        if len(text) > LONGEST_TEXT:
            text, finish = text[:LONGEST_TEXT], "cut"
        calls = tuple(
            ToolCall(id or f"call_{n}", name, storable_text(arguments))
            for n, (id, name, arguments) in enumerate(parts.calls)
        )
        return Reply(
            text,
            calls,
            finish,
            parts.model or self.model,
            _usage(usage, request, text, calls),
            reasoning=thoughts[:LONGEST_TEXT],
        )

    def _arguments(self, request: Request, stream: bool) -> dict[str, Any]:
        sent: dict[str, Any] = {"model": self._model, "messages": list(_messages(request))}
        sent |= {"temperature": request.temperature} if self.supports_temperature else {}
        sent |= {"stop": list(request.stop) or None} if self.supports_stop else {}
        sent |= {"seed": request.seed} if self.supports_seed else {}
        most = "max_tokens" if self.supports_max_tokens else "max_completion_tokens"
        sent |= {most: request.max_tokens or self.max_tokens or None}
        if request.tools:
            sent["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": t.name,
                        "description": t.description,
                        "parameters": t.parameters,
                    },
                }
                for t in request.tools
            ]
        if request.response_schema is not None and self.supports_schema:
            sent["response_format"] = _format(request.response_schema)
        if stream:
            sent["stream"] = True
            sent |= {"stream_options": {"include_usage": True}} if self.supports_usage else {}
        return {name: value for name, value in sent.items() if value is not None}

    def _open(self) -> Any:
        with self._lock:
            if self._client is None:
                from openai import DefaultHttpxClient, OpenAI

                there = DefaultHttpxClient(timeout=self._options["timeout"], follow_redirects=False)
                self._client = OpenAI(**self._options, http_client=there)
            return self._client


@dataclass(slots=True)
class _Parts:
    """What has arrived of an answer."""

    text: str = ""
    calls: list[tuple[str, str, str]] = field(default_factory=list)
    finish: str = "stop"
    model: str = ""
    reasoning: str = ""

    def add(self, choice: Any) -> str:
        """Take one event of a stream; the text in it."""
        self.finish = choice.finish_reason or self.finish
        delta = choice.delta
        for piece in (delta.tool_calls or ()) if delta else ():
            while len(self.calls) <= piece.index:
                self.calls.append(("", "", ""))
            id, name, arguments = self.calls[piece.index]
            said = piece.function
            added = (said.name or "", said.arguments or "") if said else ("", "")
            self.calls[piece.index] = (id or piece.id or "", name or added[0], arguments + added[1])
        self.reasoning += reasoning_of(delta) if delta else ""
        text = (delta.content or "") if delta else ""
        self.text += text
        return text


def reasoning_of(message: Any) -> str:
    """The thoughts that an endpoint gives beside the answer (vLLM, DeepSeek, OpenRouter)."""
    fields = (getattr(message, name, None) for name in ("reasoning_content", "reasoning"))
    return next((field for field in fields if isinstance(field, str)), "")


def storable_text(text: str) -> str:
    """`text` with U+FFFD for NUL and half characters, which no file, page or database can hold."""
    return UNSOUND.sub("\ufffd", text)


def broke_off(error: Exception) -> bool:
    """Whether a stream ended because the connection did, and not because somebody stopped it."""
    return type(error).__module__.split(".")[0] in (*TRANSPORT, "openai", "json")


def _messages(request: Request) -> Iterator[Json]:
    for message in request.messages:
        said: dict[str, Json] = {"role": message.role, "content": message.content}
        if message.calls:
            said["tool_calls"] = [
                {
                    "id": c.id,
                    "type": "function",
                    "function": {"name": c.name, "arguments": c.arguments},
                }
                for c in message.calls
            ]
        yield said | ({"tool_call_id": message.call_id} if message.call_id else {})


def _format(schema: Json) -> Json:
    name = str(schema.get("title") or "answer") if isinstance(schema, dict) else "answer"
    safe = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)[:60]
    return {"type": "json_schema", "json_schema": {"name": safe or "answer", "schema": schema}}


def _usage(counted: Any, request: Request, text: str, calls: Sequence[ToolCall]) -> Usage:
    if counted is not None and (counted.prompt_tokens or counted.completion_tokens):
        return Usage(counted.prompt_tokens or 0, counted.completion_tokens or 0)
    asked = sum(len(message.content) for message in request.messages) + len(
        json.dumps(request.payload()["tools"])
    )
    written = len(text) + sum(len(call.name) + len(call.arguments) for call in calls)
    return Usage(-(-asked // 4), -(-written // 4), estimated=True)
