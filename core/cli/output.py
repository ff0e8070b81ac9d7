"""What verbs write: data on standard output or into a file, notes on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from core.model import Json


def print_note(words: str) -> None:
    print(f"groundwork: {words}", file=sys.stderr, flush=True)


def print_line(value: Json, *, flush: bool = False) -> None:
    """One JSON line; `flush` where the next one may take long."""
    print(json.dumps(value, ensure_ascii=False), flush=flush)


def print_json(value: Json, indent: int = 2) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=indent))


def write_pieces(pieces: Iterable[bytes], file: Path | None) -> None:
    """Into the file, which is replaced when all is written, or to standard output."""
    from core.services.graph.export_file import replace_file

    if file:
        replace_file(file, pieces)
        return
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.flush()


def write_text(text: str, file: Path | None) -> None:
    if file:
        file.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
