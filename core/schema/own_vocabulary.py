"""A schema with vocabularies of the project's own beside those it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.model import Category
from core.schema.builder import dumped_yaml
from core.schema.definition import ClassDefinition, Schema
from core.text import yaml_guard


@dataclass(frozen=True, slots=True)
class OwnVocabulary:
    """A vocabulary that the project's curators added. `kinds` are the categories of its terms,
    `prefixes` those of their ids.
    """

    name: str
    kinds: tuple[str, ...]
    prefixes: tuple[str, ...]


def uses_own_vocabulary(definition: ClassDefinition, own: OwnVocabulary) -> bool:
    """Whether things of a class are looked for in a vocabulary because of its kind: those that are
    grounded at all.
    """
    grounded = definition.annotators and definition.category is not Category.RELATION
    return bool(grounded) and str(definition.category) in own.kinds


def text_with(schema: Schema, own_vocabularies: Sequence[OwnVocabulary]) -> str:
    """The schema's text where each class that takes one of the vocabularies names it, behind those
    it names already, and allows its ids; the very text where none does. What a schema imports stays
    as it is.
    """
    if not own_vocabularies:
        return schema.source
    tree: dict[str, Any] = yaml_guard.load_yaml(schema.source)
    bodies = tree.get("classes")
    changed = False
    for name, body in bodies.items() if isinstance(bodies, dict) else ():
        definition = schema.classes.get(str(name))
        taken = [
            own
            for own in own_vocabularies
            if definition
            and uses_own_vocabulary(definition, own)
            and own.name not in definition.annotators
        ]
        annotations = body.get("annotations") if isinstance(body, dict) else None
        if not taken or not isinstance(annotations, dict) or "annotators" not in annotations:
            continue
        changed = True
        names = [str(annotations["annotators"]), *(f"sqlite:obo:{own.name}" for own in taken)]
        annotations["annotators"] = ", ".join(names)
        if prefixes := body.get("id_prefixes"):
            more = [prefix for own in taken for prefix in own.prefixes]
            body["id_prefixes"] = list(dict.fromkeys([*prefixes, *more]))
    return dumped_yaml(tree) if changed else schema.source
