"""A file uploaded on a page, stored in the project until a job reads it."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from core.desk_parts import HasProject
from core.errors import file_trouble


def store_upload(desk: HasProject, room: str, content: bytes) -> str:
    """Write a file under its digest; the path inside the project. Raises StoreError."""
    place = Path("uploads") / room / sha256(content).hexdigest()[:32]
    path = desk.folder / place
    unfinished = path.with_name(f"{path.name}.{desk.new_id()[:8]}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise file_trouble(error, path.parent) from error
    return place.as_posix()
