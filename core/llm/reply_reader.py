"""A Reply from what an endpoint sends back: whole or as a stream, under the right or a wrong name
of its kind, with an error where the answer should be, broken off or fallen silent.

The words themselves are read by `answer_parts`, as leniently as endpoints write them.

A model's thoughts apart from its answer, once for every caller.

Models write them before the answer in tags (`<think>…</think>`, also with the opening tag left out,
as some chat templates do), or endpoints give them in a field of their own. A block of fences round
a whole answer is taken away too: it dresses the answer and is no part of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from core.errors import BadAnswer, ContextExceeded, Filtered
from core.llm.answer_parts import AnswerParts, NotJson, stream_events
from core.llm.completer import OnText, Reply, Request, ToolCall, Usage
from core.llm.endpoint_options import EndpointOptions
from core.llm.fault import TRANSPORT, ErrorInAnswer, explain_status, silent_endpoint
from core.llm.silence import WATCH, WatchedAnswer
from core.llm.token_count import tokens_in
from core.model import Json

NAMES = ("think", "thinking", "thought", "reasoning")
_NAME = "|".join(NAMES)
OPENED = re.compile(rf"\s*<({_NAME})>", re.I)
CLOSED = re.compile(rf"</({_NAME})>", re.I)
FENCED = re.compile(r"\s*```[\w-]*[ \t]*\n(?P<inside>.*?)\n?[ \t]*```\s*", re.S)
LONGEST_TAG = max(len(name) for name in NAMES) + 3


def separate_thoughts(text: str) -> tuple[str, str]:
    """The answer and the thoughts before it; an opening tag that is never closed leaves no answer.

    `<think>Perhaps A.</think>B` → ("B", "Perhaps A."); `Perhaps A.</think>B` → the same.
    """
    opened = OPENED.match(text)
    start = opened.end() if opened else 0
    closed = CLOSED.search(text, start)
    if closed is None:
        return ("", text[start:].strip()) if opened else (strip_fences(text), "")
    if opened is None and OPENED.search(text, 0, closed.start()):
        return strip_fences(text), ""  # the answer itself speaks of tags
    answer, more = separate_thoughts(text[closed.end() :])
    thoughts = "\n".join(part for part in (text[start : closed.start()].strip(), more) if part)
    return answer.lstrip("\n"), thoughts


def strip_fences(text: str) -> str:
    """What stands inside fences, where they hold the whole answer; else the text itself."""
    fenced = FENCED.fullmatch(text)
    return fenced["inside"] if fenced and "```" not in fenced["inside"] else text


class AnswerStream:
    """Passes on the pieces of a streamed answer, without thoughts in tags that open it."""

    def __init__(self, on_text: Callable[[str], None]):
        self._on_text = on_text
        self._held = ""
        self._thinking: bool | None = None  # None: it cannot be told yet

    def add(self, piece: str) -> None:
        if self._thinking is False:
            self._on_text(piece)
            return
        self._held += piece
        if self._thinking is None:
            self._look_for_a_tag()
        while self._thinking and (closed := CLOSED.search(self._held)):
            self._held, self._thinking = self._held[closed.end() :].lstrip("\n"), None
            self._look_for_a_tag()

    def end(self) -> None:
        """Pass on what was held back in case it became a tag."""
        if self._thinking is None and self._held:
            self._on_text(self._held)

    def _look_for_a_tag(self) -> None:
        begun = self._held.lstrip()
        if OPENED.match(begun):
            self._thinking = True
        elif begun and not (begun[0] == "<" and len(begun) < LONGEST_TAG and ">" not in begun):
            self._thinking = False
            self._on_text(self._held)


LONGEST_TEXT = 100_000  # characters: beyond it an answer is cut
LONGEST_THOUGHTS = 1_000_000  # characters: twice what the longest budgets for reasoning allow
FILTERED = "content_filter"  # why an answer ended, in the words of the protocol
BROKEN = ("error", "abort", "cancelled")  # why an answer ended, in the words of routers and vLLM
NOTICED = 1200  # characters of a prompt from which a silent cut can be told from a short count
LONG = 4000  # characters of a prompt from which its count is close to its length
SPARSEST, SPARSEST_SHORT = 6.5, 8.0  # characters a token, at the most, of a prompt read whole
MADE_UP = 64  # tokens: no context is shorter, so a smaller count was not counted
USUAL = 4.4  # characters a token of most prompts
ROUND = (2048, 4096, 8192, 16_384, 32_768)  # tokens: a count just below one may be a full context
UNSOUND = re.compile(r"[\0\ud800-\udfff]")


class ReplyReader:
    """Reads the answers of one model. Its methods raise the RemoteError tree, ValueError for what
    is no completion, and what the connection raises. `secrets` are in no message.
    """

    def __init__(self, model: str, options: EndpointOptions, secrets: Sequence[str]):
        self.model, self.options, self.secrets = model, options, secrets

    def complete_reply(self, answer: Any, request: Request) -> Reply:
        """The reply in an answer that came whole, whatever kind of page it says it is."""
        try:
            body = json.loads(answer.content)
        except (ValueError, RecursionError):
            text = answer.content[:200].lstrip()
            if "html" in _kind(answer) or text[:1] not in (b"{", b"["):
                raise self._no_completion() from None
            raise
        return self.body(body, request)

    def body(self, body: Json, request: Request) -> Reply:
        """The reply in the body of an answer that came whole."""
        parts = AnswerParts()
        parts.add(body)
        self._look_for_error(parts, request)
        if not body.get("choices"):
            raise BadAnswer(f"The model {self.model} gave an empty answer.", "Run it again.")
        parts.finish = "cut" if parts.finish in BROKEN else parts.finish or "stop"
        return self._reply(parts, request)

    def stream(self, answer: Any, request: Request, on_text: OnText | None) -> Reply:
        """The reply of an answer that was asked for as a stream; `finish` is `cut` where it ended
        early.
        """
        kind = _kind(answer)
        if "event-stream" in kind:
            return self._events(answer, request, on_text)
        begins = answer.read()[:200].lstrip()
        if "html" in kind:
            raise self._no_completion()
        if begins.startswith((b"data:", b"event:", b":")):  # a stream under a wrong name
            return self._events(answer, request, on_text)
        reply = self.complete_reply(answer, request)  # of an endpoint that does not know of streams
        if on_text and reply.text:
            on_text(reply.text)
        return reply

    def _events(self, answer: Any, request: Request, on_text: OnText | None) -> Reply:
        parts, stream = AnswerParts(), AnswerStream(on_text) if on_text else None
        watched = WATCH.begin(answer, self.options.first)
        try:
            for event in stream_events(answer.iter_bytes()):
                before = len(parts.text), len(parts.reasoning), len(parts.calls)
                piece = parts.add(event)
                if before != (len(parts.text), len(parts.reasoning), len(parts.calls)):
                    watched.heard(self.options.between)
                if piece and stream:
                    stream.add(piece)
                if _runs_away(parts):
                    parts.finish = "runaway"
                    break
                if parts.error:
                    break
        except Exception as error:
            self._broken(error, parts, watched)
        finally:
            WATCH.done(watched)
        if watched.expired and not parts.finish:  # shut in a way that looks like an end
            self._broken(TimeoutError(), parts, watched)
        self._look_for_error(parts, request)
        if stream:
            stream.end()
        if parts.error is not None or parts.finish in BROKEN:
            parts.finish = "cut"  # the endpoint says itself that it broke down
        parts.finish = parts.finish or "cut"
        return self._reply(parts, request)

    def _broken(self, error: Exception, parts: AnswerParts, watched: WatchedAnswer) -> None:
        """What becomes of a stream that ended early: what had come is kept, and called cut. Raises
        where nothing had come, and where a person stopped it.
        """
        if parts.text and (watched.expired or _broke_off(error)):
            return
        error.partial = parts.text  # type: ignore[attr-defined]
        if watched.expired:
            raise silent_endpoint(self.model) from error
        raise error

    def _look_for_error(self, parts: AnswerParts, request: Request) -> None:
        """Some endpoints say what is wrong where the answer should be; half an answer is kept."""
        if not parts.text:
            self.look_for_error(
                {"error": parts.error}, [message.content for message in request.messages]
            )

    def look_for_error(self, body: Json, asked: Sequence[str]) -> None:
        """Raises what a body says is wrong, where it holds that instead of an answer; `asked` is in
        no message.
        """
        error = body.get("error") if isinstance(body, dict) else None
        if error is not None:
            variables = self.options.variables
            raise explain_status(
                ErrorInAnswer.of(error),
                self.model,
                self.secrets,
                prompts=asked,
                variables=variables,
            )

    def _no_completion(self) -> BadAnswer:
        """A sign-in page or an address that is not the endpoint's."""
        return BadAnswer(
            "The endpoint sent a web page or plain text instead of a model's answer.",
            f"Check that {self.options.variables[1]} is right; most end in /v1.",
        )

    def _reply(self, parts: AnswerParts, request: Request) -> Reply:
        text, thoughts = separate_thoughts(storable_text(parts.text))
        text, finish = _until_stop_word(text, request.stop), parts.finish
        thoughts = "\n".join(
            part for part in (storable_text(parts.reasoning).strip(), thoughts) if part
        )
        if len(text) > LONGEST_TEXT:
            text, finish = text[:LONGEST_TEXT], "runaway"
        calls = tuple(
            ToolCall(call.id or f"call_{n}", call.name, storable_text(call.arguments))
            for n, call in enumerate(parts.calls)
            if call.name
        )
        return Reply(
            text,
            calls,
            finish,
            model=parts.model or self.model,
            usage=_usage(parts.tokens, request, text, calls),
            reasoning=thoughts[:LONGEST_TEXT],
        )


