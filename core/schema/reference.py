"""Names in a schema that must lead somewhere: ranges, parents, slots, value sets; and constructs
not honoured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.model import Problem, Severity
from core.schema import owl
from core.schema.source import Path
from core.schema.structure import SchemaStructure

HONOURED_ANNOTATIONS = frozenset(
    {
        "prompt",
        "prompt.skip",
        "prompt.example",
        "prompt.examples",
        "prompt.separator",
        "exclude",
        "annotators",
        "ner.recurse",
        "category",
        "unit_slot",
        "owl",
        "owl.template",
        "owl.fstring",
        "owl.ignore",
    }
)
_LOGIC = "all_of none_of disjoint_with children_are_mutually_disjoint"
_CHOICE = " any_of exactly_one_of"
_CLASS = (
    _LOGIC + _CHOICE + " rules classification_rules slot_conditions unique_keys defining_slots"
    " represents_relationship extra_slots apply_to string_serialization"
)
_SLOT = (
    _LOGIC + " union_of ifabsent equals_string equals_string_in equals_number"
    " equals_expression exact_cardinality minimum_cardinality maximum_cardinality"
    " enum_range bindings value_presence has_member"
    " all_members array unit implicit_prefix designates_type path_rule apply_to"
    " string_serialization inverse symmetric asymmetric reflexive irreflexive locally_reflexive"
    " transitive transitive_form_of reflexive_transitive_form_of list_elements_unique"
    " list_elements_ordered type_mappings"
)
_ENUM = "matches code_set code_set_tag code_set_version pv_formula apply_to mixins"
_TYPE = (
    _LOGIC + _CHOICE + " union_of structured_pattern unit implicit_prefix equals_string"
    " equals_string_in minimum_value"
    " maximum_value"
)
NOT_HONOURED: dict[str, frozenset[str]] = {
    "classes": frozenset(_CLASS.split()),
    "slots": frozenset(_SLOT.split()),
    "enums": frozenset(_ENUM.split()),
    "types": frozenset(_TYPE.split()),
}


def resolve_references(structures: Sequence[SchemaStructure]) -> None:
    """Report and mend what leads nowhere, in every schema of the import closure (the main one
    first).
    """
    names = {
        section: {name for structure in structures for name in structure.data[section]}
        for section in ("classes", "slots", "enums", "types")
    }
    for structure in structures:
        _ranges(structure, names["classes"] | names["enums"] | names["types"])
        _parents(structure, names)
        _slots(structure, names["slots"])
        _value_sets(structure, names["enums"])
    _cycles(structures)


def not_honoured(structure: SchemaStructure) -> tuple[Problem, ...]:
    """One problem for each construct of LinkML, or annotation, that is read but not acted on, with
    its places.
    """
    places: dict[str, list[Path]] = {}
    for section, words in NOT_HONOURED.items():
        for name, element in structure.data[section].items():
            _collect(places, element, (section, name), words)
    for path, slot in structure.slots():
        if path[0] == "classes":
            _collect(places, slot, path, NOT_HONOURED["slots"])
    return tuple(_unused(structure, construct, paths) for construct, paths in places.items())


def _collect(
    places: dict[str, list[Path]], element: Mapping[str, object], path: Path, words: frozenset[str]
) -> None:
    for key in element:
        if key in words and element[key] not in (None, False, [], {}):
            places.setdefault(key, []).append((*path, key))
    annotations = element.get("annotations")
    for key in annotations if isinstance(annotations, dict) else ():
        if key not in HONOURED_ANNOTATIONS:
            places.setdefault(f"annotation {key}", []).append((*path, "annotations", key))
    for trouble, key in _owl(annotations if isinstance(annotations, dict) else {}):
        places.setdefault(trouble, []).append((*path, "annotations", key))


def _owl(annotations: Mapping[str, str]) -> list[tuple[str, str]]:
    """What the annotations about OWL say that means nothing here, and the annotation it is in."""
    unused = [(f"owl: {word}", "owl") for word in owl.unknown_words(annotations)]
    template = annotations.get(owl.TEMPLATE, "")
    if template and (trouble := owl.template_trouble(template)):
        unused.append((f"owl.template ({trouble})", owl.TEMPLATE))
    return unused


def _unused(structure: SchemaStructure, construct: str, paths: list[Path]) -> Problem:
    owners = list(dict.fromkeys(_owner(path) for path in paths))
    listed = ", ".join(owners[:3]) + (f" and {len(owners) - 3} more" if len(owners) > 3 else "")
    return Problem(
        "not-honoured",
        f"{construct} is not used when texts are read ({listed}).",
        Severity.NOTE,
        f"line {structure.source.line(*paths[0])}",
    )


def _owner(path: Path) -> str:
    words = [
        str(part) for part in path[:-1] if part not in ("annotations", "attributes", "slot_usage")
    ]
    return ".".join(words[1:])


def _ranges(structure: SchemaStructure, known_names: set[str]) -> None:
    for path, slot in structure.slots():
        if (name := slot.get("range")) is not None and str(name) not in known_names:
            message = (
                f"the range {name} of {_owner((*path, ''))} is not a class, enum or type of this"
                " schema."
            )
            structure.report(
                "unknown-range", message, (*path, "range"), "Define it, or correct the name."
            )
            slot["range"] = "string"
    default = structure.data.get("default_range")
    if default is not None and str(default) not in known_names:
        structure.report(
            "unknown-range", f"default_range {default} does not exist.", ("default_range",)
        )
        del structure.data["default_range"]


def _parents(structure: SchemaStructure, names: Mapping[str, set[str]]) -> None:
    for section in ("classes", "slots", "enums"):
        for name, element in structure.data[section].items():
            _known_parents(structure, element, (section, name), names[section])


def _known_parents(
    structure: SchemaStructure, element: dict[str, object], path: Path, known_names: set[str]
) -> None:
    parent, mixins = element.get("is_a"), element.get("mixins")
    if parent is not None and str(parent) not in known_names:
        message = f"the parent {parent} of {path[-1]} does not exist."
        structure.report(
            "unknown-parent", message, (*path, "is_a"), "Define or import it, or correct the name."
        )
        del element["is_a"]
    for mixin in list(mixins) if isinstance(mixins, list) else ():
        if str(mixin) not in known_names and isinstance(mixins, list):
            structure.report(
                "unknown-parent",
                f"the mixin {mixin} of {path[-1]} does not exist.",
                (*path, "mixins"),
            )
            mixins.remove(mixin)


def _slots(structure: SchemaStructure, known_names: set[str]) -> None:
    """A class may list slots that are defined nowhere: they are taken as plain text slots."""
    for name, cls in structure.data["classes"].items():
        attributes = set(cls.get("attributes", {}))
        for slot in map(str, cls.get("slots", [])):
            if slot not in known_names and slot not in attributes:
                message = f"the slot {slot} of {name} is not defined; it is taken as plain text."
                structure.report(
                    "unknown-slot", message, ("classes", name, "slots"), "Define it under slots:."
                )
                structure.data["slots"][slot] = {}
                known_names.add(slot)


def _value_sets(structure: SchemaStructure, known_names: set[str]) -> None:
    elements = [
        *structure.slots(),
        *((("classes", name), cls) for name, cls in structure.data["classes"].items()),
    ]
    for path, element in elements:
        _drop_unknown(structure, element, "values_from", path, known_names=known_names)
    for name, enum in structure.data["enums"].items():
        _drop_unknown(structure, enum, "inherits", ("enums", name), known_names=known_names)


def _drop_unknown(
    structure: SchemaStructure,
    element: dict[str, object],
    key: str,
    path: Path,
    *,
    known_names: set[str],
) -> None:
    names = element.get(key)
    for name in list(names) if isinstance(names, list) else ():
        if str(name) not in known_names and isinstance(names, list):
            message = f"the value set {name} ({key} of {_owner((*path, ''))}) does not exist."
            structure.report(
                "unknown-value-set",
                message,
                (*path, key),
                hint="Define it under enums:.",
                severity=Severity.WARNING,
            )
            names.remove(name)


def _cycles(structures: Sequence[SchemaStructure]) -> None:
    """A class, slot or enum that is its own ancestor loses the parent that closes the circle."""
    for section in ("classes", "slots", "enums"):
        owners = {
            name: structure
            for structure in reversed(structures)
            for name in structure.data[section]
        }
        finished: set[str] = set()
        for name in owners:
            _walk(section, name, owners, above=(), finished=finished)


def _walk(
    section: str,
    name: str,
    owners: Mapping[str, SchemaStructure],
    above: tuple[str, ...],
    *,
    finished: set[str],
) -> None:
    if name in finished or name not in owners:
        return
    element = owners[name].data[section][name]
    for parent in _parent_names(element):
        if parent == name or parent in above:
            circle = " → ".join(
                [*above[above.index(parent) if parent in above else len(above) :], name, parent]
            )
            key = "is_a" if element.get("is_a") == parent else "mixins"
            owners[name].report(
                "cyclic-parents", f"the parents go in a circle: {circle}.", (section, name, key)
            )
            if key == "is_a":
                del element["is_a"]
            else:
                element["mixins"].remove(parent)
        elif len(above) < 200:
            _walk(section, parent, owners, (*above, name), finished=finished)
    finished.add(name)


def _parent_names(element: Mapping[str, object]) -> list[str]:
    mixins = element.get("mixins")
    return [
        str(name)
        for name in (element.get("is_a"), *(mixins if isinstance(mixins, list) else ()))
        if name
    ]
