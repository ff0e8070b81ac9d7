"""A LinkML schema as a form: what the form can show, and the names of what it cannot.

A change of the form is written into the file's own tree: only the things, relations and parts that
differ are written anew, and everything else stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.model import Category
from core.schema.builder import PARTS, Tree, dumped_yaml, form_tree
from core.schema.schema_form import (
    RANGES,
    FieldForm,
    PartForm,
    PredicateForm,
    RelationForm,
    SchemaForm,
    ThingForm,
)
from core.text import yaml_guard

BELONGS = {"id", "name", "title", "description", "license", "prefixes", "default_prefix"}
BELONGS |= {"default_range", "imports", "classes", "enums"}
ENDS = ("subject", "predicate", "object")


@dataclass(frozen=True, slots=True)
class OpenedSchema:
    """A schema that was opened: its form, its text, and the names of what the form does not show,
    which stays as it is.
    """

    form: SchemaForm
    text: str
    hidden: tuple[str, ...]


def from_linkml(text: str) -> OpenedSchema:
    """Open a schema. Raises InputError for a text that is no LinkML."""
    schema_tree = _tree(text)
    classes, enums = _table(schema_tree.get("classes")), _table(schema_tree.get("enums"))
    things = {name: _thing(name, body, enums) for name, body in classes.items()}
    shown_things = {name: thing for name, thing in things.items() if thing}
    relations = {name: _relation(name, body, classes, enums) for name, body in classes.items()}
    shown_relations = {name: relation for name, relation in relations.items() if relation}
    root = next((n for n, body in classes.items() if _table(body).get("tree_root")), "")
    parts = _parts(classes, root, shown_things)
    form = SchemaForm(
        str(schema_tree.get("title") or schema_tree.get("name") or ""),
        " ".join(str(schema_tree.get("description") or "").split()),
        tuple(shown_things.values()),
        relations=tuple(shown_relations.values()),
        parts=tuple(parts.values()),
    )
    shown_classes = {root, *shown_things, *shown_relations, *parts}
    shown_classes |= {_range(classes[name], "predicate") for name in shown_relations}
    used_sets = {value for name in shown_classes for value in _values_from(classes.get(name, {}))}
    hidden = [f"class {name}" for name in classes if name not in shown_classes]
    hidden += [f"value set {name}" for name in enums if name not in used_sets]
    hidden += [name for name in schema_tree if name not in BELONGS]
    hidden += _details(classes, root, form)
    if any(line.lstrip().startswith("#") for line in text.splitlines()):
        hidden.append("comments (a saved change leaves them out)")
    return OpenedSchema(form, text, tuple(hidden))


def edited_text(opened: OpenedSchema, form: SchemaForm, prefixes: Mapping[str, str]) -> str:
    """The text of an opened schema with what was changed in its form. Unchanged, it is the very
    text. Raises InputError for a form with a gap.
    """
    if form == opened.form:
        return opened.text
    before, after = form_tree(opened.form, prefixes), form_tree(form.checked(), prefixes)
    schema_tree = _tree(opened.text)
    schema_tree |= {
        key: after[key] for key in ("title", "description") if after[key] != before[key]
    }
    schema_tree["prefixes"] = {
        **_table(schema_tree.get("prefixes")),
        **_missing(after, schema_tree, "prefixes"),
    }
    root = next(
        (n for n, b in _table(schema_tree["classes"]).items() if _table(b).get("tree_root")), ""
    )
    names = {name: name for name in after["classes"]}
    names[next(iter(after["classes"]))] = root or next(iter(after["classes"]))
    for part in ("classes", "enums"):
        _write(schema_tree, part, before.get(part, {}), after.get(part, {}), names=names)
    return dumped_yaml(schema_tree)


def _details(classes: Tree, root: str, form: SchemaForm) -> list[str]:
    """What the shown classes say beyond what a form writes: `Gene: class_uri`."""
    written = form_tree(form, {})["classes"]
    written[root] = written.pop(next(iter(written)))
    unshown = []
    for name, body in classes.items():
        if name in written:
            more = [key for key in _table(body) if key not in written[name]]
            value_sets = _values_from(body)
            if len(value_sets) > 1 and set(value_sets) != set(_values_from(written[name])):
                more.append("value sets")
            more += [
                f"{slot} ({key})"
                for slot, about in _table(_table(body).get("slot_usage")).items()
                for key in _table(about)
                if key in ("annotations", "any_of", "pattern", "required")
            ]
            if more:
                unshown.append(f"{name}: {', '.join(more)}")
    return unshown


def _missing(after: Tree, schema_tree: Tree, part: str) -> Tree:
    have = _table(schema_tree.get(part))
    return {name: value for name, value in after[part].items() if name not in have}


def _write(
    schema_tree: Tree, part: str, before: Tree, after: Tree, *, names: Mapping[str, str]
) -> None:
    """Put what differs between two generated trees into the file's tree."""
    own = schema_tree.setdefault(part, {}) if after else _table(schema_tree.get(part))
    old = {names.get(name, name): body for name, body in before.items()}
    # the root of the form before has the name that its title gave it
    if part == "classes" and before:
        old[names[next(iter(after))]] = before[next(iter(before))]
    for name, body in after.items():
        place = names.get(name, name)
        if old.get(place) != body:
            own[place] = _merged(_table(own.get(place)), old.get(place, {}), body)
    for name in before.keys() - after.keys():
        if name in own and not _table(own[name]).get("tree_root"):
            del own[name]


