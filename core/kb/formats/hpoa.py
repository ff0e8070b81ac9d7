"""phenotype.hpoa, the annotation file of the Human Phenotype Ontology: one row for each disease,
phenotype and paper.
https://obophenotype.github.io/human-phenotype-ontology/annotations/phenotype_hpoa/

A statement has a row where its subject is a disease of OMIM, ORPHA, DECIPHER or MONDO, its
predicate says *has phenotype* or *has mode of inheritance*, its object is a term of HP, and a paper
or database entry is cited by id. Evidence is PCS for a paper and TAS for a database entry. Onset,
frequency, sex and modifier come from the qualifiers of those names; a statement with another
qualifier is left out, because the row would claim more than was approved. So are hypotheses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from core.kb.entry import ExportEntry, KnowledgeBase, settle_labels, thing_key
from core.kb.formats import biolink
from core.kb.formats.annotation import (
    Annotate,
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
from core.kb.formats.separated import unquoted_tsv
from core.kb.formats.specification import ExportFormat
from core.model import Literal, Problem, Qualifier

COLUMNS = (
    *("database_id", "disease_name", "qualifier", "hpo_id", "reference", "evidence"),
    *("onset", "frequency", "sex", "modifier", "aspect", "biocuration"),
)
DISEASES = frozenset({"OMIM", "ORPHA", "DECIPHER", "MONDO"})
PAPERS, ENTRIES = frozenset({"PMID", "DOI", "ISBN"}), frozenset({"OMIM", "ORPHA", "DECIPHER"})
STUDY, TRACEABLE = "PCS", "TAS"
ASPECTS = {"has_phenotype": "P", "has_mode_of_inheritance": "I"}
_HP = r"HP:\d{7}"
# What each column takes, by the format's own page.
_VALUES = {
    "onset": re.compile(_HP),
    "frequency": re.compile(rf"{_HP}|\d{{1,6}}/\d{{1,6}}|\d{{1,3}}(?:\.\d{{1,6}})?%"),
    "sex": re.compile(r"MALE|FEMALE"),
    "modifier": re.compile(_HP),
}


def hpoa(kb: KnowledgeBase) -> Iterator[bytes]:
    rows = list(all_rows(kb, _annotate(kb)))
    diseases = Counter(prefix for prefix, _, _ in {row[0].partition(":") for row in rows})
    counts = "; ".join(f"{count}: {prefix}" for prefix, count in sorted(diseases.items()))
    yield f'#description: "HPO annotations [{counts}]"\n#version: {latest_day(kb)}\n'.encode()
    yield same_lines(kb, rows, "#").encode()
    yield from unquoted_tsv([COLUMNS], rows)


def remarks(kb: KnowledgeBase) -> tuple[Problem, ...]:
    """What has no row, by reason."""
    return left_out_remarks(kb, _annotate(kb))


def _annotate(kb: KnowledgeBase) -> Annotate:
    labels = settle_labels(kb.entries)

    def annotate(entry: ExportEntry) -> Rows | NoRowReason:
        statement, pair = entry.statement, row_ends(entry)
        if isinstance(pair, NoRowReason):
            return pair
        disease, phenotype = pair
        aspect = ASPECTS.get(biolink.biolink_predicate(statement.predicate))
        if aspect is None:
            return NoRowReason("its predicate is neither has phenotype nor has mode of inheritance")
        if prefix_of(disease.id) not in DISEASES:
            return NoRowReason("its subject is not a disease of OMIM, ORPHA, DECIPHER or MONDO")
        if prefix_of(phenotype.id) != "HP":
            return NoRowReason("its object is not a term of HP")
        cells = _cells(statement.qualifiers)
        if isinstance(cells, NoRowReason):
            return cells
        references = papers(entry, PAPERS | ENTRIES)
        if not references:
            return NoRowReason("no paper or database entry is cited by its id")
        disease_label = labels[thing_key(disease, statement.document)].label
        return [
            (
                *(
                    disease.id,
                    disease_label,
                    "NOT" if statement.negated else "",
                    phenotype.id,
                    reference,
                ),
                STUDY if prefix_of(reference) in PAPERS else TRACEABLE,
                *(cells.get(column, "") for column in _VALUES),
                *(aspect, _biocuration(entry)),
            )
            for reference in references
        ]

    return annotate


def _cells(qualifiers: tuple[Qualifier, ...]) -> dict[str, str] | NoRowReason:
    """What the qualifiers say, by column; several modifiers are set apart by a semicolon."""
    cells: dict[str, list[str]] = {}
    for qualifier in qualifiers:
        column = qualifier.name.partition(":")[2] or qualifier.name
        column = column.removesuffix("_qualifier").casefold()
        value = qualifier.value
        qualifier_words = value.value.strip() if isinstance(value, Literal) else value.id
        qualifier_words = qualifier_words.upper() if column == "sex" else qualifier_words
        pattern = _VALUES.get(column)
        if pattern is None or not pattern.fullmatch(qualifier_words):
            return NoRowReason(f"no column can hold what its qualifier {qualifier.name} says")
        cells.setdefault(column, []).append(qualifier_words)
    if double := next((c for c in cells if len(cells[c]) > 1 and c != "modifier"), ""):
        return NoRowReason(f"it has several values of {double}")
    return {column: ";".join(sorted(values)) for column, values in cells.items()}


def _biocuration(entry: ExportEntry) -> str:
    """`ORCID:0000-…[2026-01-02]` for everyone who approved it."""
    return ";".join(
        f"ORCID:{approval.curator}[{approval.time[:10]}]" for approval in entry.approvals
    )


HPOA = ExportFormat(
    "hpoa",
    "Disease annotations (phenotype.hpoa)",
    ".phenotype.hpoa",
    mime="text/tab-separated-values",
    chunks=hpoa,
    remarks=remarks,
)
