"""A file uploaded on a page, stored in the project until a job reads it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from core.desk_parts import HasProject


def store_upload(desk: HasProject, room: str, content: bytes) -> str:
    """Write a file under its digest; the path inside the project."""
    place = Path("uploads") / room / sha256(content).hexdigest()[:32]
    path = desk.folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{desk.new_id()[:8]}")
    unfinished.write_bytes(content)
    unfinished.replace(path)
    return place.as_posix()
