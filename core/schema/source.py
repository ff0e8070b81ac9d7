"""YAML of a schema, read without trust: plain data, bounded, with the line of every part."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml

from core.errors import InputError
from core.model import Problem, Severity

MAX_SCHEMA = 2_000_000  # characters; the Biolink model has 540,000
MAX_PARTS = 100_000  # keys and values once every alias is written out
MAX_DEPTH = 60
UNNAMED = "The schema"  # a text that is no file
Path = tuple[str | int, ...]

# Parts that are words, whatever YAML would make of them ("No", 1, 2024-01-01).
_WORDS = frozenset(
    {
        "description",
        "title",
        "name",
        "value",
        "prompt",
        "label",
        "text",
        "pattern",
        "comments",
        "aliases",
        "todos",
    }
)

_CONTAINERS = frozenset({"tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"})


class BadSchema(InputError):
    """The schema cannot be used. `line` counts from 1; 0 when no line is to blame."""

    def __init__(
        self, message: str, hint: str = "", *, code: str = "bad-yaml", line: int = 0, name: str = ""
    ):
        place = ", ".join(part for part in (name, f"line {line}" if line else "") if part)
        super().__init__(f"{place}: {message}" if place else message, hint)
        self.plain, self.code, self.line = message, code, line

    def problem(self) -> Problem:
        where = f"line {self.line}" if self.line else ""
        return Problem(self.code, self.plain, Severity.ERROR, where=where, hint=self.hint)


def problem_place(problem: Problem) -> tuple[int, int]:
    """By which problems of a schema are sorted: the worst first, then by line."""
    line = problem.where.removeprefix("line ")
    return list(Severity).index(problem.severity), int(line) if line.isdigit() else 0


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """One YAML file: its text, its content, the line of every key or item, and what was odd about
    it.
    """

    name: str
    text: str
    data: dict[str, Any]
    lines: dict[Path, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def line(self, *path: str | int) -> int:
        """The line (from 1) of the part at `path`, or of the nearest part around it that is written
        down.
        """
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_source(text: str, name: str = UNNAMED) -> SchemaSource:
    """Parse one mapping from YAML. Raises BadSchema, with the line, for anything else."""
    if len(text) > MAX_SCHEMA:
        raise BadSchema(
            f"the schema has {len(text):,} characters; at most {MAX_SCHEMA:,} are read.", name=name
        )
    if "\0" in text:
        raise BadSchema(
            "this is not a text file.", "Choose the YAML file of a LinkML schema.", name=name
        )
    root = _compose(text, name)
    if not isinstance(root, yaml.MappingNode):
        raise BadSchema(
            "this is YAML, but not a schema.",
            "A schema starts with lines such as id:, name: and classes:.",
            code="not-a-schema",
            line=root.start_mark.line + 1 if root else 0,
            name=name,
        )
    _refuse_bomb(root, name)
    reader = _Reader(name)
    data = reader.mapping(root, ())
    return SchemaSource(name, text, data, lines=reader.lines, problems=tuple(reader.problems))


def _compose(text: str, name: str) -> yaml.Node | None:
    # Not CSafeLoader, ten times as fast: deep nesting overflows its stack and ends the process.
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        trouble = error.problem or error.context or "it cannot be read"
        hint = "Check indentation (spaces, no tabs), colons and quotes near this line."
        raise BadSchema(
            f"this is not valid YAML: {trouble}.",
            hint,
            line=mark.line + 1 if mark else 0,
            name=name,
        ) from None
    except yaml.YAMLError as error:
        raise BadSchema(
            f"this is not valid YAML: {str(error).splitlines()[0]}.", name=name
        ) from None
    except RecursionError:
        raise BadSchema("the YAML is nested too deeply.", code="yaml-bomb", name=name) from None


def _refuse_bomb(root: yaml.Node, name: str) -> None:
    """Count the parts as if aliases were written out; refuse too many, too deep, or a part inside
    itself.
    """
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(node: yaml.Node, depth: int) -> int:
        line = node.start_mark.line + 1
        if id(node) in open_nodes:
            raise BadSchema(
                "a part of the YAML contains itself.", code="yaml-bomb", line=line, name=name
            )
        if depth > MAX_DEPTH:
            raise BadSchema(
                "the YAML is nested too deeply.", code="yaml-bomb", line=line, name=name
            )
        if id(node) not in sizes:
            open_nodes.add(id(node))
            sizes[id(node)] = 1 + sum(size(child, depth + 1) for child in _children(node))
            open_nodes.discard(id(node))
        if sizes[id(node)] > MAX_PARTS:
            message = "the YAML repeats its own parts too often (an alias bomb)."
            raise BadSchema(message, "Write the parts out.", code="yaml-bomb", line=line, name=name)
        return sizes[id(node)]

    size(root, 0)


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key
            yield value
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


class _Reader:
    """Nodes → plain data; keys are always text, and only YAML's plain values are made."""

    def __init__(self, name: str):
        self.name = name
        self.lines: dict[Path, int] = {}
        self.problems: list[Problem] = []
        self._plain = yaml.constructor.SafeConstructor()

    def mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        data: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                merged |= self._merged(value, path)
                continue
            name = self._key(key)
            if name in data:
                self._duplicate(name, key.start_mark.line + 1)
            self.lines[(*path, name)] = key.start_mark.line + 1
            data[name] = self.value(value, (*path, name), words=name in _WORDS)
        return merged | data

    def value(self, node: yaml.Node, path: Path, words: bool = False) -> Any:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if not isinstance(node, yaml.ScalarNode) and node.tag not in _CONTAINERS:
            self._refuse(node)
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [
                self.value(item, (*path, number), words) for number, item in enumerate(node.value)
            ]
        return self._scalar(node, words)

    def _merged(self, node: yaml.Node, path: Path) -> dict[str, Any]:
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        data: dict[str, Any] = {}
        for part in reversed(nodes):
            if isinstance(part, yaml.MappingNode):
                data |= self.mapping(part, path)
        return data

    def _key(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise BadSchema("a key must be a word.", line=node.start_mark.line + 1, name=self.name)
        return str(node.value)

    def _scalar(self, node: yaml.Node, words: bool) -> Hashable:
        kind = node.tag.removeprefix("tag:yaml.org,2002:")
        if kind in ("str", "timestamp", "value", "binary") or (
            words and kind in ("bool", "int", "float")
        ):
            return str(node.value)
        if kind in ("bool", "int", "float", "null"):
            try:
                value: Hashable = self._plain.construct_object(node)
            except (ValueError, OverflowError):
                return str(node.value)
            return value
        return self._refuse(node)

    def _refuse(self, node: yaml.Node) -> NoReturn:
        message = f"the tag {node.tag[:60]} is not allowed."
        raise BadSchema(
            message, "Write plain values only.", line=node.start_mark.line + 1, name=self.name
        )

    def _duplicate(self, name: str, line: int) -> None:
        self.problems.append(
            Problem(
                "duplicate-key",
                f"{name} is written twice at the same level; the last one counts.",
                Severity.ERROR,
                where=f"line {line}",
                hint="Remove or rename one of them.",
            )
        )
