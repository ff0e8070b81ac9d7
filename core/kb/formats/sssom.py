"""SSSOM (https://w3id.org/sssom): which term means the same as which, and which words mean a term.
TSV with metadata.

Mappings are approved statements whose predicate says how two terms relate, and the words that
curators chose a term for (literal mappings). What a machine proposed was reviewed by its curator;
what a curator chose or typed is their own. The comment holds the quotes; papers that were retracted
are named before them, and whether the quotes say it. Other ids of a thing are exact matches; the
comment says which of them only cross-references tie.

`ext_statement`, an extension slot that the head defines, holds the statement with its evidence in
full, so that the file can be imported again without a loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import yaml

from core.curie import PREFIXES
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    TaughtWords,
    notices_of,
    settle_labels,
)
from core.kb.formats.annotation import left_out_remark
from core.kb.formats.in_full import statement_in_full
from core.kb.formats.separated import tsv
from core.kb.formats.specification import ExportFormat
from core.kb.rdf import iri
from core.kb.rdf.association import namespaces_of
from core.kb.rdf.node import statement_iri
from core.model import Modality, Problem, Term, TextGround, relation_words
from core.model.mapping import CROSS_REFERENCE, EXACT_MATCH, SAME_THING

MAPPINGS = frozenset(
    {f"skos:{name}Match" for name in ("close", "broad", "narrow", "related")}
    | {"owl:equivalentProperty", "rdfs:subClassOf", "rdfs:subPropertyOf", "rdfs:seeAlso"}
    | {CROSS_REFERENCE, "semapv:crossSpeciesExactMatch", "semapv:crossSpeciesCloseMatch"}
    | SAME_THING
)
COLUMNS = (
    *(
        "subject_id",
        "subject_label",
        "subject_category",
        "subject_type",
        "predicate_id",
        "predicate_label",
        "predicate_modifier",
    ),
    *("object_id", "object_label", "object_category", "mapping_justification"),
    *("author_id", "author_label", "reviewer_id", "reviewer_label", "mapping_date"),
    *("see_also", "comment", "ext_statement"),
)
UNSPECIFIED_MATCHING = "semapv:UnspecifiedMatching"  # said by a mapping set or a vocabulary
CURATED, REVIEWED = "semapv:ManualMappingCuration", "semapv:MappingReview"
SAME_LABEL = "exact match"
BY_REFERENCE = f"tied only by cross-references ({CROSS_REFERENCE}), some of which are near ones"
# the spec's word: the licence is the project's to give
UNSPECIFIED = "https://w3id.org/sssom/license/unspecified"
EXTENSIONS = [
    {
        "slot_name": "ext_statement",
        "property": iri.GROUNDWORK + "statement",
        "type_hint": PREFIXES["xsd"] + "string",
    }
]
Row = tuple[str, ...]


def sssom(kb: KnowledgeBase) -> Iterator[bytes]:
    export_entries = [entry for entry in kb.entries if is_mapping(entry)]
    rows = [
        *(row for entry in export_entries for row in mapping_row(entry, kb)),
        *(literal_row(wording, kb) for wording in kb.wordings),
        *same_rows(kb),
    ]
    columns = [COLUMNS.index(f"{end}_id") for end in ("subject", "predicate", "object")]
    ids = {row[column] for row in rows for column in columns} - {""}
    yield sssom_header(kb, ids)
    yield from tsv(COLUMNS, sorted(set(rows)))


def no_mappings(kb: KnowledgeBase) -> tuple[Problem, ...]:
    """The statements that have no row, with the reason."""
    others = [entry for entry in kb.sorted() if not is_mapping(entry)]
    return (
        (left_out_remark("SSSOM holds only plain mappings between two terms", others),)
        if others
        else ()
    )


def is_mapping(entry: ExportEntry) -> bool:
    """Whether the statement says how two terms relate, plainly or plainly not."""
    statement = entry.statement
    both = isinstance(statement.subject, Term) and isinstance(statement.object, Term)
    asserted = statement.modality is Modality.ASSERTED and not statement.qualifiers
    return both and asserted and statement.predicate.id in MAPPINGS


def sssom_header(kb: KnowledgeBase, ids: Iterable[str]) -> bytes:
    """The metadata of the set, as commented YAML."""
    used = {
        "semapv": PREFIXES["semapv"],
        "orcid": PREFIXES["orcid"],
        **namespaces_of(sorted(ids), kb.prefixes),
    }
    metadata: dict[str, object] = {
        "curie_map": dict(sorted(used.items())),
        "license": kb.release.licence if kb.release else UNSPECIFIED,
        "mapping_set_id": f"{kb.base_iri}mappings",
        "extension_definitions": EXTENSIONS,
    }
    if kb.release:
        metadata |= {
            "mapping_set_version": kb.release.number,
            "mapping_set_title": kb.release.title,
            "creator_id": [f"orcid:{person.orcid}" for person in kb.release.creators],
            "publication_date": kb.release.date,
        }
    lines = yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True, width=10_000).splitlines()
    return "".join(f"#{line}\n" for line in lines).encode()


def mapping_row(entry: ExportEntry, kb: KnowledgeBase) -> Iterator[Row]:
    statement = entry.statement
    subject, predicate, object_ = statement.subject, statement.predicate, statement.object
    assert isinstance(subject, Term) and isinstance(object_, Term)
    quotes = dict.fromkeys(
        piece.ground.quote for piece in entry.evidence if isinstance(piece.ground, TextGround)
    )
    who = mapping_people((decision.curator for decision in entry.approvals), kb)
    nobody = ("", "")
    yield (
        *(
            subject.id,
            subject.label,
            str(subject.category),
            "",
            predicate.id,
            relation_words(predicate),
            "Not" if statement.negated else "",
        ),
        *(object_.id, object_.label, str(object_.category)),
        REVIEWED if entry.by_machine else CURATED,
        *((*nobody, *who) if entry.by_machine else (*who, *nobody)),
        entry.approvals[-1].time[:10] if entry.approvals else "",
        str(statement_iri(statement.id, kb)),
        " | ".join((*notices_of(entry, kb), *_support(entry, kb), *quotes)),
        statement_in_full(entry),
    )


def _support(entry: ExportEntry, kb: KnowledgeBase) -> Iterator[str]:
    if kb.support:
        yield f"support: {' '.join(kb.support_cells(entry.statement.id)).rstrip()}"


def literal_row(wording: TaughtWords, kb: KnowledgeBase) -> Row:
    """Words that a curator chose a term for."""
    return (
        *("", wording.words, "", "rdfs literal", EXACT_MATCH, SAME_LABEL, ""),
        *(wording.term.id, wording.term.label, str(wording.term.category), CURATED),
        *mapping_people([wording.curator], kb),
        *("", "", wording.time[:10], "", "", ""),
    )


def same_rows(kb: KnowledgeBase) -> Iterator[Row]:
    """The other ids of the things that statements name."""
    for thing in settle_labels(kb.entries).values():
        if not isinstance(thing, Term):
            continue
        referred = kb.by_reference.get(thing.id, ())
        for other in kb.same.get(thing.id, ()):
            yield (
                *(thing.id, thing.label, str(thing.category), "", EXACT_MATCH, SAME_LABEL, ""),
                *(other, "", str(thing.category), UNSPECIFIED_MATCHING),
                *("", "", "", "", "", "", BY_REFERENCE if other in referred else "", ""),
            )


def mapping_people(orcids: Iterable[str], kb: KnowledgeBase) -> tuple[str, str]:
    """Ids and names, each once; several are set apart by a bar, as SSSOM asks."""
    distinct_orcids = list(dict.fromkeys(orcid for orcid in orcids if orcid))
    return "|".join(f"orcid:{orcid}" for orcid in distinct_orcids), "|".join(
        kb.curators.get(orcid, orcid) for orcid in distinct_orcids
    )


SSSOM = ExportFormat(
    "sssom",
    "SSSOM mappings (TSV)",
    ".sssom.tsv",
    mime="text/tab-separated-values",
    chunks=sssom,
    remarks=no_mappings,
)
