"""ZIP files of others: which names they hold, within limits on what they unpack to."""

from __future__ import annotations

import io
import zipfile

from core.errors import InputError

MAX_PACKED = 100_000_000  # bytes
MAX_UNPACKED = 500_000_000  # bytes of all files together


def unpacked(content: bytes, wanted: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Name → content of the files of a ZIP (of those `wanted`, where any are named). Raises
    InputError for what is no ZIP, is damaged or unpacks to too much.
    """
    if len(content) > MAX_PACKED:
        raise InputError(f"The file has more than {MAX_PACKED:,} bytes.", "Split it.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [
                one
                for one in archive.infolist()
                if not one.is_dir() and (not wanted or one.filename in wanted)
            ]
            if sum(one.file_size for one in entries) > MAX_UNPACKED:
                raise InputError(f"The ZIP unpacks to more than {MAX_UNPACKED:,} bytes.")
            found, left = {}, MAX_UNPACKED
            for entry in entries:
                with archive.open(entry) as file:
                    found[entry.filename] = file.read(left + 1)
                left -= len(found[entry.filename])
                if left < 0:
                    raise InputError(f"The ZIP unpacks to more than {MAX_UNPACKED:,} bytes.")
            return found
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"This is no ZIP that can be read: {str(error)[:200]}.") from error


def names(content: bytes) -> set[str]:
    """The names in a ZIP; none where it is no ZIP."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return set(archive.namelist())
    except (zipfile.BadZipFile, EOFError, OSError):
        return set()
