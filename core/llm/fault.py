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
    GarbledAnswer,
    RateLimited,
    RemoteError,
    Unauthorised,
    Unreachable,
)
from core.llm.answer_parts import NotJson
from core.llm.answer_size import AnswerTooLarge
from core.llm.refusal import (
    READ,
    Unsupported,
    message_of,
    refusal_reason,
    refused_feature,
    request_words,
    said_whole,
)
from core.text.retry_after import retry_after, wait_words

LONGEST_WAIT = 60  # seconds that an endpoint may ask to wait before it is asked again
TRANSPORT = ("httpx", "httpx2", "httpcore", "httpcore2", "ssl")
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
NO_MODEL = re.compile(
    r"not a valid model|invalid model name"
    r"|(?:model|deployment)\b.{0,80}\b(?:does not exist|not found)",
    re.I,
)
VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL")  # of the key and the address
BROKEN = (json.JSONDecodeError, UnicodeDecodeError, NotJson)  # of JSON that is damaged


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
    except AnswerTooLarge as error:
        size = error.limit >> 20
        raise BadAnswer(
            f"The model {model} answered with more than {size} MB, which was not read.",
            "Choose another model.",
        ) from error
    except openai.APITimeoutError as error:
        drips = type(error.__cause__).__name__ == "DrippingAnswer"
        raise (dripping_endpoint if drips else silent_endpoint)(model) from error
    except openai.APIConnectionError as error:
        if type(error.__cause__).__name__ == "DecodingError":  # packed otherwise than it says
            raise GarbledAnswer(
                f"The model {model} sent an answer that cannot be unpacked.",
                "Try again. If it happens again, ask whoever runs the endpoint.",
            ) from error
        if connection_broke(error):
            raise Unreachable(
                f"The connection broke off before the model {model} had finished its answer.",
                "Try again.",
            ) from error
        raise Unreachable(
            "The model's endpoint cannot be reached.",
            f"Check that {variables[1]} is right, that the endpoint is running, and that this"
            " machine has a network.",
        ) from error
    except openai.APIStatusError as error:
        if feature := refused_feature(error, features or {}):
            raise Unsupported(feature) from error
        prompts = request_words(features or {})
        raise explain_status(error, model, secrets, prompts=prompts, variables=variables) from error
    except Exception as error:
        if type(error).__module__.split(".")[0] in TRANSPORT:  # while the answer was on its way
            if "Timeout" in type(error).__name__:
                raise silent_endpoint(model) from error
            raise Unreachable(
                f"The connection broke off before the model {model} had finished its answer.",
                "Try again.",
            ) from error
        if not isinstance(
            error, openai.APIError | ValueError | AttributeError | TypeError | RecursionError
        ):
            raise
        kind = GarbledAnswer if isinstance(error, BROKEN) else BadAnswer
        raise kind(
            f"The endpoint's answer is not one that a language model gives (model {model}).",
            f"Check that {variables[1]} is right.",
        ) from error


def silent_endpoint(model: str) -> Unreachable:
    """Of an endpoint that said nothing for as long as it may."""
    return Unreachable(
        f"The model {model} did not answer in time.",
        "Check that the endpoint is running and not overloaded. If it is only slow, allow more"
        " seconds on Settings.",
    )


def dripping_endpoint(model: str) -> Unreachable:
    """Of an endpoint that kept the connection busy for as long as an answer may take."""
    return Unreachable(
        f"The model {model} did not answer in time: the endpoint sent nothing but a few bytes at a"
        " time, or notices that an answer will follow.",
        "Check that the address is that of the endpoint. If it is only slow, allow more seconds on"
        " Settings.",
    )


@dataclass(frozen=True, slots=True)
class ErrorInAnswer:
    """An error that stands in a body where an answer should be, in the shape of the package's."""

    status_code: int
    body: Mapping[str, Any]
    response: ErrorText

    @classmethod
    def of(cls, error: Any, known_status: int = 0) -> ErrorInAnswer:
        """`error` is what the body holds under that name: words, or words with a code;
        `known_status` is the status, where it came with one.
        """
        body = error if isinstance(error, dict) else {"message": str(error)[:READ]}
        code = body.get("code") or body.get("status") or 0
        status = int(code) if str(code).isdecimal() and 400 <= int(code) < 600 else 400
        status = known_status or status
        return cls(status, body, ErrorText(str(body.get("message") or "")[:READ]))


