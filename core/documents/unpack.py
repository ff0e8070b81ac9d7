"""Packed files: gzip read as far as it goes, tar and zip archives file by file."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from core.errors import InputError

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
