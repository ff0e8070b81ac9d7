"""What an endpoint's refusals mean, in words for people. Messages never hold a key or a prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from core.errors import (
    BadAnswer,
    ContextExceeded,
    Filtered,
    Garbled,
    RateLimited,
    RemoteError,
    Unauthorised,
    Unreachable,
)
from core.llm.answer_parts import NotJson
from core.llm.answer_size import TooLarge


class Unsupported(Exception):
    """The endpoint does not know a feature of the request, such as tools, schema or temperature."""

    def __init__(self, feature: str):
        super().__init__(feature)
        self.feature = feature


_NOT = (
    r"(?s)(?=.*(unsupported|not support|unrecogni|unknown|not permitted|not allowed|only the"
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
    ("tools", "tools", re.compile(r"\btools?\b|function call|tool_choice", re.I)),
)
TRANSPORT = ("httpx", "httpx2", "httpcore", "httpcore2", "ssl")
LONGEST_WAIT = 60  # seconds that an endpoint may ask to wait before it is asked again
PIECE, SHORT = 24, 8  # characters: of a prompt, quoted in a refusal
PARTLY = ("RemoteProtocolError", "ReadError")  # of httpx: the connection ended early
QUOTA = ("insufficient_quota", "billing_hard_limit_reached", "quota_exceeded")
FILTERS = ("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation")
TOO_LONG = ("context_length_exceeded", "string_above_max_length", "prompt_too_long")
# "maximum context length is 8192 tokens", "exceeds the context size", "prompt is too long"
LONGER = re.compile(r"context (?:length|size|window)|prompt is too long|too many tokens", re.I)
LIMIT = re.compile(  # "maximum context length is 8192 tokens", "context size (2,048 tokens)"
    r"(?:context (?:length|size|window)|maximum)\D{0,20}?(\d[\d,]{2,10})", re.I
)
MODERATED = re.compile(r"requires moderation|input was flagged|flagged by moderation", re.I)
NO_MODEL = re.compile(r"not a valid model|model\b.{0,80}\b(?:does not exist|not found)", re.I)
VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL")  # of the key and the address
NEEDS_FLAG = re.compile(r"requires --jinja")  # llama.cpp, of tools, with a status of 500
BROKEN = (json.JSONDecodeError, UnicodeDecodeError, NotJson)  # of JSON that is damaged
REFUSALS = (400, 404, 405, 415, 422, 501)


@contextmanager
def translate_error(
    model: str,
    secrets: Sequence[str] = (),
    features: Mapping[str, Any] | None = None,
    variables: tuple[str, str] = VARIABLES,
) -> Iterator[None]:
    """Turn what the `openai` package raises into the RemoteError tree, or into Unsupported.
    `variables` hold the key and the address of the endpoint: hints name them.
    """
    import openai

    try:
        yield
    except TooLarge as error:
        size = error.limit >> 20
        raise BadAnswer(
            f"The model {model} answered with more than {size} MB, which was not read.",
            "Choose another model.",
        ) from error
    except openai.APITimeoutError as error:
        raise silent(model) from error
    except openai.APIConnectionError as error:
        if connection_broke(error):
            raise Unreachable(
                f"The model {model} answered only in part: the connection broke off.", "Try again."
            ) from error
        raise Unreachable(
            "The model's endpoint cannot be reached.",
            f"Check {variables[1]} and that it is running.",
        ) from error
    except openai.APIStatusError as error:
        if feature := _refused(error, features or {}):
            raise Unsupported(feature) from error
        raise explain_status(error, model, secrets, asked_in(features or {}), variables) from error
    except Exception as error:
        if type(error).__module__.split(".")[0] in TRANSPORT:  # while the answer was on its way
            if "Timeout" in type(error).__name__:
                raise silent(model) from error
            raise Unreachable(
                f"The model {model} answered only in part: the connection broke off.", "Try again."
            ) from error
        if not isinstance(error, openai.APIError | ValueError | AttributeError | TypeError):
            raise
        kind = Garbled if isinstance(error, BROKEN) else BadAnswer
        raise kind(
            f"The model {model} answered with something that is not a completion.",
            f"Check that {variables[1]} is right.",
        ) from error


def silent(model: str) -> Unreachable:
    """Of an endpoint that said nothing for as long as it may."""
    return Unreachable(
        f"The model {model} did not answer in time.",
        "See that the endpoint is running and not busy with others; for a slow one allow more"
        " seconds on Settings.",
    )


@dataclass(frozen=True, slots=True)
class Told:
    """An error that stands in a body where an answer should be, in the shape of the package's."""

    status_code: int
    body: Mapping[str, Any]
    response: TextOnly

    @classmethod
    def of(cls, error: Any, known_status: int = 0) -> Told:
        """`error` is what the body holds under that name: words, or words with a code;
        `known_status` is the status, where it came with one.
        """
        body = error if isinstance(error, dict) else {"message": str(error)[:2000]}
        code = body.get("code") or body.get("status") or 0
        status = int(code) if str(code).isdecimal() and 400 <= int(code) < 600 else 400
        status = known_status or status
        return cls(status, body, TextOnly(str(body.get("message") or "")[:2000]))


