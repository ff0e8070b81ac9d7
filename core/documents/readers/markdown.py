"""Markdown files: a line that begins with # is a heading; a single one of the highest rank is the
title. Other signs stay as they are typed.
"""

from __future__ import annotations

import re

from core.documents.heading import doi_on_own_line, is_references
from core.documents.paper import REFERENCES, TEXT, Paper, PaperSection
from core.documents.readers.plain_text import read_text
from core.text.clean import clean_text

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")  # "## Results"; not "#tag"
_FENCE = re.compile(r"\s*(?:```|~~~)")  # in a block of code # begins a comment


def read_markdown(raw: bytes, id: str, name: str) -> Paper:
    """A paper of a Markdown text; one without headings is plain text."""
    text = clean_text(raw)
    parts = _parts(text)
    headed = [(rank, heading) for rank, heading, _ in parts if rank]
    if not headed:
        return read_text(raw, id, name)
    highest = min(rank for rank, _ in headed)
    titles = [heading for rank, heading in headed if rank == highest]
    title = titles[0] if len(titles) == 1 and headed[0] == (highest, titles[0]) else name
    sections = tuple(
        PaperSection(
            "" if heading == title else heading,
            "\n".join(lines),
            REFERENCES if is_references(heading) else "",
        )
        for _, heading, lines in parts
        if "\n".join(lines).strip()
    )
    doi = next((doi_on_own_line(s.text) for s in sections if not s.name), "")
    own = f"DOI:{doi.lower()}" if doi else id
    return Paper(own, title, sections, TEXT, (own,), doi=doi)


def _parts(text: str) -> list[tuple[int, str, list[str]]]:
    """The rank of each heading, its words and the lines below it; rank 0 before the first."""
    parts: list[tuple[int, str, list[str]]] = [(0, "", [])]
    in_code = False
    for line in text.splitlines():
        in_code ^= _FENCE.match(line) is not None
        heading = None if in_code else _HEADING.fullmatch(line)
        if heading and heading[2]:
            parts.append((len(heading[1]), heading[2], []))
        else:
            parts[-1][2].append(line)
    return parts
