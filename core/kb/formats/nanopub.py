"""Nanopublications (https://nanopub.net/guidelines), TriG: one for each statement, with its
assertion, its provenance (quotes, papers, who approved it) and its publication info. They are
neither signed nor given trusty names: what publishes them does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rdflib import URIRef

from core.curie import PREFIXES
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    document_of,
    settle_labels,
    thing_key,
    things_in,
)
from core.kb.formats.specification import ExportFormat, at_once
from core.kb.rdf import iri
from core.kb.rdf.association import (
    KNOWLEDGE_LEVEL,
    TYPED,
    VALIDATED,
    claim_triples,
    description,
    namespaces,
    plain,
)
from core.kb.rdf.node import (
    BIOLINK,
    DCTERMS,
    FIXED,
    GW,
    PROV,
    RDF,
    RDFS,
    RdfNamespace,
    Triple,
    approval_iri,
    curator,
    document,
    evidence_iri,
    optional,
    statement_iri,
    text,
    time,
)
from core.kb.rdf.provenance import approval, evidence
from core.kb.rdf.turtle_block import Names, subject_blocks
from core.model import Node, Term

NP = RdfNamespace("http://www.nanopub.org/nschema#")
PARTS = ("head", "assertion", "provenance", "pubinfo")


def nanopub(kb: KnowledgeBase) -> bytes:
    """The same bytes for the same content."""
    names = Names({**FIXED, **namespaces(kb), "np": str(NP), "skos": PREFIXES["skos"]})
    labels = settle_labels(kb.entries)
    body = "\n".join(
        written for entry in kb.sorted() for written in publication(entry, kb, labels, names)
    )
    return f"{names.header}\n{body}".encode()


def publication(
    entry: ExportEntry, kb: KnowledgeBase, labels: dict[str, Term | Node], names: Names
) -> Iterator[str]:
    """The four named graphs of one statement."""
    whole = iri.local_iri(kb.base_iri, "nanopub", entry.statement.id)
    graphs = {name: URIRef(f"{whole}/{name}") for name in PARTS}
    said: tuple[Iterable[Triple], ...] = (
        head(URIRef(whole), graphs),
        assertion(entry, kb, labels),
        provenance(graphs["assertion"], entry, kb),
        pubinfo(URIRef(whole), entry, kb, labels),
    )
    for name, triples in zip(PARTS, said, strict=True):
        yield f"{names.of(graphs[name])} {{\n{''.join(subject_blocks(triples, names, '    '))}}}\n"


def head(whole: URIRef, graphs: dict[str, URIRef]) -> Iterator[Triple]:
    yield whole, RDF.type, NP.Nanopublication
    yield whole, NP.hasAssertion, graphs["assertion"]
    yield whole, NP.hasProvenance, graphs["provenance"]
    yield whole, NP.hasPublicationInfo, graphs["pubinfo"]


def assertion(
    entry: ExportEntry, kb: KnowledgeBase, labels: dict[str, Term | Node]
) -> Iterator[Triple]:
    """What is claimed: one triple where that says all of it, else an association. An unnamed thing
    says what it is.
    """
    if entry.is_plain and not kb.draft:
        yield plain(entry.statement, kb)
    else:
        yield from claim_triples(entry.statement, kb)
    for thing in things_in(entry.statement):
        if isinstance(thing, Node):
            yield from description(
                labels[thing_key(thing, entry.statement.document)], entry.statement.document, kb
            )


def provenance(claimed: URIRef, entry: ExportEntry, kb: KnowledgeBase) -> Iterator[Triple]:
    """What the assertion rests on, and who judged it."""
    yield claimed, BIOLINK.knowledge_level, text(KNOWLEDGE_LEVEL)
    yield claimed, BIOLINK.agent_type, text(VALIDATED if entry.by_machine else TYPED)
    for piece in entry.evidence:
        yield claimed, PROV.wasDerivedFrom, evidence_iri(piece, kb)
        yield from evidence(piece, kb)
        if paper := document_of(piece):
            yield claimed, PROV.hadPrimarySource, document(paper, kb)
    for decision in entry.approvals:
        yield claimed, PROV.wasAttributedTo, curator(decision.curator, kb)
        yield claimed, PROV.wasGeneratedBy, approval_iri(decision, kb)
        yield from approval(decision, kb)


def pubinfo(
    whole: URIRef, entry: ExportEntry, kb: KnowledgeBase, labels: dict[str, Term | Node]
) -> Iterator[Triple]:
    """By whom and when the nanopublication came about, and what its terms are called."""
    statement = entry.statement
    yield whole, PROV.wasDerivedFrom, statement_iri(statement.id, kb)
    if kb.draft:
        yield whole, GW.state, text("undecided")
    for decision in entry.approvals:
        person = curator(decision.curator, kb)
        yield whole, DCTERMS.creator, person
        yield from optional(person, RDFS.label, kb.name_of(decision))
    if entry.approvals:
        yield whole, DCTERMS.created, time(entry.approvals[-1].time)
    for thing in things_in(statement):
        if isinstance(thing, Term):
            known = labels[thing_key(thing, statement.document)]
            yield from optional(
                URIRef(iri.thing_iri(thing, statement.document, kb.base_iri, kb.prefixes)),
                RDFS.label,
                known.label,
            )


NANOPUB = ExportFormat(
    "nanopub",
    "Nanopublications (TriG)",
    ".nanopub.trig",
    "application/trig",
    at_once(nanopub),
    drafts=True,
)
