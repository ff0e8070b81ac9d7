"""Bytes and lines of a vocabulary file, compressed (gzip, xz, bzip2) or not; a text without its
byte order mark, and with LF where its lines end in CR alone.

What is unpacked is counted while it streams: a file that grows past its limit is refused, however
small it is on disk. `watch_bytes` tells how far into the file a reader has come.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, cast

from core.errors import InputError
from core.grounding.readers.record import VocabularyReading

PACKED = (".gz", ".xz", ".bz2")
LARGEST = 8_000_000_000  # bytes unpacked of a file that is read as a stream
LARGEST_WHOLE = 1_500_000_000  # bytes of a file that its format makes us hold in memory
LONGEST_LINE = 16_000_000  # bytes of one line
LINES_BY_HAND = 100  # a shorter table may have been typed, without an end of its last line
DAMAGED = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, OSError)
_LINES = 1 << 18  # bytes that are cut into lines at once
_BLOCK = 1 << 16
_MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8

Watch = Callable[[int, int], None]  # bytes of the file on disk that were read, of how many
_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watch_bytes(watch: Watch) -> Iterator[None]:
    """Inside, every file opened here tells `watch` how many of its bytes (on disk) were read."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def without_compression(name: str) -> str:
    """A file's name without the ending of its compression."""
    lower = name.lower()
    ending = next((ending for ending in PACKED if lower.endswith(ending)), "")
    return name[: len(name) - len(ending)]


def open_unpacked(path: Path, limit: int = LARGEST) -> BinaryIO:
    """The unpacked bytes of a file. Reading past `limit` bytes raises InputError."""
    raw = _Counted(path)
    magic = raw.read(6)
    raw.seek(0)
    if magic[:2] == b"\x1f\x8b":
        inner: BinaryIO = cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    elif magic == b"\xfd7zXZ\0":
        inner = cast(BinaryIO, lzma.LZMAFile(raw))  # noqa: SIM115
    elif magic[:3] == b"BZh":
        inner = cast(BinaryIO, bz2.BZ2File(raw))
    else:
        inner = cast(BinaryIO, raw)
    return cast(BinaryIO, io.BufferedReader(_Limited(inner, limit, path.name), _BLOCK))


def read_whole(path: Path) -> bytes:
    """All unpacked bytes of a file. Raises InputError for one that is damaged or too large."""
    try:
        with open_unpacked(path, LARGEST_WHOLE) as file:
            return file.read()
    except DAMAGED as error:
        raise damaged_file_error(path) from error


def not_utf_8(path: Path) -> InputError:
    """The error of a file whose format is always UTF-8, with the first line that is not."""
    with open_unpacked(path) as file:
        lines = (line.decode("utf-8", "replace") for line in file)
        number = next((place for place, text in enumerate(lines, 1) if "\ufffd" in text), 0)
    return InputError(f"Line {number} of {path.name} is not UTF-8.", "Save the file as UTF-8.")


def damaged_file_error(path: Path, line: int = 0) -> InputError:
    after = f" after line {line}" if line else ""
    return InputError(f"{path.name} is damaged{after}: it may be cut short.", "Download it again.")


def numbered_lines(path: Path, reading: VocabularyReading) -> Iterator[tuple[int, str]]:
    """Numbered lines (from 1) without their ends; UTF-8, with Latin-1 for lines that are not, which
    is noted, as is a long file whose last line has no end. Raises InputError for binary data, a
    damaged file and a line of more than 16 MB.
    """
    number, pending = 0, b""
    try:
        with open_unpacked(path) as file:
            while block := file.read(_LINES):
                if b"\0" in block:
                    line = number + 1 + (pending + block).partition(b"\0")[0].count(b"\n")
                    raise InputError(
                        f"{path.name} is not text: line {line} contains binary data.",
                        "Choose another file.",
                    )
                complete, end, pending = (pending + block).rpartition(b"\n")
                if len(pending) >= LONGEST_LINE:
                    message = f"Line {number + 1} of {path.name} is longer than 16 MB."
                    raise InputError(message, "Is it a vocabulary file?")
                if end:
                    for text in _texts(complete, number, reading):
                        number += 1
                        yield number, text
        if pending:
            yield from ((number + 1, text) for text in _texts(pending, number, reading))
            if number >= LINES_BY_HAND:
                message = "The file ends in the middle of a line: it may have been cut short."
                reading.trouble("cut-short", message, f"line {number + 1}", "Download it again.")
    except DAMAGED as error:
        raise damaged_file_error(path, number) from error


def _texts(lines: bytes, before: int, reading: VocabularyReading) -> Iterator[str]:
    """The lines in a block of whole lines, of which `before` others stand in the file."""
    try:
        text = lines.decode("utf-8-sig" if before == 0 else "utf-8")
    except UnicodeDecodeError:
        for place, raw in enumerate(lines.split(b"\n"), before + 1):
            yield _decoded(raw, place, reading)
    else:
        for line in text.split("\n"):
            yield line.rstrip("\r\n")


def _decoded(raw: bytes, number: int, reading: VocabularyReading) -> str:
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        reading.trouble(
            "not-utf-8", "The line is not UTF-8 and was read as Latin-1.", f"line {number}"
        )
        text = raw.decode("latin-1")
    return text.rstrip("\r\n")


class _Counted(io.FileIO):
    """The file on disk, telling the watcher how far it was read."""

    def __init__(self, path: Path):
        super().__init__(path, "rb")
        self._watch = _watch.get()
        self._size = path.stat().st_size
        self._told = 0

    def read(self, size: int | None = -1, /) -> bytes:
        block = super().read(-1 if size is None else size) or b""
        self._tell()
        return block

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        size = super().readinto(buffer) or 0
        self._tell()
        return size

    def _tell(self) -> None:
        if self._watch and (place := self.tell()) - self._told > _BLOCK:
            self._told = place
            self._watch(place, self._size)


class _Limited(io.RawIOBase):
    """Unpacked bytes up to a limit."""

    def __init__(self, inner: BinaryIO, limit: int, name: str):
        self._inner, self._left, self._limit, self._name = inner, limit, limit, name
        self._only_cr: bool | None = None  # not known before the first block

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        block = self._inner.read(len(buffer))
        self._left -= len(block)
        if self._left < 0:
            message = f"{self._name} unpacks to more than {self._limit // 1_000_000} MB."
            raise InputError(message, "Is it a vocabulary file?")
        if self._only_cr is None:
            self._only_cr = b"\r" in block and b"\n" not in block and b"\0" not in block
            if block.startswith(_MARK):
                block = block[len(_MARK) :] or self._inner.read(len(buffer))
        if self._only_cr:
            block = block.replace(b"\r", b"\n")
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
        super().close()
