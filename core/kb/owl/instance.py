"""Statements gathered into the objects they describe: each with its class of a schema, and its
values slot by slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.kb.entry import ExportEntry, KnowledgeBase, settle_labels, thing_key
from core.kb.rdf import iri
from core.model import Literal, Node, Statement, Term, Thing
from core.schema.definition import ClassDefinition, Schema, Slot


@dataclass(frozen=True, slots=True)
class SlotValue:
    """A value of an object: the slot it fills (None: a relation of no slot), its predicate, and
    itself.
    """

    slot: Slot | None
    predicate: Term
    value: Thing
    document: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A thing that statements are about. `cls` is None for a thing of no known class."""

    thing: Term | Node
    iri: str
    cls: ClassDefinition | None = None
    schema: Schema | None = None
    values: tuple[SlotValue, ...] = ()


def instances(kb: KnowledgeBase) -> dict[str, Instance]:
    """Everything that plain statements name, by IRI and sorted; negated, hedged and qualified ones
    are left out.
    """
    names = settle_labels(kb.entries)
    about: dict[str, list[Statement]] = {}
    things: dict[str, Term | Node] = {}
    for entry in kb.sorted():
        if not entry.is_plain:
            continue
        statement = entry.statement
        for thing in (statement.subject, statement.object):
            if isinstance(thing, Term | Node):
                name = iri.thing_iri(thing, statement.document, kb.base_iri, kb.prefixes)
                things[name] = names[thing_key(thing, statement.document)]
        subject = iri.thing_iri(statement.subject, statement.document, kb.base_iri, kb.prefixes)
        about.setdefault(subject, []).append(statement)
    return {
        name: _instance(name, things[name], about.get(name, []), kb.schemas)
        for name in sorted(things)
    }


def statements_left_out(kb: KnowledgeBase) -> list[ExportEntry]:
    """Statements that OWL axioms would say wrongly: negated, hedged or qualified."""
    return [entry for entry in kb.sorted() if not entry.is_plain]


def _instance(
    name: str, thing: Term | Node, about: list[Statement], schemas: Iterable[Schema]
) -> Instance:
    schema, cls = _class(thing, about, schemas)
    values = [
        SlotValue(
            _slot(cls, statement.predicate) if cls else None,
            statement.predicate,
            statement.object,
            statement.document,
        )
        for statement in about
    ]
    return Instance(thing, name, cls, schema=schema, values=tuple(sorted(values, key=_order)))


def _order(slot_value: SlotValue) -> tuple[str, str, str]:
    value = slot_value.value
    return (
        slot_value.slot.name if slot_value.slot else "",
        slot_value.predicate.id,
        value.value if isinstance(value, Literal) else value.id,
    )


def _class(
    thing: Term | Node, about: list[Statement], schemas: Iterable[Schema]
) -> tuple[Schema | None, ClassDefinition | None]:
    """The class that has the most of the thing's predicates as slots, the first such schema."""
    best: tuple[int, Schema | None, ClassDefinition | None] = (-1, None, None)
    for schema in schemas:
        for cls in _candidates(thing, schema):
            fits = sum(_slot(cls, statement.predicate) is not None for statement in about)
            if fits > best[0] and (fits or isinstance(thing, Node)):
                best = (fits, schema, cls)
    return best[1], best[2]


def _candidates(thing: Term | Node, schema: Schema) -> Iterator[ClassDefinition]:
    if isinstance(thing, Node):
        if thing.cls in schema.classes:
            yield schema.classes[thing.cls]
        return
    yield from (
        cls for cls in schema.classes.values() if cls.is_entity and cls.category is thing.category
    )


def _slot(cls: ClassDefinition, predicate: Term) -> Slot | None:
    """The slot of a predicate: by its URI, and by its name where two slots share one."""
    same_uri = [slot for slot in cls.slots if slot.uri == predicate.id and not slot.identifier]
    same_name = [
        slot
        for slot in same_uri
        if predicate.label in (slot.title, slot.name, slot.name.replace("_", " "))
    ]
    return next(iter(same_name or same_uri), None)


def by_slot(instance: Instance) -> Mapping[str, list[SlotValue]]:
    """The values of each slot, by its name."""
    values_by_slot: dict[str, list[SlotValue]] = {}
    for slot_value in instance.values:
        if slot_value.slot is not None:
            values_by_slot.setdefault(slot_value.slot.name, []).append(slot_value)
    return values_by_slot
