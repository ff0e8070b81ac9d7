"""Cutting a document's text into chunks: inside one section, at sentence ends, with offsets into
the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.documents.paper import ABSTRACT
from core.literature.chunk import Chunk
from core.model import Json, Span, TextVersion
from core.text.sentence import overlapping_pieces

SIZE, OVERLAP = 2000, 200


@dataclass(frozen=True, slots=True)
class ChunkSize:
    """Target size and overlap in characters. An abstract of up to twice the size stays whole."""

    size: int = SIZE
    overlap: int = OVERLAP

    @classmethod
    def of(cls, settings: Json) -> ChunkSize:
        """From a namespace's settings; sizes from 200 to 20,000, overlap below half of the size."""
        size = min(20_000, max(200, int(settings.get("chunk_size", SIZE))))
        overlap = min(
            size // 2, max(0, int(settings.get("chunk_overlap", min(OVERLAP, size // 4))))
        )
        return cls(size, overlap)


def cut_into_chunks(
    version: TextVersion, body: Json, title: str = "", cutting: ChunkSize = ChunkSize()
) -> Iterator[Chunk]:
    """The chunks of one text version, in order. No word of the text is in no chunk, and no chunk
    spans two sections, but that a title and a short section before another are kept with it.
    """
    text = version.text
    provenance: dict[str, Any] = {
        "version": version.sha,
        "kind": version.kind,
        "title": title,
        "year": str(body.get("year", "")),
        "journal": str(body.get("journal", "")),
        "authors": "; ".join(body.get("authors", ())),
        "flags": tuple(body.get("flags", ())),
    }
    for name, span in _pieces(version, body, cutting):
        id = (
            f"{version.document}#{_slug(name)}@{span.start}"
            if name
            else f"{version.document}@{span.start}"
        )
        yield Chunk(
            id,
            version.document,
            text[span.start : span.end],
            span.start,
            section=name,
            **provenance,
        )


def _pieces(version: TextVersion, body: Json, cutting: ChunkSize) -> Iterator[tuple[str, Span]]:
    text = version.text
    if version.kind == ABSTRACT and len(text) <= 2 * cutting.size:
        yield "", Span(0, len(text))
        return
    for name, start, end in _sections(text, body, cutting):
        for span in overlapping_pieces(text[start:end], cutting.size, cutting.overlap):
            yield name, Span(start + span.start, start + span.end)


def _sections(text: str, body: Json, cutting: ChunkSize) -> list[tuple[str, int, int]]:
    """Sections that cover the text; a title, and a heading without a text, go with what follows."""
    places = [
        (str(name), int(start), int(end))
        for name, start, end in body.get("sections", ())
        if end > start
    ]
    if not places:
        return [("", 0, len(text))]
    sections: list[tuple[str, int, int]] = []
    begin = 0
    for place, (name, start, end) in enumerate(places):
        is_last = place == len(places) - 1
        if name == "Title" and not is_last:
            continue
        same = sections and sections[-1][0] == name and end - sections[-1][1] <= cutting.size
        if same:
            sections[-1] = (name, sections[-1][1], end)
        else:
            sections.append((name, min(begin, start) if not sections else start, end))
        begin = end
    name, start, _ = sections[-1]
    sections[-1] = (name, start, len(text))
    return sections


def _slug(name: str) -> str:
    return re.sub(r"[^\w]+", "-", name.casefold()).strip("-")[:40]
