"""Statements as RDF: a plain triple where it may stand alone, and an association node for every
statement.

Biolink's Association takes rdf:subject, rdf:predicate and rdf:object (its own slot URIs). The
association carries the publications, the supporting text, knowledge level and agent type, and PROV
says who approved it and when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from core.curie import PREFIXES, preferred_prefix
from core.curie import split_curie as split_curie
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    document_of,
    notices_of,
    settle_labels,
    settle_things,
    terms_in,
    thing_key,
    things_in,
)
from core.kb.rdf import iri
from core.kb.rdf.dataset import DESCRIBED, release_description
from core.kb.rdf.fact import IRI, PLAIN, Described, Fact, optional_text_fact, text_fact
from core.kb.rdf.node import (
    BIOLINK,
    DCTERMS,
    FIXED,
    GW,
    PROV,
    QUDT,
    RDF,
    RDFS,
    SKOS,
    XSD,
    approval_iri,
    curator_node,
    document_node,
    evidence_iri,
    statement_iri,
    text_and_datatype,
)
from core.kb.rdf.provenance import (
    approval_facts,
    evidence_facts,
    paper_description,
    person_description,
)
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
    others = [other for ids_of_thing in kb.same.values() for other in ids_of_thing]
    matched = {"skos": str(SKOS)} if others else {}
    return namespaces_of(dict.fromkeys((*ids, *others)), kb.prefixes) | described | matched | FIXED


def namespaces_of(curies: Iterable[str], prefixes: Mapping[str, str]) -> dict[str, str]:
    """The prefixes of these CURIEs; of two that differ the first one's counts."""
    namespaces: dict[str, str] = {}
    for curie in curies:
        prefix, local = split_curie(curie)
        own = prefixes.get(prefix) or PREFIXES.get(preferred_prefix(prefix), "")
        if own and local and iri.term_iri(curie, prefixes).startswith(own):
            namespaces.setdefault(preferred_prefix(prefix), own)
    return namespaces


def descriptions(kb: KnowledgeBase) -> Iterator[Described]:
    """Everything that the export says, subject by subject; some subjects come more than once."""
    yield from own_descriptions(kb)
    yield from shared_descriptions(kb)


def own_descriptions(kb: KnowledgeBase) -> Iterator[Described]:
    """Statements, evidence and approvals: each is described once, with all that is said of it."""
    settled = settle_labels(kb.entries)
    for identifier, entry in kb.identified():
        yield from entry_descriptions(identifier, entry, settled, kb)


def shared_descriptions(kb: KnowledgeBase) -> Iterator[Described]:
    """The release, the plain triples of what may stand alone, and what statements name: things,
    papers and people.
    """
    if kb.release:
        yield from release_description(kb.release)
    papers: set[str] = set()
    people: set[tuple[str, str]] = set()
    for entry in kb.entries:
        papers.add(entry.statement.document)
        papers.update(map(document_of, entry.evidence))
        people.update((decision.curator, kb.name_of(decision)) for decision in entry.approvals)
        if entry.is_plain and not kb.draft:
            yield plain_triple(entry.statement, kb)
    for thing, paper in settle_things(kb.entries):
        yield from description(thing, paper, kb)
    for paper in papers - {""}:
        yield paper_description(paper, kb)
    for orcid, name in people:
        yield person_description(orcid, name)


def entry_descriptions(
    identifier: str, entry: ExportEntry, settled: Mapping[str, Term | Node], kb: KnowledgeBase
) -> Iterator[Described]:
    """A statement, its evidence and its approvals; `settled` are the labels of the export."""
    pieces = [(evidence_iri(piece, kb), piece) for piece in entry.evidence]
    judgements = [approval_iri(decision, kb) for decision in entry.approvals]
    yield (
        statement_iri(identifier, kb),
        [
            *association(entry.statement, kb),
            *((PROV.wasDerivedFrom, statement_iri(id, kb), IRI) for id in entry.joined),
            *own_names(entry.statement, settled, kb),
            *provenance_facts(entry, [node for node, _ in pieces], judgements, kb),
        ],
    )
    for node, piece in pieces:
        yield node, evidence_facts(piece, kb)
    for node, decision in zip(judgements, entry.approvals, strict=True):
        yield node, approval_facts(decision)


def plain_triple(statement: Statement, kb: KnowledgeBase) -> Described:
    subject, predicate, object_ = (
        text_and_datatype(thing, statement, kb)
        for thing in (statement.subject, statement.predicate, statement.object)
    )
    return subject[0], [(predicate[0], *object_)]


def association(statement: Statement, kb: KnowledgeBase) -> list[Fact]:
    """What a statement says, where it was made, and what it was corrected from."""
    facts = claim_facts(statement, kb)
    facts.append((BIOLINK.primary_knowledge_source, kb.base_iri, IRI))
    if statement.document:
        facts.append((GW.document, document_node(statement.document, kb), IRI))
    if statement.derived_from:
        facts.append((PROV.wasDerivedFrom, statement_iri(statement.derived_from, kb), IRI))
    return facts


