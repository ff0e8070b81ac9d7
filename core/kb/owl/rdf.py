"""OWL 2 forms as RDF: W3C's mapping to RDF graphs, with blank nodes whose names follow from the
axiom alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rdflib import OWL, RDF, RDFS, BNode, URIRef
from rdflib import Literal as RdfValue
from rdflib.term import Node as RdfNode

from core.curie import PREFIXES
from core.kb.owl.form import (
    EntityKind,
    Iri,
    OwlForm,
    OwlLiteral,
    Part,
    functional_syntax,
    iris_in_form,
    typed_operands,
)
from core.kb.rdf.fact import utf8_safe
from core.model import json_digest

Triple = tuple[RdfNode, URIRef, RdfNode]
XSD_INTEGER = URIRef(PREFIXES["xsd"] + "nonNegativeInteger")
RESTRICTIONS = {
    "ObjectSomeValuesFrom": OWL.someValuesFrom,
    "ObjectAllValuesFrom": OWL.allValuesFrom,
    "ObjectHasValue": OWL.hasValue,
    "DataHasValue": OWL.hasValue,
    "DataSomeValuesFrom": OWL.someValuesFrom,
    "DataAllValuesFrom": OWL.allValuesFrom,
}
LISTS = {
    "ObjectIntersectionOf": OWL.intersectionOf,
    "ObjectUnionOf": OWL.unionOf,
    "ObjectOneOf": OWL.oneOf,
    "DataOneOf": OWL.oneOf,
}
CARDINALITIES = {
    "ObjectMinCardinality": OWL.minQualifiedCardinality,
    "ObjectMaxCardinality": OWL.maxQualifiedCardinality,
    "ObjectExactCardinality": OWL.qualifiedCardinality,
}
PAIRS = {
    "SubClassOf": RDFS.subClassOf,
    "EquivalentClasses": OWL.equivalentClass,
    "DisjointClasses": OWL.disjointWith,
    "SubObjectPropertyOf": RDFS.subPropertyOf,
}
DECLARED = {
    EntityKind.CLASS: OWL.Class,
    EntityKind.OBJECT_PROPERTY: OWL.ObjectProperty,
    EntityKind.DATA_PROPERTY: OWL.DatatypeProperty,
    EntityKind.ANNOTATION_PROPERTY: OWL.AnnotationProperty,
    EntityKind.INDIVIDUAL: OWL.NamedIndividual,
}
RESERVED = tuple(PREFIXES[name] for name in ("rdf", "rdfs", "owl", "xsd"))


def triples(axioms: Iterable[OwlForm]) -> Iterator[Triple]:
    """The axioms and the declarations of what they name."""
    for axiom in axioms:
        yield from _Axiom(axiom).triples()
        for kind, iri in iris_in_form(axiom):
            if kind in DECLARED and not iri.startswith(RESERVED):
                yield URIRef(iri), RDF.type, DECLARED[kind]


class _Axiom:
    """One axiom; its blank nodes are shared with no other."""

    def __init__(self, axiom: OwlForm):
        self.axiom, self.name, self.count = axiom, json_digest(functional_syntax(axiom))[:20], 0
        self.found: list[Triple] = []

    def triples(self) -> list[Triple]:
        parts = self.axiom.parts
        if self.axiom.operator in PAIRS:
            for operand in parts[1:]:
                self._add(self.node(parts[0]), PAIRS[self.axiom.operator], self.node(operand))
        elif self.axiom.operator == "ClassAssertion":
            self._add(self.node(parts[1]), RDF.type, self.node(parts[0]))
        else:  # a property, its subject and its value
            self._add(self.node(parts[1]), self.node(parts[0]), self.node(parts[2]))
        return self.found

    def node(self, part: Part) -> RdfNode:
        if isinstance(part, Iri):
            return URIRef(part.iri)
        if isinstance(part, OwlLiteral):
            return literal(part)
        node = self._blank()
        if part.operator in LISTS:
            kind = RDFS.Datatype if part.operator == "DataOneOf" else OWL.Class
            self._add(node, RDF.type, kind)
            self._add(node, LISTS[part.operator], self._list(part.parts))
        elif part.operator == "ObjectComplementOf":
            self._add(node, RDF.type, OWL.Class)
            self._add(node, OWL.complementOf, self.node(part.parts[0]))
        else:
            self._restriction(node, part)
        return node

    def _restriction(self, node: BNode, form: OwlForm) -> None:
        by_kind = dict(typed_operands(form))
        self._add(node, RDF.type, OWL.Restriction)
        if form.operator in RESTRICTIONS:
            self._add(node, OWL.onProperty, self.node(form.parts[0]))
            self._add(node, RESTRICTIONS[form.operator], self.node(form.parts[1]))
            return
        number = by_kind[EntityKind.NUMBER]
        assert isinstance(number, OwlLiteral)
        self._add(node, OWL.onProperty, self.node(form.parts[1]))
        self._add(node, CARDINALITIES[form.operator], RdfValue(number.text, datatype=XSD_INTEGER))
        self._add(node, OWL.onClass, self.node(form.parts[2]))

    def _list(self, parts: Iterable[Part]) -> RdfNode:
        head: RdfNode = RDF.nil
        for part in reversed(list(parts)):
            node, value = self._blank(), self.node(part)
            self._add(node, RDF.first, value)
            self._add(node, RDF.rest, head)
            head = node
        return head

    def _blank(self) -> BNode:
        self.count += 1
        return BNode(f"o{self.name}n{self.count:06d}")

    def _add(self, subject: RdfNode, predicate: RdfNode, object_: RdfNode) -> None:
        assert isinstance(predicate, URIRef)
        self.found.append((subject, predicate, object_))


def literal(value: OwlLiteral) -> RdfValue:
    if value.language:
        return RdfValue(utf8_safe(value.text), lang=value.language)
    datatype = (
        URIRef(value.datatype)
        if value.datatype and not value.datatype.endswith("#string")
        else None
    )
    return RdfValue(utf8_safe(value.text), datatype=datatype, normalize=False)
