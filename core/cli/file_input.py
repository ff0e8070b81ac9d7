"""What a user names as a file or `-`, read up to a limit."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError
from core.model import Json
from core.text.json_fault import json_fault
from core.text.unpack import read_up_to

MAX_INPUT = 50_000_000  # bytes
MOST_UNREADABLE = 1_000  # lines that are not JSON, before the rest of a file is left unread


def stored_bytes(name: str | Path, most: int = MAX_INPUT) -> bytes:
    """A file as it is stored, gzipped or not, or standard input for `-`, at most so many bytes.
    Raises InputError, also for what is no file: a folder, a device or a pipe may have no end.
    """
    if str(name) == "-":
        return read_up_to(sys.stdin.buffer, most, "Standard input")
    with _opened(name) as stream:
        return read_up_to(stream, most, str(name))


def packed_bytes(name: str | Path, most: int) -> bytes:
    """A file as it is, not unpacked, at most so many bytes. Raises InputError."""
    with _opened(name) as stream:
        if os.fstat(stream.fileno()).st_size > most:
            raise InputError(f"{name} is larger than {most / 1e6:,.0f} MB.", "Split it.")
        return stream.read(most)


@contextmanager
def _opened(name: str | Path) -> Iterator[BinaryIO]:
    path = Path(name)
    if not path.is_file():
        exists = os.path.lexists(path)
        words = f"{name} is not a file." if exists else f"There is no file {name}."
        raise InputError(words, "Give a file, or - for standard input.")
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from error


def stored_text(name: str | Path, else_read_as: str = "") -> str:
    """A file, or standard input for `-`, as text with line ends LF: UTF-8, UTF-16 with its mark
    (as Excel saves), and what is neither, in the other encoding if one is given. Raises InputError.
    """
    raw = stored_bytes(name)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raw = raw.decode("utf-16", "replace").encode()
    if b"\0" in raw:
        raise InputError(f"{name} is not text: it contains NUL bytes.", "Choose another file.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not else_read_as:
            raise InputError(f"{name} is not text in UTF-8.", "Save it as UTF-8.") from error
        text = raw.decode(else_read_as)
    return text.replace("\r\n", "\n").replace("\r", "\n")


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
            yield InputError(f"Line {number} is not JSON: {json_fault(error)[:100]}.")
