"""Class expressions: what a slot's values say of an object, as OWL restrictions.

ingredient: [butter, flour]   → ObjectSomeValuesFrom(ingredient butter)
                                ObjectSomeValuesFrom(ingredient flour)
only, of the same             → ObjectAllValuesFrom(ingredient ObjectUnionOf(butter flour))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.curie import PREFIXES
from core.kb.owl.described import DescribedObjects
from core.kb.owl.form import Iri, OwlForm, OwlLiteral, Part, join_forms
from core.kb.owl.instance import Instance, SlotValue
from core.kb.owl.rdf import RESERVED
from core.kb.owl.value import literal, slot_words
from core.model import Literal, Node
from core.schema import owl
from core.schema.definition import Slot

UNIT = PREFIXES["qudt"] + "ucumCode"
MAX_NESTED = 20


@dataclass
class ClassExpressions(DescribedObjects):
    """Makes the expressions that objects stand for, in place where their class asks for that."""

    placed: set[str] = field(default_factory=set)  # expressions that stand where they are used

    def genus(self, instance: Instance) -> Iri | None:
        """The class URI of an object's class. A term has been classified by its own vocabulary."""
        is_classified_term = instance.thing.id and not isinstance(instance.thing, Node)
        if is_classified_term or instance.cls is None or not instance.cls.uri:
            return None
        name = self.property(instance.cls.uri, instance.schema)
        return None if name.startswith((*RESERVED, PREFIXES["linkml"])) else Iri(name)

    def operands(
        self, instance: Instance, slot: Slot, values: Sequence[SlotValue], line: tuple[str, ...]
    ) -> list[Part]:
        """The class expressions that a slot's values make."""
        words, name = slot_words(slot), Iri(self.property(slot.uri, instance.schema))
        individuals = [
            slot_value for slot_value in values if not isinstance(slot_value.value, Literal)
        ]
        literals = [
            slot_value.value for slot_value in values if isinstance(slot_value.value, Literal)
        ]
        parts: list[Part] = []
        if words & (owl.SOME | {"ObjectProperty"}) and not words & (owl.ALL | owl.HAS):
            parts += [self.some(name, slot_value, line) for slot_value in individuals]
        if words & owl.ALL:
            filler = join_forms("ObjectUnionOf", self.fillers(values, line))
            parts += [OwlForm("ObjectAllValuesFrom", (name, filler))] if filler else []
        if words & owl.HAS:
            parts += [self.has(name, slot_value, words) for slot_value in individuals]
        if words & owl.ALL and literals:
            parts.append(
                OwlForm(
                    "DataAllValuesFrom",
                    (name, OwlForm("DataOneOf", tuple(literal(value) for value in literals))),
                )
            )
        elif words & (owl.SOME | owl.HAS | {"DataProperty"}):
            parts += [
                part for value in literals for part in self.quantity(slot, name, value, words)
            ]
        if not words & (owl.SOME | owl.ALL | owl.HAS | {"ObjectProperty", "DataProperty"}):
            parts += self.fillers(values, line)
        return parts

    def some(self, name: Iri, slot_value: SlotValue, line: tuple[str, ...]) -> Part:
        value_instance = self.instances[self.name(slot_value)]
        if self.words(value_instance) & owl.INDIVIDUAL:
            return OwlForm("ObjectHasValue", (name, Iri(value_instance.iri)))
        return OwlForm("ObjectSomeValuesFrom", (name, self.expression(value_instance, line)))

    def has(self, name: Iri, slot_value: SlotValue, words: frozenset[str]) -> Part:
        value_instance = self.instances[self.name(slot_value)]
        if words & {"DataHasValue", "DataProperty"}:
            return OwlForm("DataHasValue", (name, OwlLiteral(value_instance.thing.label)))
        return OwlForm("ObjectHasValue", (name, Iri(value_instance.iri)))

    def quantity(self, slot: Slot, name: Iri, value: Literal, words: frozenset[str]) -> list[Part]:
        """A literal, and its unit separately: OWL 2 DL knows no datatype for both."""
        if words & {"ObjectProperty", "ObjectSomeValuesFrom", "ObjectHasValue"}:
            self.report(
                "owl-mismatch",
                f"{slot.name} is an object property, but its value is a text: it was left out.",
                slot.name,
            )
            return []
        unit: list[Part] = (
            [OwlForm("DataHasValue", (Iri(UNIT), OwlLiteral(value.unit)))] if value.unit else []
        )
        return [OwlForm("DataHasValue", (name, literal(value))), *unit]

    def fillers(self, values: Sequence[SlotValue], line: tuple[str, ...]) -> list[Part]:
        return [
            self.expression(self.instances[self.name(h)], line)
            for h in values
            if not isinstance(h.value, Literal)
        ]

    def expression(self, instance: Instance, line: tuple[str, ...] = ()) -> Part:
        """The class that an object stands for: an expression in place, or its name."""
        if not self.inline(instance) or instance.iri in line or len(line) > MAX_NESTED:
            return Iri(instance.iri)
        parts: list[Part] = []
        below = (*line, instance.iri)
        for slot, values in self.slots(instance):
            if (
                owl.IGNORE not in slot.annotations
                and not owl.owl_words(slot.annotations) & owl.ANNOTATION
            ):
                parts += self.operands(instance, slot, values, below)
        union = "UnionOf" in self.words(instance)
        genus = self.genus(instance)
        part = join_forms(
            "ObjectUnionOf" if union else "ObjectIntersectionOf",
            parts if union or not genus else [*parts, genus],
        )
        if part is None or not parts:
            return Iri(instance.iri)
        self.placed.add(instance.iri)
        return part
