"""Five servers as they are found in the world, on starlette: what vLLM, Ollama, llama.cpp,
OpenRouter and Azure add to an answer, how they cut their streams into pieces, and how they word a
refusal.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

Answering = Callable[[dict[str, Any]], str | dict[str, Any]]
PIECE = 7  # bytes that are sent at once: a letter may be cut in two
Refusal = tuple[int, dict[str, Any]]


def _error(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message} | more}


REFUSALS: dict[str, dict[str, Refusal]] = {
    "vllm": {
        "context": (
            400,
            {
                "object": "error",
                "type": "BadRequestError",
                "param": None,
                "code": 400,
                "message": "This model's maximum context length is 2048 tokens. However, you"
                " requested 2500 tokens in the messages, Please reduce the length of the messages.",
            },
        ),
        "model": (404, _error("The model `m` does not exist.", type="NotFoundError", code=404)),
        "key": (401, {"error": "Unauthorized"}),
        "broken": (
            500,
            {
                "object": "error",
                "message": "EngineCore encountered an issue.",
                "type": "InternalServerError",
                "code": 500,
            },
        ),
    },
    "ollama": {
        "model": (
            404,
            _error(
                'model "m" not found, try pulling it first', type="api_error", param=None, code=None
            ),
        ),
        "broken": (
            500,
            _error(
                "llama runner process has terminated: signal: killed",
                type="api_error",
                param=None,
                code=None,
            ),
        ),
        "busy": (
            503,
            {"error": "server busy, please try again.  maximum pending requests exceeded"},
        ),
    },
    "llamacpp": {
        "context": (
            400,
            _error(
                "the request exceeds the available context size, try increasing it",
                code=400,
                type="exceed_context_size_error",
                n_prompt_tokens=2500,
                n_ctx=2048,
            ),
        ),
        "key": (401, _error("Invalid API Key", code=401, type="authentication_error")),
        "busy": (503, _error("Loading model", code=503, type="unavailable_error")),
    },
    "openrouter": {
        "context": (
            400,
            _error(
                "This endpoint's maximum context length is 2048 tokens. However, you"
                " requested about 2500 tokens (2500 of text input).",
                code=400,
                metadata={"provider_name": None},
            ),
        ),
        "quota": (
            402,
            _error("Insufficient credits. Add more using https://openrouter.ai/credits", code=402)
            | {"user_id": "user_1"},
        ),
        "model": (400, _error("m is not a valid model ID", code=400) | {"user_id": "user_1"}),
        "filter": (
            403,
            _error(
                'm requires moderation on OpenInference. Your input was flagged for "violence".',
                code=403,
                metadata={
                    "reasons": ["violence"],
                    "flagged_input": "Aspirin",
                    "provider_name": "x",
                    "model_slug": "m",
                },
            ),
        ),
        "key": (401, _error("No auth credentials found", code=401)),
        "busy": (
            429,
            _error(
                "Provider returned error",
                code=429,
                metadata={"raw": "m is temporarily rate-limited upstream.", "provider_name": "x"},
            )
            | {"user_id": "user_1"},
        ),
    },
    "azure": {
        "context": (
            400,
            _error(
                "This model's maximum context length is 2048 tokens. However, your"
                " messages resulted in 2500 tokens.",
                type="invalid_request_error",
                param="messages",
                code="context_length_exceeded",
            ),
        ),
        "quota": (
            429,
            _error(
                "You exceeded your current quota, please check your plan and billing details.",
                type="insufficient_quota",
                param=None,
                code="insufficient_quota",
            ),
        ),
        "model": (
            404,
            _error(
                "The API deployment for this resource does not exist. If you created"
                " the deployment within the last 5 minutes, please wait a moment and try again.",
                code="DeploymentNotFound",
            ),
        ),
        "filter": (
            400,
            _error(
                "The response was filtered due to the prompt triggering Azure OpenAI's"
                " content management policy.",
                type=None,
                param="prompt",
                code="content_filter",
                status=400,
                innererror={
                    "code": "ResponsibleAIPolicyViolation",
                    "content_filter_result": {"violence": {"filtered": True, "severity": "high"}},
                },
            ),
        ),
        "key": (
            401,
            _error(
                "Access denied due to invalid subscription key or wrong API endpoint.", code="401"
            ),
        ),
        "busy": (
            429,
            _error(
                "Your requests to m have exceeded token rate limit of your current"
                " AIServices S0 pricing tier. Please retry after 7 seconds.",
                code="429",
            ),
        ),
    },
}
NO_TOOLS = {
    "vllm": (
        400,
        _error(
            '"auto" tool choice requires --enable-auto-tool-choice and'
            " --tool-call-parser to be set",
            type="BadRequestError",
            param=None,
            code=400,
        ),
    ),
    "ollama": (
        400,
        _error(
            "registry.ollama.ai/library/m:latest does not support tools",
            type="api_error",
            param=None,
            code=None,
        ),
    ),
    "llamacpp": (500, _error("tools param requires --jinja flag", code=500, type="server_error")),
}
NOT_TAKEN = {  # parameters that newer models of Azure refuse
    "max_tokens": _error(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
        " 'max_completion_tokens' instead.",
        type="invalid_request_error",
        param="max_tokens",
        code="unsupported_parameter",
    ),
    "temperature": _error(
        "Unsupported value: 'temperature' does not support 0.0 with this model."
        " Only the default (1) value is supported.",
        type="invalid_request_error",
        param="temperature",
        code="unsupported_value",
    ),
}


@dataclass
class Flavour:
    """One of the servers. `refuses` names one of its refusals; `breaks`: its stream ends with an
    error after the first words, `drops`: or without one.
    """

    name: str
    answering: Answering
    refuses: str = ""
    breaks: bool = False
    drops: bool = False
    pause: float = 0.0  # seconds before an answer
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)

    # ------------------------------------------------------------------ what it answers

    def refusal(self, body: dict[str, Any]) -> Refusal | None:
        if self.refuses:
            return REFUSALS[self.name][self.refuses]
        if body.get("tools") and self.name in NO_TOOLS:
            return NO_TOOLS[self.name]
        if self.name == "azure":
            return next(((400, error) for name, error in NOT_TAKEN.items() if name in body), None)
        return None

    def message(self, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
        answer = self.answering(body)
        if isinstance(answer, dict):
            function = {"name": answer["name"], "arguments": json.dumps(answer["arguments"])}
            call = {"index": 0, "id": "call_0", "type": "function", "function": function}
            return {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        message = {"role": "assistant", "content": answer}
        if self.name in ("ollama", "openrouter"):
            message["reasoning"] = "triples: a thought"
        if self.name == "vllm":
            message["reasoning_content"] = None  # type: ignore[assignment]
        return message, "stop"

    def usage(self, body: dict[str, Any], text: str) -> dict[str, Any]:
        prompt_tokens = sum(len(str(m.get("content") or "")) for m in body["messages"]) // 4
        completion_tokens = len(text) // 4 + 1
        details = {"cached_tokens": 0, "audio_tokens": 0}
        return {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
            "prompt_tokens_details": details,
            "cost": 0.0001,
        }

    def whole(self, body: dict[str, Any]) -> dict[str, Any]:
        message, finish = self.message(body)
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
        extra = {
            "vllm": {"prompt_logprobs": None, "kv_transfer_params": None},
            "ollama": {"system_fingerprint": "fp_ollama"},
            "llamacpp": {"timings": {"prompt_n": 1, "predicted_ms": 1.5}, "__verbose": {}},
            "openrouter": {"provider": "Somebody"},
            "azure": {"prompt_filter_results": [{"prompt_index": 0, "content_filter_results": {}}]},
        }[self.name]
        if self.name == "openrouter":
            choice["native_finish_reason"] = finish.upper()
        head = {"id": "x", "object": "chat.completion", "created": 1, "model": "m-2026"}
        return {
            **head,
            **extra,
            "choices": [choice],
            "usage": self.usage(body, str(message["content"])),
        }

    def events(self, body: dict[str, Any]) -> Iterator[str]:
        """The lines of a stream as this server writes them."""
        message, finish = self.message(body)
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m-2026"}

        def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
            return "data: " + json.dumps(head | {"choices": [choice]} | more, ensure_ascii=False)

        if self.name == "openrouter":
            yield ": OPENROUTER PROCESSING"
            yield ": OPENROUTER PROCESSING"
        if self.name == "azure":
            yield "data: " + json.dumps(
                head
                | {
                    "choices": [],
                    "model": "",
                    "id": "",
                    "prompt_filter_results": [{"prompt_index": 0}],
                }
            )
        yield chunk({"role": "assistant", "content": ""})
        if message.get("reasoning"):
            yield chunk({"content": "", "reasoning": message["reasoning"]})
        text = message["content"] or ""
        pieces = [text[at : at + 5] for at in range(0, len(text), 5)]
        for number, piece in enumerate(pieces):
            if number == 3 and self.drops:
                return
            if number == 3 and self.breaks:
                error = {"code": "server_error", "message": "Provider disconnected"}
                if self.name == "llamacpp":
                    yield "error: " + json.dumps({"code": 500, "message": "slot failed"})
                else:
                    yield chunk({"content": ""}, "error", error=error)
                return
            yield chunk({"content": piece})
        for call in message.get("tool_calls", ()):
            arguments = call["function"]["arguments"]
            begun = call | {"function": call["function"] | {"arguments": ""}}
            yield chunk({"tool_calls": [begun]})
            for at in range(0, len(arguments), 9):
                piece = {"index": 0, "function": {"arguments": arguments[at : at + 9]}}
                yield chunk({"tool_calls": [piece]})
        yield chunk({}, finish)
        if (body.get("stream_options") or {}).get("include_usage"):
            yield "data: " + json.dumps(head | {"choices": [], "usage": self.usage(body, text)})
        yield "data: [DONE]"

    # ------------------------------------------------------------------ how it is served

    def app(self) -> Starlette:
        async def models(request: Request) -> Response:
            row: dict[str, Any] = {"id": "m", "object": "model", "created": 1, "owned_by": "x"}
            row |= {
                "vllm": {"max_model_len": 32_768, "root": "m", "permission": []},
                "llamacpp": {"meta": {"n_ctx": 16_384, "n_ctx_train": 131_072}},
                "openrouter": {
                    "context_length": 65_536,
                    "pricing": {"prompt": "0.0000005", "completion": "0.000002", "request": "0"},
                },
            }.get(self.name, {})
            return JSONResponse({"object": "list", "data": [row]})

        async def chat(request: Request) -> Response:
            import asyncio

            body = await request.json()
            self.bodies.append(body)
            await asyncio.sleep(self.pause)
            if refusal := self.refusal(body):
                return JSONResponse(refusal[1], refusal[0], headers={"x-request-id": "r"})
            if not body.get("stream"):
                return JSONResponse(self.whole(body))
            ends = "\r\n" if self.name == "llamacpp" else "\n"
            data = "".join(line + ends + ends for line in self.events(body)).encode()

            async def pieces() -> AsyncIterator[bytes]:
                for at in range(0, len(data), PIECE):
                    yield data[at : at + PIECE]

            return StreamingResponse(pieces(), media_type="text/event-stream")

        return Starlette(
            routes=[
                Route("/v1/models", models),
                Route("/v1/chat/completions", chat, methods=["POST"]),
            ]
        )


@contextmanager
def flavoured(name: str, answering: Answering, **how: Any) -> Iterator[Flavour]:
    """One of the servers on a port of its own, while the context lasts."""
    flavour = Flavour(name, answering, **how)
    listening = socket.create_server(("127.0.0.1", 0))
    flavour.url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    server = uvicorn.Server(uvicorn.Config(flavour.app(), log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield flavour
    finally:
        server.should_exit = True
        thread.join(5)
        listening.close()
