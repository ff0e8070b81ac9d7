"""Schemas as a use case: which there are, what one asks and fills, and a curator's own beside the
app's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.desk_parts import HasFolder, HasVocabularies
from core.errors import InputError, Refused
from core.extraction.spires.prompt import spires_prompt
from core.jobs import isolation
from core.model import Problem, Severity
from core.schema.catalogue import all_schemas, schema_examples
from core.schema.conversion import converter
from core.schema.definition import RangeKind, Schema, Slot
from core.schema.importing import OWN
from core.schema.load import check_schema, is_kept, keep_schema
from core.schema.schema_cache import find_cached
from core.schema.source import UNNAMED, problem_place
from core.services.vocabularies.obstacles import missing_vocabularies

NAME = re.compile(r"[a-z][a-z0-9_]{1,60}")
DEPTH = 6
MOST_LINES = 1_000  # of an outline: classes inside one another make millions
SECONDS = 60.0  # that a schema may take to be read
SMALLER = "Make it smaller: fewer classes inside one another, fewer alternatives."


@dataclass(frozen=True, slots=True)
class SchemaChoice:
    """A schema to pick: its file's name, its title, and one line on what it is for. `own`: the
    project's.
    """

    name: str
    title: str
    summary: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class SchemaDraft:
    """A schema that is being written: nothing of it is saved yet. `outline` has a line for each
    slot it would fill.
    """

    schema: Schema | None
    problems: tuple[Problem, ...]
    outline: tuple[str, ...] = ()
    prompt: str = ""

    @property
    def usable(self) -> bool:
        return self.schema is not None and not any(
            p.severity is Severity.ERROR for p in self.problems
        )


def schema_choices(desk: HasFolder) -> list[SchemaChoice]:
    """The schemas of the project and of the app, by title."""
    own = desk.folder / "schemas"
    listed_schemas = [
        SchemaChoice(e.name, e.title, " ".join(e.summary.split()), own in e.path.parents)
        for e in all_schemas(desk.schemas, cache_folder=desk.schema_cache_folder)
    ]
    return sorted(listed_schemas, key=lambda choice: (choice.own is False, choice.title.casefold()))


def example_texts(name: str) -> list[str]:
    """The example texts of a template; none for a schema of one's own."""
    try:
        return list(schema_examples(name))
    except InputError:
        return []


def schema_source(desk: HasFolder, name: str) -> str:
    """The YAML of a schema, as it was written."""
    path = next(
        (
            entry.path
            for entry in all_schemas(desk.schemas, cache_folder=desk.schema_cache_folder)
            if entry.name == name
        ),
        None,
    )
    return path.read_text(encoding="utf-8") if path else ""


def checked_schema(desk: HasVocabularies, text: str, sample: str = "") -> SchemaDraft:
    """What is wrong with a schema in plain words and by line, the prompt it makes, and the tree it
    fills.
    """
    if not text.strip():
        return SchemaDraft(None, ())
    schema, problems = _checked(desk, text)
    if schema is None or schema.root not in schema.classes:
        return SchemaDraft(None, tuple(problems))
    asks = spires_prompt(schema, schema.root, sample or "(the text stands here)")
    missing = missing_vocabularies(desk, schema)
    all_problems = (*problems, *missing)
    lines = list(islice(schema_outline(schema, schema.root), MOST_LINES + 1))
    if len(lines) > MOST_LINES:
        lines[-1] = f"… and more: the first {MOST_LINES} lines are shown."
    return SchemaDraft(schema, all_problems, tuple(lines), asks)


def _checked(desk: HasVocabularies, text: str) -> tuple[Schema | None, Sequence[Problem]]:
    """A schema and what is wrong with it, read in a child process: a few lines can keep LinkML
    busy for hours. One that was read before is not read again.
    """
    cache = desk.schema_cache_folder
    if known := find_cached(cache, text, UNNAMED, desk.schemas):
        return known, sorted(known.problems, key=problem_place)
    try:
        result: tuple[Schema | None, list[Problem]] = isolation.run_in_child(
            check_schema,
            text,
            desk.schemas,
            cache,
            name="The schema",
            hint=SMALLER,
            seconds=SECONDS,
        )
    except InputError as error:
        return None, (Problem("bad-schema", error.message, Severity.ERROR, hint=error.hint),)
    return result


