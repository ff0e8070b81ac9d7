"""Imports of a schema, found in folders only: nothing is ever fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from core.schema.source import BadSchema, SchemaSource, read_source

OWN = Path(__file__).resolve().parents[2] / "schemas"
_MAX_IMPORTS = 100
_WEB = re.compile(r"(?:https?|ftp|file|data|s3)://|//", re.I)


def load_imports(main: SchemaSource, folders: Sequence[Path]) -> dict[str, SchemaSource]:
    """Every schema that `main` imports, directly or not, by import name; nearest first, each once.

    Looked for in `folders`, in order, then in the app's own schemas. Raises BadSchema, with the
    line of the import, for one that is missing or is a web address.
    """
    sources: dict[str, SchemaSource] = {}
    todo = [(main, name, number) for number, name in enumerate(import_names(main))]
    while todo:
        source, name, number = todo.pop(0)
        if name in sources:
            continue
        if len(sources) >= _MAX_IMPORTS:
            raise BadSchema(
                f"more than {_MAX_IMPORTS} schemas are imported.",
                code="too-many-imports",
                name=source.name,
            )
        sources[name] = _load(source, name, number, folders)
        todo += [
            (sources[name], import_name, i)
            for i, import_name in enumerate(import_names(sources[name]))
        ]
    return sources


def import_names(source: SchemaSource) -> list[str]:
    """What the schema imports, as written; a single name counts as a list of one."""
    names = source.data.get("imports") or []
    return [str(name) for name in (names if isinstance(names, list) else [names]) if name]


def _load(source: SchemaSource, name: str, number: int, folders: Sequence[Path]) -> SchemaSource:
    line = source.line("imports", number)
    if _WEB.match(name):
        message = f"the import {name} is a web address, and schemas are not fetched from the web."
        hint = "Download it, put it in the folder of this schema and import it by its file name."
        raise BadSchema(message, hint, code="import-from-web", line=line, name=source.name)
    path = place_of(name, folders)
    if path is None:
        message = f"the import {name} was not found."
        hint = f"Put {_file(name)} beside this schema or in the project's schemas folder."
        raise BadSchema(message, hint, code="missing-import", line=line, name=source.name)
    if path.is_relative_to(_linkml()):
        return _bundled(path)
    return read_source(path.read_text(encoding="utf-8", errors="replace"), path.name)


def place_of(name: str, folders: Sequence[Path]) -> Path | None:
    """The file that an import means: of `folders`, the app's own schemas or LinkML's."""
    return next(_places(name, folders), None)


@cache
def _linkml() -> Path:
    """LinkML's own schemas, where its library has them; found without importing it."""
    library = find_spec("linkml_runtime")
    assert library and library.origin
    return Path(library.origin).resolve().parent / "linkml_model" / "model" / "schema"


@cache
def _bundled(path: Path) -> SchemaSource:
    return read_source(path.read_text(encoding="utf-8"), path.name)


def _file(name: str) -> str:
    return Path(name.split(":", 1)[-1]).name.removesuffix(".yaml") + ".yaml"


def _places(name: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Where an import may be: LinkML's own are bundled; others by path inside a folder, or by file
    name.
    """
    if name.startswith("linkml:") and (_linkml() / _file(name)).is_file():
        yield _linkml() / _file(name)
    relative = name.split(":", 1)[-1].removesuffix(".yaml") + ".yaml"
    for folder in [*folders, OWN]:
        for candidate in (folder / relative, folder / _file(name)):
            if candidate.is_file() and _inside(candidate, folder):
                yield candidate


def _inside(path: Path, folder: Path) -> bool:
    """Whether the file lies in the folder, whatever links and dots its path has."""
    return path.resolve().is_relative_to(folder.resolve())
