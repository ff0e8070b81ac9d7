"""The vocabulary files of a folder: which they are, their names, what their headings say."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path

from core.errors import InputError
from core.grounding.readers import registry
from core.grounding.readers.record import VocabularyReading
from core.grounding.readers.source import without_compression

SETTLED = 3.0  # seconds after which a folder's time of change is trusted


def file_stamp(path: Path) -> tuple[int, int] | None:
    """Size and time of change of a file; None when it is gone."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def listed_vocabularies(folder: Path | None) -> dict[str, Path]:
    """The vocabulary files of a folder by name. A folder that has not changed for a while is not
    read again: the clock of a file system ticks too coarsely to tell two changes at once apart.
    """
    if folder is None or not folder.is_dir():
        return {}
    changed = folder.stat().st_mtime_ns
    if (listing := _LISTINGS.get(folder)) and listing[0] == changed:
        return dict(listing[1])
    paths = sorted(folder.iterdir(), reverse=True)
    files = {
        vocabulary_name(path): path for path in paths if is_vocabulary(path) and path.is_file()
    }
    if time.time_ns() - changed > SETTLED * 1e9:
        _LISTINGS[folder] = (changed, files)
    return files


_LISTINGS: dict[Path, tuple[int, dict[str, Path]]] = {}  # when it had changed, and its files


def vocabulary_name(path: Path) -> str:
    return registry.vocabulary_stem(path).lower()


def is_vocabulary(path: Path) -> bool:
    name = without_compression(path.name.lower())
    return (
        not name.startswith(".")
        and name.endswith(registry.suffixes())
        and not name.endswith((".obsolete.tsv", ".columns.json"))
    )


@lru_cache(maxsize=200)
def starter_prefix(path: Path) -> str:
    """The prefix of a starter's first term."""
    term = next(iter(registry.read(path, VocabularyReading())), None)
    return term.id.partition(":")[0] if term else ""


def categories_in_heading(path: Path) -> tuple[str, ...]:
    """What the heading of a table says that it holds (`# holds: gene`)."""
    if not without_compression(path.name).lower().endswith((".tsv", ".txt")):
        return ()
    reading = VocabularyReading()
    try:
        next(iter(registry.read(path, reading)), None)
    except (InputError, OSError):
        return ()
    return reading.holds
