"""A LinkML schema from a file or a text. The library that reads LinkML takes a while to import, so
that it is not before a schema is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.model import Problem
from core.schema.definition import Schema


def load(source: Path | str, *, folder: Sequence[Path] = ()) -> Schema:
    """The schema in a file (a Path, or a str without line breaks) or in YAML text (a str with line
    breaks).

    Imports are looked for beside the file, then in `folder`, then among the app's own schemas;
    nothing is fetched. Trouble that leaves a usable schema is in `schema.problems`, with its line.
    Raises InputError for what cannot be used at all: no YAML, no schema, an alias bomb, a missing
    import.
    """
    from core.schema.linkml_schema import load as loaded

    return loaded(source, folder)


def check(text: str, folders: Sequence[Path] = ()) -> tuple[Schema | None, list[Problem]]:
    """The schema in a YAML text, if there is one, and everything wrong with it, by line. Never
    raises for bad YAML.
    """
    from core.schema.linkml_schema import check as checked

    return checked(text, folders)