def foreign_format(name: str, text: str) -> str:
    """What a schema is written in that is not LinkML: `JSON Schema`, `SQL DDL`, `SHACL`; empty for
    LinkML.
    """
    return str(converter.format_of(name, text) or "")


def how_to_install(kind: str) -> str:
    """The command that installs what converts schemas of this kind; empty where nothing is
    missing.
    """
    return "" if converter.can_convert(converter.SourceFormat(kind)) else converter.INSTALL


def as_linkml(name: str, text: str) -> str:
    """A schema in LinkML, converted where it is written in something else.

    Raises SettingsError with the command that installs what is missing, InputError for a text that
    cannot be read.
    """
    kind = converter.format_of(name, text)
    if not kind:
        return text
    title = name.rpartition("/")[2].partition(".")[0] or "converted"
    converted: str = isolation.run_in_child(
        converter.convert_schema,
        text,
        kind,
        title,
        name=f"The {kind}",
        hint=SMALLER,
        seconds=SECONDS,
    )
    return converted


def schema_outline(
    schema: Schema, cls: str, depth: int = 0, above: tuple[str, ...] = ()
) -> Iterator[str]:
    """The tree that a class fills: a line for each slot, indented by its depth."""
    definition = schema.classes.get(cls)
    if definition is None or cls in above or depth > DEPTH:
        return
    for slot in definition.slots:
        if slot.skip:
            continue
        yield "    " * depth + _line(schema, slot)
        if slot.kind is RangeKind.OBJECT:
            yield from schema_outline(schema, slot.range, depth + 1, (*above, cls))


def _line(schema: Schema, slot: Slot) -> str:
    many = " (a list)" if slot.multivalued else ""
    cls = schema.classes.get(slot.range)
    match slot.kind:
        case RangeKind.ENTITY:
            where = ", ".join(cls.annotators or cls.id_prefixes) if cls else ""
            return f"{slot.name}{many}: a {slot.range}" + (
                f", grounded to {where}" if where else ""
            )
        case RangeKind.ENUM:
            values = (
                [value.name for value in schema.enums[slot.range].values]
                if slot.range in schema.enums
                else []
            )
            return (
                f"{slot.name}{many}: one of"
                f" {', '.join(values[:8]) or slot.range}{' …' if len(values) > 8 else ''}"
                + "".join(f", or {other.removeprefix('xsd:')}" for other in slot.alternatives)
            )
        case RangeKind.OBJECT:
            return f"{slot.name}{many}: {slot.range}, with"
    return f"{slot.name}{many}: {slot.datatype.removeprefix('xsd:')}"


def save_schema(desk: HasVocabularies, name: str, text: str) -> str:
    """Keep a schema in the project's own folder, and nowhere else. Raises InputError for a schema
    with errors or a name that is none, Refused for the name of a template of the app.
    """
    if not NAME.fullmatch(name):
        raise InputError(
            f"{name[:40]!r} cannot be a schema's name.",
            "Use small letters, digits and _: my_schema.",
        )
    if any(choice.name == name and not choice.own for choice in schema_choices(desk)):
        raise Refused(f"{name} is a template of the app.", "Save yours under another name.")
    schema_draft = checked_schema(desk, text)
    if not schema_draft.usable:
        raise InputError("The schema has errors and was not saved.", "Fix the problems listed.")
    folder = desk.folder / "schemas"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    read_apart(desk, path)
    return name


def read_apart(desk: HasFolder, path: Path) -> None:
    """Read a schema's file in a child process, unless the cache has it; it comes from there
    afterwards. The app's own are read where they are needed. Raises InputError.
    """
    cache = desk.schema_cache_folder
    if not path.resolve().is_relative_to(OWN) and not is_kept(path, desk.schemas, cache):
        isolation.run_in_child(
            keep_schema,
            path.resolve(),
            desk.schemas,
            cache,
            name=f"The schema {path.name}",
            hint=SMALLER,
            seconds=SECONDS,
        )
