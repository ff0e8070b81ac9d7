"""An answer as endpoints write it, read leniently: the protocol's fields and how others spell them.

Nothing here raises for a field that is missing, null or of another kind; what is no completion at
all raises ValueError.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from core.model import Json

LINE_END = re.compile(rb"\r\n|\n|\r")
LONGEST_LINE = 4_000_000  # bytes of one event of a stream
FINISHES = {  # how an answer ended, in the words of the protocol
    "max_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "function_call": "tool_calls",
    "tool_use": "tool_calls",
    "tool_call": "tool_calls",
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "end": "stop",
    "safety": "content_filter",
    "refusal": "content_filter",
    "blocked": "content_filter",
    "prohibited_content": "content_filter",
    "recitation": "content_filter",
}
REASONING = ("reasoning_content", "reasoning", "thinking")  # vLLM and DeepSeek, OpenRouter, others


class NotJson(ValueError):
    """An event of a stream that does not hold JSON."""


@dataclass(slots=True)
class CallParts:
    """A tool call as far as it has come; `arguments` is text that has not been checked."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class AnswerParts:
    """What has arrived of an answer. `tokens` are (in, out) as the endpoint counts, None where it
    does not; `error` is what it said instead of going on.
    """

    text: str = ""
    calls: list[CallParts] = field(default_factory=list)
    finish: str = ""
    model: str = ""
    reasoning: str = ""
    tokens: tuple[int, int] | None = None
    error: Json = None

    def add(self, event: Json) -> str:
        """Take a whole answer, or one event of a stream; the text in it. Raises ValueError for what
        is neither.
        """
        if not isinstance(event, dict):
            raise ValueError("not a completion")
        self.error = event.get("error") or self.error
        self.model = _words(event.get("model")) or self.model
        self.tokens = tokens_of(event) or self.tokens
        choices = event.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return ""
        choice: dict[str, Json] = choices[0]
        if self.finish != "content_filter":  # a refusal ends like an answer
            self.finish = finish_of(choice.get("finish_reason")) or self.finish
        message_json = choice.get("message") or choice.get("delta")
        return self._answer_text(message_json) if isinstance(message_json, dict) else ""

    def _answer_text(self, message_json: dict[str, Json]) -> str:
        text, thoughts = content_of(message_json.get("content"))
        fields = (message_json.get(name) for name in REASONING)
        self.reasoning += thoughts + next((x for x in fields if isinstance(x, str)), "")
        refusal = message_json.get("refusal")
        if isinstance(refusal, str) and refusal and not text and not self.text:
            self.finish = "content_filter"
        calls = message_json.get("tool_calls") or message_json.get("function_call") or ()
        for place, call in enumerate(calls if isinstance(calls, list) else [calls]):
            if isinstance(call, dict):
                self._call(call, place)
        self.text += text
        return text

    def _call(self, call: dict[str, Json], place: int) -> None:
        """A call, or a piece of one: pieces belong together by their number, else by their id."""
        function = call.get("function")
        call_json: dict[str, Json] = function if isinstance(function, dict) else call
        number, id = call.get("index"), _words(call.get("id"))
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 100:
            same = [
                at for at, earlier_call in enumerate(self.calls) if id and earlier_call.id == id
            ]
            goes_on = not id and not call_json.get("name") and self.calls
            number = same[0] if same else len(self.calls) - 1 if goes_on else len(self.calls)
        while len(self.calls) <= number:
            self.calls.append(CallParts())
        call_parts = self.calls[number]
        call_parts.id = call_parts.id or id
        call_parts.name = call_parts.name or _words(call_json.get("name"))
        call_parts.arguments += _argument_text(call_json.get("arguments"))


def content_of(content: Json) -> tuple[str, str]:
    """The answer and the thoughts in a message's content: a text, nothing, or a list of parts."""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list):
        return "", ""
    text, thoughts = "", ""
    for part in content:
        if isinstance(part, str):
            text += part
        elif isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
            inner = part.get("thinking") or part.get("text") or part.get("content")
            thoughts += content_of(inner)[0]
        elif isinstance(part, dict):
            text += _words(part.get("text"))
    return text, thoughts


def finish_of(reason: Json) -> str:
    """`stop`, `length`, `tool_calls` or `content_filter`, whatever the endpoint calls it."""
    name = reason.casefold() if isinstance(reason, str) else ""
    return FINISHES.get(name, name)


def tokens_of(event: dict[str, Json]) -> tuple[int, int] | None:
    """Tokens in and out as the endpoint counts them; None where it does not."""
    groq = event.get("x_groq")
    usage = event.get("usage") or (groq.get("usage") if isinstance(groq, dict) else None)
    if not isinstance(usage, dict):
        return None
    counts = [
        next((n for name in names if (n := _positive_count(usage.get(name)))), 0)
        for names in (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
    ]
    return (counts[0], counts[1]) if any(counts) else None


def stream_events(pieces: Iterable[bytes]) -> Iterator[Json]:
    """The events of a stream, however its lines end and whatever else stands between them. Raises
    NotJson for one that is not JSON, and ValueError for one that is too long.
    """
    event_text = ""
    for line in _lines(pieces):
        if line.startswith("data:"):
            event_data = line[5:].strip()
            if event_data == "[DONE]":
                return
            event_text = f"{event_text}\n{event_data}" if event_text else event_data
            try:
                event = json.loads(event_text)
            except ValueError:
                continue  # it may go on in the next line
            event_text = ""
            yield event
        elif not line and event_text:
            break
    if event_text:
        raise NotJson("an event of the stream is not JSON")


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Lines as the standard of such streams ends them (CR LF, LF, CR) and no other way: JSON may
    hold other line ends within its texts. A line is given out before the piece that follows it.
    """
    open_line, returned = b"", False
    for piece in pieces:
        rest = piece.removeprefix(b"\n") if returned else piece
        returned = piece.endswith(b"\r") or (returned and not piece)
        *lines, open_line = LINE_END.split(open_line + rest)
        for line in lines:
            yield line.decode("utf-8-sig", "replace")
        if len(open_line) > LONGEST_LINE:
            raise ValueError("an event of the stream is too long")
    if open_line.strip():
        yield open_line.decode("utf-8-sig", "replace")


def _words(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _positive_count(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _argument_text(value: Json) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)
