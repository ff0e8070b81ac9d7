"""Statements as RDF: a plain triple where it may stand alone, and an association node for every
statement.

Biolink's Association takes rdf:subject, rdf:predicate and rdf:object (its own slot URIs). The
association carries the publications, the supporting text, knowledge level and agent type, and PROV
says who approved it and when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rdflib import URIRef

from core.curie import PREFIXES, preferred_prefix
from core.curie import split_curie as split_curie
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    document_of,
    notices_of,
    settle_labels,
    terms_in,
    thing_key,
    things_in,
)
from core.kb.rdf import iri
from core.kb.rdf.dataset import DESCRIBED, release_description
from core.kb.rdf.node import (
    BIOLINK,
    DCTERMS,
    FIXED,
    GW,
    PROV,
    QUDT,
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
    statement_iri,
    text,
    time,
    value,
)
from core.kb.rdf.provenance import approval, evidence, paper_description
from core.model import Literal, Modality, Node, Statement, Term, TextGround

KNOWLEDGE_LEVEL = "knowledge_assertion"
VALIDATED, TYPED, DRAFTED = (
    "manual_validation_of_automated_agent",
    "manual_agent",
    "text_mining_agent",
)


def namespaces(kb: KnowledgeBase) -> dict[str, str]:
    """Prefixes that the file needs: the fixed ones and those of its CURIEs."""
    ids = [term.id for entry in kb.entries for term in terms_in(entry.statement) if term.id]
    described = DESCRIBED if kb.release else {}
    return namespaces_of(dict.fromkeys(ids), kb.prefixes) | described | FIXED


def namespaces_of(curies: Iterable[str], prefixes: Mapping[str, str]) -> dict[str, str]:
    """The prefixes of these CURIEs; of two that differ the first one's counts."""
    found: dict[str, str] = {}
    for curie in curies:
        prefix, local = split_curie(curie)
        own = prefixes.get(prefix) or PREFIXES.get(preferred_prefix(prefix), "")
        if own and local and iri.term(curie, prefixes).startswith(own):
            found.setdefault(preferred_prefix(prefix), own)
    return found


def triples(kb: KnowledgeBase) -> Iterator[Triple]:
    """Every triple of the export, some more than once."""
    names = settle_labels(kb.entries)
    if kb.release:
        yield from release_description(kb.release)
    for entry in kb.sorted():
        yield from association(entry, kb)
        yield from (triple for piece in entry.evidence for triple in evidence(piece, kb))
        yield from (triple for decision in entry.approvals for triple in approval(decision, kb))
        if entry.is_plain and not kb.draft:
            yield plain(entry.statement, kb)
        for thing in things_in(entry.statement):
            if isinstance(thing, Term | Node):
                yield from description(
                    names[thing_key(thing, entry.statement.document)], entry.statement.document, kb
                )


def plain(statement: Statement, kb: KnowledgeBase) -> Triple:
    subject, predicate, object_ = (
        value(thing, statement, kb)
        for thing in (statement.subject, statement.predicate, statement.object)
    )
    return subject, reference(str(predicate)), object_


def association(entry: ExportEntry, kb: KnowledgeBase) -> Iterator[Triple]:
    statement, node = entry.statement, statement_iri(entry.statement.id, kb)
    yield from claim_triples(statement, kb)
    yield node, BIOLINK.primary_knowledge_source, URIRef(kb.base_iri)
    if statement.document:
        yield node, GW.document, document(statement.document, kb)
        yield from paper_description(statement.document, kb)
    if statement.derived_from:
        yield node, PROV.wasDerivedFrom, statement_iri(statement.derived_from, kb)
    yield from provenance_triples(node, entry, kb)


def claim_triples(statement: Statement, kb: KnowledgeBase) -> Iterator[Triple]:
    """What a statement says, with everything that narrows or negates it."""
    node = statement_iri(statement.id, kb)
    yield node, RDF.type, BIOLINK.Association
    yield node, RDF.subject, value(statement.subject, statement, kb)
    yield node, RDF.predicate, value(statement.predicate, statement, kb)
    yield node, RDF.object, value(statement.object, statement, kb)
    yield (
        node,
        BIOLINK.negated,
        made("true" if statement.negated else "false", XSD.boolean),
    )
    for qualifier in statement.qualifiers:
        yield node, reference(iri.qualifier(qualifier.name)), value(qualifier.value, statement, kb)
    if statement.modality is not Modality.ASSERTED:
        yield node, GW.modality, text(statement.modality)
    if isinstance(statement.object, Literal):
        yield from literal_parts(node, statement.object)


def literal_parts(node: URIRef, literal: Literal) -> Iterator[Triple]:
    """Value, datatype and unit apart, so that "02" or "2.50" come back as they were written."""
    yield node, GW.value, text(literal.value)
    yield node, GW.datatype, text(literal.datatype)
    if literal.unit:
        yield node, QUDT.ucumCode, text(literal.unit)


def provenance_triples(node: URIRef, entry: ExportEntry, kb: KnowledgeBase) -> Iterator[Triple]:
    """Knowledge level, agent type, evidence, publications, and who approved it when."""
    if kb.draft:
        yield node, GW.state, text("undecided")
        yield node, BIOLINK.knowledge_level, text("not_provided")
        yield node, BIOLINK.agent_type, text(DRAFTED)
    else:
        yield node, BIOLINK.knowledge_level, text(KNOWLEDGE_LEVEL)
        yield node, BIOLINK.agent_type, text(VALIDATED if entry.by_machine else TYPED)
    for piece in entry.evidence:
        yield node, BIOLINK.has_evidence, evidence_iri(piece, kb)
        if paper := document_of(piece):
            yield node, BIOLINK.publications, document(paper, kb)
        if isinstance(piece.ground, TextGround):
            yield node, BIOLINK.supporting_text, text(piece.ground.quote)
    for notice in notices_of(entry, kb):
        yield node, GW.notice, text(notice)
    for decision in entry.approvals:
        yield node, PROV.wasAttributedTo, curator(decision.curator, kb)
        yield node, PROV.wasGeneratedBy, approval_iri(decision, kb)
    if entry.approvals:
        yield node, PROV.generatedAtTime, time(entry.approvals[-1].time)


def description(thing: Term | Node, paper: str, kb: KnowledgeBase) -> Iterator[Triple]:
    """Label, CURIE and types of a named thing."""
    node = reference(iri.thing_iri(thing, paper, kb.base_iri, kb.prefixes))
    yield node, RDF.type, reference(iri.CLASSES[thing.category])
    yield from optional(node, RDFS.label, thing.label)
    if isinstance(thing, Node):
        cls = reference(iri.local_iri(kb.base_iri, "class", thing.cls))
        yield node, RDF.type, cls
        yield cls, RDFS.label, text(thing.cls)
    elif thing.id:
        yield node, DCTERMS.identifier, text(thing.id)
    else:
        yield node, RDF.type, GW.Words
