"""Headings, list lines and "name: value" lines: the shape of a text, read without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.model import Span

SAME = {
    "step": (
        "method",
        "methods",
        "directions",
        "instructions",
        "preparation",
        "procedure",
        "steps",
    ),
    "ingredient": ("ingredients", "you need", "you will need"),
    "symptom": ("symptoms", "signs and symptoms", "clinical features", "phenotype"),
    "phenotype": ("clinical features", "symptoms", "features"),
    "treatment": ("treatment", "treatments", "therapy", "management"),
}
_BULLET = re.compile(r"\s*(?:[-*•·–]|\(?\d{1,2}[.)]|[a-z][.)])\s+|\s+")
_SPLIT = re.compile(r";\s*|\n")


def content_lines(text: str, within: Span | None = None) -> list[Span]:
    """The lines that hold something, without white space, bullets and numbers at their edges."""
    return list(_lines(text, within or Span(0, len(text))))


def _lines(text: str, within: Span) -> Iterator[Span]:
    at = within.start
    while at <= within.end:
        stop = text.find("\n", at, within.end)
        line = text[at : stop if stop >= 0 else within.end]
        bullet = _BULLET.match(line)
        start = at + (bullet.end() if bullet else 0)
        end = at + len(line.rstrip())
        if start < end:
            yield Span(start, end)
        at += len(line) + 1


def title_line(text: str) -> Span:
    """The first line that holds something; its first sentence when it is long. Empty for an empty
    text.
    """
    first_line = next(_lines(text, Span(0, len(text))), Span(0, 0))
    words = first_line.quote(text)
    if len(words) <= 200:
        return first_line
    stop = re.search(r"[.!?](?=\s)", words)
    return Span(first_line.start, first_line.start + (stop.end() if stop else 200))


def list_items(text: str, names: Iterable[str]) -> list[Span]:
    """The list lines under a heading that says one of `names`; none without such a heading."""
    headings = {word for name in names for word in _heading_forms(name)}
    spans = content_lines(text)
    for at, line in enumerate(spans):
        head, colon, after_colon = line.quote(text).partition(":")
        if _spaced_words(head) not in headings or (after_colon.strip() and not colon):
            continue
        if after_colon.strip():
            return _parts(text, Span(line.start + len(head) + 1, line.end))
        return _below(text, spans[at + 1 :])
    return []


def value_after(text: str, within: Span, names: Iterable[str]) -> Span | None:
    """The words after "name:" on a line of their own."""
    plain_names = {_spaced_words(name) for name in names}
    for line in content_lines(text, within):
        head, colon, after_colon = line.quote(text).partition(":")
        if colon and after_colon.strip() and _spaced_words(head) in plain_names:
            start = line.start + len(head) + 1 + len(after_colon) - len(after_colon.lstrip())
            return Span(start, line.end)
    return None


def _below(text: str, lines_below: list[Span]) -> list[Span]:
    """List lines up to the next heading: a short line with a colon, or one after an empty line with
    nothing behind.
    """
    spans: list[Span] = []
    for line in lines_below:
        words = line.quote(text)
        gap = text[spans[-1].end : line.start].count("\n") > 1 if spans else False
        heading = words.endswith(":") or (
            gap and len(words.split()) <= 4 and not re.search(r"[\d.,;]", words)
        )
        if heading:
            break
        spans.append(line)
    if len(spans) == 1:
        return _parts(text, spans[0])
    return spans


def _parts(text: str, span: Span) -> list[Span]:
    """An inline list, split at semicolons, else at commas, else at full stops."""
    words = span.quote(text)
    mark = next((mark for mark in (";", ". ", ", ") if mark in words), ";")
    parts, at = [], span.start
    for part in words.split(mark):
        start = at + len(part) - len(part.lstrip())
        end = at + len(part.rstrip(" .;,"))
        if start < end:
            parts.append(Span(start, end))
        at += len(part) + len(mark)
    return parts


def _heading_forms(name: str) -> set[str]:
    plain_name = _spaced_words(name)
    singular = plain_name.removesuffix("s")
    return {plain_name, singular, f"{singular}s", *SAME.get(singular, ())}


def _spaced_words(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip())
    return " ".join(spaced.replace("_", " ").casefold().strip("#* ").split())
