"""OWL and SKOS as RDF: RDF/XML, Turtle and N-Triples, streamed through pyoxigraph.

A class's names, parents and restrictions are taken from its triples; of a SKOS concept prefLabel,
altLabel (exact), hiddenLabel (related) and broader. XML that declares entities is refused.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pyoxigraph as ox

from core.errors import InputError
from core.grounding.readers.obo_graphs import REPLACED_BY, curie
from core.grounding.readers.record import (
    SynonymScope,
    TermName,
    TermRecord,
    VocabularyReading,
    identifier,
)
from core.grounding.readers.source import LARGEST_WHOLE, not_utf_8, open_unpacked
from core.grounding.readers.xml_guard import GuardedXml

SUFFIXES = (".owl", ".rdf", ".xml", ".ttl", ".nt")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_OIO = "http://www.geneontology.org/formats/oboInOwl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_TYPE = f"{_RDF}type"
_DEFINITION = "http://purl.obolibrary.org/obo/IAO_0000115"
_SYNONYMS = (
    (f"{_OIO}hasExactSynonym", SynonymScope.EXACT),
    (f"{_OIO}hasNarrowSynonym", SynonymScope.NARROW),
    (f"{_OIO}hasBroadSynonym", SynonymScope.BROAD),
    (f"{_OIO}hasRelatedSynonym", SynonymScope.RELATED),
    (f"{_SKOS}altLabel", SynonymScope.EXACT),
    (f"{_SKOS}hiddenLabel", SynonymScope.RELATED),
)
_WANTED = {  # each as one string, which all subjects share
    predicate: predicate for predicate in (
        _TYPE, f"{_RDFS}label", f"{_RDFS}subClassOf", f"{_OWL}deprecated",
        f"{_OWL}versionInfo", f"{_OWL}versionIRI", f"{_OWL}onProperty", f"{_OWL}someValuesFrom",
        f"{_OIO}hasAlternativeId", f"{_OIO}consider", f"{_SKOS}prefLabel", f"{_SKOS}broader",
        f"{_SKOS}narrower", f"{_SKOS}definition", _DEFINITION, REPLACED_BY,
        *(predicate for predicate, _ in _SYNONYMS),
    )
}  # fmt: skip
_CLASS, _CONCEPT, _ONTOLOGY = map(
    ox.NamedNode, (f"{_OWL}Class", f"{_SKOS}Concept", f"{_OWL}Ontology")
)
_OF_RESTRICTIONS = (f"{_OWL}onProperty", f"{_OWL}someValuesFrom")
_XML = re.compile(rb"<\?xml|<rdf:RDF|<!DOCTYPE\s+rdf", re.IGNORECASE)
_OWL_XML = re.compile(rb"<(?:\w+:)?Ontology\s[^>]*http://www\.w3\.org/2002/07/owl#")
# An ontology in Turtle begins with prefixes, in either spelling
_TURTLE = re.compile(rb"^\s*@?prefix\s+[\w.-]*:\s*<", re.MULTILINE | re.IGNORECASE)
_TRIPLES = re.compile(rb"^(?:<[^>]+>|_:\S+) <[^>]+> .{1,4000}\.\s*$", re.MULTILINE)

# Subject → predicate, object, predicate, object …: half the memory of lists by predicate
Facts = dict[Any, list[Any]]


def fits(head: bytes) -> bool:
    return b"\0" not in head and any(form.search(head) for form in (_XML, _TURTLE, _TRIPLES))


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    facts, prefixes = _facts(path)
    for ontology in _of_type(facts, _ONTOLOGY):
        reading.name = ontology.value.rsplit("/", 1)[-1].split(".")[0]
        own = _own(facts, ontology)
        reading.version = _text(own, f"{_OWL}versionInfo") or _text(own, f"{_OWL}versionIRI")
    narrower = _narrower(facts)
    concepts = _of_type(facts, _CONCEPT)
    for node in _of_type(facts, _CLASS):
        yield from _class(facts, node, reading)
        if not concepts:
            del facts[node]  # its memory is wanted for the index
    for node in concepts:
        yield from _concept(facts, node, narrower, prefixes, reading=reading)


def _facts(path: Path) -> tuple[Facts, Mapping[str, str]]:
    """The triples that are wanted by subject and predicate, and the prefixes that the file
    declares; of unnamed nodes, half of a file, only restrictions. Raises InputError.
    """
    facts: Facts = {}
    with open_unpacked(path, LARGEST_WHOLE) as file:
        head = file.read(4096)
    if _OWL_XML.search(head) and b"<rdf:RDF" not in head:
        raise InputError(f"{path.name} is OWL/XML.", "Save it as RDF/XML or OBO.")
    is_xml = _XML.search(head) is not None
    form = (
        ox.RdfFormat.RDF_XML
        if is_xml
        else ox.RdfFormat.N_TRIPLES
        if _TRIPLES.search(head) and not _TURTLE.search(head)
        else ox.RdfFormat.TURTLE
    )
    try:
        with open_unpacked(path, LARGEST_WHOLE) as file:
            content = cast("Any", GuardedXml(file, path) if is_xml else file)
            parser = ox.parse(content, format=form, base_iri="http://vocabulary.invalid/")
            for quad in parser:
                predicate = _WANTED.get(quad.predicate.value)
                if predicate and _is_told(quad, predicate):
                    facts.setdefault(quad.subject, []).extend((predicate, quad.object))
            return facts, dict(getattr(parser, "prefixes", {}) or {})
    except MemoryError as error:  # the parser's own limit
        message = f"A value in {path.name} is longer than 16 MB."
        raise InputError(message, "Is it a vocabulary file?") from error
    except (SyntaxError, ValueError, OSError, EOFError) as error:
        if "utf-8" in str(error).lower():
            raise not_utf_8(path) from error
        raise InputError(
            f"{path.name} is not RDF that can be read: {str(error)[:120]}.",
            "Download it again.",
        ) from error


def _is_told(quad: ox.Quad, predicate: str) -> bool:
    """Whether some term may say this triple."""
    if isinstance(quad.subject, ox.BlankNode):
        return predicate in _OF_RESTRICTIONS
    return predicate != _TYPE or quad.object in (_CLASS, _CONCEPT, _ONTOLOGY)


def _of_type(facts: Facts, kind: ox.NamedNode) -> list[ox.NamedNode]:
    """Named subjects of a type, in the order of their IRIs."""
    nodes = (
        node
        for node, facts_of_node in facts.items()
        if isinstance(node, ox.NamedNode)
        and (_TYPE, kind) in zip(facts_of_node[::2], facts_of_node[1::2], strict=True)
    )
    return sorted(nodes, key=lambda node: node.value)


def _own(facts: Facts, node: Any) -> dict[str, list[Any]]:
    """What is said of a node, by predicate."""
    facts_of_node, own = facts.get(node, []), defaultdict[str, list[Any]](list)
    for predicate, value in zip(facts_of_node[::2], facts_of_node[1::2], strict=True):
        own[predicate].append(value)
    return own


def _class(facts: Facts, node: ox.NamedNode, reading: VocabularyReading) -> Iterator[TermRecord]:
    own = _own(facts, node)
    id, label = curie(node.value), _text(own, f"{_RDFS}label") or _text(own, f"{_SKOS}prefLabel")
    if not id:
        if label:
            message = f"{node.value[:80]!r} has no known prefix."
            reading.trouble("malformed-id", message, node.value[:80])
        return
    yield TermRecord(
        id,
        label,
        _names(own, label),
        parents=tuple(sorted(_ids(own.get(f"{_RDFS}subClassOf", ())))),
        related=tuple(sorted(_restrictions(facts, own))),
        alternative=tuple(sorted(_ids(own.get(f"{_OIO}hasAlternativeId", ())))),
        obsolete=_text(own, f"{_OWL}deprecated").lower() in ("true", "1"),
        replaced_by=curie(_text(own, REPLACED_BY)),
        definition=_text(own, _DEFINITION),
        where=node.value,
        consider=tuple(sorted(_ids(own.get(f"{_OIO}consider", ())))),
    )


def _concept(
    facts: Facts,
    node: ox.NamedNode,
    narrower: Mapping[str, list[str]],
    prefixes: Mapping[str, str],
    *,
    reading: VocabularyReading,
) -> Iterator[TermRecord]:
    own = _own(facts, node)
    id = curie(node.value) or _declared(node.value, prefixes)
    label = _text(own, f"{_SKOS}prefLabel") or _text(own, f"{_RDFS}label")
    if not id:
        message = f"{node.value[:80]!r} has no known prefix."
        reading.trouble("malformed-id", message, node.value[:80])
        return
    above = [
        node.value for node in own.get(f"{_SKOS}broader", ()) if isinstance(node, ox.NamedNode)
    ]
    parents = (
        curie(iri) or _declared(iri, prefixes) for iri in (*above, *narrower.get(node.value, ()))
    )
    yield TermRecord(
        id,
        label,
        _names(own, label),
        tuple(sorted({parent for parent in parents if parent})),
        obsolete=_text(own, f"{_OWL}deprecated").lower() in ("true", "1"),
        definition=_text(own, f"{_SKOS}definition"),
        where=node.value,
    )


def _narrower(facts: Facts) -> dict[str, list[str]]:
    """Child → parents, from skos:narrower of the parents."""
    parents: dict[str, list[str]] = defaultdict(list)
    for node, facts_of_node in facts.items():
        for predicate, child in zip(facts_of_node[::2], facts_of_node[1::2], strict=True):
            named = isinstance(node, ox.NamedNode) and isinstance(child, ox.NamedNode)
            if named and predicate == f"{_SKOS}narrower":
                parents[child.value].append(node.value)
    return parents


def _declared(iri: str, prefixes: Mapping[str, str]) -> str:
    """The CURIE of an IRI by a prefix that the file declares; the longest that fits."""
    fitting = [(len(base), name, base) for name, base in prefixes.items() if iri.startswith(base)]
    for _, name, base in sorted(fitting, reverse=True):
        if name and (id := identifier(f"{name}:{iri[len(base) :]}")):
            return id
    return ""


def _names(own: Mapping[str, list[Any]], label: str) -> tuple[TermName, ...]:
    """Names in English, or without a language, in order."""
    scopes: dict[str, SynonymScope] = {}
    for predicate, scope in _SYNONYMS:
        for text in sorted(_english(own.get(predicate, ()))):
            if text != label or not predicate.startswith(_SKOS):
                scopes.setdefault(text, scope)
    return tuple(TermName(text, scope) for text, scope in scopes.items())


def _english(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, ox.Literal) and (value.language or "en")[:2] == "en":
            yield value.value.strip()


def _ids(values: Iterable[Any]) -> set[str]:
    texts = (value.value for value in values if isinstance(value, ox.NamedNode | ox.Literal))
    return {id for text in texts if (id := curie(text))}


def _restrictions(facts: Facts, own: Mapping[str, list[Any]]) -> Iterator[tuple[str, str]]:
    for parent in own.get(f"{_RDFS}subClassOf", ()):
        if not isinstance(parent, ox.BlankNode):
            continue
        restriction = _own(facts, parent)
        relations = restriction.get(f"{_OWL}onProperty", ())
        for target in sorted(_ids(restriction.get(f"{_OWL}someValuesFrom", ()))):
            for relation in relations:
                if isinstance(relation, ox.NamedNode):
                    yield curie(relation.value) or relation.value, target


def _text(own: Mapping[str, list[Any]], predicate: str) -> str:
    """The English value, or the first in order."""
    values = sorted(
        own.get(predicate, ()),
        key=lambda v: ((getattr(v, "language", None) or "en")[:2] != "en", str(v.value)),
    )
    return str(values[0].value).strip() if values else ""
