"""OWL 2 as RDF/XML, the syntax that every OWL tool reads: the same axioms as the functional syntax.

RDF/XML can only use a property whose IRI ends in an XML name. One that does not, such as a SNOMED
CT id, gets a name of ours, said to be equivalent to it; other formats keep it as it is.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from rdflib import OWL, RDF, RDFS, BNode, URIRef
from rdflib import Literal as RdfValue
from rdflib.term import Node as RdfNode

from core.kb.entry import KnowledgeBase
from core.kb.formats.specification import ExportFormat
from core.kb.owl.ontology import DRAFT, ontology, ontology_triples
from core.kb.owl.rdf import Triple
from core.kb.rdf import iri as iris
from core.kb.rdf.association import namespaces
from core.kb.rdf.node import FIXED
from core.model import Problem, Severity, json_digest

NAME_SIGNS = string.ascii_letters + string.digits + "_.-"  # of an XML name; more would be allowed
CANNOT_BEGIN_A_NAME = string.digits + ".-"
_CONTROLS = {code: "\ufffd" for code in (*range(32), 0xFFFE, 0xFFFF) if code not in (9, 10, 13)}


def rdf_xml(kb: KnowledgeBase) -> Iterator[bytes]:
    """The ontology, a subject at a time; the same bytes for the same content."""
    triples = {*named_triples(ontology_triples(kb, ontology(kb)), kb)}
    spaces = {split_name(predicate)[0] for _, predicate, _ in triples} | {str(RDF)}
    prefixes = _prefixes(spaces, kb)
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<!-- {DRAFT.replace('# ', '').strip()} -->\n".encode() if kb.draft else b""
    declared = "".join(
        f"\n    xmlns:{prefix}={quoteattr(space)}" for space, prefix in prefixes.items()
    )
    yield f"<rdf:RDF{declared}>\n".encode()
    ordered = sorted(triples, key=lambda triple: tuple(map(_order, triple)))
    for subject, facts in groupby(ordered, key=lambda triple: triple[0]):
        lines = [_fact(predicate, value, prefixes) for _, predicate, value in facts]
        about = f"<rdf:Description {_reference(subject, 'about')}>"
        yield "\n".join([f"  {about}", *lines, "  </rdf:Description>\n"]).encode("utf-8", "replace")
    yield b"</rdf:RDF>\n"


def split_name(iri: str) -> tuple[str, str]:
    """A namespace, and the XML name that ends an IRI; "" where nothing there can be one.

    >>> split_name("http://purl.obolibrary.org/obo/RO_0002606")
    ('http://purl.obolibrary.org/obo/', 'RO_0002606')
    >>> split_name("https://omim.org/entry/104300")
    ('https://omim.org/entry/104300', '')
    """
    tail = iri[len(iri.rstrip(NAME_SIGNS)) :].lstrip(CANNOT_BEGIN_A_NAME)
    return iri[: len(iri) - len(tail)], tail


def named_triples(triples: Iterable[Triple], kb: KnowledgeBase) -> Iterator[Triple]:
    """The triples, each with a predicate that RDF/XML can write."""
    everything = set(triples)
    names = _new_names(everything, kb)
    for subject, predicate, value in everything:
        yield subject, names.get(predicate, predicate), value
    for old, new in names.items():
        kinds = {kind for s, p, kind in everything if s == old and p == RDF.type}
        annotates = OWL.AnnotationProperty in kinds
        yield from ((new, RDF.type, kind) for kind in kinds)
        yield new, RDFS.subPropertyOf if annotates else OWL.equivalentProperty, old


def _new_names(triples: Iterable[Triple], kb: KnowledgeBase) -> dict[URIRef, URIRef]:
    unwritable = {predicate for _, predicate, _ in triples if not split_name(predicate)[1]}
    return {
        predicate: URIRef(
            iris.local_iri(kb.base_iri, "property", f"named-{json_digest(str(predicate))[:16]}")
        )
        for predicate in sorted(unwritable)
    }


def _prefixes(spaces: Iterable[str], kb: KnowledgeBase) -> dict[str, str]:
    """Namespace → prefix: the usual one, or ns1, ns2, …"""
    usual = {space: prefix for prefix, space in {**namespaces(kb), **FIXED}.items()}
    prefix_by_space: dict[str, str] = {str(OWL): "owl"}
    for number, space in enumerate(sorted(spaces), 1):
        prefix = usual.get(space, "")
        fits = split_name(prefix) == ("", prefix) and not prefix.lower().startswith(("xml", "ns"))
        prefix_by_space.setdefault(space, prefix if prefix and fits else f"ns{number}")
    return dict(sorted(prefix_by_space.items(), key=lambda pair: pair[1]))


def _order(node: RdfNode) -> tuple[bool, str, str, str]:
    if isinstance(node, RdfValue):
        return True, str(node), str(node.datatype or ""), str(node.language or "")
    return isinstance(node, BNode), str(node), "", ""


def _reference(node: RdfNode, attribute: str) -> str:
    name = "nodeID" if isinstance(node, BNode) else attribute
    return f"rdf:{name}={quoteattr(str(node))}"


def _fact(predicate: URIRef, value: RdfNode, prefixes: dict[str, str]) -> str:
    space, local = split_name(predicate)
    name = f"{prefixes[space]}:{local}"
    if not isinstance(value, RdfValue):
        return f"    <{name} {_reference(value, 'resource')}/>"
    kind = f" xml:lang={quoteattr(value.language)}" if value.language else ""
    if value.datatype:
        kind = f" rdf:datatype={quoteattr(str(value.datatype))}"
    words = escape(str(value).translate(_CONTROLS), {"\r": "&#13;"})  # XML knows no other controls
    return f"    <{name}{kind}>{words}</{name}>"


def remarks(kb: KnowledgeBase) -> tuple[Problem, ...]:
    """What of the knowledge base no axiom can say, and which properties get a new name."""
    kb_ontology = ontology(kb)
    renamed = _new_names(ontology_triples(kb, kb_ontology), kb)
    return (
        *kb_ontology.problems,
        *(
            Problem(
                "owl-xml-name",
                f"{old} does not end in an XML name and is renamed {new} in RDF/XML.",
                Severity.NOTE,
                where=str(old),
                hint="The file says that the two are the same; OWL in Turtle keeps the name.",
            )
            for old, new in renamed.items()
        ),
    )


OWL_RDF_XML = ExportFormat(
    "rdfxml",
    "OWL ontology (RDF/XML)",
    ".owl",
    mime="application/rdf+xml",
    chunks=rdf_xml,
    drafts=True,
    remarks=remarks,
)
