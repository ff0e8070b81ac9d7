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
from core.model import Literal, Node, Problem, Severity
from core.schema import owl
from core.schema.definition import ClassDefinition, Schema, Slot

LABEL = PREFIXES["rdfs"] + "label"
UNIT = PREFIXES["qudt"] + "ucumCode"
MAX_NESTED = 20


@dataclass
class Axioms:
    """Gathers the axioms of a knowledge base, what they declare, and what could not be said."""

    kb: KnowledgeBase
    found: dict[str, Instance] = field(init=False)
    axioms: list[Form] = field(default_factory=list)
    declared: set[tuple[EntityKind, str]] = field(default_factory=set)
    problems: dict[tuple[str, str], Problem] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)  # expressions that stand where they are used

    expanders: dict[int, Expander] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.found = instances(self.kb)
        self.steps = Steps()
        named = [one for one in self.found.values() if not self.inline(one)]
        for instance in named:
            self.describe(instance)
        parts = {value for one in self.found.values() for value in self.things(one)}
        rest = [one for one in self.found.values() if self.inline(one)]
        for instance in sorted(rest, key=lambda one: one.iri in parts):
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
        for held in instance.values:
            if not isinstance(held.value, Literal):
                yield self.name(held)

    def name(self, held: SlotValue) -> str:
        assert not isinstance(held.value, Literal)
        return iris.thing_iri(held.value, held.document, self.kb.base_iri, self.kb.prefixes)

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
        for held in instance.values:
            if held.slot is None:
                self.annotate(
                    self.property(held.predicate.id or self.words_iri(held), None),
                    instance,
                    self.shown(held),
                )
        if logical:
            self.definitions(instance, individual)

    def words_iri(self, held: SlotValue) -> str:
        return iris.thing_iri(held.predicate, held.document, self.kb.base_iri, self.kb.prefixes)

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
        for held in values:
            self.annotate(self.property(slot.uri, instance.schema), instance, self.shown(held))

    def shown(self, held: SlotValue) -> Part:
        """A value as an annotation: the label of what has no name of its own."""
        if isinstance(held.value, Literal):
            return literal(held.value)
        other = self.found[self.name(held)]
        return Value(other.thing.label) if self.inline(other) else Iri(other.iri)

    def assertions(
        self, instance: Instance, slot: Slot, values: Sequence[SlotValue], individual: bool
    ) -> None:
        """ObjectPropertyAssertion and DataPropertyAssertion, of individuals."""
        words, name = owl.owl_words(slot.annotations), Iri(self.property(slot.uri, instance.schema))
        for held in values if individual and words & owl.ASSERTIONS else ():
            if isinstance(held.value, Literal):
                self.axioms.append(
                    Form("DataPropertyAssertion", (name, Iri(instance.iri), literal(held.value)))
                )
            else:
                self.axioms.append(
                    Form("ObjectPropertyAssertion", (name, Iri(instance.iri), Iri(self.name(held))))
                )

    # -------------------------------------------------------------- definitions

    def definitions(self, instance: Instance, individual: bool) -> None:
        """What the restrictions of all slots say of a class together."""
        own, subject = self.words(instance), Iri(instance.iri)
        groups: dict[tuple[str, str], list[Part]] = {}
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
                    one
                    for one in ("EquivalentClasses", "DisjointClasses", "SubClassOf")
                    if one in words
                ),
                default,
            )
            whole = "ObjectUnionOf" if "UnionOf" in words else "ObjectIntersectionOf"
            together = (
                whole if words & owl.OPERATORS or (axiom == default == "EquivalentClasses") else ""
            )
            if self.inline(instance) and "UnionOf" in own:
                together = "ObjectUnionOf"
            groups.setdefault((axiom, together), []).extend(
                self.operands(instance, slot, values, (instance.iri,))
            )
            if "Closed" in words and (
                only := join_forms("ObjectUnionOf", self.fillers(values, (instance.iri,)))
            ):
                name = Iri(self.property(slot.uri, instance.schema))
                groups.setdefault(("SubClassOf", ""), []).append(
                    Form("ObjectAllValuesFrom", (name, only))
                )
        genus, defined = self.genus(instance), False
        for (axiom, together), parts in groups.items():
            if (
                axiom == "EquivalentClasses"
                and together == "ObjectIntersectionOf"
                and parts
                and genus
            ):
                parts, defined = [*parts, genus], True
            one = join_forms(together, parts) if together else None
            for part in parts if one is None else [one]:
                self.state(axiom, subject, part, individual)
        if genus and not defined:
            self.state("SubClassOf", subject, genus, individual)

    def state(self, axiom: str, subject: Iri, part: Part, individual: bool) -> None:
        if part == subject:
            return
        form = (
            Form("ClassAssertion", (part, subject)) if individual else Form(axiom, (subject, part))
        )
        self.axioms.append(form)

    def genus(self, instance: Instance) -> Iri | None:
        """The class URI of an object's class. A term has been classified by its own vocabulary."""
        known = instance.thing.id and not isinstance(instance.thing, Node)
        if known or instance.cls is None or not instance.cls.uri:
            return None
        name = self.property(instance.cls.uri, instance.schema)
        return None if name.startswith((*RESERVED, PREFIXES["linkml"])) else Iri(name)

    def operands(
        self, instance: Instance, slot: Slot, values: Sequence[SlotValue], line: tuple[str, ...]
    ) -> list[Part]:
        """The class expressions that a slot's values make."""
        words, name = slot_words(slot), Iri(self.property(slot.uri, instance.schema))
        things = [held for held in values if not isinstance(held.value, Literal)]
        data = [held.value for held in values if isinstance(held.value, Literal)]
        parts: list[Part] = []
        if words & (owl.SOME | {"ObjectProperty"}) and not words & (owl.ALL | owl.HAS):
            parts += [self.some(name, held, line) for held in things]
        if words & owl.ALL:
            filler = join_forms("ObjectUnionOf", self.fillers(values, line))
            parts += [Form("ObjectAllValuesFrom", (name, filler))] if filler else []
        if words & owl.HAS:
            parts += [self.has(name, held, words) for held in things]
        if words & owl.ALL and data:
            parts.append(
                Form(
                    "DataAllValuesFrom",
                    (name, Form("DataOneOf", tuple(literal(one) for one in data))),
                )
            )
        elif words & (owl.SOME | owl.HAS | {"DataProperty"}):
            parts += [part for one in data for part in self.quantity(slot, name, one, words)]
        if not words & (owl.SOME | owl.ALL | owl.HAS | {"ObjectProperty", "DataProperty"}):
            parts += self.fillers(values, line)
        return parts

    def some(self, name: Iri, held: SlotValue, line: tuple[str, ...]) -> Part:
        other = self.found[self.name(held)]
        if self.words(other) & owl.INDIVIDUAL:
            return Form("ObjectHasValue", (name, Iri(other.iri)))
        return Form("ObjectSomeValuesFrom", (name, self.expression(other, line)))

    def has(self, name: Iri, held: SlotValue, words: frozenset[str]) -> Part:
        other = self.found[self.name(held)]
        if words & {"DataHasValue", "DataProperty"}:
            return Form("DataHasValue", (name, Value(other.thing.label)))
        return Form("ObjectHasValue", (name, Iri(other.iri)))

    def quantity(self, slot: Slot, name: Iri, value: Literal, words: frozenset[str]) -> list[Part]:
        """A literal, and its unit beside it: OWL 2 DL knows no datatype for both."""
        if words & {"ObjectProperty", "ObjectSomeValuesFrom", "ObjectHasValue"}:
            self.report(
                "owl-mismatch",
                f"{slot.name} is an object property, and its value is a text: it is left out.",
                slot.name,
            )
            return []
        unit: list[Part] = (
            [Form("DataHasValue", (Iri(UNIT), Value(value.unit)))] if value.unit else []
        )
        return [Form("DataHasValue", (name, literal(value))), *unit]

    def fillers(self, values: Sequence[SlotValue], line: tuple[str, ...]) -> list[Part]:
        return [
            self.expression(self.found[self.name(h)], line)
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
        done = False
        for cls in self.line(instance):
            for key in (owl.TEMPLATE, owl.FSTRING):
                if text := cls.annotations.get(key, "").strip():
                    done = self.fill(instance, f"{key} of {cls.name}", text, key, None) or done
        return done

    def slot_templates(self, instance: Instance, slot: Slot, values: Sequence[SlotValue]) -> bool:
        if text := slot.annotations.get(owl.TEMPLATE, "").strip():
            return self.fill(instance, f"{owl.TEMPLATE} of {slot.name}", text, owl.TEMPLATE, None)
        if text := slot.annotations.get(owl.FSTRING, "").strip():
            return all(
                self.fill(instance, f"{owl.FSTRING} of {slot.name}", text, owl.FSTRING, held)
                for held in values
            )
        return False

    def fill(
        self, instance: Instance, what: str, text: str, key: str, held: SlotValue | None
    ) -> bool:
        """Add a template's axioms. One that cannot be honoured is named in a problem."""
        slots = self.variables(instance, ())
        expand = self.expander(instance.schema)
        try:
            if key == owl.TEMPLATE:
                forms = fill_template(text, slots, self.steps, expand)
            else:
                forms = filled_fstring(text, slots, self.variable(held, ()) if held else "", expand)
            self.axioms += [check_form(form) for form in forms]
        except InputError as error:
            message = f"The {what} cannot be honoured: {error.message}"
            self.report(
                "owl-template",
                message.rstrip(".") + ".",
                what,
                "The owl annotations are used instead.",
            )
            return False
        return bool(forms)

    def variables(self, instance: Instance, line: tuple[str, ...]) -> Mapping[str, object]:
        """An object's slots as a template sees them; its identifier is its IRI."""
        found: dict[str, object] = {
            "id": Shown(Iri(instance.iri), {}),
            "label": text_value(instance.thing.label),
        }
        for slot in instance.cls.slots if instance.cls else ():
            if slot.identifier:
                found[slot.name] = Shown(Iri(instance.iri), {})
            elif slot.name == "name":
                found[slot.name] = text_value(instance.thing.label)
        for slot, values in self.slots(instance):
            items = tuple(self.variable(held, (*line, instance.iri)) for held in values)
            found[slot.name] = (
                Many(items, self.steps.spend) if slot.multivalued or len(items) > 1 else items[0]
            )
        return found

    def variable(self, held: SlotValue, line: tuple[str, ...]) -> object:
        if isinstance(held.value, Literal):
            return TemplateText(held.value.value, literal(held.value))
        other = self.found[self.name(held)]
        slots = (
            dict(self.variables(other, line))
            if other.iri not in line and len(line) < MAX_NESTED
            else {}
        )
        slots.setdefault("meaning", Shown(Iri(other.iri), {}))
        slots.setdefault("text", text_value(other.thing.label))
        return Shown(self.expression(other), slots)

    # -------------------------------------------------------------- names

    def expander(self, schema: Schema | None) -> Expander:
        known = id(schema)
        if known not in self.expanders:
            self.expanders[known] = Expander(
                {**self.kb.prefixes, **(schema.prefixes if schema else {})}
            )
        return self.expanders[known]

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
