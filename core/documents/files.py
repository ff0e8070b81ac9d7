"""Files and folders: which reader a file needs, by its name and its first bytes.

Packed files: gzip read as far as it goes, tar and zip archives file by file.
"""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from core.documents.paper import Paper, unreadable_paper, within_limits
from core.documents.readers.json_lines import read_rows
from core.documents.readers.registry import (
    PLAIN,
    document_id,
    format_of,
    read_plain,
    suffixes,
)
from core.documents.readers.table import ChosenColumns, is_table, read_table
from core.documents.readers.xml import decode_xml
from core.errors import GroundworkError, InputError
from core.model import Problem
from core.text.clean import MAX_TEXT

MOST_BYTES = 4_000_000_000  # of one file when unpacked
_BLOCK = 262_144


class GzipStream(io.RawIOBase):
    """What a gzip stream holds, its members one after another. A damaged or cut one ends early and
    says so.
    """

    def __init__(self, packed: BinaryIO):
        self.damaged = ""
        self._packed, self._given = packed, 0
        self._machine = zlib.decompressobj(wbits=31)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        unpacked = b""
        while not unpacked and not self.damaged:
            if self._machine.eof:
                packed_bytes = self._machine.unused_data or self._packed.read(_BLOCK)
                if not packed_bytes.lstrip(b"\0"):
                    return 0
                self._machine = zlib.decompressobj(wbits=31)
            else:
                packed_bytes = self._machine.unconsumed_tail or self._packed.read(_BLOCK)
            unpacked = self._unpacked(packed_bytes, len(buffer))
        self._given += len(unpacked)
        if self._given > MOST_BYTES:
            self.damaged = f"is larger than {MOST_BYTES // 1_000_000_000} GB when unpacked"
        buffer[: len(unpacked)] = unpacked
        return len(unpacked)

    def _unpacked(self, packed: bytes, size: int) -> bytes:
        if not packed:
            self.damaged = "is a gzip file that is cut off"
        try:
            return self._machine.decompress(packed, size)
        except zlib.error:
            self.damaged = "is a damaged gzip file"
            return b""


def archive_members(
    stream: BinaryIO, name: str, suffixes: tuple[str, ...]
) -> Iterator[tuple[str, BinaryIO | None]]:
    """The files of a tar or zip archive whose names end so, each to be read before the next is
    asked for; None for a link, which holds no text of its own.
    """
    members = _zip_members if name.endswith(".zip") else _tar_members
    try:
        yield from members(stream, suffixes)
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        RuntimeError,
        NotImplementedError,
        EOFError,
    ) as error:
        raise InputError(
            f"The archive {name} is damaged or locked.", "Download or make it again."
        ) from error


def _zip_members(
    stream: BinaryIO, suffixes: tuple[str, ...]
) -> Iterator[tuple[str, BinaryIO | None]]:
    with zipfile.ZipFile(io.BytesIO(stream.read())) as packed:
        for entry in packed.infolist():
            if entry.is_dir() or not entry.filename.casefold().endswith(suffixes):
                continue
            if stat.S_ISLNK(entry.external_attr >> 16):
                yield entry.filename, None
            else:
                with packed.open(entry) as file:
                    yield entry.filename, io.BufferedReader(file)  # type: ignore[type-var]


def _tar_members(
    stream: BinaryIO, suffixes: tuple[str, ...]
) -> Iterator[tuple[str, BinaryIO | None]]:
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            if not member.name.casefold().endswith(suffixes):
                continue
            opened = archive.extractfile(member) if member.isfile() else None
            if opened is not None:
                yield member.name, io.BufferedReader(opened)  # type: ignore[type-var]
            elif member.issym() or member.islnk():
                yield member.name, None


__all__ = [
    "SUFFIXES",
    "document_id",
    "expand_folders",
    "files_without_reader",
    "read",
    "read_bytes",
    "read_each",
]

MOST_WHOLE = 500_000_000  # bytes of a file that is read at once
LONGEST_LINE = 50_000_000  # bytes
SUFFIXES = (*suffixes(), ".jsonl", ".ndjson", ".gz", ".tar", ".tgz", ".zip")


def expand_folders(paths: Sequence[Path]) -> list[Path]:
    """Files, and those in folders that can be read, sorted; raises InputError for a path that is
    not there.
    """
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(
                p for p in path.rglob("*") if p.is_file() and p.suffix.casefold() in SUFFIXES
            )
            if not inside:
                raise InputError(
                    f"The folder {path} contains no file that can be read.",
                    f"Readable: {', '.join(SUFFIXES)}.",
                )
            files += inside
        elif path.is_file():
            files.append(path)
        else:
            raise InputError(f"There is no file {path}.")
    return files