def checked_reply(model: str, request: Request, reply: Reply, context: int = 0) -> Reply:
    """The reply, if it is an answer. `context` is the tokens that the model is known to read at
    once (0: not known). Raises the RemoteError tree for a filter's refusal, for thoughts without an
    answer, for nothing at all, and for a prompt that was cut in silence.
    """
    if reply.finish == FILTERED:
        raise Filtered(
            f"The content filter of the endpoint stopped the answer of {model}.",
            "Ask about a shorter part of the text, or use another endpoint.",
        )
    empty = not reply.text.strip() and not reply.calls
    if empty and reply.finish == "runaway":
        raise BadAnswer(
            f"The model {model} did not stop writing and gave no answer.",
            "Choose another model.",
        )
    if empty and reply.reasoning:
        raise BadAnswer(
            f"The model {model} reasoned and gave no answer.",
            "Allow more tokens for an answer on Settings, or choose another model.",
        )
    _check_length(model, request, reply, context)
    if empty and reply.finish == "length":
        raise BadAnswer(
            f"The model {model} used up the length of its answer before it wrote a word, as models"
            " with hidden reasoning do.",
            "Allow more tokens for an answer on Settings, or choose another model.",
        )
    if empty:
        raise BadAnswer(
            f"The model {model} gave an empty answer.", "Run it again, or choose another model."
        )
    return reply


