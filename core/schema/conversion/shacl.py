"""SHACL node shapes (Turtle) to LinkML: a class a shape, a slot a property with a plain path.

Rules (SPARQL, logical combinations, paths of several steps) say what data are valid, not what to
look for: they are noted. No import is followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rdflib import RDF, RDFS, SH, XSD, BNode, Graph, Literal, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from core.errors import InputError

TYPES = {
    XSD.boolean: "boolean", XSD.integer: "integer", XSD.int: "integer", XSD.long: "integer",
    XSD.float: "float", XSD.double: "double", XSD.decimal: "decimal", XSD.date: "date",
    XSD.dateTime: "datetime", XSD.time: "time", XSD.anyURI: "uri",
    XSD.nonNegativeInteger: "integer", XSD.positiveInteger: "integer", XSD.gYear: "integer",
}  # fmt: skip


RULES = (
    SH.sparql,
    SH["or"],
    SH["and"],
    SH["not"],
    SH.xone,
    SH.qualifiedValueShape,
    SH.equals,
    SH.disjoint,
)


def schema(text: str, name: str, notes: list[str]) -> dict[str, Any]:
    """LinkML as plain data. Raises InputError for text that is not Turtle, or holds no shape."""
    graph = Graph()
    try:
        graph.parse(data=text, format="turtle")
        reading = _Shapes(graph, notes)
        classes = dict(reading.classes())
    except RecursionError:  # named by `convert_schema`
        raise
    except Exception as error:  # the parser raises many kinds
        message = " ".join(str(error).split())[:160]
        raise InputError(
            f"This is not Turtle: {message}", "Give the shapes as a Turtle file (.ttl)."
        ) from error
    return {"classes": classes, "enums": reading.enums, "prefixes": _prefixes(graph, reading.used)}


def _prefixes(graph: Graph, used: set[str]) -> dict[str, str]:
    return {prefix: str(iri) for prefix, iri in graph.namespaces() if prefix in used}


class _Shapes:
    def __init__(self, graph: Graph, notes: list[str]):
        self.graph, self.notes = graph, notes
        self.enums: dict[str, Any] = {}
        self.used: set[str] = set()
        shapes = {
            *graph.subjects(RDF.type, SH.NodeShape),
            *graph.subjects(SH.targetClass),
            *graph.subjects(SH.property),
        }
        self.shapes = sorted((shape for shape in shapes if isinstance(shape, URIRef)), key=str)
        self.named: dict[Node, str] = {
            shape: _word(graph.value(shape, SH.targetClass) or shape) for shape in self.shapes
        }
        self.of_class: dict[Node, str] = {
            graph.value(shape, SH.targetClass) or shape: name for shape, name in self.named.items()
        }

    def classes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        by_name: dict[str, dict[str, Any]] = {}
        for shape in self.shapes:
            target = self.graph.value(shape, SH.targetClass) or shape
            cls = by_name.setdefault(
                self.named[shape], {"class_uri": self._curie(target), "attributes": {}}
            )
            cls |= self._heading(shape, target)
            for part in sorted(self.graph.objects(shape, SH.property), key=self._order):
                self._slot(cls["attributes"], part, self.named[shape])
            self._rules(shape, self.named[shape])
        yield from by_name.items()

    def _order(self, part: Node) -> tuple[int, str, str]:
        """Turtle has no order: `sh:order` counts, then the path."""
        return self._number(part, SH.order, 10_000), str(self.graph.value(part, SH.path)), str(part)

    def _heading(self, shape: Node, target: Node) -> dict[str, Any]:
        parent = next(
            (
                self.of_class[up]
                for up in self.graph.objects(target, RDFS.subClassOf)
                if up in self.of_class
            ),
            "",
        )
        words = self._words(shape, SH.description, RDFS.comment) or self._words(
            target, RDFS.comment
        )
        return ({"description": words} if words else {}) | ({"is_a": parent} if parent else {})

    def _slot(self, slots: dict[str, Any], part: Node, owner: str) -> None:
        path = self.graph.value(part, SH.path)
        if not isinstance(path, URIRef):
            self.notes.append(f"a property of {owner} whose path has several steps.")
            return
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", _word(path)).casefold()
        slot: dict[str, Any] = {
            "slot_uri": self._curie(path),
            "range": self._range(part, owner, name),
        }
        if words := self._words(part, SH.description, RDFS.comment, SH.name):
            slot["description"] = words
        if self._number(part, SH.minCount, 0) > 0:
            slot["required"] = True
        if self._number(part, SH.maxCount, 2) > 1:
            slot["multivalued"] = True
        if pattern := self.graph.value(part, SH.pattern):
            slot["pattern"] = str(pattern)
        slots[name] = {**slots.get(name, {}), **slot}
        self._rules(part, f"{owner}.{name}")

    def _range(self, part: Node, owner: str, name: str) -> str:
        if (listed := self.graph.value(part, SH["in"])) is not None:
            values = [
                _word(value) if isinstance(value, URIRef) else str(value)
                for value in Collection(self.graph, listed)
            ]
            enum = f"{owner}_{name}_values"
            self.enums[enum] = {"permissible_values": {value: {} for value in values}}
            return enum
        for target in (self.graph.value(part, SH.node), self.graph.value(part, SH["class"])):
            if target is None:
                continue
            if class_name := self.named.get(target) or self.of_class.get(target, ""):
                return class_name
            shape_words = "a nameless shape" if isinstance(target, BNode) else str(target)
            self.notes.append(
                f"{owner}.{name} is {shape_words}, which has no shape here; it is read as text."
            )
        datatype = self.graph.value(part, SH.datatype)
        return TYPES.get(datatype, "string") if isinstance(datatype, URIRef) else "string"

    def _rules(self, subject: Node, where: str) -> None:
        for rule in RULES:
            if self.graph.value(subject, rule) is not None:
                self.notes.append(f"the rule {_word(rule)} of {where}.")

    def _words(self, subject: Node, *predicates: URIRef) -> str:
        """The first words of these, those in English or without a language first."""
        for predicate in predicates:
            literals = [
                literal
                for literal in self.graph.objects(subject, predicate)
                if isinstance(literal, Literal)
            ]
            for literal in sorted(
                literals, key=lambda literal: (literal.language not in (None, "en"), str(literal))
            ):
                return " ".join(str(literal).split())
        return ""

    def _number(self, subject: Node, predicate: URIRef, default: int) -> int:
        number_text = str(self.graph.value(subject, predicate))
        return int(number_text) if number_text.isdigit() else default

    def _curie(self, node: Node) -> str:
        for prefix, iri in self.graph.namespaces():
            local_name = str(node).removeprefix(str(iri))
            if prefix and str(node).startswith(str(iri)) and re.fullmatch(r"[\w.-]+", local_name):
                self.used.add(prefix)
                return f"{prefix}:{local_name}"
        return str(node)


def _word(node: Node) -> str:
    """The last part of an IRI as a name."""
    word = re.sub(r"\W+", "_", re.split(r"[#/:]", str(node).rstrip("#/"))[-1]).strip("_")
    return word if word[:1].isalpha() else f"n_{word}"
