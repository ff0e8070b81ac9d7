"""Tries what a model can do: short questions, and prompts of growing length until one does not fit.

Nothing of the project is sent. What a test takes is said before it begins: see `TOKENS`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from core.errors import ContextExceeded, RemoteError
from core.llm.completer import Completer, Embedder, Message, Reply, Request, Tool, capabilities_of
from core.llm.profile import FOUND, ModelCheck, ModelProfile
from core.llm.unfinished import unfinished_problem

LENGTHS = (2000, 4000, 8000, 16_000)  # tokens of the prompts that look for a context's end
TOKENS = 32_000  # that a test sends at the most, about
SHAPE = {
    "type": "object",
    "properties": {"organ": {"type": "string", "enum": ["heart", "liver"]}},
    "required": ["organ"],
    "additionalProperties": False,
}
LOOK_UP = Tool(
    "find_gene",
    "Find a gene by its symbol.",
    {
        "type": "object",
        "properties": {"symbol": {"type": "string"}},
        "required": ["symbol"],
    },
)
FILLER = "The heart moves the blood through the body. "  # about ten tokens
WORD = "chrysanthemum"  # stands at the beginning of a long prompt
Check = Callable[[], None]


def probe_model(
    completer: Completer,
    known_profile: ModelProfile,
    time_of: str,
    *,
    embedder: Embedder | None = None,
    check: Check = lambda: None,
    clock: Callable[[], float] = time.monotonic,
) -> ModelProfile:
    """The profile of a model after trying it; a model that does not answer is tried no further.

    `known_profile` is what its endpoint told; `check` is called between questions and may raise
    Stopped.
    """
    begun = clock()
    answer_check = check_answers(completer)
    profile = replace(
        known_profile,
        tested=time_of,
        seconds=round(clock() - begun, 3),
        checks=(answer_check,),
    )
    if not answer_check.works:  # a model that only makes vectors answers no question
        if embedder is None or embedder.model != completer.model:
            return profile
        return replace(profile, checks=(answer_check, check_embeddings(embedder)))
    checks = [answer_check]
    for part in (check_schema, check_tools, check_streaming):
        check()
        begun = clock()
        checks.append(part(completer))
        if checks[-1].works:  # the first answer waits for the connection too
            profile = replace(profile, seconds=round(min(profile.seconds, clock() - begun), 3))
    check()
    checks.append(check_embeddings(embedder))
    if not known_profile.context:
        length, read_tokens, context_check = measure_context(completer, check)
        profile = replace(
            profile, context=length, context_from=FOUND if length else "", at_least=read_tokens
        )
        checks.append(context_check)
    return replace(profile, checks=tuple(checks))


def ask(completer: Completer, words: str, **more: object) -> Reply:
    request = Request((Message("user", words),), **more)  # type: ignore[arg-type]
    return completer.complete(request)


def check_answers(completer: Completer) -> ModelCheck:
    try:
        reply = ask(completer, "Answer with the one word: ready", path="answers")
    except RemoteError as error:
        return ModelCheck("answers", False, str(error))
    thinks = " It reasons before it answers." if reply.reasoning else ""
    counts = " It does not count tokens." if reply.usage.estimated else ""
    answer_text = " ".join(reply.text.split())[:60]
    if problem := unfinished_problem(reply):
        words = f"Began “{answer_text}”. {problem.message} {problem.hint}"
        return ModelCheck("answers", False, words)
    return ModelCheck("answers", True, f"Answered “{answer_text}”.{thinks}{counts}")


def check_schema(completer: Completer) -> ModelCheck:
    words = "Which organ pumps blood? Answer as JSON of the given schema."
    try:
        reply = ask(completer, words, response_schema=SHAPE, strict=True, path="schema")
    except RemoteError as error:
        return ModelCheck("schema", False, f"Refused: {error}")
    return ModelCheck("schema", *keeps_schema(reply.text))


def keeps_schema(text: str) -> tuple[bool, str]:
    """Whether an answer holds to the schema that was asked for."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and value.get("organ") in ("heart", "liver"):
        return True, "The endpoint enforces a JSON Schema on answers."
    return False, "The endpoint accepts a JSON Schema and does not follow it."


def check_tools(completer: Completer) -> ModelCheck:
    words = "Use the tool to find the gene BRCA1."
    try:
        reply = ask(completer, words, tools=(LOOK_UP,), path="tools")
    except RemoteError as error:
        return ModelCheck("tools", False, f"Refused: {error}")
    if not capabilities_of(completer).tools:
        return ModelCheck(
            "tools", False, "The endpoint refuses tools; they are described in words."
        )
    if any(call.name == LOOK_UP.name for call in reply.calls):
        return ModelCheck("tools", True, "The model named the tool.")
    return ModelCheck(
        "tools", False, "The model did not use the tool; tools are described in words."
    )


def check_streaming(completer: Completer) -> ModelCheck:
    pieces: list[str] = []
    request = Request((Message("user", "Count from one to five."),), path="streaming")
    try:
        completer.complete(request, pieces.append)
    except RemoteError as error:
        return ModelCheck("streaming", False, str(error))
    if not capabilities_of(completer).stream:
        return ModelCheck("streaming", False, "Refused: answers arrive in one piece.")
    return ModelCheck("streaming", True, "Answers arrive while they are written.")


def check_embeddings(embedder: Embedder | None) -> ModelCheck:
    if embedder is None:
        words = (
            "Not tried: no model of this endpoint is chosen for ranking literature by meaning"
            " (Settings, Models, or GROUNDWORK_EMBEDDING_MODEL)."
        )
        return ModelCheck("embeddings", None, words)
    try:
        (vector,) = embedder.embed(["heart"])
    except RemoteError as error:
        return ModelCheck("embeddings", False, str(error))
    return ModelCheck("embeddings", True, f"{embedder.model}: {len(vector)} numbers a text.")


def measure_context(completer: Completer, check: Check) -> tuple[int, int, ModelCheck]:
    """The tokens that the model reads at once, 0 where no end was found or it could not be told;
    and those that it reads at the least, where no end was found.
    """
    read_tokens = 0
    for words in length_prompts():
        check()
        try:
            reply = ask(completer, words, path=f"context {len(words) // 4}")
        except ContextExceeded as error:
            length = error.limit or read_tokens
            return length, 0, ModelCheck("context", bool(length), f"{length:,} tokens: {error}")
        except RemoteError as error:
            return 0, 0, ModelCheck("context", None, f"Could not be measured: {error}")
        if reply.usage.estimated and WORD not in reply.text.casefold():
            return (
                0,
                0,
                ModelCheck(
                    "context",
                    None,
                    "The endpoint does not count tokens, so its length must be entered.",
                ),
            )
        read_tokens = max(
            read_tokens, len(words) // 4 if reply.usage.estimated else reply.usage.tokens_in
        )
    return 0, read_tokens, ModelCheck("context", True, f"At least {read_tokens:,} tokens are read.")


def length_prompts() -> Iterator[str]:
    for tokens in LENGTHS:
        body = FILLER * (tokens * 4 // len(FILLER))
        yield f"The word is {WORD}.\n\n{body}\n\nWhat is the word at the beginning?"
