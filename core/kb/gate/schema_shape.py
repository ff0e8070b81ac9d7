"""What the schemas ask of approved statements, as SHACL that anyone can check a file of ours with:
which slots an object must have, how many values each takes and of what kind, and which vocabularies
the ends of a relation are from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rdflib import Graph, URIRef
from rdflib import Literal as RdfValue

from core.errors import InputError
from core.kb.entry import ExportEntry, KnowledgeBase, thing_key
from core.kb.rdf import iri
from core.kb.rdf.fact import IRI, PLAIN
from core.kb.rdf.node import BIOLINK, RDF, statement_iri, text_and_datatype
from core.kb.rdf.turtle_block import escape_turtle
from core.model import Node, Statement
from core.schema.definition import BASE, ClassDefinition, EnumDefinition, RangeKind, Schema, Slot

HEAD = """@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix biolink: <https://w3id.org/biolink/vocab/> .

"""
SHAPE = "urn:groundwork:shape:"
MOST_NAMED = 12  # values of an enum that a message lists
TOGETHER = 2_000  # statements that are checked at a time, with all of one subject among them
Prefixes = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SchemaMismatch:
    """A statement that does not keep what a schema asks, or, where something is missing, one of the
    thing that lacks it.
    """

    statement: Statement
    message: str


def schema_shapes(
    schemas: Iterable[Schema],
    base_iri: str,
    prefixes: Prefixes,
    predicates: Container[str] | None = None,
) -> str:
    """The shapes as Turtle, sorted; of classes that have one name the first schema's counts.
    Relations are those whose IRIs are in `predicates`, or all of them.
    """
    class_by_name: dict[str, tuple[ClassDefinition, Schema]] = {}
    for schema in schemas:
        for definition in schema.classes.values():
            class_by_name.setdefault(definition.name, (definition, schema))
    shapes = [
        _object_shape(definition, schema, base_iri, prefixes)
        for _, (definition, schema) in sorted(class_by_name.items())
        if not (definition.is_claim or definition.is_entity or definition.abstract)
        and definition.name not in BASE
    ]
    shapes += _relation_shapes(
        [pair for _, pair in sorted(class_by_name.items())], prefixes, predicates
    )
    return HEAD + "\n".join(filter(None, shapes))


def schema_mismatches(
    kb: KnowledgeBase, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> Iterator[SchemaMismatch]:
    """What of the statements does not keep what their schemas ask, by pySHACL, some thousand
    statements at a time. `on_progress` hears how many of how many were gone through.
    """
    from pyshacl import validate  # half a second to import

    used = {
        iri.term_iri(predicate, kb.prefixes)
        for predicate in {entry.statement.predicate.id for entry in kb.entries}
        if predicate
    }
    shapes = schema_shapes(kb.schemas, kb.base_iri, kb.prefixes, used)
    shapes_graph = Graph().parse(data=shapes, format="turtle")
    done = 0
    for entries in _groups(kb.entries):
        on_progress(done, len(kb.entries))
        done += len(entries)
        _, report, _ = validate(_facts(entries, kb), shacl_graph=shapes_graph, inference="none")
        query = """
            PREFIX sh: <http://www.w3.org/ns/shacl#>
            SELECT DISTINCT ?node ?path ?value ?message WHERE {
                ?result sh:focusNode ?node ; sh:resultMessage ?message .
                OPTIONAL { ?result sh:resultPath ?path } OPTIONAL { ?result sh:value ?value }
            } ORDER BY ?node ?path ?value ?message
        """
        statements = _Statements(entries, kb)
        for row in report.query(query):
            node, path, value_, message = (str(part or "") for part in row)
            yield SchemaMismatch(statements.about(node, path, value_), message)


def _object_shape(
    definition: ClassDefinition, schema: Schema, base_iri: str, prefixes: Prefixes
) -> str:
    """The shape of things without a name of their own, such as a step or a dose."""
    properties = [
        property_
        for slot in definition.slots
        if (property_ := _property(slot, definition, schema, prefixes))
    ]
    if not properties:
        return ""
    target = iri.local_iri(base_iri, "class", definition.name)
    name = iri.local_iri(SHAPE, "class", definition.name)
    body = " ;\n    sh:property ".join(properties)
    return f"<{name}> a sh:NodeShape ;\n    sh:targetClass <{target}> ;\n    sh:property {body} .\n"


def _property(slot: Slot, definition: ClassDefinition, schema: Schema, prefixes: Prefixes) -> str:
    predicate = _iri_of(slot.uri, prefixes)
    if slot.identifier or not predicate:
        return ""
    parts = [f"sh:path <{predicate}>"]
    parts += ["sh:minCount 1"] if slot.required else []
    parts += ["sh:maxCount 1"] if not slot.multivalued else []
    counts = {(True, True): "at least one value", (True, False): "exactly one value"}
    counts |= {(False, True): "", (False, False): "at most one value"}
    asked = [counts[slot.required, slot.multivalued]]
    kind, words = _kind(slot, schema, prefixes)
    parts += [kind] if kind else []
    asked = [words for words in (*asked, words) if words]
    if not asked:
        return ""
    message = f"{slot.title or slot.name} of {definition.name} takes {', '.join(asked)}."
    return f'[ {" ; ".join(parts)} ;\n        sh:message "{escape_turtle(message)}" ]'


def _kind(slot: Slot, schema: Schema, prefixes: Prefixes) -> tuple[str, str]:
    """What a value must be, in SHACL and in words; ("", "") where anything will do."""
    if slot.kind is RangeKind.OBJECT:
        return "sh:nodeKind sh:IRI", "a thing, not a value"
    if slot.kind is RangeKind.ENTITY:
        range_class = schema.classes.get(slot.range)
        pattern, words = _prefix_pattern(range_class, prefixes)
        shape = "sh:nodeKind sh:IRI" + (f' ; sh:pattern "{pattern}"' if pattern else "")
        return _or_alternative(slot, schema, prefixes, (shape, words or "a thing, not a value"))
    if slot.kind is RangeKind.ENUM:
        permissible = _permissible(schema.enums.get(slot.range), prefixes)
        return _or_alternative(slot, schema, prefixes, permissible)
    datatype = _iri_of(slot.datatype, prefixes)
    if slot.kind is RangeKind.LITERAL and datatype and slot.datatype != "xsd:string":
        plain = f"[ sh:datatype <{datatype}> ] [ sh:datatype <{iri.UCUM_LITERAL}> ]"
        return f"sh:or ( {plain} )", f"a value of {slot.datatype}, with or without a unit"
    return "", ""


def _or_alternative(
    slot: Slot, schema: Schema, prefixes: Prefixes, own: tuple[str, str]
) -> tuple[str, str]:
    """A value of the slot's range or of an alternative; anything where one takes any words."""
    if "xsd:string" in slot.alternatives or not own[0]:
        return ("", "") if slot.alternatives else own
    kinds = [own]
    for other in slot.alternatives:
        if other in schema.enums:
            kinds.append(_permissible(schema.enums[other], prefixes))
        else:
            kinds.append((f"sh:datatype <{_iri_of(other, prefixes)}>", f"a value of {other}"))
    if len(kinds) == 1:
        return own
    either = " ".join(f"[ {shape} ]" for shape, _ in kinds)
    return f"sh:or ( {either} )", ", or ".join(words for _, words in kinds)


