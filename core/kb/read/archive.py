"""ZIP files of others: which names they hold, within limits on what they unpack to."""

from __future__ import annotations

import io
import zipfile

from core.errors import InputError

MAX_PACKED = 100_000_000  # bytes
MAX_UNPACKED = 500_000_000  # bytes of all files together


def unpacked(content: bytes, names_wanted: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Name → content of the files of a ZIP (of those `names_wanted`, where any are named). Raises
    InputError for what is no ZIP, is damaged or unpacks to too much.
    """
    if len(content) > MAX_PACKED:
        raise InputError(f"The file has more than {MAX_PACKED:,} bytes.", "Split it.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [
                entry
                for entry in archive.infolist()
                if not entry.is_dir() and (not names_wanted or entry.filename in names_wanted)
            ]
            if sum(entry.file_size for entry in entries) > MAX_UNPACKED:
                raise InputError(f"The ZIP unpacks to more than {MAX_UNPACKED:,} bytes.")
            content_by_name, bytes_left = {}, MAX_UNPACKED
            for entry in entries:
                with archive.open(entry) as file:
                    content_by_name[entry.filename] = file.read(bytes_left + 1)
                bytes_left -= len(content_by_name[entry.filename])
                if bytes_left < 0:
                    raise InputError(f"The ZIP unpacks to more than {MAX_UNPACKED:,} bytes.")
            return content_by_name
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"This ZIP cannot be read: {str(error)[:200]}.") from error


def names(content: bytes) -> set[str]:
    """The names in a ZIP; none where it is no ZIP."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return set(archive.namelist())
    except (zipfile.BadZipFile, EOFError, OSError):
        return set()
