"""Where a statement comes from, as RDF (PROV): evidence, papers, who approved it and when."""

from __future__ import annotations

from core.kb.entry import KnowledgeBase
from core.kb.rdf import iri
from core.kb.rdf.fact import IRI, Described, Fact, optional_text_fact, text_fact
from core.kb.rdf.node import (
    BIOLINK,
    DCTERMS,
    GW,
    OA,
    PROV,
    RDF,
    RDFS,
    XSD,
    curator_node,
    document_node,
)
from core.model import Decision, Evidence, RecordGround, ReferenceGround, TextGround


def evidence_facts(piece: Evidence, kb: KnowledgeBase) -> list[Fact]:
    facts = [(RDF.type, PROV.Entity, IRI), *ground_facts(piece, kb)]
    if piece.run:
        run = iri.local_iri(kb.base_iri, "run", piece.run)
        facts.append((PROV.wasGeneratedBy, run, IRI))
    if piece.path:
        facts.append(text_fact(GW.path, piece.path))
    if piece.engine:
        facts.append(text_fact(GW.engine, piece.engine))
    facts += (*optional_text_fact(GW.rule, piece.rule), *optional_text_fact(GW.cue, piece.cue))
    facts.append((GW.score, repr(float(piece.score)), XSD.double))
    return facts


def ground_facts(piece: Evidence, kb: KnowledgeBase) -> list[Fact]:
    match piece.ground:
        case TextGround(paper, version, span, quote, section):
            return [
                (RDF.type, GW.TextEvidence, IRI),
                (DCTERMS.source, document_node(paper, kb), IRI),
                text_fact(OA.exact, quote),
                (OA.start, str(span.start), XSD.nonNegativeInteger),
                (OA.end, str(span.end), XSD.nonNegativeInteger),
                text_fact(GW.textVersion, version),
                *optional_text_fact(GW.section, section),
            ]
        case RecordGround(call, record, pointer, value):
            return [
                (RDF.type, GW.RecordEvidence, IRI),
                *optional_text_fact(GW.call, call),
                text_fact(DCTERMS.identifier, record),
                text_fact(GW.pointer, pointer),
                text_fact(GW.value, value),
            ]
        case ReferenceGround(reference, locator, note):
            return [
                (RDF.type, GW.ReferenceEvidence, IRI),
                (DCTERMS.source, document_node(reference, kb), IRI),
                *optional_text_fact(GW.locator, locator),
                *optional_text_fact(RDFS.comment, note),
            ]


def paper_description(identifier: str, kb: KnowledgeBase) -> Described:
    document_known = kb.documents.get(identifier)
    return document_node(identifier, kb), [
        (RDF.type, BIOLINK.Publication, IRI),
        text_fact(DCTERMS.identifier, identifier),
        *optional_text_fact(DCTERMS.title, document_known.title if document_known else ""),
        *optional_text_fact(GW.notice, kb.notices.get(identifier, "")),
    ]


def approval_facts(decision: Decision) -> list[Fact]:
    return [
        (RDF.type, PROV.Activity, IRI),
        (PROV.wasAssociatedWith, curator_node(decision.curator), IRI),
        (PROV.endedAtTime, decision.time, XSD.dateTime),
        *optional_text_fact(RDFS.comment, decision.note),
    ]


def person_description(orcid: str, name: str) -> Described:
    return curator_node(orcid), [(RDF.type, PROV.Agent, IRI), *optional_text_fact(RDFS.label, name)]