def files_without_reader(paths: Sequence[Path]) -> list[Path]:
    """Files in folders that no reader is for."""
    inside = (p for path in paths if path.is_dir() for p in path.rglob("*"))
    return sorted(p for p in inside if p.is_file() and p.suffix.casefold() not in SUFFIXES)


def read(path: Path) -> Iterator[Paper]:
    """The papers of one file; what in it cannot be read is told by empty papers that carry
    Problems. Raises InputError when nothing of it can be read.
    """
    with path.open("rb") as file:
        yield from map(within_limits, _papers_of_file(file, path.name))


def read_bytes(raw: bytes, name: str) -> Iterator[Paper]:
    """The papers of an uploaded file."""
    return map(within_limits, _papers_of_file(io.BytesIO(raw), name))


def read_each(
    paths: Sequence[Path], columns: ChosenColumns | None = None
) -> Iterator[Paper | GroundworkError | None]:
    """The papers of files, and None after the last of each; what was wrong with a file is handed
    on, and the others follow. `columns`: which of a table holds which field.
    """
    for path in paths:
        try:
            if columns and is_table(path.name):
                yield from read_table(path.read_bytes(), path.name, columns)
            else:
                yield from read(path)
        except GroundworkError as error:
            yield error
        yield None


def _papers_of_file(file: BinaryIO, name: str, deep: int = 0) -> Iterator[Paper]:
    stream = io.BufferedReader(file, 65536) if not isinstance(file, io.BufferedReader) else file  # type: ignore[type-var]
    unzipped = GzipStream(stream) if stream.peek(2)[:2] == b"\x1f\x8b" else None
    if unzipped is not None:
        stream = io.BufferedReader(unzipped, 65536)
    try:
        yield from _papers(stream, _plain_name(name), deep)
    except InputError as error:
        if unzipped is not None and unzipped.damaged:
            raise InputError(f"{name} {unzipped.damaged}.", "Download or make it again.") from error
        raise
    if unzipped is not None and unzipped.damaged:
        message = f"The file {unzipped.damaged}; what comes before the damage was read."
        yield unreadable_paper(
            Problem("cut-off", message, where=name, hint="Download or make it again.")
        )


def _plain_name(name: str) -> str:
    name = name.casefold()
    return name.removesuffix(".tgz") + ".tar" if name.endswith(".tgz") else name.removesuffix(".gz")


def _papers(stream: io.BufferedReader[Any], name: str, deep: int) -> Iterator[Paper]:
    head = stream.peek(4000)[:4000]
    if (name.endswith(".zip") and head.startswith(b"PK")) or head[257:262] == b"ustar":
        yield from _archive(stream, name, deep)
    elif name.endswith((".jsonl", ".ndjson")):
        yield from read_rows(_lines(stream), name)
    else:
        yield from _papers_of_format(stream, name, head)


def _papers_of_format(stream: io.BufferedReader[Any], name: str, head: bytes) -> Iterator[Paper]:
    """The papers of a file that is no archive; of a text no more than a text may have is read."""
    format = format_of(head, name)
    if format.stream is not None:
        yield from format.stream(stream, name)
        return
    most = 4 * MAX_TEXT if format is PLAIN else MOST_WHOLE
    raw = stream.read(most + 1)
    if len(raw) > most:
        raise InputError(f"{name} is larger than {most // 1_000_000:,} MB.", "Split it.")
    if raw[:4000] != head:  # a packed file gives little at first
        format = format_of(raw[:4000], name)
    yield from (format.read or read_plain)(raw, name)


def _archive(stream: BinaryIO, name: str, deep: int) -> Iterator[Paper]:
    """The papers of every file in it; a file that cannot be read is told, and the others go on."""
    if deep:
        raise InputError(f"{name} is an archive inside an archive.", "Unpack it first.")
    empty = True
    for inside, file in archive_members(stream, name, SUFFIXES):
        if file is None:
            message = "This is a link to another file and is not followed."
            yield unreadable_paper(Problem("link-in-archive", message, where=inside))
            continue
        empty = False
        try:
            yield from _papers_of_file(file, inside, deep + 1)
        except InputError as error:
            yield unreadable_paper(
                Problem("unreadable-file", error.message, where=inside, hint=error.hint)
            )
    if empty:
        raise InputError(
            f"The archive {name} contains no file that can be read.",
            f"Readable: {', '.join(SUFFIXES)}.",
        )


def _lines(stream: BinaryIO) -> Iterator[str]:
    """Lines in UTF-8, else in Windows-1252, each by itself; in UTF-16 by the byte order mark."""
    if stream.peek(2)[:2] in (b"\xff\xfe", b"\xfe\xff"):  # type: ignore[attr-defined]
        yield from io.StringIO(stream.read().decode("utf-16", "replace"))
        return
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"A line is longer than {LONGEST_LINE // 1_000_000} MB.",
                "Give one document a line.",
            )
        yield decode_xml(line)
