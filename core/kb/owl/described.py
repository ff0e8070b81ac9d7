"""The objects that an ontology describes: their classes, slots and IRIs, by their schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from core.errors import InputError
from core.kb.entry import KnowledgeBase
from core.kb.owl.instance import Instance, SlotValue, by_slot, instances
from core.kb.owl.value import IriExpander
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
