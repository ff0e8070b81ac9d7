"""A model's thoughts apart from its answer, once for every caller.

Models write them before the answer in tags (`<think>…</think>`, also with the opening tag left out,
as some chat templates do), or endpoints give them in a field of their own. A block of fences round
a whole answer is taken away too: it dresses the answer and is no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

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
