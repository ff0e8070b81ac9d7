"""RDF terms of an export as plain texts: our IRIs, values that survive every reader, namespaces."""

from __future__ import annotations

from core.curie import PREFIXES
from core.kb.entry import KnowledgeBase
from core.kb.rdf import iri
from core.kb.rdf.fact import IRI, PLAIN, utf8_safe
from core.model import Decision, Evidence, Literal, Statement, Thing, json_digest


class RdfNamespace:
    """The IRIs of a vocabulary, as plain texts: `RDFS.label`."""

    def __init__(self, start: str):
        self._start = start

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        iri = self[name]
        setattr(self, name, iri)  # made once: an export names it hundreds of thousands of times
        return iri

    def __getitem__(self, name: str) -> str:
        return f"{self._start}{name}"

    def __str__(self) -> str:
        return self._start


BIOLINK = RdfNamespace(iri.BIOLINK)
GW = RdfNamespace(iri.GROUNDWORK)
RDF = RdfNamespace(PREFIXES["rdf"])
RDFS = RdfNamespace(PREFIXES["rdfs"])
SKOS = RdfNamespace(PREFIXES["skos"])
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


def text_and_datatype(thing: Thing, statement: Statement, kb: KnowledgeBase) -> tuple[str, str]:
    """A thing of a statement as text and datatype."""
    if isinstance(thing, Literal):
        return typed_text(thing, kb)
    return iri.thing_iri(thing, statement.document, kb.base_iri, kb.prefixes), IRI


def typed_text(thing: Literal, kb: KnowledgeBase) -> tuple[str, str]:
    """A value with its datatype; a quantity with its UCUM code is one `cdt:ucum` literal.

    >>> base = KnowledgeBase("https://example.org/kb/")
    >>> typed_text(Literal("81", "xsd:decimal"), base), typed_text(Literal("81", unit="mg"), base)
    (('81', 'http://www.w3.org/2001/XMLSchema#decimal'), ('81 mg', 'https://w3id.org/cdt/ucum'))
    """
    if thing.unit:
        return utf8_safe(f"{thing.value} {thing.unit}"), iri.UCUM_LITERAL
    if thing.datatype in ("", "xsd:string"):
        return utf8_safe(thing.value), PLAIN
    return utf8_safe(thing.value), iri.term_iri(thing.datatype, kb.prefixes)


def document_node(identifier: str, kb: KnowledgeBase) -> str:
    return iri.document_iri(identifier, kb.base_iri, kb.prefixes)


def curator_node(orcid: str) -> str:
    return iri.checked_iri(iri.ORCID + orcid)


def statement_iri(identifier: str, kb: KnowledgeBase) -> str:
    return iri.local_iri(kb.base_iri, "statement", identifier)


def evidence_iri(piece: Evidence, kb: KnowledgeBase) -> str:
    return iri.local_iri(kb.base_iri, "evidence", piece.id)


def approval_iri(decision: Decision, kb: KnowledgeBase) -> str:
    """By content, not by the store's id: the same approval in another copy of the project is the
    same.
    """
    approval_content = [
        decision.statement,
        decision.evidence,
        decision.verdict,
        decision.curator,
        decision.time,
    ]
    return iri.local_iri(kb.base_iri, "approval", json_digest(approval_content)[:24])
