"""LinkML in, `Schema` out: offline, through linkml-runtime's SchemaView, with inheritance and
refinements applied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from linkml_runtime import SchemaView

from core.errors import InputError
from core.model import Problem, Severity
from core.schema.definition import BASE, ClassDefinition, Schema, Slot
from core.schema.from_linkml import LinkMLReader
from core.schema.importing import load_imports
from core.schema.reference import not_honoured, resolve_references
from core.schema.source import BadSchema, SchemaSource, problem_place, read_source
from core.schema.structure import SchemaStructure
from core.text.pattern import why_unusable


def load(text: str, name: str, folders: Sequence[Path]) -> Schema:
    """The schema in the text of the file `name`; see `core.schema.load`."""
    return _load(read_source(text, name), folders)


def check(text: str, folders: Sequence[Path] = ()) -> tuple[Schema | None, list[Problem]]:
    """See `core.schema.load`."""
    try:
        schema = _load(read_source(text), tuple(folders))
    except BadSchema as error:
        return None, [error.problem()]
    except InputError as error:
        return None, [Problem("bad-schema", error.message, Severity.ERROR, hint=error.hint)]
    return schema, sorted(schema.problems, key=problem_place)


def _load(source: SchemaSource, folders: Sequence[Path]) -> Schema:
    if not source.data.get("classes") and not source.data.get("imports"):
        raise BadSchema(
            "this YAML has no classes:, so it is not a LinkML schema.",
            "Start from one of the templates in the schemas folder.",
            code="not-a-schema",
            name=source.name,
        )
    linked, imports = load_imports(source, folders)
    main = SchemaStructure(linked)
    others = {key: SchemaStructure(imported.source) for key, imported in imports.items()}
    resolve_references([main, *others.values()])
    try:
        return _schema(main, others, _view(main, others))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = (
            "LinkML cannot make sense of this schema:"
            f" {' '.join(str(error).split())[:200].rstrip('.')}."
        )
        raise BadSchema(message, code="not-accepted", name=source.name) from None


def _view(main: SchemaStructure, others: Mapping[str, SchemaStructure]) -> SchemaView:
    """A view whose imports are all in memory already, so that it never looks for one."""
    definition = main.definition()
    if str(definition.name) in others:  # a schema that imports its namesake
        definition.name = type(definition.name)(f"{definition.name}_importing")
    view = SchemaView(definition)
    view.schema_map = {definition.name: view.schema}
    for name, structure in others.items():
        view.schema_map[name] = structure.definition()
    return view


def _schema(
    main: SchemaStructure, others: Mapping[str, SchemaStructure], view: SchemaView
) -> Schema:
    reader = LinkMLReader(view)
    classes = reader.classes()
    own = [name for name in main.data["classes"] if name in classes]
    root, problems = _root(own or list(classes), classes, main)
    definition = view.schema
    return Schema(
        name=str(main.data["name"]),
        title=str(definition.title or main.data["name"]),
        description=" ".join(str(definition.description or "").split()),
        root=root,
        id=str(definition.id),
        version=str(definition.version or ""),
        classes=classes,
        enums=reader.enums,
        prefixes=reader.prefixes,
        problems=(
            *main.problems,
            *_foreign(others),
            *not_honoured(main),
            *_patterns(classes),
            *problems,
        ),
        source=main.source.text,
    )


def _foreign(others: Mapping[str, SchemaStructure]) -> list[Problem]:
    """Errors inside imported schemas, with the name of the file."""
    return [
        replace(
            p,
            message=f"In {structure.source.name}: {p.message}",
            where=f"{structure.source.name} {p.where}",
        )
        for structure in others.values()
        for p in structure.problems
    ]


def _patterns(classes: Mapping[str, ClassDefinition]) -> list[Problem]:
    """Patterns of slots and identifiers that values are not checked against."""
    patterns = {
        f"{cls.name}.{slot.name}": slot.pattern for cls in classes.values() for slot in cls.slots
    } | {f"{cls.name}.id": cls.id_pattern for cls in classes.values()}
    reasons = {where: why_unusable(pattern) for where, pattern in patterns.items() if pattern}
    return [
        Problem(
            "pattern-not-checked",
            f"The pattern of {where} is not checked: {reason}.",
            where=where,
            hint="Write it without look-around, back-references and large counts.",
        )
        for where, reason in reasons.items()
        if reason
    ]


def _own_slots(cls: ClassDefinition) -> list[Slot]:
    """What a class holds beyond the id, label and places of any named thing."""
    return [
        slot for slot in cls.slots if slot.name not in ("id", "label", "name", "original_spans")
    ]


def _reached(name: str, classes: Mapping[str, ClassDefinition]) -> set[str]:
    """The classes that an object of a class holds, directly or not, itself included."""
    reached, front = {name}, [name]
    while front:
        ranges = {slot.range for slot in classes[front.pop()].slots if not slot.skip}
        fresh = {range_name for range_name in ranges if range_name in classes} - reached
        reached |= fresh
        front += fresh
    return reached


def _root(
    own: list[str], classes: Mapping[str, ClassDefinition], main: SchemaStructure
) -> tuple[str, tuple[Problem, ...]]:
    """The class to fill: the only tree_root, else the first; without one, the first class that is
    nobody's part.

    A part is the range of another class's slot, a named entity, a base class, or abstract. Failing
    that, the first class that is concrete, then the first of all.
    """
    roots = [name for name in own if classes[name].tree_root]
    if len(roots) == 1:
        return roots[0], ()
    if roots:
        message = (
            f"several classes are marked tree_root ({', '.join(roots)}); {roots[0]} is filled."
        )
        where = f"line {main.source.line('classes', roots[1], 'tree_root')}"
        return roots[0], (
            Problem(
                "several-roots", message, Severity.WARNING, where=where, hint="Keep one tree_root."
            ),
        )
    ranges = {
        slot.range
        for name in own
        for slot in classes[name].slots
        if slot.range != name and not slot.skip
    }
    free = [name for name in own if name not in BASE and not classes[name].abstract]
    with_everything = [
        name
        for name in free
        if name not in ranges and not classes[name].is_entity and classes[name].slots
    ]
    objects = [name for name in free if classes[name].slots and not classes[name].is_entity]
    rich = [
        name
        for name in free
        if name not in ranges and any(not slot.skip for slot in _own_slots(classes[name]))
    ]
    outer = [name for name in free if name not in ranges]
    root = next(iter([*with_everything, *rich, *objects, *outer, *free, *own]), "")
    reach = {name: len(_reached(name, classes)) for name in {*outer, root} if name}
    widest = max(outer, key=lambda name: (reach[name], -outer.index(name)), default=root)
    if reach and reach[widest] > reach[root]:
        root = widest  # GO-CAM's Model has an identifier, and everything else is inside it
    message = f"no class is marked tree_root; {root} is filled."
    where = f"line {main.source.line('classes', root)}"
    return root, (
        Problem(
            "no-root",
            message,
            Severity.NOTE,
            where=where,
            hint="Add tree_root: true to the class to fill.",
        ),
    )