@dataclass(frozen=True, slots=True)
class TextOnly:
    """The response of a Told error: its words, and no headers of its own."""

    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


def was_refused(error: BaseException) -> bool:
    """Whether the endpoint turned the request down, as it does with what it does not know."""
    return getattr(error.__cause__, "status_code", 0) in REFUSALS


def connection_broke(error: BaseException) -> bool:
    """Whether the connection ended while an answer was on its way."""
    causes = [error.__cause__, getattr(error.__cause__, "__cause__", None)]
    return any(type(cause).__name__ in PARTLY for cause in causes)


def retry_pause(error: RemoteError, attempt: int) -> float | None:
    """Seconds to wait before asking again; None where that would not help: after silence for the
    whole time limit, a used-up quota, or a wait longer than anyone would sit through.
    """
    cause = error.__cause__
    hung = type(cause).__name__.endswith(("TimeoutError", "ReadTimeout"))
    if hung or (cause is not None and code_of(cause)):
        return None
    response = getattr(cause, "response", None)
    pause_text = response.headers.get("retry-after", "").strip() if response is not None else ""
    if pause_text.isdecimal():
        return float(pause_text) if float(pause_text) <= LONGEST_WAIT else None
    return float(min(8.0, 0.5 * 2**attempt))


def retry_after_words(pause_text: str) -> str:
    """What a Retry-After says, seconds or a date, for people: "1 second", "24 hours"."""
    if not pause_text.isdecimal() or len(pause_text) > 9:
        return ""
    seconds = int(pause_text)
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= 2 * size or (seconds >= size and seconds % size == 0 and unit != "day"):
            return _counted(round(seconds / size), unit)
    return _counted(seconds, "second")


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}" + ("" if number == 1 else "s")


def explain_status(
    error: Any,
    model: str,
    secrets: Sequence[str],
    prompts: Sequence[str] = (),
    variables: tuple[str, str] = VARIABLES,
) -> RemoteError:
    """The error of a person for an HTTP status."""
    key, address = variables
    status = error.status_code
    if 300 <= status < 400:
        return BadAnswer(
            f"The endpoint answered with a redirect to another address ({status}), which is not"
            " followed.",
            f"Check {address}.",
        )
    code = code_of(error)
    if status == 401:
        return Unauthorised("The endpoint did not accept the key (401).", f"Check {key}.")
    if status == 403 and not moderated(error):
        return Unauthorised(
            f"The key may not use the model {model} (403).", "Ask the operator of the endpoint."
        )
    if status == 404 or (status == 400 and NO_MODEL.search(said_whole(error))):
        reason = said_by(error, secrets, prompts)
        return BadAnswer(
            f"The endpoint does not have the model {model} ({status}){reason}.",
            "Choose another on Settings.",
        )
    if code in QUOTA or (status == 402 and not code):
        return RateLimited(
            f"The account behind the key has used up its quota ({status}).",
            "Ask whoever pays for the endpoint; trying again does not help.",
        )
    if code in FILTERS or moderated(error):
        return Filtered(
            f"The content filter of the endpoint refused the text ({status}).",
            "Ask about a shorter part of it, or use another endpoint.",
        )
    if code in TOO_LONG or (status in (400, 413) and LONGER.search(said_whole(error))):
        return ContextExceeded(
            f"The text is longer than the model {model} can read at once ({status}).",
            "Read it in parts (chunks), or choose a model with a longer context.",
            limit_of(error),
        )
    if status == 429:
        pause_words = retry_after_words(error.response.headers.get("retry-after", "").strip())
        when = f" and asks to wait {pause_words}" if pause_words else ""
        return RateLimited(
            f"The endpoint is getting too many requests{when} (429).", "Try again later."
        )
    if status >= 500:
        return Unreachable(
            f"The endpoint reports an internal error ({status}).", "Try again later."
        )
    return BadAnswer(
        f"The endpoint refused the request ({status}){said_by(error, secrets, prompts)}."
    )