def _merged(own: Tree, before: Tree, after: Tree) -> Tree:
    """`own` with the difference of two generated trees applied: keys that both leave alone stay."""
    merged = dict(own)
    for key in before:
        if key not in after:
            merged.pop(key, None)
    for key, value in after.items():
        if before.get(key) == value:
            continue  # the form says what it said before: the file may say it otherwise
        if isinstance(value, dict):
            merged[key] = _merged(_table(merged.get(key)), _table(before.get(key)), value)
        else:
            merged[key] = value
    return merged


def _thing(name: str, body: Any, enums: Tree) -> ThingForm | None:
    class_body = _table(body)
    if class_body.get("is_a") != "NamedEntity" or class_body.get("tree_root"):
        return None
    annotations = _table(class_body.get("annotations"))
    annotators = str(annotations.get("annotators") or "")
    vocabularies = tuple(
        word.strip().rpartition(":")[2] for word in annotators.split(",") if word.strip()
    )
    branches = [
        str(node)
        for value in _values_from(class_body)
        if value not in PARTS.values()
        for node in _table(_table(enums.get(value)).get("reachable_from")).get("source_nodes", [])
    ]
    written = str(annotations.get("category") or "")
    category = Category(written) if written in set(Category) else Category.THING
    example = str(class_body.get("description") or "").partition(", e.g. ")[2]
    return ThingForm(
        name,
        category,
        vocabularies,
        branch=branches[0] if len(branches) == 1 else "",
        example=example,
    )


def _relation(name: str, body: Any, classes: Tree, enums: Tree) -> RelationForm | None:
    class_body = _table(body)
    if class_body.get("is_a") != "Triple":
        return None
    subject, predicate, object_ = (_range(class_body, end) for end in ENDS)
    values = [
        PredicateForm(
            str(value).lower(),
            str(_table(about).get("meaning") or ""),
            tuple(str(word) for word in _table(about).get("aliases") or ()),
        )
        for source in _values_from(classes.get(predicate, {}))
        for value, about in _table(_table(enums.get(source)).get("permissible_values")).items()
    ]
    ends = (_table(classes.get(subject)), _table(classes.get(object_)))
    if not values or any(end.get("is_a") != "NamedEntity" for end in ends):
        return None
    qualifiers = tuple(str(name) for name in _table(class_body.get("attributes")))
    return RelationForm(subject, tuple(values), object_, qualifiers=qualifiers, name=name)


def _parts(classes: Tree, root: str, things: Mapping[str, ThingForm]) -> dict[str, PartForm]:
    ranges = {str(_table(slot).get("range") or "")
              for slot in _table(_table(classes.get(root)).get("attributes")).values()}  # fmt: skip
    part_forms = {}
    for name in ranges & set(classes) - set(things):
        class_body = _table(classes[name])
        if class_body.get("is_a") not in (None, "CompoundExpression"):
            continue
        fields = [(slot, str(_table(about).get("range") or "string"))
                  for slot, about in _table(class_body.get("attributes")).items()]  # fmt: skip
        words = {value: key for key, value in RANGES.items()}
        if fields and all(range in words or range in things for _, range in fields):
            field_forms = tuple(FieldForm(slot, words.get(range, range)) for slot, range in fields)
            part_forms[name] = PartForm(name, field_forms)
    return dict(sorted(part_forms.items()))


def _range(body: Any, slot: str) -> str:
    usage = _table(_table(body).get("slot_usage"))
    return str(_table(usage.get(slot)).get("range") or "")


def _values_from(body: Any) -> list[str]:
    usage = _table(_table(_table(body).get("slot_usage")).get("id"))
    return [str(name) for name in usage.get("values_from") or []]


def _table(value: Any) -> Tree:
    return value if isinstance(value, dict) else {}


def _tree(text: str) -> Tree:
    schema_tree = yaml_guard.load_yaml(text)
    if not isinstance(schema_tree, dict) or "classes" not in schema_tree:
        raise InputError("This is not a LinkML schema: it has no classes.", "Open another file.")
    return schema_tree