def _check_length(model: str, request: Request, reply: Reply, context: int) -> None:
    """Some endpoints drop the part of a prompt that does not fit, and say nothing."""
    sent_characters = sum(len(" ".join(message.content.split())) for message in request.messages)
    read_tokens = reply.usage.tokens_in
    full = any(size - 16 <= read_tokens <= size for size in (*ROUND, context))
    sparsest = SPARSEST if sent_characters > LONG else SPARSEST_SHORT
    least = sent_characters / (USUAL if full else sparsest)
    counted = not reply.usage.estimated and read_tokens >= MADE_UP
    if counted and sent_characters > NOTICED and read_tokens < least:
        raise ContextExceeded(
            f"The model {model} read about {read_tokens:,} of {sent_characters // 4:,} tokens: the"
            " endpoint cut the text off without saying so.",
            "Read the text in parts (chunks), or give the endpoint a longer context.",
            read_tokens,
        )


def storable_text(text: str) -> str:
    """`text` with U+FFFD for NUL and half characters, which no file, page or database can hold."""
    return UNSOUND.sub("\ufffd", text)


def _broke_off(error: Exception) -> bool:
    """Whether a stream ended because the connection did, and not because somebody stopped it."""
    garbled = type(error) in (ValueError, NotJson)
    return garbled or type(error).__module__.split(".")[0] in TRANSPORT


def _runs_away(parts: AnswerParts) -> bool:
    """Whether words, thoughts or the arguments of a call have become longer than any that end."""
    arguments = max((len(call.arguments) for call in parts.calls), default=0)
    return max(len(parts.text), arguments) > LONGEST_TEXT or len(parts.reasoning) > LONGEST_THOUGHTS


def _kind(answer: Any) -> str:
    return str(answer.headers.get("content-type", "")).casefold()


def _usage(
    counted: tuple[int, int] | None, request: Request, text: str, calls: Sequence[ToolCall]
) -> Usage:
    if counted is not None:
        return Usage(*counted)
    prompt_tokens = sum(tokens_in(message.content) for message in request.messages)
    prompt_tokens += tokens_in(json.dumps(request.payload()["tools"])) if request.tools else 0
    written = tokens_in(text) + sum(tokens_in(call.name + call.arguments) for call in calls)
    return Usage(prompt_tokens, written, estimated=True)


def _until_stop_word(text: str, stop: Sequence[str]) -> str:
    """`text` up to the first of the stop words."""
    ends = [text.find(word) for word in stop if word and word in text]
    return text[: min(ends)] if ends else text
