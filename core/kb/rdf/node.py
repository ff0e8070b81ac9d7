"""RDF terms of an export: our IRIs, literals that survive every reader, and the namespaces."""

from __future__ import annotations

from collections.abc import Iterator

from rdflib import Literal as Value
from rdflib import URIRef
from rdflib.namespace import Namespace
from rdflib.term import Node as RdfNode

from core.curie import PREFIXES
from core.kb.entry import KnowledgeBase
from core.kb.rdf import iri
from core.model import Decision, Evidence, Literal, Statement, Thing, json_digest

Triple = tuple[RdfNode, URIRef, RdfNode]


def reference(address: str) -> URIRef:
    """An IRI that was checked already: rdflib's own constructor would check it once more."""
    return str.__new__(URIRef, address)


class RdfNamespace(Namespace):
    """A namespace that makes each of its IRIs once: an export names them hundreds of thousands of
    times.
    """

    def __getattr__(self, name: str) -> URIRef:
        found = super().__getattr__(name)
        setattr(self, name, found)
        return found


BIOLINK = RdfNamespace(iri.BIOLINK)
GW = RdfNamespace(iri.GROUNDWORK)
RDF = RdfNamespace(PREFIXES["rdf"])
RDFS = RdfNamespace(PREFIXES["rdfs"])
XSD = RdfNamespace(PREFIXES["xsd"])
PROV = RdfNamespace(PREFIXES["prov"])
DCTERMS = RdfNamespace(PREFIXES["dcterms"])
OA = RdfNamespace("http://www.w3.org/ns/oa#")
QUDT = RdfNamespace(PREFIXES["qudt"])
FIXED = {
    name: PREFIXES[name] for name in ("rdf", "rdfs", "xsd", "biolink", "dcterms", "prov", "qudt")
} | {
    "oa": str(OA),
    "gw": iri.GROUNDWORK,
    "gwq": iri.QUALIFIER,
    "orcid": iri.ORCID,
}


def value(thing: Thing, statement: Statement, kb: KnowledgeBase) -> RdfNode:
    if isinstance(thing, Literal):
        return rdf_literal(thing, kb)
    return reference(iri.thing_iri(thing, statement.document, kb.base_iri, kb.prefixes))


def optional(node: URIRef, predicate: URIRef, words: str) -> Iterator[Triple]:
    if words:
        yield node, predicate, text(words)


def rdf_literal(thing: Literal, kb: KnowledgeBase) -> Value:
    """A typed literal; a quantity with its UCUM code is one `cdt:ucum` literal."""
    if thing.unit:
        return Value(
            utf8_safe(f"{thing.value} {thing.unit}"),
            datatype=URIRef(iri.UCUM_LITERAL),
            normalize=False,
        )
    if thing.datatype in ("", "xsd:string"):
        return text(thing.value)
    return Value(
        utf8_safe(thing.value),
        datatype=URIRef(iri.term(thing.datatype, kb.prefixes)),
        normalize=False,
    )


def text(words: str) -> Value:
    return made(utf8_safe(words))


def made(words: str, datatype: URIRef | None = None) -> Value:
    """A literal as it is written. rdflib's own constructor casts and checks each value, which costs
    half the time of an export; readers are free to do so.
    """
    value: Value = str.__new__(Value, words)
    value._language, value._datatype, value._ill_typed = None, datatype, None
    value._value = words if datatype is None else None
    return value


def utf8_safe(words: str) -> str:
    """NUL and half surrogates cannot stand in a UTF-8 file that others read: they become U+FFFD."""
    if words.isascii() and "\x00" not in words:
        return words
    shown = words.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return shown.replace("\x00", "\ufffd")


def time(moment: str) -> Value:
    return made(moment, XSD.dateTime)


def document(identifier: str, kb: KnowledgeBase) -> URIRef:
    return reference(iri.document_iri(identifier, kb.base_iri, kb.prefixes))


def curator(orcid: str, kb: KnowledgeBase) -> URIRef:
    return reference(iri.checked_iri(iri.ORCID + orcid))


def statement_iri(identifier: str, kb: KnowledgeBase) -> URIRef:
    return reference(iri.local_iri(kb.base_iri, "statement", identifier))


def evidence_iri(piece: Evidence, kb: KnowledgeBase) -> URIRef:
    return reference(iri.local_iri(kb.base_iri, "evidence", piece.id))


def approval_iri(decision: Decision, kb: KnowledgeBase) -> URIRef:
    """By content, not by the store's id: the same approval in another copy of the project is the
    same.
    """
    said = [
        decision.statement,
        decision.evidence,
        decision.verdict,
        decision.curator,
        decision.time,
    ]
    return reference(iri.local_iri(kb.base_iri, "approval", json_digest(said)[:24]))
