"""Schemas from elsewhere as LinkML: JSON Schema and SQL DDL through LinkML's own importers (the
optional package schema-automator), SHACL shapes through RDFLib.

Nothing is fetched: a reference to another file becomes plain words, and the result says so in its
first lines. Deviation: LinkML's importer of SHACL is in no released package yet; `shacl`
reads what templates need.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Any

import yaml

from core.errors import InputError, SettingsError

PACKAGE = "schema-automator>=0.5.7,<1"
INSTALL = f'pip install "{PACKAGE}"'
MAX_TEXT = 2_000_000  # characters
Notes = list[str]  # what could not be taken over


# Words that only a JSON Schema holds, so that it is not read as LinkML
_JSON = re.compile(r'"(type|properties|\$schema|\$defs|definitions|components)"\s*:')
_LINKML = re.compile(r'"classes"\s*:')


class SourceFormat(StrEnum):
    JSON_SCHEMA = "JSON Schema"
    SQL = "SQL DDL"
    SHACL = "SHACL"


SUFFIXES = {
    ".json": SourceFormat.JSON_SCHEMA,
    ".sql": SourceFormat.SQL,
    ".ddl": SourceFormat.SQL,
    ".ttl": SourceFormat.SHACL,
    ".shacl": SourceFormat.SHACL,
}


def format_of(name: str, text: str) -> SourceFormat | None:
    """What a file or a pasted text is, by the ending of its name, else by how it begins; None:
    LinkML, or unknown.
    """
    ending = "." + name.rpartition(".")[2].casefold()
    if ending in SUFFIXES or ending in (".yaml", ".yml"):
        return SUFFIXES.get(ending)
    head = re.sub(r"(?m)^\s*(--|#).*$", "", text[:20_000])
    if head.lstrip().startswith("{"):
        return SourceFormat.JSON_SCHEMA if _JSON.search(text) and not _LINKML.search(text) else None
    if re.search(r"(?im)^\s*create\s+(temp\w*\s+|unlogged\s+)?table\b", head):
        return SourceFormat.SQL
    return (
        SourceFormat.SHACL
        if re.search(r"(?im)^\s*(@prefix|prefix)\s", head) and "shacl#" in text
        else None
    )


def can_convert(kind: SourceFormat) -> bool:
    """Whether this installation can convert schemas of a kind."""
    if kind is SourceFormat.SHACL:
        return True
    try:
        import schema_automator.importers.import_engine  # noqa: F401
    except ImportError:
        return False
    return True


def convert_schema(text: str, kind: SourceFormat, name: str = "converted") -> str:
    """The schema as LinkML in YAML, with the class to fill marked; `name` is what it is called.

    Raises SettingsError with the command that installs what is missing, and InputError for text
    that is not of this kind.
    """
    if len(text) > MAX_TEXT:
        raise InputError(f"The schema has {len(text):,} characters; at most {MAX_TEXT:,} are read.")
    if not can_convert(kind):
        raise SettingsError(
            f"{kind} is converted by LinkML's importers, which are not installed.",
            f"Run: {INSTALL}",
        )
    name = re.sub(r"\W+", "_", name).strip("_").casefold() or "converted"
    notes: Notes = []
    try:
        linkml = _converted(text, kind, name, notes)
    except RecursionError as error:
        raise InputError(f"The {kind} is nested too deeply.") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"The {kind} does not follow its standard: {str(error)[:200]}") from error
    if not linkml["classes"]:
        raise InputError(
            f"The {kind} describes nothing that could become a class.",
            "Check that it is the right file.",
        )
    return _written(linkml, kind, notes)


def _converted(text: str, kind: SourceFormat, name: str, notes: Notes) -> dict[str, Any]:
    from core.schema.conversion import json_schema, shacl, sql
    from core.schema.conversion.root import finish_schema

    match kind:
        case SourceFormat.JSON_SCHEMA:
            linkml = json_schema.schema(text, name, notes)
        case SourceFormat.SQL:
            linkml = sql.schema(text, name, notes)
        case SourceFormat.SHACL:
            linkml = shacl.schema(text, name, notes)
    return finish_schema(linkml, name)


def _written(linkml: dict[str, Any], kind: SourceFormat, notes: Notes) -> str:
    comments = [
        f"Converted from {kind}: check it, above all the descriptions, which become prompts."
    ]
    comments += [f"Not taken over: {' '.join(note.split())[:200]}" for note in dict.fromkeys(notes)]
    body = yaml.safe_dump(
        json.loads(json.dumps(linkml)), sort_keys=False, allow_unicode=True, width=110
    )
    return "".join(f"# {line}\n" for line in comments) + body
