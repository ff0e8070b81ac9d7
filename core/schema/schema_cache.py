"""Schemas kept as they were read: reading LinkML takes a second, reading this some milliseconds.

A kept schema is used only where its text, every text that it imports, and the code that reads
schemas are the same as when it was kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from core.codec import from_json, to_json
from core.errors import InputError
from core.schema.definition import Schema
from core.schema.importing import load_imports, place_of
from core.schema.source import read_source

MOST = 200  # schemas in a folder


def find_cached(folder: Path, text: str, name: str, folders: Sequence[Path]) -> Schema | None:
    """The schema of this text, file name and import folders; None where it is not kept."""
    try:
        entry = json.loads(_file(folder, text, name).read_text(encoding="utf-8"))
        if all(_digest(name, folders, base) == sha for name, base, sha in entry["imports"]):
            return from_json(Schema, entry["schema"] | {"source": text})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, InputError):
        pass
    return None


def store_schema(
    folder: Path, text: str, name: str, folders: Sequence[Path], *, schema: Schema
) -> None:
    """Keep a schema that was read from `text`; where the folder cannot be written, nothing is."""
    _, imports = load_imports(read_source(text, name), folders)
    named = [(each.name, str(each.base or "")) for each in imports.values()]
    body = to_json(schema)
    body.pop("source", None)
    entry = {
        "imports": [[name, base, _digest(name, folders, base)] for name, base in named],
        "schema": body,
    }
    place = _file(folder, text, name)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        for old in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-MOST]:
            old.unlink(missing_ok=True)
        part = place.with_suffix(f".{sha256(repr(id(entry)).encode()).hexdigest()[:8]}.part")
        part.write_text(json.dumps(entry), encoding="utf-8")
        part.replace(place)


def _file(folder: Path, text: str, name: str) -> Path:
    content = "\n".join((_code(), name, text)).encode("utf-8", "surrogatepass")
    return folder / f"{sha256(content).hexdigest()[:32]}.json"


def _digest(name: str, folders: Sequence[Path], base: str) -> str:
    """SHA-256 (hex) of what an import means now; empty where it is not found."""
    path = place_of(name, folders, Path(base) if base else None)
    return sha256(path.read_bytes()).hexdigest() if path else ""


@cache
def _code() -> str:
    """What reads schemas: LinkML's version, and our own files as they stand."""
    own = sorted(Path(__file__).parent.glob("*.py"))
    files = [f"{path.name} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in own]
    return "\n".join((version("linkml-runtime"), *files))
