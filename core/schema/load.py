"""A LinkML schema from a file or a text. The library that reads LinkML takes a while to import, so
that it is not before a schema is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.model import Problem
from core.schema import schema_cache
from core.schema.definition import Schema
from core.schema.source import MAX_SCHEMA, UNNAMED, BadSchema


def load_schema(
    source: Path | str, *, folder: Sequence[Path] = (), cache_folder: Path | None = None
) -> Schema:
    """The schema in a file (a Path, or a str without line breaks) or in YAML text (a str with line
    breaks).

    Imports are looked for beside the file, then in `folder`, then among the app's own schemas;
    nothing is fetched. Trouble that leaves a usable schema is in `schema.problems`, with its line.
    Raises InputError for what cannot be used at all: no YAML, no schema, an alias bomb, a missing
    import. With `cache_folder`, a schema that was read before comes from there.
    """
    if isinstance(source, Path) or "\n" not in source:
        path = Path(source)
        text, name, folders = _text(path), path.name, (path.parent, *folder)
    else:
        text, name, folders = source, UNNAMED, tuple(folder)
    if cache_folder and (
        stored_schema := schema_cache.find_cached(cache_folder, text, name, folders)
    ):
        return stored_schema
    from core.schema.linkml_schema import load as loaded

    schema = loaded(text, name, folders)
    if cache_folder:
        schema_cache.store_schema(cache_folder, text, name, folders, schema=schema)
    return schema


def keep_schema(path: Path, folder: Sequence[Path], cache_folder: Path) -> None:
    """Read a schema's file so that it comes from the cache afterwards. Raises as `load_schema`."""
    load_schema(path, folder=folder, cache_folder=cache_folder)


def is_kept(path: Path, folder: Sequence[Path], cache_folder: Path) -> bool:
    """Whether a schema's file comes from the cache. Raises InputError for one too large to read."""
    folders = (path.parent, *folder)
    return schema_cache.find_cached(cache_folder, _text(path), path.name, folders) is not None


def check_schema(
    text: str, folders: Sequence[Path] = (), cache_folder: Path | None = None
) -> tuple[Schema | None, list[Problem]]:
    """The schema in a YAML text, if there is one, and everything wrong with it, by line. Never
    raises for bad YAML. With `cache_folder`, one that can be used is kept there.
    """
    from core.schema.linkml_schema import check as checked

    schema, problems = checked(text, folders)
    if cache_folder and schema:
        schema_cache.store_schema(cache_folder, text, UNNAMED, folders, schema=schema)
    return schema, problems


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > 4 * MAX_SCHEMA:
            raise BadSchema(f"the file is larger than {4 * MAX_SCHEMA:,} bytes.", name=path.name)
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        raise InputError(
            f"The schema file {path.name} cannot be read.", "Check its name and place."
        ) from None
