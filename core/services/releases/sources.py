"""What a release owes to others: the vocabularies of its terms with their licences, and papers that
were retracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.curie import is_curie, preferred_prefix, split_curie
from core.desk_parts import HasStore, HasVocabularies
from core.grounding.install.catalogue import RELEASES
from core.kb.entry import ExportEntry, document_of, terms_in
from core.kb.release.release import RetractedPaper, UsedVocabulary
from core.model import Document
from core.services.vocabularies.vocabularies import Vocabulary
from core.services.vocabularies.vocabularies import vocabulary_entries as vocabularies

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


def used_vocabularies(
    desk: HasVocabularies, entries: Iterable[ExportEntry]
) -> tuple[UsedVocabulary, ...]:
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
    vocabularies_used = [
        _used(prefix, counts[prefix], by_prefix.get(prefix, [])) for prefix in sorted(counts)
    ]
    return tuple(
        sorted(
            vocabularies_used, key=lambda vocabulary: (vocabulary.title.casefold(), vocabulary.name)
        )
    )


def _used(prefix: str, terms: int, candidates: list[Vocabulary]) -> UsedVocabulary:
    """The largest vocabulary of a prefix: what the ids of its terms are proven by."""
    if not candidates or prefix in _KNOWN:
        title, licence = _KNOWN.get(prefix, (prefix, ""))
        return UsedVocabulary(prefix, title, licence=licence, terms=terms)
    best = max(
        candidates,
        key=lambda vocabulary: (
            dict(vocabulary.prefixes).get(prefix, 0),
            vocabulary.terms,
            vocabulary.name,
        ),
    )
    licence = best.licence or (RELEASES[best.name].licence if best.name in RELEASES else "")
    return UsedVocabulary(
        prefix, best.title or best.name, best.version, licence=licence, terms=terms
    )


def paper_notices(desk: HasStore, papers: Iterable[str]) -> dict[str, str]:
    """Paper → what happened to it, for papers that were retracted or deleted: as their source says
    (PubMed, when the paper was read or its namespace updated), or as a curator marked them.
    """
    return desk.store.document_overview.notices(sorted(papers))


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
