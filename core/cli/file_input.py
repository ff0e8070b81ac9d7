"""What a user names as a file or `-`, read up to a limit."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.model import Json
from core.text.unpack import read_up_to

MAX_INPUT = 50_000_000  # bytes
MOST_UNREADABLE = 1_000  # lines that are not JSON, before the rest of a file is left unread


def stored_bytes(name: str) -> bytes:
    """A file as it is stored, gzipped or not, or standard input for `-`. Raises InputError."""
    if name == "-":
        return read_up_to(sys.stdin.buffer, MAX_INPUT, "Standard input")
    path = Path(name)
    if not path.is_file():
        raise InputError(f"There is no file {name}.", "Give a file, or - for standard input.")
    with path.open("rb") as stream:
        return read_up_to(stream, MAX_INPUT, name)


def json_lines(content: bytes) -> Iterator[Json | InputError]:
    """Each line that is not empty as JSON, or the error that it is none, in order. After more than
    `MOST_UNREADABLE` of those the last error says that the rest was not read.
    """
    unreadable = 0
    for number, line in enumerate(content.decode("utf-8-sig", "replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            unreadable += 1
            if unreadable > MOST_UNREADABLE:
                yield InputError(
                    f"More than {MOST_UNREADABLE:,} lines are not JSON: line {number} and what"
                    " follows were not read."
                )
                return
            yield InputError(f"Line {number} is not JSON: {str(error)[:100]}.")
