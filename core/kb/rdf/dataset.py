"""A release as a dataset: DCAT 3 and VoID say its version, licence, people, counts and sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from core.curie import PREFIXES
from core.kb.rdf import iri
from core.kb.rdf.fact import IRI, Described, Fact, optional_text_fact, text_fact
from core.kb.rdf.node import DCTERMS, GW, PROV, RDF, RDFS, XSD, RdfNamespace
from core.kb.release.release import ReleaseDescription, UsedVocabulary

DCAT = RdfNamespace("http://www.w3.org/ns/dcat#")
VOID = RdfNamespace("http://rdfs.org/ns/void#")
OWL = RdfNamespace(PREFIXES["owl"])
PAV = RdfNamespace(PREFIXES["pav"])
DESCRIBED = {"dcat": str(DCAT), "void": str(VOID), "owl": str(OWL), "pav": str(PAV)}


def release_description(release: ReleaseDescription) -> Iterator[Described]:
    """The release and the knowledge base that it is a version of; no node is blank."""
    node, dataset_iri = release.iri, release.dataset
    for dataset in (node, dataset_iri):
        yield (
            dataset,
            [
                (RDF.type, DCAT.Dataset, IRI),
                (RDF.type, VOID.Dataset, IRI),
                text_fact(DCTERMS.title, release.title),
            ],
        )
    yield dataset_iri, [(DCAT.hasVersion, node, IRI), (DCAT.hasCurrentVersion, node, IRI)]
    yield (
        node,
        [
            (DCAT.isVersionOf, dataset_iri, IRI),
            text_fact(DCAT.version, release.number),
            text_fact(OWL.versionInfo, release.number),
            (DCTERMS.issued, release.date, XSD.date),
            (DCTERMS.license, iri.checked_iri(release.licence), IRI),
            text_fact(DCTERMS.bibliographicCitation, release.citation),
            *optional_text_fact(DCTERMS.description, release.summary),
            *_previous(release),
            *_counts(release),
            *(
                text_fact(GW.retracted, f"{paper.document}: {paper.notice}")
                for paper in release.retracted
            ),
        ],
    )
    yield from _people(node, release)
    yield from _parts(node, "class", release.categories, iri_of_category)
    yield from _parts(node, "property", release.predicates, lambda predicate: predicate)
    for vocabulary in release.vocabularies:
        yield from _vocabulary(node, vocabulary)


def _previous(release: ReleaseDescription) -> Iterator[Fact]:
    if release.previous:
        before = iri.local_iri(release.dataset, "release", release.previous)
        yield DCAT.previousVersion, before, IRI
        yield PAV.previousVersion, before, IRI


def _people(node: str, release: ReleaseDescription) -> Iterator[Described]:
    for creator in release.creators:
        person = iri.checked_iri(iri.ORCID + creator.orcid)
        yield node, [(DCTERMS.creator, person, IRI)]
        yield person, [(RDF.type, PROV.Agent, IRI), *optional_text_fact(RDFS.label, creator.name)]


def _counts(release: ReleaseDescription) -> Iterator[Fact]:
    """VoID's own counts, and ours for what VoID has no word for."""
    predicate_by_count = {
        "things": VOID.entities,
        "relations": VOID.properties,
        "papers": VOID.documents,
    }
    predicate_by_count["triples"] = VOID.triples
    for name, number in sorted(release.counts.items()):
        yield (
            predicate_by_count.get(name, GW[f"count-{name.replace(' ', '-')}"]),
            str(number),
            XSD.integer,
        )


def _parts(
    node: str, kind: str, counts: Mapping[str, int], address: Callable[[str], str]
) -> Iterator[Described]:
    of = {"class": VOID.classPartition, "property": VOID.propertyPartition}[kind]
    names = {"class": VOID["class"], "property": VOID.property}[kind]
    counted = {"class": VOID.entities, "property": VOID.triples}[kind]

    for name, number in sorted(counts.items()):
        part = iri.local_iri(f"{node}/", kind, name)
        yield node, [(of, part, IRI)]
        yield (
            part,
            [
                (names, iri.checked_iri(address(name)), IRI),
                (counted, str(number), XSD.integer),
            ],
        )


def iri_of_category(name: str) -> str:
    """The class of a category that is given by its name."""
    return next(address for category, address in iri.CLASSES.items() if str(category) == name)


def _vocabulary(node: str, used_vocabulary: UsedVocabulary) -> Iterator[Described]:
    source = iri.local_iri(f"{node}/", "vocabulary", used_vocabulary.name)
    yield node, [(DCTERMS.source, source, IRI), (VOID.vocabulary, source, IRI)]
    yield (
        source,
        [
            (RDF.type, DCAT.Resource, IRI),
            text_fact(DCTERMS.title, used_vocabulary.title),
            *optional_text_fact(DCAT.version, used_vocabulary.version),
            *optional_text_fact(DCTERMS.rights, used_vocabulary.licence),
            (GW["count-terms"], str(used_vocabulary.terms), XSD.integer),
        ],
    )
