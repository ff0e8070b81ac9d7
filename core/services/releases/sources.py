"""What a release owes to others: the vocabularies of its terms with their licences, and papers that
were retracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.curie import is_curie, preferred_prefix, split_curie
from core.desk import Desk
from core.documents.paper import WITHDRAWN
from core.grounding.install.catalogue import RELEASES
from core.kb.entry import ExportEntry, document_of, terms_in
from core.kb.release.release import RetractedPaper, UsedVocabulary
from core.model import Document
from core.services.vocabularies.vocabularies import Vocabulary
from core.services.vocabularies.vocabularies import entries as vocabularies

# Vocabularies of relations and datatypes that are never installed as files.
_KNOWN = {
    "biolink": ("Biolink Model", "CC0 1.0"),
    "schema": ("schema.org", "CC BY-SA 3.0"),
    "skos": ("SKOS", "W3C Document License"),
    "rdfs": ("RDF Schema", "W3C Document License"),
    "owl": ("OWL 2", "W3C Document License"),
    "RO": ("Relation Ontology", "CC0 1.0"),
    "DBSNP": ("dbSNP", "public domain"),
    "NCBIGene": ("NCBI Gene", "public domain"),
    "PMID": ("PubMed", "public domain"),
}


def used_vocabularies(desk: Desk, entries: Iterable[ExportEntry]) -> tuple[UsedVocabulary, ...]:
    """The vocabularies that the terms of these entries are from, by name, with how many terms."""
    ids = {term.id for entry in entries for term in terms_in(entry.statement) if is_curie(term.id)}
    counts: dict[str, int] = {}
    for curie in ids:
        prefix = preferred_prefix(split_curie(curie)[0])
        counts[prefix] = counts.get(prefix, 0) + 1
    by_prefix: dict[str, list[Vocabulary]] = {}
    for vocabulary in vocabularies(desk):
        for prefix, _ in vocabulary.prefixes:
            by_prefix.setdefault(preferred_prefix(prefix), []).append(vocabulary)
    found = [_used(prefix, counts[prefix], by_prefix.get(prefix, [])) for prefix in sorted(counts)]
    return tuple(sorted(found, key=lambda one: (one.title.casefold(), one.name)))


def _used(prefix: str, terms: int, known: list[Vocabulary]) -> UsedVocabulary:
    """The largest vocabulary of a prefix: what the ids of its terms are proven by."""
    if not known or prefix in _KNOWN:
        title, licence = _KNOWN.get(prefix, (prefix, ""))
        return UsedVocabulary(prefix, title, "", licence, terms)
    best = max(known, key=lambda one: (dict(one.prefixes).get(prefix, 0), one.terms, one.name))
    licence = best.licence or (RELEASES[best.name].licence if best.name in RELEASES else "")
    return UsedVocabulary(prefix, best.title or best.name, best.version, licence, terms)


def notices(desk: Desk, papers: Iterable[str]) -> dict[str, str]:
    """Paper → what its source says happened to it, for papers that were retracted or deleted. Known
    of papers that a literature namespace holds and was updated for.
    """
    names = [namespace.name for namespace in desk.store.namespaces.all()]
    found: dict[str, str] = {}
    for document, (_, body) in desk.store.namespaces.known_of(names, sorted(papers)).items():
        flags = [flag for flag in (body or {}).get("flags", ()) if flag in WITHDRAWN]
        if flags:
            found[document] = ", ".join(flags)
    return found


def retracted_papers(
    entries: Iterable[ExportEntry], notices: Mapping[str, str], documents: Mapping[str, Document]
) -> tuple[RetractedPaper, ...]:
    """Each retracted or deleted paper with the statements that rest on it, by id."""
    resting: dict[str, list[str]] = {}
    for entry in entries:
        for paper in {document_of(piece) for piece in entry.evidence} & notices.keys():
            resting.setdefault(paper, []).append(entry.statement.id)
    return tuple(
        RetractedPaper(
            paper,
            documents[paper].title if paper in documents else "",
            notices[paper],
            tuple(sorted(resting[paper])),
        )
        for paper in sorted(resting)
    )
