"""What an endpoint says when it turns a request down: which feature it does not know, and its own
reason as far as it may be shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

READ = 2000  # characters of a refusal that are looked at
PIECE, SHORT = 24, 8  # characters: of a prompt, quoted in a refusal
NEEDS_FLAG = re.compile(r"requires --jinja")  # llama.cpp, of tools, with a status of 500
REFUSALS = (400, 404, 405, 415, 422, 501)


class Unsupported(Exception):
    """The endpoint does not know a feature of the request, such as tools, schema or temperature."""

    def __init__(self, feature: str):
        super().__init__(feature)
        self.feature = feature


_NOT = (
    r"(?s)\A(?=.*(unsupported|not support|unrecogni|unknown|not permitted|not allowed|only the"
    r" default))"
)
FEATURES = (
    ("temperature", "temperature", re.compile(_NOT + r".*\btemperature\b", re.I)),
    ("max_tokens", "max_tokens", re.compile(_NOT + r".*\bmax_tokens\b", re.I)),
    ("stop", "stop", re.compile(_NOT + r".*['\"`]stop['\"`]", re.I)),
    ("seed", "seed", re.compile(_NOT + r".*\bseed\b", re.I)),
    ("usage", "stream_options", re.compile(r"stream_options|include_usage", re.I)),
    (
        "schema",
        "response_format",
        re.compile(r"response_format|json_schema|structured output|guided", re.I),
    ),
    ("stream", "stream", re.compile(_NOT + r".*\bstream(?:ing|ed)?\b", re.I)),
    ("encoding", "encoding_format", re.compile(r"encoding_format", re.I)),
    ("tools", "tools", re.compile(r"\btools?\b|function call|tool_choice", re.I)),
)


def was_refused(error: BaseException) -> bool:
    """Whether the endpoint turned the request down, as it does with what it does not know."""
    return getattr(error.__cause__, "status_code", 0) in REFUSALS


def refused_feature(error: Any, features: Mapping[str, Any]) -> str:
    """Which feature of the request the endpoint does not know, if that is why it refused."""
    if error.status_code not in REFUSALS and not NEEDS_FLAG.search(error.response.text[:READ]):
        return ""
    body = error.body if isinstance(error.body, dict) else {}
    refusal = f"{str(body.get('param') or '')[: SHORT * 10]} {said_whole(error)}"
    for feature, argument, words in FEATURES:
        if argument in features and words.search(refusal):
            return feature
    return ""


def said_whole(error: Any) -> str:
    """All that the endpoint said, to be looked through and never shown."""
    return f"{message_of(error)} {error.response.text[:READ]}"


def message_of(error: Any) -> str:
    """What the endpoint says is wrong, in its own words, as far as anybody would read it."""
    body = error.body if isinstance(error.body, dict) else {}
    return str(body.get("message") or "")[:READ]


def request_words(body: Mapping[str, Any]) -> list[str]:
    """The words of a request: of its messages, or the texts that are to become vectors."""
    messages = [str(message.get("content") or "") for message in body.get("messages", ())]
    return [*messages, *map(str, body.get("input", ()))]


def refusal_reason(error: Any, secrets: Sequence[str], prompts: Sequence[str] = ()) -> str:
    """The endpoint's own reason, one short line without secrets; nothing where it quotes what was
    asked.
    """
    message = " ".join(message_of(error).split())
    if quotes_prompt(message, prompts):
        return ""
    for secret in filter(None, secrets):
        message = message.replace(secret, "***")
    reason = re.sub(r"sk-\S{6,}", "***", message)[:160].rstrip(".")
    return f": {reason}" if reason else ""


def quotes_prompt(refusal: str, prompts: Sequence[str]) -> bool:
    """Whether the words hold a piece of a prompt, or a whole short one."""
    said = _pieces(refusal)
    for prompt in (" ".join(words.split()) for words in prompts):
        if not said.isdisjoint(_pieces(prompt)) or (len(prompt) >= SHORT and prompt in refusal):
            return True
    return False


def _pieces(text: str) -> set[str]:
    return {text[at : at + PIECE] for at in range(len(text) - PIECE + 1)}