def _permissible(enum: EnumDefinition | None, prefixes: Prefixes) -> tuple[str, str]:
    """The values of an enum: its terms, and by their names those that mean no term; anything where
    it also takes the terms of a vocabulary.
    """
    if enum is None or not enum.values or enum.value_sets:
        return "", ""
    values = [
        f"<{meaning}>" if (meaning := _iri_of(value.meaning, prefixes)) else f'"{name}"'
        for value in enum.values
        if (name := escape_turtle(value.name))
    ]
    names = [value.name for value in enum.values]
    more = f" and {len(names) - MOST_NAMED} others" if len(names) > MOST_NAMED else ""
    return f"sh:in ( {' '.join(values)} )", f"one of {', '.join(names[:MOST_NAMED])}{more}"


def _relation_shapes(
    definitions: Sequence[tuple[ClassDefinition, Schema]],
    prefixes: Prefixes,
    predicates: Container[str] | None,
) -> Iterator[str]:
    """For each relation that a schema lists: its ends are from the vocabularies of a class that has
    it.
    """
    ends_by_predicate: dict[str, set[tuple[str, str, str]]] = {}
    for definition, schema in definitions:
        if not definition.is_claim:
            continue
        subject, relation, object_ = map(definition.slot, ("subject", "predicate", "object"))
        if subject is None or relation is None or object_ is None:
            continue
        ends = [
            _prefix_pattern(schema.classes.get(slot.range), prefixes) for slot in (subject, object_)
        ]
        words = " and ".join(words for _, words in ends if words)
        for predicate in _meanings(relation, schema, prefixes):
            allowed = (ends[0][0], ends[1][0], words)
            ends_by_predicate.setdefault(predicate, set()).add(allowed)
    for predicate, alternatives in sorted(ends_by_predicate.items()):
        if predicates is not None and predicate not in predicates:
            continue
        if any(not subject and not object_ for subject, object_, _ in alternatives):
            continue  # some class takes anything
        name = iri.local_iri(SHAPE, "relation", predicate)
        choices = "\n".join(
            f"        [ {_end('subject', subject)}{_end('object', object_)}]"
            for subject, object_, _ in sorted(alternatives)
        )
        words = "; or ".join(words for *_, words in sorted(alternatives))
        short = iri.curie(predicate, prefixes)
        yield (
            f"<{name}> a sh:NodeShape ;\n    sh:targetClass biolink:Association ;\n    sh:or (\n"
            f"        [ sh:not [ sh:path rdf:predicate ; sh:hasValue <{predicate}> ] ]\n{choices}\n"
            f'    ) ;\n    sh:message "The schemas have {escape_turtle(short)} between '
            f'{escape_turtle(words)}." .\n'
        )


