"""JSON lines {id, title, text}: one paper a line, gzipped or not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from core.errors import InputError
from core.literature.paper import ABSTRACT, Paper, Section
from core.model import Json

KNOWN = ("id", "title", "text")


def read_rows(lines: Iterable[str], name: str = "the file") -> Iterator[Paper]:
    """Papers of a file; raises InputError with the line's number. Rows without words are left out."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(
                f"Line {number} of {name} is not JSON.", "Each line is an object {id, title, text}."
            ) from error
        paper = paper_of(row, f"line {number} of {name}")
        if not paper.empty:
            yield paper


def paper_of(row: Json, where: str) -> Paper:
    if not isinstance(row, dict) or not isinstance(row.get("id"), str | int) or not str(row["id"]).strip():
        raise InputError(f"In {where} the id is missing.", "Each line is an object {id, title, text}.")
    text, title = row.get("text") or "", row.get("title") or ""
    if not isinstance(text, str) or not isinstance(title, str):
        raise InputError(f"In {where} title and text must be strings.")
    return Paper(
        str(row["id"]).strip(),
        title,
        (Section("", text),),
        ABSTRACT,
        year=str(row.get("year") or ""),
        journal=str(row.get("journal") or ""),
    )
