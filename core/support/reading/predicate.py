"""The predicates of a schema's triples, and the families of words that state each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot
from core.support.reading.rule_table import Family, RuleTable, family_of, own_words


@dataclass(frozen=True, slots=True)
class Predicate:
    """A relation of the schema: `name` is what goes into the tree, `cues` are its aliases, in
    words.
    """

    name: str
    cues: tuple[str, ...] = ()


@cache
def predicate_families(
    predicate: Predicate, rules: RuleTable
) -> tuple[tuple[Family, RuleTable], ...]:
    """The families that state a predicate, each with the rules to read it by: of its name, else of
    its aliases, else its own words.
    """
    if own_family := family_of(predicate.name):
        return ((own_family, rules),)
    cue_families = [family for words in predicate.cues if (family := family_of(words))]
    if cue_families:
        return tuple((family, rules) for family in dict.fromkeys(cue_families))
    short = tuple(word for word in (predicate.name, *predicate.cues) if len(word.split()) <= 4)
    return (own_words(short),)


def predicate_choices(schema: Schema, cls: ClassDefinition) -> list[Predicate]:
    """What a Triple's predicate may be: its value set, else the words in capitals of its
    instructions (INDUCES, TREATS), else its description's verb, else plain "causes", "treats", …
    """
    slot = cls.slot("predicate")
    if slot is None:
        return [Predicate(cls.name)]
    owner = schema.classes.get(slot.range)
    enums = [slot.range] if slot.kind is RangeKind.ENUM else list(owner.enums if owner else ())
    values = [
        value for name in enums if name in schema.enums for value in schema.enums[name].values
    ]
    if values:
        return [
            Predicate(v.name, (*v.aliases, *([v.description] if v.description else [])))
            for v in values
        ]
    capital_words = _capitals(schema, cls, slot, owner)
    return [
        Predicate(name)
        for name in capital_words
        or (
            "causes",
            "treats",
            "prevents",
            "inhibits",
            "activates",
            "binds",
            "regulates",
        )
    ]


def _capitals(
    schema: Schema, cls: ClassDefinition, slot: Slot, owner: ClassDefinition | None
) -> list[str]:
    prompts = [
        s.prompt
        for definition in schema.classes.values()
        for s in definition.slots
        if s.range == cls.name
    ]
    words = " ".join([slot.prompt, slot.description, *prompts, *(owner.examples if owner else ())])
    capital_words = re.findall(r"\b[A-Z][A-Z_]{3,}\b", words)
    return list(dict.fromkeys(word for word in capital_words if word not in ("NONE", "COVID")))
