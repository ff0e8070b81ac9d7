"""Names and literals as OWL takes them: IRIs of slots and classes, words of slots, datatypes of OWL
2 DL.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.curie import PREFIXES
from core.kb.owl.form import OwlLiteral
from core.kb.owl.template import TemplateText
from core.kb.rdf import iri as iris
from core.model import Literal
from core.schema import owl
from core.schema.definition import Slot

# The datatypes of OWL 2 DL that our literals have, with what may be written in them.
_NUMBER = r"[+-]?(\d+(\.\d*)?|\.\d+)"
DATATYPES = {
    "xsd:integer": r"[+-]?\d+",
    "xsd:decimal": _NUMBER,
    "xsd:double": rf"{_NUMBER}([eE][+-]?\d+)?|[+-]?INF|NaN",
    "xsd:float": rf"{_NUMBER}([eE][+-]?\d+)?|[+-]?INF|NaN",
    "xsd:boolean": r"true|false|1|0",
    "xsd:dateTime": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?",
}
BY_URI = {
    "rdfs:subClassOf": "SubClassOf",
    "owl:equivalentClass": "EquivalentClasses",
    "owl:disjointWith": "DisjointClasses",
    "rdf:type": "ClassAssertion",
}


@dataclass(frozen=True, slots=True)
class IriExpander:
    """CURIE or IRI → IRI. Raises InputError."""

    prefixes: Mapping[str, str]

    def __call__(self, name: str) -> str:
        return (
            iris.checked_iri(name)
            if "://" in name or name.startswith("urn:")
            else iris.term_iri(name, self.prefixes)
        )


def slot_words(slot: Slot) -> frozenset[str]:
    words = owl.owl_words(slot.annotations)
    return words | {BY_URI[slot.uri]} if slot.uri in BY_URI else words


def is_annotation(slot: Slot) -> bool:
    """Whether values of a slot are annotations: it says so, or it says nothing of OWL."""
    return bool(owl.owl_words(slot.annotations) & owl.ANNOTATION) or not slot_words(slot)


def literal(value: Literal) -> OwlLiteral:
    """In a datatype of OWL 2 DL; anything else, and what is not written as its datatype asks, is a
    text.

    >>> literal(Literal("2.5", "xsd:decimal"))
    OwlLiteral(text='2.5', datatype='http://www.w3.org/2001/XMLSchema#decimal', language='')
    >>> literal(Literal("about 2", "xsd:decimal"))
    OwlLiteral(text='about 2', datatype='', language='')
    """
    name, _, local = value.datatype.partition(":")
    if value.datatype in DATATYPES and re.fullmatch(DATATYPES[value.datatype], value.value):
        return OwlLiteral(value.value, PREFIXES[name] + local)
    return OwlLiteral(
        f"{value.value} {value.unit}".strip()
        if not value.datatype.startswith("xsd:")
        else value.value
    )


def text_value(words: str) -> TemplateText:
    return TemplateText(words, OwlLiteral(words))
