"""A release as a dataset: DCAT 3 and VoID say its version, licence, people, counts and sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rdflib import Literal as Value
from rdflib import URIRef

from core.curie import PREFIXES
from core.kb.rdf import iri
from core.kb.rdf.node import (
    DCTERMS,
    GW,
    PROV,
    RDF,
    RDFS,
    XSD,
    RdfNamespace,
    Triple,
    optional,
    text,
)
from core.kb.release.release import ReleaseDescription, RetractedPaper, UsedVocabulary

DCAT = RdfNamespace("http://www.w3.org/ns/dcat#")
VOID = RdfNamespace("http://rdfs.org/ns/void#")
OWL = RdfNamespace(PREFIXES["owl"])
PAV = RdfNamespace(PREFIXES["pav"])
DESCRIBED = {"dcat": str(DCAT), "void": str(VOID), "owl": str(OWL), "pav": str(PAV)}


def release_description(release: ReleaseDescription) -> Iterator[Triple]:
    """The release and the knowledge base that it is a version of; no node is blank."""
    node, whole = URIRef(release.iri), URIRef(release.dataset)
    for dataset in (node, whole):
        yield dataset, RDF.type, DCAT.Dataset
        yield dataset, RDF.type, VOID.Dataset
        yield dataset, DCTERMS.title, text(release.title)
    yield whole, DCAT.hasVersion, node
    yield whole, DCAT.hasCurrentVersion, node
    yield node, DCAT.isVersionOf, whole
    yield node, DCAT.version, text(release.number)
    yield node, OWL.versionInfo, text(release.number)
    yield node, DCTERMS.issued, Value(release.date, datatype=XSD.date, normalize=False)
    yield node, DCTERMS.license, URIRef(iri.checked_iri(release.licence))
    yield node, DCTERMS.bibliographicCitation, text(release.citation)
    yield from optional(node, DCTERMS.description, release.summary)
    if release.previous:
        before = URIRef(iri.local_iri(release.dataset, "release", release.previous))
        yield node, DCAT.previousVersion, before
        yield node, PAV.previousVersion, before
    yield from _people(node, release)
    yield from _counts(node, release)
    for vocabulary in release.vocabularies:
        yield from _vocabulary(node, vocabulary)
    for paper in release.retracted:
        yield from _retracted(node, paper)


def _people(node: URIRef, release: ReleaseDescription) -> Iterator[Triple]:
    for creator in release.creators:
        person = URIRef(iri.checked_iri(iri.ORCID + creator.orcid))
        yield node, DCTERMS.creator, person
        yield person, RDF.type, PROV.Agent
        yield from optional(person, RDFS.label, creator.name)


def _counts(node: URIRef, release: ReleaseDescription) -> Iterator[Triple]:
    """VoID's own counts, and ours for what VoID has no word for."""
    known = {"things": VOID.entities, "relations": VOID.properties, "papers": VOID.documents}
    for name, number in sorted(release.counts.items()):
        yield node, known.get(name, GW[f"count-{name.replace(' ', '-')}"]), _number(number)
    yield from _parts(node, "class", release.categories, iri_of_category)
    yield from _parts(node, "property", release.predicates, lambda predicate: predicate)


def _parts(
    node: URIRef, kind: str, counts: Mapping[str, int], address: Callable[[str], str]
) -> Iterator[Triple]:
    of = {"class": VOID.classPartition, "property": VOID.propertyPartition}[kind]
    names = {"class": VOID["class"], "property": VOID.property}[kind]
    counted = {"class": VOID.entities, "property": VOID.triples}[kind]

    for name, number in sorted(counts.items()):
        part = URIRef(iri.local_iri(f"{node}/", kind, name))
        yield node, of, part
        yield part, names, URIRef(iri.checked_iri(address(name)))
        yield part, counted, _number(number)


def iri_of_category(name: str) -> str:
    """The class of a category that is given by its name."""
    return next(address for category, address in iri.CLASSES.items() if str(category) == name)


def _number(number: int) -> Value:
    return Value(str(number), datatype=XSD.integer, normalize=False)


def _vocabulary(node: URIRef, used_vocabulary: UsedVocabulary) -> Iterator[Triple]:
    source = URIRef(iri.local_iri(f"{node}/", "vocabulary", used_vocabulary.name))
    yield node, DCTERMS.source, source
    yield node, VOID.vocabulary, source
    yield source, RDF.type, DCAT.Resource
    yield source, DCTERMS.title, text(used_vocabulary.title)
    yield from optional(source, DCAT.version, used_vocabulary.version)
    yield from optional(source, DCTERMS.rights, used_vocabulary.licence)
    yield source, GW["count-terms"], _number(used_vocabulary.terms)


def _retracted(node: URIRef, paper: RetractedPaper) -> Iterator[Triple]:
    yield node, GW.retracted, text(f"{paper.document}: {paper.notice}")
