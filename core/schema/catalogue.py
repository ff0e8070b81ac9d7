"""The schemas at hand: the project's own, then the app's templates, each with its example texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import InputError, NotFound
from core.schema.definition import Schema
from core.schema.importing import OWN
from core.schema.load import load_schema

_SUFFIXES = (".yaml", ".yml")
_BASE = frozenset({"core"})  # building blocks, nothing to fill


@dataclass(frozen=True, slots=True)
class SchemaEntry:
    """A schema on disk. `name` is the stem of its file; `trouble` says why it cannot be loaded, if
    it cannot.
    """

    name: str
    title: str
    summary: str
    path: Path
    trouble: str = ""


def all_schemas(
    folders: Sequence[Path] = (), *, cache_folder: Path | None = None
) -> list[SchemaEntry]:
    """Every schema in `folders` (the project's first), then in the app's; the first of a name
    counts. By title.
    """
    schema_entries: dict[str, SchemaEntry] = {}
    for folder in [*folders, OWN]:
        for path in sorted(folder.glob("*.y*ml")) if folder.is_dir() else ():
            if (
                path.suffix in _SUFFIXES
                and path.stem not in _BASE
                and path.stem not in schema_entries
            ):
                schema_entries[path.stem] = _entry(path, folders, cache_folder)
    return sorted(schema_entries.values(), key=lambda entry: (entry.title.casefold(), entry.name))


def schema_title(
    name: str, folders: Sequence[Path] = (), *, cache_folder: Path | None = None
) -> str:
    """What a schema is called on screen; one that is gone, by its name."""
    entries = all_schemas(folders, cache_folder=cache_folder)
    title = next((entry.title for entry in entries if entry.name == name), "")
    return title or name.replace("_", " ")


def schema_named(
    name_or_file: str | Path, folders: Sequence[Path] = (), *, cache_folder: Path | None = None
) -> Schema:
    """The schema with this name (with or without .yaml) or in this file. Raises NotFound with the
    names there are. With `cache_folder`, one that was read before comes from there.
    """
    path = find_file(name_or_file, folders)
    return _loaded(path, path.stat().st_mtime_ns, _filled(folders), cache_folder)


def find_file(name_or_file: str | Path, folders: Sequence[Path] = ()) -> Path:
    """Where that schema is."""
    path = Path(name_or_file)
    if path.suffix in _SUFFIXES and path.is_file():
        return path
    stem = path.name.removesuffix(".yaml").removesuffix(".yml")
    for folder in [*folders, OWN]:
        for suffix in _SUFFIXES:
            if path.parent == Path() and stem and (folder / f"{stem}{suffix}").is_file():
                return folder / f"{stem}{suffix}"
    names = ", ".join(entry.name for entry in all_schemas(folders))
    raise NotFound(f"There is no schema {name_or_file}.", f"There are: {names}.")


def schema_examples(name: str, folders: Sequence[Path] = ()) -> list[str]:
    """The example texts of a schema: examples/NAME.txt, then examples/NAME_*.txt, the project's
    first.
    """
    texts = []
    for folder in [*folders, OWN]:
        place = folder / "examples"
        files = (
            [place / f"{name}.txt", *sorted(place.glob(f"{name}_[0-9]*.txt"))]
            if place.is_dir()
            else []
        )
        texts += [path.read_text(encoding="utf-8") for path in files if path.is_file()]
    return texts


@lru_cache(maxsize=128)
def _loaded(
    path: Path, changed: int, folders: tuple[Path, ...], cache_folder: Path | None = None
) -> Schema:
    """Kept until the file changes (an imported file that changes needs a restart, or a touch of
    this one).
    """
    return load_schema(path, folder=folders, cache_folder=cache_folder)


def _filled(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The folders that hold schemas: of the app's templates all projects without schemas of their
    own share one copy.
    """
    return tuple(folder for folder in folders if any(folder.glob("*.y*ml")))


def _entry(path: Path, folders: Sequence[Path], cache_folder: Path | None) -> SchemaEntry:
    try:
        schema = _loaded(path, path.stat().st_mtime_ns, _filled(folders), cache_folder)
    except InputError as error:
        return SchemaEntry(path.stem, path.stem, summary="", path=path, trouble=str(error))
    return SchemaEntry(path.stem, schema.title, _summary(schema.description), path)


def _summary(description: str) -> str:
    """The first sentence, without its full stop."""
    return description.split(". ", 1)[0].rstrip(".")