def support_facts(statement: str, kb: KnowledgeBase) -> Iterator[Fact]:
    """Whether its evidence says it, and how likely, where that was asked."""
    if kb.support:
        verdict, probability = kb.support_cells(statement)
        yield GW.support, verdict, PLAIN
        if probability:
            yield GW.supportProbability, probability, XSD.decimal


def own_names(
    statement: Statement, settled: Mapping[str, Term | Node], kb: KnowledgeBase
) -> Iterator[Fact]:
    """The things that this statement calls otherwise than the export does as a whole, each as
    `IRI category label`, so that it is read back as it was: two papers wrote *aspirin* and *ASA*.
    """
    for thing in things_in(statement):
        if isinstance(thing, Literal):
            continue
        of_export = settled[thing_key(thing, statement.document)]
        if (thing.label, thing.category) != (of_export.label, of_export.category):
            address = iri.thing_iri(thing, statement.document, kb.base_iri, kb.prefixes)
            yield text_fact(GW.calledHere, f"{address} {thing.category} {thing.label}")


def claim_facts(statement: Statement, kb: KnowledgeBase) -> list[Fact]:
    """What a statement says, with everything that narrows or negates it."""
    facts: list[Fact] = [
        (RDF.type, BIOLINK.Association, IRI),
        (RDF.subject, *text_and_datatype(statement.subject, statement, kb)),
        (RDF.predicate, *text_and_datatype(statement.predicate, statement, kb)),
        (RDF.object, *text_and_datatype(statement.object, statement, kb)),
        (BIOLINK.negated, "true" if statement.negated else "false", XSD.boolean),
    ]
    for qualifier in statement.qualifiers:
        facts.append(
            (iri.qualifier_iri(qualifier.name), *text_and_datatype(qualifier.value, statement, kb))
        )
    if statement.modality is not Modality.ASSERTED:
        facts.append((GW.modality, str(statement.modality), PLAIN))
    if isinstance(statement.object, Literal):
        facts += literal_parts(statement.object)
    return facts


def literal_parts(literal: Literal) -> Iterator[Fact]:
    """Value, datatype and unit apart, so that "02" or "2.50" come back as they were written."""
    yield text_fact(GW.value, literal.value)
    yield text_fact(GW.datatype, literal.datatype)
    yield from optional_text_fact(QUDT.ucumCode, literal.unit)


def provenance_facts(
    entry: ExportEntry, evidence: Iterable[str], approvals: Iterable[str], kb: KnowledgeBase
) -> list[Fact]:
    """Knowledge level, agent type, evidence, publications, and who approved it when; `evidence` and
    `approvals` are the IRIs of the entry's.
    """
    level, agent = KNOWLEDGE_LEVEL, VALIDATED if entry.by_machine else TYPED
    if kb.draft:
        level, agent = "not_provided", DRAFTED
    facts: list[Fact] = [
        (BIOLINK.knowledge_level, level, PLAIN),
        (BIOLINK.agent_type, agent, PLAIN),
    ]
    if kb.draft:
        facts.append((GW.state, "undecided", PLAIN))
    facts += ((BIOLINK.has_evidence, node, IRI) for node in evidence)
    for piece in entry.evidence:
        if paper := document_of(piece):
            facts.append((BIOLINK.publications, document_node(paper, kb), IRI))
        if isinstance(piece.ground, TextGround):
            facts.append(text_fact(BIOLINK.supporting_text, piece.ground.quote))
    facts += (text_fact(GW.notice, notice) for notice in notices_of(entry, kb))
    facts += support_facts(entry.statement.id, kb)
    for decision in entry.approvals:
        facts.append((PROV.wasAttributedTo, curator_node(decision.curator), IRI))
    facts += ((PROV.wasGeneratedBy, node, IRI) for node in approvals)
    if entry.approvals:
        facts.append((PROV.generatedAtTime, entry.approvals[-1].time, XSD.dateTime))
    return facts


def other_id_facts(thing: Term, kb: KnowledgeBase) -> Iterator[Fact]:
    """The other ids of a thing, as exact matches."""
    for other in kb.same.get(thing.id, ()):
        yield SKOS.exactMatch, iri.term_iri(other, kb.prefixes), IRI


def description(thing: Term | Node, paper: str, kb: KnowledgeBase) -> Iterator[Described]:
    """Label, CURIE and types of a named thing."""
    facts: list[Fact] = [
        (RDF.type, iri.CLASSES[thing.category], IRI),
        *optional_text_fact(RDFS.label, thing.label),
    ]
    if isinstance(thing, Node):
        cls = iri.local_iri(kb.base_iri, "class", thing.cls)
        facts.append((RDF.type, cls, IRI))
        yield cls, [text_fact(RDFS.label, thing.cls)]
    elif thing.id:
        facts.append(text_fact(DCTERMS.identifier, thing.id))
        facts += other_id_facts(thing, kb)
    else:
        facts.append((RDF.type, GW.Words, IRI))
    yield iri.thing_iri(thing, paper, kb.base_iri, kb.prefixes), facts
