"""Where in the text of a stored answer a field is: by its JSON pointer, else by its words."""

from __future__ import annotations

import json
import re

from core.model import Span

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder(strict=False)


def pointer_span(text: str, pointer: str, words: str = "") -> Span | None:
    """The code points of the value at `pointer` (RFC 6901); of the first `words` that stand alone
    where the text is no JSON or the pointer is no such path; None where neither is there.

    >>> pointer_span('{"gene": {"symbol": "TP53"}}', "/gene/symbol")
    Span(start=20, end=26)
    """
    if pointer.startswith("/"):
        try:
            value_span = _walk(
                text,
                0,
                [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]],
            )
        except (ValueError, IndexError, RecursionError):
            value_span = None
        if value_span is not None:
            return value_span
    found_words = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) if words else None
    return Span(*found_words.span()) if found_words else None


def _walk(text: str, at: int, parts: list[str]) -> Span | None:
    """The value that `parts` lead to from the value that begins at `at`, without reading what lies
    beside the way.
    """
    at = _skip(text, at)
    if not parts:
        return Span(at, _DECODER.raw_decode(text, at)[1])
    closing = {"{": "}", "[": "]"}.get(text[at])
    if closing is None:
        return None
    in_object, number, at = closing == "}", 0, _skip(text, at + 1)
    while text[at] != closing:
        name = str(number)
        if in_object:
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # past the colon
        if name == parts[0]:
            return _walk(text, at, parts[1:])
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        at, number = _skip(text, at + 1) if text[at] == "," else at, number + 1
    return None


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
