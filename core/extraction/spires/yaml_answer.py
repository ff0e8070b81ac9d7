"""An answer that is nested YAML, as the same values that JSON gives: lists of objects, objects in
objects, `{…}` and `[…]` after a field, and texts over several lines (`>-`). What lines alone say
(`field: words`, lists of words) is left to the reader of lines, which knows more of how models
write.
"""

from __future__ import annotations

import re

import yaml

from core.errors import InputError
from core.extraction.spires.field import SlotNames
from core.extraction.spires.json_answer import NAMES, fitting_object
from core.extraction.spires.line import FENCES, split_label
from core.model import Json
from core.schema.definition import Schema
from core.text import yaml_guard

# "- name: Arm A", "arms: [{", "dose: {amount: 5}", "title: >-"; without one there is nothing nested
NESTED = re.compile(
    r"^[^\S\n]*-[^\S\n]+(?:\{|[^\s:]+:(?:\s|$))|^[^\S\n]+[^\s:][^:\n]*:(?:\s|$)|:[^\S\n]*(?:\[?\{|[>|][+-]?[^\S\n]*$)",
    re.M,
)
COMMENT = re.compile(r"(?:^|\s)#")  # its words would be lost
BLOCK_TEXT = re.compile(r":[^\S\n]*[>|][+-]?[^\S\n]*$", re.M)


def read_yaml(text: str, names: SlotNames, schema: Schema) -> tuple[Json, list[str]] | None:
    """The object that an answer writes as nested YAML, and the words before it; None where it is
    none, where nothing in it is nested, or where words would be lost.
    """
    bare = FENCES.sub("", text)
    if not NESTED.search(bare) or COMMENT.search(bare):
        return None
    lines = bare.split("\n")
    first = next(
        (
            at
            for at, line in enumerate(lines)
            if line[:1].strip() and names.find(split_label(line)[0])
        ),
        len(lines),
    )
    body = "\n".join(lines[first:])
    try:
        yaml_guard.check_yaml_size(body)
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(body, yaml_guard.LOADER)):
            return None  # a few words could stand for very many
        value = _value(yaml.compose(body, Loader=yaml_guard.LOADER))
    except (InputError, ValueError, RecursionError, yaml.YAMLError):
        return None
    if fitting_object(value, names) is None or not (_is_nested(value) or BLOCK_TEXT.search(body)):
        return None
    if not _is_placed(value, names, schema):
        return None
    return value, [line for line in lines[:first] if line.strip()]


def _value(node: yaml.Node | None) -> Json:
    """What a node says, each word as it is written; a key that stands twice has both values. Raises
    ValueError for a key that is no word.
    """
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    if not isinstance(node, yaml.MappingNode):
        return None
    several: dict[str, list[Json]] = {}
    for key, item in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise ValueError("a key is no word")
        several.setdefault(str(key.value), []).append(_value(item))
    return {key: values[0] if len(values) == 1 else list(values) for key, values in several.items()}


def _is_placed(value: Json, names: SlotNames, schema: Schema) -> bool:
    """Whether each object below a field is one of the field's class, or names a thing: in
    "- Step 1: mix", "- topiramate: 100 mg" the colon stands in a list of words.
    """
    if isinstance(value, list):
        return all(_is_placed(item, names, schema) for item in value)
    if not isinstance(value, dict):
        return True
    for key, part in value.items():
        slot = names.find(key)
        if slot is None:
            continue
        cls = schema.classes.get(slot.range)
        inner = SlotNames(cls) if cls else None
        if not all(_is_of(item, inner, schema) for item in _objects(part)):
            return False
    return True


def _objects(part: Json) -> list[dict[str, Json]]:
    items = part if isinstance(part, list) else [part]
    return [item for item in items if isinstance(item, dict)]


def _is_of(item: dict[str, Json], names: SlotNames | None, schema: Schema) -> bool:
    if any(key.casefold().endswith(NAMES) for key in item):
        return True
    if names is None:
        return False
    if any(names.find(key) for key in item):
        return _is_placed(item, names, schema)
    # objects by their names: {"Arm A": {"dose": …}}
    subs = list(item.values())
    return all(isinstance(sub, dict) and _is_of(sub, names, schema) for sub in subs)


def _is_nested(value: Json) -> bool:
    """Whether a field holds an object, or a list of them."""
    if not isinstance(value, dict):
        return False
    return any(
        isinstance(item, dict)
        for part in value.values()
        for item in (part if isinstance(part, list) else [part])
    )
