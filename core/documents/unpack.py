"""Packed files: gzip read as far as it goes, tar and zip archives file by file."""

from __future__ import annotations

import io
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
) -> Iterator[tuple[str, BinaryIO]]:
    """The files of a tar or zip archive whose names end so, each to be read before the next is
    asked for.
    """
    try:
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(stream.read())) as packed:
                for entry in packed.infolist():
                    if not entry.is_dir() and entry.filename.casefold().endswith(suffixes):
                        with packed.open(entry) as file:
                            yield entry.filename, io.BufferedReader(file)  # type: ignore[type-var]
        else:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                for member in archive:
                    if member.isfile() and member.name.casefold().endswith(suffixes):
                        opened = archive.extractfile(member)
                        if opened is not None:
                            yield member.name, io.BufferedReader(opened)  # type: ignore[type-var]
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
