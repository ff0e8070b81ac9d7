"""A pasted document, YAML or JSON, as plain values with the line of each part.

Only plain data is read: no anchors, aliases or tags (so nothing can unfold or be built), no key
twice, and no deep nesting. `on`, `yes` and dates stay words, as in YAML 1.2.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from core.errors import InputError
from core.model import Json

MAX_TEXT = 2_000_000  # characters
MAX_DEPTH = 60
MAX_PARTS = 200_000
Place = tuple[str | int, ...]
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A mapping, and the line (from 1) on which each part of it begins."""

    value: dict[str, Json]
    lines: Mapping[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """The line of a part, or of the nearest part around it; 0 where none is known."""
        for end in range(len(place), 0, -1):
            if place[:end] in self.lines:
                return self.lines[place[:end]]
        return 0


def parse_document(text: str) -> ParsedDocument:
    """Raises InputError with the line of what cannot be read."""
    if len(text) > MAX_TEXT:
        raise InputError(
            f"The document has {len(text):,} characters; at most {MAX_TEXT:,} are read.",
            "Leave out the operations that are not needed.",
        )
    if text.lstrip()[:1] == "{":
        return _json(text)
    try:
        _check(text)
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"Line {mark.line + 1}: " if mark else ""
        reason = str(getattr(error, "problem", "") or "it cannot be read")
        raise InputError(
            f"{where}this is not YAML ({reason}).",
            "Correct that line: check its indentation, colons and quotes.",
        ) from error
    if not isinstance(node, yaml.MappingNode):
        raise InputError("The document is not a mapping.", "Begin with a line such as name: myapi.")
    lines: dict[Place, int] = {}
    value: Any = _value(node, (), lines)
    return ParsedDocument(value, lines)


def _json(text: str) -> ParsedDocument:
    try:
        value = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise InputError(
            f"Line {error.lineno}: this is not JSON ({error.msg}).", "Correct that line."
        ) from error
    except RecursionError as error:
        raise InputError("The document is nested too deeply to be read.") from error
    return ParsedDocument(value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{twice[:40]!r} appears twice in one place.", "Keep one of them.")
    return mapping


def _check(text: str) -> None:
    """Look at the document before anything is built from it."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise InputError(
                f"Line {line}: YAML anchors (& and *) are not read.",
                "Write the part out, or quote it.",
            )
        if getattr(event, "tag", None):
            raise InputError(
                f"Line {line}: YAML tags (!) are not read.", "Write a plain value, or quote it."
            )
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
            event, yaml.CollectionEndEvent
        )
        if depth > MAX_DEPTH or number > MAX_PARTS:
            raise InputError(
                f"Line {line}: the document is nested too deeply, or too long, to be read."
            )


def _value(node: yaml.Node, place: Place, lines: dict[Place, int]) -> Json:
    lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*place, number), lines) for number, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Json] = {}
        for key, value_node in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise InputError(
                    f"Line {line}: a name must be one word.", "Put quotes around {…} and […]."
                )
            if name in mapping:
                raise InputError(
                    f"Line {line}: {name[:40]!r} appears twice in one place.", "Keep one of them."
                )
            mapping[name] = _value(value_node, (*place, name), lines)
            lines[(*place, name)] = line
        return mapping
    return _scalar(str(node.value), getattr(node, "style", None))


def _scalar(text: str, style: str | None) -> Json:
    if style:
        return text
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false", "True", "False"):
        return text.lower() == "true"
    if re.fullmatch(r"[-+]?(0|[1-9]\d{0,17})", text):
        return int(text)
    if re.fullmatch(r"[-+]?\d{1,17}\.\d{1,17}(?:[eE][-+]?\d{1,3})?", text):
        return float(text)
    return text