@dataclass(frozen=True, slots=True)
class ErrorText:
    """The response of an ErrorInAnswer: its words, and no headers of its own."""

    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


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
    seconds = retry_after(response.headers) if response is not None else None
    if seconds is not None:
        return seconds if seconds <= LONGEST_WAIT else None
    return float(min(8.0, 0.5 * 2**attempt))


def explain_status(
    error: Any,
    model: str,
    secrets: Sequence[str],
    *,
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
    if refusal := _of_the_key(error, model, key, address):
        return refusal
    if status in (400, 404) and NO_MODEL.search(said_whole(error)):
        reason = refusal_reason(error, secrets, prompts)
        return BadAnswer(
            f"The endpoint does not have the model {model} ({status}){reason}.",
            "Choose another on Settings.",
        )
    if status == 404:
        return BadAnswer(
            f"There is no endpoint for models at this address, or it does not have the model"
            f" {model} (404).",
            f"Check that {address} is right (most end in /v1), and the model's name on Settings.",
        )
    if code_of(error) in QUOTA or (status == 402 and not code_of(error)):
        return RateLimited(
            f"The account behind the key has used up its quota ({status}).",
            "Ask whoever pays for the endpoint; trying again does not help.",
        )
    if refusal := _of_the_text(error, model):
        return refusal
    if status == 429:
        seconds = retry_after(error.response.headers)
        when = f" and asks to wait {wait_words(seconds)}" if seconds else ""
        return RateLimited(
            f"The endpoint is getting too many requests{when} (429).", "Try again later."
        )
    if status >= 500:
        return Unreachable(
            f"The endpoint reports an internal error ({status}).", "Try again later."
        )
    return BadAnswer(
        f"The endpoint refused the request ({status}){refusal_reason(error, secrets, prompts)}."
    )


def _of_the_key(error: Any, model: str, key: str, address: str) -> RemoteError | None:
    """That the key is not accepted, or may not use the model."""
    status = error.status_code
    if status == 401:
        return Unauthorised("The endpoint did not accept the key (401).", f"Check {key}.")
    if status == 403 and not isinstance(error.body, dict):
        return Unauthorised(
            "Something between this machine and the endpoint blocked the request (403): a proxy, a"
            " firewall or a sign-in page.",
            f"Check {address}, and ask whoever runs the endpoint.",
        )
    if status == 403 and not was_moderated(error):
        return Unauthorised(
            f"The key may not use the model {model} (403).", "Ask the operator of the endpoint."
        )
    return None


def _of_the_text(error: Any, model: str) -> RemoteError | None:
    """That the text is filtered, or longer than the model reads."""
    status, code = error.status_code, code_of(error)
    if code in FILTERS or was_moderated(error):
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
    return None


def limit_of(error: Any) -> int:
    """The context length that a refusal names, in words or (llama.cpp) in a field; 0 for none."""
    body = error.body if isinstance(error.body, dict) else {}
    length = body.get("n_ctx")
    return length if isinstance(length, int) and length > 0 else limit_in(said_whole(error))


def limit_in(refusal: str) -> int:
    """The context length that an endpoint names in a refusal, in tokens; 0 where it names none."""
    limit_match = LIMIT.search(refusal)
    return int(limit_match[1].replace(",", "")) if limit_match else 0


def was_moderated(error: Any) -> bool:
    """Whether a router says that a filter before the model flagged the input."""
    body = error.body if isinstance(error.body, dict) else {}
    more = body.get("metadata")
    flagged = isinstance(more, dict) and ("flagged_input" in more or "reasons" in more)
    return flagged or bool(MODERATED.search(message_of(error)))


def code_of(error: Any) -> str:
    """The endpoint's own name for what is wrong, such as `insufficient_quota`."""
    body = getattr(error, "body", None)
    body = body if isinstance(body, dict) else {}
    inner = body.get("innererror") if isinstance(body.get("innererror"), dict) else {}
    names = (body.get("code"), body.get("type"), (inner or {}).get("code"))
    known_codes = (*QUOTA, *FILTERS, *TOO_LONG)
    return next((str(name) for name in names if str(name) in known_codes), "")
