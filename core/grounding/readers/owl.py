"""OWL in RDF/XML (and Turtle), through rdflib."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import rdflib
from rdflib.namespace import OWL, RDF, RDFS

from core.errors import InputError
from core.grounding.readers.obo_graphs import REPLACED_BY, curie
from core.grounding.readers.record import Name, Reading, Scope, TermRecord
from core.grounding.readers.source import opened
from core.text.xml_guard import refuse_entities

SUFFIXES = (".owl", ".rdf", ".xml", ".ttl")
_OIO = rdflib.Namespace("http://www.geneontology.org/formats/oboInOwl#")
_DEFINITION = rdflib.URIRef("http://purl.obolibrary.org/obo/IAO_0000115")
_SYNONYMS = (
    (_OIO.hasExactSynonym, Scope.EXACT),
    (_OIO.hasNarrowSynonym, Scope.NARROW),
    (_OIO.hasBroadSynonym, Scope.BROAD),
    (_OIO.hasRelatedSynonym, Scope.RELATED),
)
_XML = re.compile(rb"<\?xml|<rdf:RDF|<!DOCTYPE\s+rdf", re.IGNORECASE)
_TURTLE = re.compile(rb"^\s*@prefix\s", re.MULTILINE)


def fits(head: bytes) -> bool:
    return b"\0" not in head and any(form.search(head) for form in (_XML, _TURTLE))


def read(path: Path, reading: Reading) -> Iterator[TermRecord]:
    graph = _graph(path)
    for ontology in sorted(graph.subjects(RDF.type, OWL.Ontology), key=str):
        reading.name = str(ontology).rsplit("/", 1)[-1].split(".")[0]
        reading.version = _text(graph, ontology, OWL.versionInfo) or _text(
            graph, ontology, OWL.versionIRI
        )
    for node in sorted(set(graph.subjects(RDF.type, OWL.Class)), key=str):
        if isinstance(node, rdflib.URIRef):
            yield from _term(graph, node, reading)


def _graph(path: Path) -> rdflib.Graph:
    with opened(path) as file:
        content = file.read()
    refuse_entities(content[:1_000_000], path.name)
    graph = rdflib.Graph(bind_namespaces="none")
    try:
        graph.parse(io.BytesIO(content), format="xml" if _XML.search(content[:4096]) else "turtle")
    except Exception as error:
        raise InputError(
            f"{path.name} is not RDF that can be read: {str(error)[:120]}.", "Get it again."
        ) from error
    return graph


def _term(graph: rdflib.Graph, node: rdflib.URIRef, reading: Reading) -> Iterator[TermRecord]:
    found, label = curie(str(node)), _text(graph, node, RDFS.label)
    if not found:
        if label:
            reading.trouble(
                "malformed-id", f"{str(node)[:80]!r} has no known prefix.", str(node)[:80]
            )
        return
    names = [
        Name(text, scope)
        for predicate, scope in _SYNONYMS
        for text in sorted(map(str, graph.objects(node, predicate)))
    ]
    replaced = curie(_text(graph, node, rdflib.URIRef(REPLACED_BY)))
    yield TermRecord(
        found,
        label,
        tuple(names),
        tuple(
            sorted(parent for o in graph.objects(node, RDFS.subClassOf) if (parent := _named(o)))
        ),
        tuple(sorted(_restrictions(graph, node))),
        tuple(
            sorted(
                other
                for o in graph.objects(node, _OIO.hasAlternativeId)
                if (other := curie(str(o)))
            )
        ),
        _text(graph, node, OWL.deprecated).lower() in ("true", "1"),
        replaced,
        definition=_text(graph, node, _DEFINITION),
        where=str(node),
    )


def _named(node: rdflib.term.Node) -> str:
    return curie(str(node)) if isinstance(node, rdflib.URIRef) else ""


def _restrictions(graph: rdflib.Graph, node: rdflib.URIRef) -> Iterator[tuple[str, str]]:
    for parent in graph.objects(node, RDFS.subClassOf):
        relation, target = (
            graph.value(parent, OWL.onProperty),
            graph.value(parent, OWL.someValuesFrom),
        )
        if isinstance(relation, rdflib.URIRef) and target is not None and (found := _named(target)):
            yield (curie(str(relation)) or str(relation), found)


def _text(graph: rdflib.Graph, node: rdflib.term.Node, predicate: rdflib.URIRef) -> str:
    """The English value, or the first in order."""
    values = sorted(
        graph.objects(node, predicate),
        key=lambda v: (str(getattr(v, "language", "") or "en")[:2] != "en", str(v)),
    )
    return str(values[0]).strip() if values else ""