def _end(side: str, pattern: str) -> str:
    path = f"sh:property [ sh:path rdf:{side} ; sh:nodeKind sh:IRI"
    return f'{path} ; sh:pattern "{pattern}" ] ; ' if pattern else ""


def _meanings(slot: Slot, schema: Schema, prefixes: Prefixes) -> Iterator[str]:
    """The relations that a predicate slot lists, as IRIs."""
    range_class = schema.classes.get(slot.range)
    names = (slot.range, *(range_class.enums if range_class else ()))
    enums: Iterator[EnumDefinition] = (schema.enums[name] for name in names if name in schema.enums)
    for enum in enums:
        for permissible in enum.values:
            if meaning := _iri_of(permissible.meaning, prefixes):
                yield meaning


def _prefix_pattern(definition: ClassDefinition | None, prefixes: Prefixes) -> tuple[str, str]:
    """What IRIs of a class begin with, as a pattern, and the prefixes in words."""
    if definition is None or not definition.id_prefixes:
        return "", ""
    starts = {
        _iri_of(f"{prefix}:0", prefixes).removesuffix("0") for prefix in definition.id_prefixes
    }
    if "" in starts:
        return "", ""
    pattern = "|".join(re.escape(start) for start in sorted(starts))
    return escape_turtle(f"^({pattern})"), f"a term of {' or '.join(definition.id_prefixes)}"


def _iri_of(curie: str, prefixes: Prefixes) -> str:
    """The IRI of a CURIE; "" for what is none."""
    try:
        return iri.term_iri(curie, prefixes) if ":" in curie else ""
    except InputError:
        return ""


def _groups(entries: Iterable[ExportEntry]) -> Iterator[list[ExportEntry]]:
    """The entries some thousand at a time; all that have one subject stay together."""

    def subject(entry: ExportEntry) -> str:
        return thing_key(entry.statement.subject, entry.statement.document)

    group: list[ExportEntry] = []
    for entry in sorted(entries, key=lambda entry: (subject(entry), entry.statement.id)):
        if len(group) >= TOGETHER and subject(entry) != subject(group[-1]):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _facts(entries: Iterable[ExportEntry], kb: KnowledgeBase) -> Graph:
    """What the shapes look at, as the Turtle of these entries says it."""
    graph = Graph(bind_namespaces="none")
    kind, association = URIRef(RDF.type), URIRef(BIOLINK.Association)
    for entry in entries:
        statement = entry.statement
        node = URIRef(statement_iri(statement.id, kb))
        graph.add((node, kind, association))
        ends = (statement.subject, statement.predicate, statement.object)
        subject, predicate, object_ = (
            _term(*text_and_datatype(end, statement, kb)) for end in ends
        )
        graph.add((node, URIRef(RDF.subject), subject))
        graph.add((node, URIRef(RDF.predicate), predicate))
        graph.add((node, URIRef(RDF.object), object_))
        if entry.is_plain:
            graph.add((subject, predicate, object_))
        for thing, end in ((statement.subject, subject), (statement.object, object_)):
            if isinstance(thing, Node):
                graph.add((end, kind, URIRef(iri.local_iri(kb.base_iri, "class", thing.cls))))
    return graph


def _term(text: str, datatype: str) -> URIRef | RdfValue:
    if datatype == IRI:
        return URIRef(text)
    return RdfValue(text, datatype=None if datatype == PLAIN else URIRef(datatype))


class _Statements:
    """Finds the statement that a result of SHACL speaks of."""

    def __init__(self, entries: Sequence[ExportEntry], kb: KnowledgeBase):
        self._by_place: dict[tuple[str, ...], Statement] = {}
        for entry in entries:
            statement = entry.statement
            ends = (statement.subject, statement.predicate, statement.object)
            subject, predicate, object_ = (text_and_datatype(end, statement, kb)[0] for end in ends)
            own = statement_iri(statement.id, kb)
            triple = (subject, predicate, object_)
            for place in ((own,), triple, triple[:2], triple[:1], triple[2:]):
                self._by_place.setdefault(place, statement)

    def about(self, node: str, path: str, value_: str) -> Statement:
        places = ((node, path, value_), (node, path), (node,))
        """One of the entries' statements: results speak of what these say and of nothing else."""
        return next(self._by_place[place] for place in places if place in self._by_place)
