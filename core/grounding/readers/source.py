"""Bytes and lines of a vocabulary file, compressed or not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from core.errors import InputError
from core.grounding.readers.record import Reading


def opened(path: Path) -> BinaryIO:
    """The bytes of a file, decompressed when they are gzip."""
    file = path.open("rb")
    magic = file.read(2)
    file.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=file)) if magic == b"\x1f\x8b" else file


def lines(path: Path, reading: Reading) -> Iterator[tuple[int, str]]:
    """Numbered lines (from 1) without their ends; UTF-8, with Latin-1 for lines that are not, which
    is noted.
    """
    number = 0
    try:
        with opened(path) as file:
            for number, raw in enumerate(file, 1):
                if b"\0" in raw:
                    raise InputError(
                        f"{path.name} is not text: line {number} holds binary data.",
                        "Choose another file.",
                    )
                yield number, _decoded(raw, number, reading)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{path.name} is damaged after line {number}: it may be cut short.", "Get it again."
        ) from error


def _decoded(raw: bytes, number: int, reading: Reading) -> str:
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        reading.trouble(
            "not-utf-8", "The line is not UTF-8 and was read as Latin-1.", f"line {number}"
        )
        text = raw.decode("latin-1")
    return text.rstrip("\r\n")
