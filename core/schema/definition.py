"""A LinkML schema as the engines see it: classes, slots and value sets, read once and immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from core.model import Category, Problem

MANY = "[]"  # ends the name of a class that is a list of another


class RangeKind(StrEnum):
    """What fills a slot."""

    LITERAL = "literal"
    ENUM = "enum"
    ENTITY = "entity"  # a named thing: its words are grounded
    OBJECT = "object"  # an inlined thing: recursed into


# Base classes that a text is never read into by themselves.
_WORDS_BASE = """
    Any NamedEntity CompoundExpression Triple TextWithTriples TextWithEntity RelationshipType
    Publication ExtractionResult AnnotatorResult
"""
BASE = frozenset(_WORDS_BASE.split())


@dataclass(frozen=True, slots=True)
class ValueSet:
    """Terms reachable from nodes of a vocabulary (LinkML `reachable_from`), and single terms
    (`concepts`), without what `minus` holds: a branch constraint. `category` is what all its terms
    are, where the enum says it (`annotations: category`).
    """

    name: str
    vocabulary: str
    nodes: tuple[str, ...]
    include_self: bool = False
    is_direct: bool = False
    relations: tuple[str, ...] = ()
    traverse_up: bool = False
    concepts: tuple[str, ...] = ()
    minus: tuple[ValueSet, ...] = ()
    category: str = ""


@dataclass(frozen=True, slots=True)
class PermissibleValue:
    name: str
    aliases: tuple[str, ...] = ()
    meaning: str = ""
    description: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class EnumDefinition:
    name: str
    values: tuple[PermissibleValue, ...] = ()
    value_sets: tuple[ValueSet, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """One field of a class, with everything inherited and refined already applied.

    `prompt` is the instruction shown to a model. `uri` is the CURIE of the predicate. `datatype` is
    an xsd CURIE for literals. `separator` splits a list in an answer (default ";"). `examples` are
    the template's own, so that an answer that merely echoes them is noticed. `exclude` are words
    never to be taken as values. `alternatives` are what a value may be besides one of its range
    (LinkML's *any_of*): xsd CURIEs and names of value sets. `minimum` and `maximum` are the bounds
    of a number, both allowed themselves; None: no bound.
    """

    name: str
    range: str
    kind: RangeKind
    uri: str
    prompt: str
    multivalued: bool = False
    required: bool = False
    identifier: bool = False
    skip: bool = False  # never asked of a model (prompt.skip, ids, spans)
    recurse: bool = True  # False: nested text stays text (ner.recurse: false)
    separator: str = ";"
    examples: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    pattern: str = ""
    datatype: str = "xsd:string"
    unit_slot: str = ""  # the sibling slot that holds this quantity's unit (annotation `unit_slot`)
    title: str = ""
    description: str = ""
    inlined: bool = False
    alternatives: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    annotations: Mapping[str, str] = field(
        default_factory=dict
    )  # all of them, as written (`owl`, …)


@dataclass(frozen=True, slots=True)
class ClassDefinition:
    """A class. `annotators` are vocabulary names in order of preference (`mesh`, `chebi`, `hp`,
    lower case).
    """

    name: str
    description: str = ""
    uri: str = ""
    parents: tuple[str, ...] = ()  # nearest first
    abstract: bool = False
    tree_root: bool = False
    is_entity: bool = False
    is_triple: bool = False
    is_relation: bool = False  # a RelationshipType
    category: Category = Category.THING
    slots: tuple[Slot, ...] = ()
    prompt: str = ""
    examples: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    id_prefixes: tuple[str, ...] = ()
    id_pattern: str = ""
    value_sets: tuple[ValueSet, ...] = ()
    members: tuple[ClassDefinition, ...] = ()  # of a class that stands for any of several
    enums: tuple[
        str, ...
    ] = ()  # static enums that bind the id (values_from without reachable_from)
    annotations: Mapping[str, str] = field(
        default_factory=dict
    )  # all of them, as written (`owl.template`, …)

    @property
    def identifier(self) -> Slot | None:
        return next((slot for slot in self.slots if slot.identifier), None)

    @property
    def is_claim(self) -> bool:
        """Whether an object of this class is one statement: a Triple, or a class with a triple's
        three slots.
        """
        return self.is_triple or all(
            self.slot(name) is not None for name in ("subject", "predicate", "object")
        )

    def slot(self, name: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.name == name), None)


@dataclass(frozen=True, slots=True)
class Schema:
    """A loaded schema. `root` is the class to fill unless another is named. `source` is the YAML
    text as given.
    """

    name: str
    title: str
    description: str
    root: str
    id: str = ""
    version: str = ""
    classes: Mapping[str, ClassDefinition] = field(default_factory=dict)
    enums: Mapping[str, EnumDefinition] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    source: str = ""

    def definition(self, name: str) -> ClassDefinition:
        """The class of that name. `C[]` is a list of objects of class C: where an answer about one
        C gives several.

        Raises KeyError for an unknown class.
        """
        if name in self.classes or not name.endswith(MANY):
            return self.classes[name]
        member = self.classes[name.removesuffix(MANY)]
        slot = Slot(
            "items", member.name, RangeKind.OBJECT, uri="rdfs:member", prompt="", multivalued=True
        )
        return ClassDefinition(name, member.description, category=member.category, slots=(slot,))


def united_class(name: str, members: Sequence[ClassDefinition]) -> ClassDefinition:
    """A class of named things that are of any of several classes: all their vocabularies, in order.

    Ids are of any prefix where one of the classes asks for none. Members of a member that is united
    itself take its place, each once: unions of unions stay as short as their classes are many.
    """
    single = {m.name: m for member in members for m in (member.members or (member,))}
    first_member, categories = members[0], {member.category for member in members}

    def all_of(field: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(item for m in members for item in getattr(m, field)))

    return replace(
        first_member,
        name=name,
        description="",
        parents=(),
        tree_root=False,
        category=first_member.category if len(categories) == 1 else Category.THING,
        annotators=all_of("annotators"),
        id_prefixes=all_of("id_prefixes") if all(m.id_prefixes for m in members) else (),
        id_pattern=first_member.id_pattern if len({m.id_pattern for m in members}) == 1 else "",
        value_sets=all_of("value_sets"),
        enums=all_of("enums"),
        members=tuple(single.values()),
    )