def limit_of(error: Any) -> int:
    """The context length that a refusal names, in words or (llama.cpp) in a field; 0 for none."""
    body = error.body if isinstance(error.body, dict) else {}
    length = body.get("n_ctx")
    return length if isinstance(length, int) and length > 0 else limit_in(said_whole(error))


def limit_in(refusal: str) -> int:
    """The context length that an endpoint names in a refusal, in tokens; 0 where it names none."""
    limit_match = LIMIT.search(refusal)
    return int(limit_match[1].replace(",", "")) if limit_match else 0


def moderated(error: Any) -> bool:
    """Whether a router says that a filter before the model flagged the input."""
    body = error.body if isinstance(error.body, dict) else {}
    more = body.get("metadata")
    flagged = isinstance(more, dict) and ("flagged_input" in more or "reasons" in more)
    return flagged or bool(MODERATED.search(str(body.get("message") or "")))


def code_of(error: Any) -> str:
    """The endpoint's own name for what is wrong, such as `insufficient_quota`."""
    body = getattr(error, "body", None)
    body = body if isinstance(body, dict) else {}
    inner = body.get("innererror") if isinstance(body.get("innererror"), dict) else {}
    names = (body.get("code"), body.get("type"), (inner or {}).get("code"))
    known_codes = (*QUOTA, *FILTERS, *TOO_LONG)
    return next((str(name) for name in names if str(name) in known_codes), "")


def said_whole(error: Any) -> str:
    """All that the endpoint said, to be looked through and never shown."""
    body = error.body if isinstance(error.body, dict) else {}
    return f"{body.get('message') or ''} {error.response.text[:2000]}"


def asked_in(body: Mapping[str, Any]) -> list[str]:
    """The words of a request's messages."""
    return [str(message.get("content") or "") for message in body.get("messages", ())]


def said_by(error: Any, secrets: Sequence[str], prompts: Sequence[str] = ()) -> str:
    """The endpoint's own reason, one short line without secrets; nothing where it quotes what was
    asked.
    """
    body = error.body if isinstance(error.body, dict) else {}
    message = " ".join(str(body.get("message") or "").split())
    if quotes_prompt(message, prompts):
        return ""
    for secret in filter(None, secrets):
        message = message.replace(secret, "***")
    reason = re.sub(r"sk-\S{6,}", "***", message)[:160].rstrip(".")
    return f": {reason}" if reason else ""


def quotes_prompt(refusal: str, prompts: Sequence[str]) -> bool:
    """Whether the words hold a piece of a prompt, or a whole short one."""
    refusal = refusal[:5000]
    pieces = {refusal[at : at + PIECE] for at in range(len(refusal) - PIECE + 1)}
    for prompt in (" ".join(words.split()) for words in prompts):
        if any(piece in prompt for piece in pieces) or (len(prompt) >= SHORT and prompt in refusal):
            return True
    return False


def _refused(error: Any, features: Mapping[str, Any]) -> str:
    """Which feature of the request the endpoint does not know, if that is why it refused."""
    if error.status_code not in REFUSALS and not NEEDS_FLAG.search(error.response.text[:2000]):
        return ""
    body = error.body if isinstance(error.body, dict) else {}
    refusal = f"{body.get('message') or ''} {body.get('param') or ''} {error.response.text[:2000]}"
    for feature, argument, words in FEATURES:
        if argument in features and words.search(refusal):
            return feature
    return ""
