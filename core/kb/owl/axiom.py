"""Objects as OWL axioms, by the `owl` annotations of their schema (linkml-owl's words).

A class that is `IntersectionOf` (or `UnionOf`) is an expression, written where it is used; any
other object is a named class, or an individual. A slot gives restrictions (`ObjectSomeValuesFrom`,
…) or annotations; restrictions become SubClassOf unless the slot or the class says
EquivalentClasses.

Deviation from linkml-owl: the class URI is a part of the intersection; several values of
`…AllValuesFrom` are one union; ObjectProperty or DataProperty alone means some or that value; a
template takes the place of the restrictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.curie import PREFIXES
from core.errors import InputError
from core.kb.entry import KnowledgeBase
from core.kb.owl.form import EntityKind, Form, Iri, Part, Value, check_form, join_forms
from core.kb.owl.instance import Instance, SlotValue, by_slot, instances
from core.kb.owl.rdf import RESERVED
from core.kb.owl.template import Many, Shown, Steps, TemplateText, fill_template, filled_fstring
from core.kb.owl.value import Expander, is_annotation, literal, slot_words, text_value
from core.kb.rdf import iri as iris
from core.model import Category, Literal, Node, Problem, Severity
from core.schema import owl
from core.schema.definition import ClassDefinition, Schema, Slot

LABEL = PREFIXES["rdfs"] + "label"
UNIT = PREFIXES["qudt"] + "ucumCode"
MAX_NESTED = 20


@dataclass
class Axioms:
    """Gathers the axioms of a knowledge base, what they declare, and what could not be said."""

    kb: KnowledgeBase
    instances: dict[str, Instance] = field(init=False)
    axioms: list[Form] = field(default_factory=list)
    declared: set[tuple[EntityKind, str]] = field(default_factory=set)
    problems: dict[tuple[str, str], Problem] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)  # expressions that stand where they are used

    expanders: dict[int, Expander] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.instances = instances(self.kb)
        self.steps = Steps()
        named_instances = [
            instance for instance in self.instances.values() if not self.inline(instance)
        ]
        for instance in named_instances:
            self.describe(instance)
        parts = {value for instance in self.instances.values() for value in self.things(instance)}
        inline_instances = [
            instance for instance in self.instances.values() if self.inline(instance)
        ]
        for instance in sorted(inline_instances, key=lambda instance: instance.iri in parts):
            if instance.iri not in self.placed:
                self.describe(instance)

    # -------------------------------------------------------------- objects

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

    def describe(self, instance: Instance) -> None:
        """A named class or individual: label, kind, annotations, and what it is made of."""
        individual = bool(self.words(instance) & owl.INDIVIDUAL)
        self.declared.add((EntityKind.INDIVIDUAL if individual else EntityKind.CLASS, instance.iri))
        self.annotate(LABEL, instance, Value(instance.thing.label or instance.iri))
        logical = not self.templates(instance)
        for slot, values in self.slots(instance):
            if owl.IGNORE in slot.annotations or self.slot_templates(instance, slot, values):
                continue
            if is_annotation(slot):
                self.annotations(instance, slot, values)
            elif logical:
                self.assertions(instance, slot, values, individual)
        for slot_value in instance.values:
            if slot_value.slot is None:
                self.annotate(
                    self.property(slot_value.predicate.id or self.words_iri(slot_value), None),
                    instance,
                    self.annotation_value(slot_value),
                )
        if logical:
            self.definitions(instance, individual)

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

    # -------------------------------------------------------------- annotations and assertions

    def annotate(self, name: str, instance: Instance, value: Part | None) -> None:
        if value is not None:
            self.axioms.append(Form("AnnotationAssertion", (Iri(name), Iri(instance.iri), value)))

    def annotations(self, instance: Instance, slot: Slot, values: Sequence[SlotValue]) -> None:
        for slot_value in values:
            self.annotate(
                self.property(slot.uri, instance.schema),
                instance,
                self.annotation_value(slot_value),
            )

    def annotation_value(self, slot_value: SlotValue) -> Part:
        """A value as an annotation: the label of what has no name of its own."""
        if isinstance(slot_value.value, Literal):
            return literal(slot_value.value)
        value_instance = self.instances[self.name(slot_value)]
        return (
            Value(value_instance.thing.label)
            if self.inline(value_instance)
            else Iri(value_instance.iri)
        )

    def assertions(
        self, instance: Instance, slot: Slot, values: Sequence[SlotValue], individual: bool
    ) -> None:
        """ObjectPropertyAssertion and DataPropertyAssertion, of individuals."""
        words, name = owl.owl_words(slot.annotations), Iri(self.property(slot.uri, instance.schema))
        for slot_value in values if individual and words & owl.ASSERTIONS else ():
            if isinstance(slot_value.value, Literal):
                self.axioms.append(
                    Form(
                        "DataPropertyAssertion",
                        (name, Iri(instance.iri), literal(slot_value.value)),
                    )
                )
            else:
                self.axioms.append(
                    Form(
                        "ObjectPropertyAssertion",
                        (name, Iri(instance.iri), Iri(self.name(slot_value))),
                    )
                )

    # -------------------------------------------------------------- definitions

    def definitions(self, instance: Instance, individual: bool) -> None:
        """What the restrictions of all slots say of a class together."""
        own, subject = self.words(instance), Iri(instance.iri)
        groups: dict[tuple[str, str], list[Part]] = {}
        unrecognised: dict[tuple[str, str], str] = {}  # groups with such a part, and its slot
        default = (
            "EquivalentClasses"
            if own & {"EquivalentClasses"} or self.inline(instance)
            else "SubClassOf"
        )
        for slot, values in self.slots(instance):
            words = slot_words(slot)
            if (
                owl.IGNORE in slot.annotations
                or is_annotation(slot)
                or (individual and words & owl.ASSERTIONS)
            ):
                continue
            axiom = next(
                (
                    axiom_kind
                    for axiom_kind in ("EquivalentClasses", "DisjointClasses", "SubClassOf")
                    if axiom_kind in words
                ),
                default,
            )
            operator = "ObjectUnionOf" if "UnionOf" in words else "ObjectIntersectionOf"
            together = (
                operator
                if words & owl.OPERATORS or (axiom == default == "EquivalentClasses")
                else ""
            )
            if self.inline(instance) and "UnionOf" in own:
                together = "ObjectUnionOf"
            groups.setdefault((axiom, together), []).extend(
                self.operands(instance, slot, values, (instance.iri,))
            )
            if not all(self.is_recognised(slot_value) for slot_value in values):
                unrecognised[axiom, together] = slot.name
            if "Closed" in words and (
                only := join_forms("ObjectUnionOf", self.fillers(values, (instance.iri,)))
            ):
                name = Iri(self.property(slot.uri, instance.schema))
                groups.setdefault(("SubClassOf", ""), []).append(
                    Form("ObjectAllValuesFrom", (name, only))
                )
        genus, defined = self.genus(instance), False
        for (axiom, together), parts in groups.items():
            if axiom == "EquivalentClasses" and (axiom, together) in unrecognised:
                axiom = "SubClassOf"
                self.report_undefined(instance, unrecognised["EquivalentClasses", together])
            if (
                axiom == "EquivalentClasses"
                and together == "ObjectIntersectionOf"
                and parts
                and genus
            ):
                parts, defined = [*parts, genus], True
            joined_form = join_forms(together, parts) if together else None
            for part in parts if joined_form is None else [joined_form]:
                self.state(axiom, subject, part, individual)
        if genus and not defined:
            self.state("SubClassOf", subject, genus, individual)

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

    def report_undefined(self, instance: Instance, slot: str) -> None:
        self.report(
            "owl-undefined",
            f"{instance.thing.label or instance.iri} is described, but not defined: a part of its"
            f" {slot} has no term.",
            instance.iri,
            "Give each part a term, and it is defined by its parts.",
        )

    def state(self, axiom: str, subject: Iri, part: Part, individual: bool) -> None:
        if part == subject:
            return
        form = (
            Form("ClassAssertion", (part, subject)) if individual else Form(axiom, (subject, part))
        )
        self.axioms.append(form)

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
        things = [slot_value for slot_value in values if not isinstance(slot_value.value, Literal)]
        data = [slot_value.value for slot_value in values if isinstance(slot_value.value, Literal)]
        parts: list[Part] = []
        if words & (owl.SOME | {"ObjectProperty"}) and not words & (owl.ALL | owl.HAS):
            parts += [self.some(name, slot_value, line) for slot_value in things]
        if words & owl.ALL:
            filler = join_forms("ObjectUnionOf", self.fillers(values, line))
            parts += [Form("ObjectAllValuesFrom", (name, filler))] if filler else []
        if words & owl.HAS:
            parts += [self.has(name, slot_value, words) for slot_value in things]
        if words & owl.ALL and data:
            parts.append(
                Form(
                    "DataAllValuesFrom",
                    (name, Form("DataOneOf", tuple(literal(value) for value in data))),
                )
            )
        elif words & (owl.SOME | owl.HAS | {"DataProperty"}):
            parts += [part for value in data for part in self.quantity(slot, name, value, words)]
        if not words & (owl.SOME | owl.ALL | owl.HAS | {"ObjectProperty", "DataProperty"}):
            parts += self.fillers(values, line)
        return parts

    def some(self, name: Iri, slot_value: SlotValue, line: tuple[str, ...]) -> Part:
        value_instance = self.instances[self.name(slot_value)]
        if self.words(value_instance) & owl.INDIVIDUAL:
            return Form("ObjectHasValue", (name, Iri(value_instance.iri)))
        return Form("ObjectSomeValuesFrom", (name, self.expression(value_instance, line)))

    def has(self, name: Iri, slot_value: SlotValue, words: frozenset[str]) -> Part:
        value_instance = self.instances[self.name(slot_value)]
        if words & {"DataHasValue", "DataProperty"}:
            return Form("DataHasValue", (name, Value(value_instance.thing.label)))
        return Form("ObjectHasValue", (name, Iri(value_instance.iri)))

    def quantity(self, slot: Slot, name: Iri, value: Literal, words: frozenset[str]) -> list[Part]:
        """A literal, and its unit beside it: OWL 2 DL knows no datatype for both."""
        if words & {"ObjectProperty", "ObjectSomeValuesFrom", "ObjectHasValue"}:
            self.report(
                "owl-mismatch",
                f"{slot.name} is an object property, but its value is a text: it was left out.",
                slot.name,
            )
            return []
        unit: list[Part] = (
            [Form("DataHasValue", (Iri(UNIT), Value(value.unit)))] if value.unit else []
        )
        return [Form("DataHasValue", (name, literal(value))), *unit]

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

    # -------------------------------------------------------------- templates

    def templates(self, instance: Instance) -> bool:
        """Whether templates of the class say what the object is."""
        is_filled = False
        for cls in self.line(instance):
            for key in (owl.TEMPLATE, owl.FSTRING):
                if text := cls.annotations.get(key, "").strip():
                    is_filled = (
                        self.fill(instance, f"{key} of {cls.name}", text, key, None) or is_filled
                    )
        return is_filled

    def slot_templates(self, instance: Instance, slot: Slot, values: Sequence[SlotValue]) -> bool:
        if text := slot.annotations.get(owl.TEMPLATE, "").strip():
            return self.fill(instance, f"{owl.TEMPLATE} of {slot.name}", text, owl.TEMPLATE, None)
        if text := slot.annotations.get(owl.FSTRING, "").strip():
            return all(
                self.fill(instance, f"{owl.FSTRING} of {slot.name}", text, owl.FSTRING, slot_value)
                for slot_value in values
            )
        return False

    def fill(
        self,
        instance: Instance,
        template_name: str,
        text: str,
        key: str,
        slot_value: SlotValue | None,
    ) -> bool:
        """Add a template's axioms. One that cannot be honoured is named in a problem."""
        slots = self.variables(instance, ())
        expand = self.expander(instance.schema)
        try:
            if key == owl.TEMPLATE:
                forms = fill_template(text, slots, self.steps, expand)
            else:
                forms = filled_fstring(
                    text, slots, self.variable(slot_value, ()) if slot_value else "", expand
                )
            self.axioms += [check_form(form) for form in forms]
        except InputError as error:
            message = f"The {template_name} cannot be used: {error.message}"
            self.report(
                "owl-template",
                message.rstrip(".") + ".",
                template_name,
                "The owl annotations are used instead.",
            )
            return False
        return bool(forms)

    def variables(self, instance: Instance, line: tuple[str, ...]) -> Mapping[str, object]:
        """An object's slots as a template sees them; its identifier is its IRI."""
        variables_by_slot: dict[str, object] = {
            "id": Shown(Iri(instance.iri), {}),
            "label": text_value(instance.thing.label),
        }
        for slot in instance.cls.slots if instance.cls else ():
            if slot.identifier:
                variables_by_slot[slot.name] = Shown(Iri(instance.iri), {})
            elif slot.name == "name":
                variables_by_slot[slot.name] = text_value(instance.thing.label)
        for slot, values in self.slots(instance):
            items = tuple(self.variable(slot_value, (*line, instance.iri)) for slot_value in values)
            variables_by_slot[slot.name] = (
                Many(items, self.steps.spend) if slot.multivalued or len(items) > 1 else items[0]
            )
        return variables_by_slot

    def variable(self, slot_value: SlotValue, line: tuple[str, ...]) -> object:
        if isinstance(slot_value.value, Literal):
            return TemplateText(slot_value.value.value, literal(slot_value.value))
        value_instance = self.instances[self.name(slot_value)]
        slots = (
            dict(self.variables(value_instance, line))
            if value_instance.iri not in line and len(line) < MAX_NESTED
            else {}
        )
        slots.setdefault("meaning", Shown(Iri(value_instance.iri), {}))
        slots.setdefault("text", text_value(value_instance.thing.label))
        return Shown(self.expression(value_instance), slots)

    # -------------------------------------------------------------- names

    def expander(self, schema: Schema | None) -> Expander:
        schema_key = id(schema)
        if schema_key not in self.expanders:
            self.expanders[schema_key] = Expander(
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
            (code, message), Problem(code, message, Severity.WARNING, where, hint)
        )
