"""ZIP files of others: which names they hold, within limits on what they unpack to."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from core.errors import InputError

MAX_PACKED = 100_000_000  # bytes
MAX_UNPACKED = 500_000_000  # bytes of all files together
LONGEST_LINE = 4_000_000  # bytes
PIECE = 1 << 20  # bytes
DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(RuntimeError, NotImplementedError),  # a password, a way of packing
)


@dataclass(frozen=True, slots=True)
class FileChecksum:
    """A file's SHA-256, and how many line ends it has."""

    sha256: str
    lines: int


@contextmanager
def opened_file(content: bytes, name: str) -> Iterator[IO[bytes]]:
    """A file of a ZIP, to be read as it unpacks. Raises InputError for what is no ZIP, is damaged
    or unpacks to too much.
    """
    with _opened(content) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED:
            raise too_large()
        with archive.open(name) as file:  # which ends where its entry says that it does
            yield file


def checked_digests(content: bytes, names_wanted: Sequence[str]) -> dict[str, FileChecksum]:
    """Name → checksum of those of these files that a ZIP holds, read piece by piece. Raises
    InputError as `opened_file` does.
    """
    with _opened(content) as archive:
        entries = [entry for entry in archive.infolist() if entry.filename in names_wanted]
        if sum(entry.file_size for entry in entries) > MAX_UNPACKED:
            raise too_large()
        checksums, bytes_left = {}, MAX_UNPACKED
        for entry in entries:
            digest, line_ends = hashlib.sha256(), 0
            with archive.open(entry) as file:
                while piece := file.read(PIECE):
                    digest.update(piece)
                    line_ends += piece.count(b"\n")
                    bytes_left -= len(piece)
                    if bytes_left < 0:
                        raise too_large()
            checksums[entry.filename] = FileChecksum(digest.hexdigest(), line_ends)
        return checksums


def archive_lines(content: bytes, name: str) -> Iterator[bytes]:
    """The lines of a file in a ZIP that are not empty, one at a time; of a longer one its first
    `LONGEST_LINE` bytes and one more.
    """
    with _opened(content) as archive, io.BufferedReader(archive.open(name), PIECE) as file:  # type: ignore[type-var]
        while line := file.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(file)
            if line.strip():
                yield line


def archive_file_start(content: bytes, name: str, most: int) -> bytes:
    """The first bytes of a file in a ZIP."""
    with _opened(content) as archive, archive.open(name) as file:
        return file.read(most)


def archive_names(content: bytes) -> set[str]:
    """The names in a ZIP. Raises InputError for what is no ZIP, or is damaged."""
    with _opened(content) as archive:
        return set(archive.namelist())


def too_large() -> InputError:
    return InputError(f"The ZIP unpacks to more than {MAX_UNPACKED:,} bytes.")


def _skip_line(file: IO[bytes]) -> None:
    while (piece := file.readline(PIECE)) and not piece.endswith(b"\n"):
        pass


@contextmanager
def _opened(content: bytes) -> Iterator[zipfile.ZipFile]:
    if len(content) > MAX_PACKED:
        raise InputError(f"The file has more than {MAX_PACKED:,} bytes.", "Split it.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield archive
    except DAMAGES as error:
        raise InputError(f"This ZIP cannot be read: {str(error)[:200]}.") from error
