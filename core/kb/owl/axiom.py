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

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from core.curie import PREFIXES
from core.errors import InputError
from core.kb.owl.expression import MAX_NESTED, ClassExpressions
from core.kb.owl.form import EntityKind, Iri, OwlForm, OwlLiteral, Part, check_form, join_forms
from core.kb.owl.instance import Instance, SlotValue
from core.kb.owl.template import (
    TemplateSteps,
    TemplateText,
    TemplateThing,
    TemplateValues,
    fill_template,
    filled_fstring,
)
from core.kb.owl.value import is_annotation, literal, slot_words, text_value
from core.kb.rdf.association import other_id_facts
from core.model import Literal, Term
from core.schema import owl
from core.schema.definition import Slot

LABEL = PREFIXES["rdfs"] + "label"
EXACT_MATCH = PREFIXES["skos"] + "exactMatch"


@dataclass
class AxiomCollector(ClassExpressions):
    """Gathers the axioms of a knowledge base, what they declare, and what could not be said."""

    axioms: list[OwlForm] = field(default_factory=list)
    declared: set[tuple[EntityKind, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.steps = TemplateSteps()
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

    def describe(self, instance: Instance) -> None:
        """A named class or individual: label, kind, annotations, and what it is made of."""
        individual = bool(self.words(instance) & owl.INDIVIDUAL)
        self.declared.add((EntityKind.INDIVIDUAL if individual else EntityKind.CLASS, instance.iri))
        self.annotate(LABEL, instance, OwlLiteral(instance.thing.label or instance.iri))
        if isinstance(instance.thing, Term):
            for _, other, _ in other_id_facts(instance.thing, self.kb):
                self.annotate(EXACT_MATCH, instance, Iri(other))
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

    # -------------------------------------------------------------- annotations and assertions

    def annotate(self, name: str, instance: Instance, value: Part | None) -> None:
        if value is not None:
            self.axioms.append(
                OwlForm("AnnotationAssertion", (Iri(name), Iri(instance.iri), value))
            )

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
            OwlLiteral(value_instance.thing.label)
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
                    OwlForm(
                        "DataPropertyAssertion",
                        (name, Iri(instance.iri), literal(slot_value.value)),
                    )
                )
            else:
                self.axioms.append(
                    OwlForm(
                        "ObjectPropertyAssertion",
                        (name, Iri(instance.iri), Iri(self.name(slot_value))),
                    )
                )

    # -------------------------------------------------------------- definitions

    def definitions(self, instance: Instance, individual: bool) -> None:
        """What the restrictions of all slots say of a class together."""
        subject = Iri(instance.iri)
        groups: dict[tuple[str, str], list[Part]] = {}
        unrecognised: dict[tuple[str, str], str] = {}  # groups with such a part, and its slot
        for slot, values in self.slots(instance):
            words = slot_words(slot)
            if (
                owl.IGNORE in slot.annotations
                or is_annotation(slot)
                or (individual and words & owl.ASSERTIONS)
            ):
                continue
            group = self.axiom_and_operator(instance, words)
            operands = self.operands(instance, slot, values, (instance.iri,))
            groups.setdefault(group, []).extend(operands)
            if not all(self.is_recognised(slot_value) for slot_value in values):
                unrecognised[group] = slot.name
            if "Closed" in words and (
                only := join_forms("ObjectUnionOf", self.fillers(values, (instance.iri,)))
            ):
                name = Iri(self.property(slot.uri, instance.schema))
                groups.setdefault(("SubClassOf", ""), []).append(
                    OwlForm("ObjectAllValuesFrom", (name, only))
                )
        genus, defined = self.genus(instance), False
        for (axiom, together), parts in groups.items():
            if axiom == "EquivalentClasses" and (axiom, together) in unrecognised:
                axiom = "SubClassOf"
                self.report_undefined(instance, unrecognised["EquivalentClasses", together])
            is_definition = (axiom, together) == ("EquivalentClasses", "ObjectIntersectionOf")
            if is_definition and parts and genus:
                parts, defined = [*parts, genus], True
            joined_form = join_forms(together, parts) if together else None
            for part in parts if joined_form is None else [joined_form]:
                self.state(axiom, subject, part, individual)
        if genus and not defined:
            self.state("SubClassOf", subject, genus, individual)

    def axiom_and_operator(self, instance: Instance, words: Set[str]) -> tuple[str, str]:
        """The axiom that a slot's restrictions make, and what joins them with those of other slots
        ("" where each stands alone); `words` are those of the slot's `owl` annotation.
        """
        own, inline = self.words(instance), self.inline(instance)
        default = "EquivalentClasses" if "EquivalentClasses" in own or inline else "SubClassOf"
        kinds = ("EquivalentClasses", "DisjointClasses", "SubClassOf")
        axiom = next((kind for kind in kinds if kind in words), default)
        if inline and "UnionOf" in own:
            return axiom, "ObjectUnionOf"
        if not (words & owl.OPERATORS or axiom == default == "EquivalentClasses"):
            return axiom, ""
        return axiom, "ObjectUnionOf" if "UnionOf" in words else "ObjectIntersectionOf"

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
            OwlForm("ClassAssertion", (part, subject))
            if individual
            else OwlForm(axiom, (subject, part))
        )
        self.axioms.append(form)

    # -------------------------------------------------------------- templates

    def templates(self, instance: Instance) -> bool:
        """Whether templates of the class say what the object is."""
        is_filled = False
        for cls in self.line(instance):
            for key in (owl.TEMPLATE, owl.FSTRING):
                if text := cls.annotations.get(key, "").strip():
                    is_filled = (
                        self.fill(instance, f"{key} of {cls.name}", text, key, slot_value=None)
                        or is_filled
                    )
        return is_filled

    def slot_templates(self, instance: Instance, slot: Slot, values: Sequence[SlotValue]) -> bool:
        if text := slot.annotations.get(owl.TEMPLATE, "").strip():
            return self.fill(
                instance, f"{owl.TEMPLATE} of {slot.name}", text, owl.TEMPLATE, slot_value=None
            )
        if text := slot.annotations.get(owl.FSTRING, "").strip():
            return all(
                self.fill(
                    instance,
                    f"{owl.FSTRING} of {slot.name}",
                    text,
                    owl.FSTRING,
                    slot_value=slot_value,
                )
                for slot_value in values
            )
        return False

    def fill(
        self,
        instance: Instance,
        template_name: str,
        text: str,
        key: str,
        *,
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
            "id": TemplateThing(Iri(instance.iri), {}),
            "label": text_value(instance.thing.label),
        }
        for slot in instance.cls.slots if instance.cls else ():
            if slot.identifier:
                variables_by_slot[slot.name] = TemplateThing(Iri(instance.iri), {})
            elif slot.name == "name":
                variables_by_slot[slot.name] = text_value(instance.thing.label)
        for slot, values in self.slots(instance):
            items = tuple(self.variable(slot_value, (*line, instance.iri)) for slot_value in values)
            variables_by_slot[slot.name] = (
                TemplateValues(items, self.steps.spend)
                if slot.multivalued or len(items) > 1
                else items[0]
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
        slots.setdefault("meaning", TemplateThing(Iri(value_instance.iri), {}))
        slots.setdefault("text", text_value(value_instance.thing.label))
        return TemplateThing(self.expression(value_instance), slots)
