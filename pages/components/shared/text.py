"""A source text with its mentions marked: escaped HTML, colour by category, line style by state,
words on hover.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from core.model import Category, Span
from pages.components.shared.term import LINES


class MarkedWords(NamedTuple):
    """Words to mark. `state` is an outcome or a state (solid, dashed or dotted line), or `quote`
    for plain emphasis.
    """

    span: Span
    category: Category = Category.THING
    title: str = ""
    state: str = "grounded"
    focus: bool = False


def highlighted_html(
    text: str, marks: Sequence[MarkedWords | tuple[Span, Category, str, str]]
) -> str:
    """The text as HTML, every character escaped. Of overlapping marks the one that begins first
    stays, then the longer.

    Spans are clipped to the text.
    """
    parts, at = [], 0
    for mark in _disjoint([MarkedWords(*mark) for mark in marks], len(text)):
        parts.append(escape(text[at : mark.span.start]))
        parts.append(_span(text[mark.span.start : mark.span.end], mark))
        at = mark.span.end
    parts.append(escape(text[at:]))
    return f'<div class="gw-text">{"".join(parts)}</div>'


def text_segments(text: str, marks: Sequence[MarkedWords]) -> list[tuple[str, str, str]]:
    """The text in pieces as (words, classes, title), for a browser to show as text; classes are
    empty where nothing is marked.
    """
    pieces, at = [], 0
    for mark in _disjoint(list(marks), len(text)):
        pieces.append((text[at : mark.span.start], "", ""))
        pieces.append((text[mark.span.start : mark.span.end], _classes(mark), mark.title))
        at = mark.span.end
    pieces.append((text[at:], "", ""))
    return [piece for piece in pieces if piece[0]]


def _classes(mark: MarkedWords) -> str:
    if mark.state == "quote":
        return "gw-quote"
    line = LINES.get(mark.state, "solid")
    return f"gw-mark gw-{mark.category} gw-{line}" + (" gw-focus" if mark.focus else "")


def _disjoint(marks: list[MarkedWords], length: int) -> list[MarkedWords]:
    disjoint: list[MarkedWords] = []
    focused_spans = [mark.span for mark in marks if mark.focus]
    end = 0
    for mark in sorted(marks, key=lambda mark: (mark.span.start, not mark.focus, -mark.span.end)):
        start, stop = max(mark.span.start, 0), min(mark.span.end, length)
        hidden = not mark.focus and any(span.overlaps(mark.span) for span in focused_spans)
        if start < end or start >= stop or hidden:
            continue
        disjoint.append(mark._replace(span=Span(start, stop)))
        end = stop
    return disjoint


def _span(words: str, mark: MarkedWords) -> str:
    title = escape(mark.title, quote=True)
    return f'<span class="{_classes(mark)}" title="{title}">{escape(words)}</span>'


def excerpt(text: str, span: Span, around: int = 240) -> tuple[str, int]:
    """The words around a span, cut at white space, and the offset in `text` at which they begin."""
    start = max(span.start - around, 0)
    end = min(span.end + around, len(text))
    while start > 0 and not text[start - 1].isspace() and start < span.start:
        start += 1
    while end < len(text) and not text[end].isspace() and end > span.end:
        end -= 1
    return text[start:end], start
