"""Imports of a schema, found in folders only: nothing is ever fetched."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from core.schema.source import BadSchema, SchemaSource, read_source

OWN = Path(__file__).resolve().parents[2] / "schemas"
_MAX_IMPORTS = 100
_WEB = re.compile(r"(?:https?|ftp|file|data|s3)://|//", re.I)


@dataclass(frozen=True, slots=True)
class Import:
    """A schema that another imports: `name` as written there (a prefix that stands for a folder
    written out), `base` the folder of the importing file, None for a text that is no file.
    """

    name: str
    base: Path | None
    source: SchemaSource


def load_imports(
    main: SchemaSource, folders: Sequence[Path]
) -> tuple[SchemaSource, dict[str, Import]]:
    """The schema with everything that it imports, directly or not; nearest first, each once.

    Looked for beside the importing file, then in `folders`, in order, then in the app's own
    schemas. Two files that are imported by one name (`x/index` and `y/index` of their folders) get
    keys of their own, and `imports` of every schema names keys. Raises BadSchema, with the line of
    the import, for one that is missing or is a web address.
    """
    imports: dict[str, Import] = {}
    keys: dict[Path, str] = {}
    schemas: dict[str, tuple[SchemaSource, Path | None]] = {"": (main, None)}  # with folders
    todo = [""]
    while todo:
        importing = todo.pop(0)
        source, base = schemas[importing]
        own_keys = []
        for number, name in enumerate(import_names(source)):
            path = _path(source, number, folders, base)
            if (key := keys.get(path)) is None:
                if len(imports) >= _MAX_IMPORTS:
                    message = f"more than {_MAX_IMPORTS} schemas are imported."
                    raise BadSchema(message, code="too-many-imports", name=source.name)
                key = keys[path] = _key(name, imports)
                imports[key] = Import(_written_out(source, name), base, _source(path))
                schemas[key] = (imports[key].source, path.parent)
                todo.append(key)
            own_keys.append(key)
        if own_keys:
            linked = replace(source, data=source.data | {"imports": own_keys})
            schemas[importing] = (linked, base)
            if importing:
                imports[importing] = replace(imports[importing], source=linked)
    return schemas[""][0], imports


def _key(name: str, taken: Container[str]) -> str:
    """Without a slash, for LinkML takes a name with one for a path."""
    plain = name.removesuffix(".yaml").replace("/", ".").lstrip(".")
    return next(key for n in count() if (key := f"{plain}_{n}" if n else plain) not in taken)


def import_names(source: SchemaSource) -> list[str]:
    """What the schema imports, as written; a single name counts as a list of one."""
    names = source.data.get("imports") or []
    return [str(name) for name in (names if isinstance(names, list) else [names]) if name]


def _path(source: SchemaSource, number: int, folders: Sequence[Path], base: Path | None) -> Path:
    """The file of the n-th import of a schema."""
    name, line = import_names(source)[number], source.line("imports", number)
    if _WEB.match(name):
        message = f"the import {name} is a web address, and schemas are not fetched from the web."
        hint = "Download it, put it in the folder of this schema and import it by its file name."
        raise BadSchema(message, hint, code="import-from-web", line=line, name=source.name)
    path = place_of(_written_out(source, name), folders, base)
    if path is None:
        message = f"the import {name} was not found."
        hint = f"Put {_file(name)} beside this schema or in the project's schemas folder."
        raise BadSchema(message, hint, code="missing-import", line=line, name=source.name)
    return path.resolve()


def _source(path: Path) -> SchemaSource:
    if path.is_relative_to(_linkml()):
        return _bundled(path)
    return read_source(path.read_text(encoding="utf-8", errors="replace"), path.name)


def _written_out(source: SchemaSource, name: str) -> str:
    """`./parts/base` for `lib:base` where the schema says that lib is `./parts/`."""
    prefix, colon, local = name.partition(":")
    prefixes = source.data.get("prefixes")
    folder = prefixes.get(prefix) if colon and isinstance(prefixes, dict) else None
    return f"{folder}{local}" if isinstance(folder, str) and folder.startswith(".") else name


def place_of(name: str, folders: Sequence[Path], base: Path | None = None) -> Path | None:
    """The file that an import means: beside the importing file (in the folder `base`), in one of
    `folders`, of the app's own schemas or LinkML's.
    """
    return next(_places(name, folders, base), None)


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


def _places(name: str, folders: Sequence[Path], base: Path | None) -> Iterator[Path]:
    """Where an import may be: LinkML's own are bundled; others by path from the importing file, by
    path inside a folder, or by file name.
    """
    if name.startswith("linkml:") and (_linkml() / _file(name)).is_file():
        yield _linkml() / _file(name)
    relative = name.split(":", 1)[-1].removesuffix(".yaml") + ".yaml"
    roots = [*folders, OWN]
    beside = base / relative if base else None
    if beside and beside.is_file() and any(_inside(beside, root) for root in roots):
        yield beside
    for folder in roots:
        for candidate in (folder / relative, folder / _file(name)):
            if candidate.is_file() and _inside(candidate, folder):
                yield candidate


def _inside(path: Path, folder: Path) -> bool:
    """Whether the file lies in the folder, whatever links and dots its path has."""
    return path.resolve().is_relative_to(folder.resolve())
