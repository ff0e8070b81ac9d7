"""The project's `project.toml`: read as plain values, written as a whole or not at all."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import SettingsError
from core.whole_file import whole_file


def read_project_file(path: Path) -> dict[str, Any]:
    """What `project.toml` says; nothing when there is none. Raises SettingsError with the line of a
    mistake.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path} is not TOML: {error}.", "Correct it, or remove it to use the defaults."
        ) from error
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.") from error


def to_toml(values: Mapping[str, Any]) -> str:
    """TOML of plain values, lists and one level of tables, sorted, tables last."""
    simple_values = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    tables = {key: value for key, value in values.items() if isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in sorted(simple_values.items())]
    for name, table in sorted(tables.items()):
        lines += [
            "",
            f"[{_key(name)}]",
            *(f"{_key(key)} = {_value(value)}" for key, value in sorted(table.items())),
        ]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return (
            "{ "
            + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in sorted(value.items()))
            + " }"
        )
    return (
        json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        if isinstance(value, str)
        else repr(value)
    )


def write_project_file(path: Path, text: str) -> None:
    """All or nothing: a crash leaves the old file."""
    try:
        with whole_file(path) as part:
            part.write(text)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}.") from error
