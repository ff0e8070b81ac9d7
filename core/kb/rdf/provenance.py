"""Where a statement comes from, as RDF (PROV): evidence, papers, who approved it and when."""

from __future__ import annotations

from collections.abc import Iterator

from rdflib import URIRef

from core.kb.entry import KnowledgeBase
from core.kb.rdf import iri
from core.kb.rdf.node import (
    BIOLINK,
    DCTERMS,
    GW,
    OA,
    PROV,
    RDF,
    RDFS,
    XSD,
    Triple,
    approval_iri,
    curator,
    document,
    evidence_iri,
    made,
    optional,
    reference,
    text,
    time,
)
from core.model import Decision, Evidence, RecordGround, ReferenceGround, TextGround


def evidence(piece: Evidence, kb: KnowledgeBase) -> Iterator[Triple]:
    node = evidence_iri(piece, kb)
    yield node, RDF.type, PROV.Entity
    yield from ground(node, piece, kb)
    if piece.run:
        yield node, PROV.wasGeneratedBy, reference(iri.local_iri(kb.base_iri, "run", piece.run))
    for predicate, words in ((GW.path, piece.path), (GW.engine, piece.engine)):
        if words:
            yield node, predicate, text(words)
    yield node, GW.score, made(repr(float(piece.score)), XSD.double)


def ground(node: URIRef, piece: Evidence, kb: KnowledgeBase) -> Iterator[Triple]:
    match piece.ground:
        case TextGround(paper, version, span, quote, section):
            yield node, RDF.type, GW.TextEvidence
            yield node, DCTERMS.source, document(paper, kb)
            yield node, OA.exact, text(quote)
            yield node, OA.start, made(str(span.start), XSD.nonNegativeInteger)
            yield node, OA.end, made(str(span.end), XSD.nonNegativeInteger)
            yield node, GW.textVersion, text(version)
            yield from optional(node, GW.section, section)
            yield from paper_description(paper, kb)
        case RecordGround(call, record, pointer, found):
            yield node, RDF.type, GW.RecordEvidence
            yield from optional(node, GW.call, call)
            yield node, DCTERMS.identifier, text(record)
            yield node, GW.pointer, text(pointer)
            yield node, GW.value, text(found)
        case ReferenceGround(reference, locator, note):
            yield node, RDF.type, GW.ReferenceEvidence
            yield node, DCTERMS.source, document(reference, kb)
            yield from optional(node, GW.locator, locator)
            yield from optional(node, RDFS.comment, note)
            yield from paper_description(reference, kb)


def paper_description(identifier: str, kb: KnowledgeBase) -> Iterator[Triple]:
    node, known = document(identifier, kb), kb.documents.get(identifier)
    yield node, RDF.type, BIOLINK.Publication
    yield node, DCTERMS.identifier, text(identifier)
    if known and known.title:
        yield node, DCTERMS.title, text(known.title)
    yield from optional(node, GW.notice, kb.notices.get(identifier, ""))


def approval(decision: Decision, kb: KnowledgeBase) -> Iterator[Triple]:
    node, person = approval_iri(decision, kb), curator(decision.curator, kb)
    yield node, RDF.type, PROV.Activity
    yield node, PROV.wasAssociatedWith, person
    yield node, PROV.endedAtTime, time(decision.time)
    yield from optional(node, RDFS.comment, decision.note)
    yield person, RDF.type, PROV.Agent
    yield from optional(person, RDFS.label, kb.name_of(decision))
