"""GPAD 2.0, annotations of gene products with terms of the Gene Ontology.
https://github.com/geneontology/go-annotation/blob/master/specs/gpad-gpi-2-0.md

A statement has a row where its subject is a gene or gene product with an id that GO's registry
knows, its predicate is one of the relations that GPAD allows, its object is a GO term, and a paper
is cited by id. Evidence is ECO:0000302, *author statement used in manual assertion*, unless a
qualifier `evidence_type` names another term of ECO. A statement with other qualifiers is left out,
because the row would claim more than was approved. So are hypotheses. Whether the relation fits the
branch of the GO term is GO's own check: it needs GO's hierarchy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.kb.entry import ExportEntry, KnowledgeBase
from core.kb.formats.annotation import (
    NoRowReason,
    Rows,
    all_rows,
    latest_day,
    left_out_remarks,
    papers,
    prefix_of,
    row_ends,
    same_lines,
)
from core.kb.formats.kgx import infores
from core.kb.formats.separated import unquoted_tsv
from core.kb.formats.specification import ExportFormat
from core.model import Literal, Problem, Qualifier

COLUMNS = (
    *("DB:DB_Object_ID", "Negation", "Relation", "Ontology_Class_ID", "Reference"),
    *("Evidence_type", "With_or_From", "Interacting_taxon_ID", "Date", "Assigned_by"),
    *("Annotation_Extensions", "Annotation_Properties"),
)
# Our prefix → what stands before the local id in GO's registry (db-xrefs.yaml).
OBJECTS = {
    "UniProtKB": "UniProtKB:",
    "HGNC": "HGNC:",
    "NCBIGene": "NCBI_Gene:",
    "ENSEMBL": "ENSEMBL:",
    "MGI": "MGI:MGI:",
    "RGD": "RGD:",
    "ZFIN": "ZFIN:",
    "FlyBase": "FB:",
    "WormBase": "WB:",
    "SGD": "SGD:",
    "PomBase": "PomBase:",
    "PR": "PR:",
}
# Relations that GPAD 2.0 allows, and what Biolink calls those that it has a word for.
RELATIONS = {
    "RO:0002327": "",
    "RO:0002326": "biolink:contributes_to",
    "RO:0002331": "biolink:actively_involved_in",
    "RO:0002263": "biolink:acts_upstream_of",
    "RO:0004034": "biolink:acts_upstream_of_positive_effect",
    "RO:0004035": "biolink:acts_upstream_of_negative_effect",
    "RO:0002264": "biolink:acts_upstream_of_or_within",
    "RO:0004032": "biolink:acts_upstream_of_or_within_positive_effect",
    "RO:0004033": "biolink:acts_upstream_of_or_within_negative_effect",
    "BFO:0000050": "biolink:part_of",
    "RO:0001025": "biolink:located_in",
    "RO:0002432": "biolink:active_in",
    "RO:0002325": "biolink:colocalizes_with",
}
_BY_NAME = {name: relation for relation, name in RELATIONS.items() if name}
AUTHOR_STATEMENT = "ECO:0000302"
EVIDENCE = "evidence_type"
REFERENCES = frozenset({"PMID", "DOI"})


def gpad(kb: KnowledgeBase) -> Iterator[bytes]:
    group = group_of(kb)
    head = f"!gpad-version: 2.0\n!generated-by: {group}\n!date-generated: {latest_day(kb)}\n"
    rows = list(all_rows(kb, lambda entry: annotate(entry, group)))
    yield f"{head}!Columns: {' '.join(COLUMNS)}\n{same_lines(kb, rows, '!')}".encode()
    yield from unquoted_tsv([], rows)


def group_of(kb: KnowledgeBase) -> str:
    """Who assigned the annotations, as a prefix: letters, digits and hyphens."""
    return infores(kb.base_iri).removeprefix("infores:")


def remarks(kb: KnowledgeBase) -> tuple[Problem, ...]:
    """What has no row, by reason."""
    return left_out_remarks(kb, lambda entry: annotate(entry, group_of(kb)))


def annotate(entry: ExportEntry, group: str) -> Rows | NoRowReason:
    """One row for each paper, or why there is none."""
    statement, pair = entry.statement, row_ends(entry)
    if isinstance(pair, NoRowReason):
        return pair
    product, go_term = pair
    database = OBJECTS.get(prefix_of(product.id))
    if database is None:
        return NoRowReason("its subject is not a gene or gene product that GO's registry knows")
    if not re.fullmatch(r"GO:\d{7}", go_term.id):
        return NoRowReason("its object is not a GO term")
    predicate = statement.predicate.id
    relation = predicate if predicate in RELATIONS else _BY_NAME.get(predicate)
    if relation is None:
        return NoRowReason("GPAD has no such relation")
    evidence = _evidence(statement.qualifiers)
    if isinstance(evidence, NoRowReason):
        return evidence
    references = papers(entry, REFERENCES)
    if not references:
        return NoRowReason("no paper is cited by its PMID or DOI")
    people = dict.fromkeys(approval.curator for approval in entry.approvals)
    return [
        (
            database + product.id.partition(":")[2],
            *("NOT" if statement.negated else "", relation, go_term.id, reference, evidence),
            *("", "", entry.approvals[-1].time[:10], group, ""),
            "|".join(f"contributor-id=orcid:{orcid}" for orcid in people),
        )
        for reference in references
    ]


def _evidence(qualifiers: tuple[Qualifier, ...]) -> str | NoRowReason:
    """The evidence type that the one qualifier names; author statement where there is none."""
    evidence = AUTHOR_STATEMENT
    for qualifier in qualifiers:
        value = qualifier.value
        qualifier_words = value.value.strip() if isinstance(value, Literal) else value.id
        if qualifier.name != EVIDENCE or not re.fullmatch(r"ECO:\d{7}", qualifier_words):
            return NoRowReason(f"no column can hold what its qualifier {qualifier.name} says")
        evidence = qualifier_words
    return evidence


GPAD = ExportFormat(
    "gpad",
    "Gene product annotations (GPAD 2.0)",
    ".gpad",
    mime="text/tab-separated-values",
    chunks=gpad,
    remarks=remarks,
)
