"""Class expressions: what a slot's values say of an object, as OWL restrictions.

ingredient: [butter, flour]   → ObjectSomeValuesFrom(ingredient butter)
                                ObjectSomeValuesFrom(ingredient flour)
only, of the same             → ObjectAllValuesFrom(ingredient ObjectUnionOf(butter flour))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.curie import PREFIXES
from core.errors import InputError
from core.kb.entry import KnowledgeBase
from core.kb.owl.form import Iri, OwlForm, OwlLiteral, Part, join_forms
from core.kb.owl.instance import Instance, SlotValue, by_slot, instances
from core.kb.owl.rdf import RESERVED
from core.kb.owl.value import IriExpander, literal, slot_words
from core.kb.rdf import iri as iris
from core.model import Category, Literal, Node, Problem, Severity
from core.schema import owl
from core.schema.definition import ClassDefinition, Schema, Slot


@dataclass
class DescribedObjects:
    """The objects of a knowledge base, and what could not be said of them."""

    kb: KnowledgeBase
    instances: dict[str, Instance] = field(init=False)
    problems: dict[tuple[str, str], Problem] = field(default_factory=dict)
    expanders: dict[int, IriExpander] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.instances = instances(self.kb)

    def inline(self, instance: Instance) -> bool:
        """Whether an object is an expression: its class is, and something is known of it."""
        return bool(
            isinstance(instance.thing, Node)
            and instance.values
            and self.words(instance) & owl.OPERATORS
        )

    def words(self, instance: Instance) -> frozenset[str]:
        """The class's words and those it inherits."""
        return frozenset().union(*(owl.owl_words(cls.annotations) for cls in self.line(instance)))

    def line(self, instance: Instance) -> list[ClassDefinition]:
        if instance.cls is None or instance.schema is None:
            return []
        classes = instance.schema.classes
        return [instance.cls, *(classes[name] for name in instance.cls.parents if name in classes)]

    def things(self, instance: Instance) -> Iterator[str]:
        for slot_value in instance.values:
            if not isinstance(slot_value.value, Literal):
                yield self.name(slot_value)

    def name(self, slot_value: SlotValue) -> str:
        assert not isinstance(slot_value.value, Literal)
        return iris.thing_iri(
            slot_value.value, slot_value.document, self.kb.base_iri, self.kb.prefixes
        )

    def words_iri(self, slot_value: SlotValue) -> str:
        return iris.thing_iri(
            slot_value.predicate, slot_value.document, self.kb.base_iri, self.kb.prefixes
        )

    def slots(self, instance: Instance) -> Iterator[tuple[Slot, list[SlotValue]]]:
        """Slots with values, in the order of the class."""
        values = by_slot(instance)
        for slot in instance.cls.slots if instance.cls else ():
            if slot.name in values:
                yield slot, values[slot.name]

    def is_recognised(self, slot_value: SlotValue, line: tuple[str, ...] = ()) -> bool:
        """Whether a value says by a term what it is: "0.5 tsp" of an ingredient without one would
        make a definition that anything of 0.5 tsp fits. A unit alone says nothing.
        """
        value = slot_value.value
        if isinstance(value, Literal) or value.category is Category.UNIT:
            return isinstance(value, Literal)
        instance = self.instances[self.name(slot_value)]
        if not isinstance(value, Node) or self.words(instance) & owl.INDIVIDUAL:
            return bool(value.id)
        if instance.iri in line:
            return False
        below = (*line, instance.iri)
        parts = [part for _, values in self.slots(instance) for part in values]
        return any(
            self.is_recognised(part, below) for part in parts if not isinstance(part.value, Literal)
        )

    # -------------------------------------------------------------- names

    def expander(self, schema: Schema | None) -> IriExpander:
        schema_key = id(schema)
        if schema_key not in self.expanders:
            self.expanders[schema_key] = IriExpander(
                {**self.kb.prefixes, **(schema.prefixes if schema else {})}
            )
        return self.expanders[schema_key]

    def property(self, curie: str, schema: Schema | None) -> str:
        """The IRI of a slot or class URI; one of our own where its prefix is not known."""
        try:
            return self.expander(schema)(curie)
        except InputError as error:
            self.report(
                "owl-iri",
                f"{curie[:80]} has no IRI: {error.message}",
                curie,
                "Add its prefix to the schema.",
            )
            return iris.local_iri(self.kb.base_iri, "property", curie)

    def report(self, code: str, message: str, where: str, hint: str = "") -> None:
        self.problems.setdefault(
            (code, message), Problem(code, message, Severity.WARNING, where=where, hint=hint)
        )


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
