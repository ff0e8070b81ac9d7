"""Mappings as SSSOM."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace

import pytest
import yaml

from core.kb.entry import TaughtWords
from core.kb.formats.sssom import COLUMNS, SSSOM, sssom
from core.model import Category, Evidence, Modality, ReferenceGround, Statement, Term
from tests.core.kb.formats.test_turtle import (
    ANNA,
    ASPIRIN,
    BASE,
    CLAIM,
    HOSTILE,
    PAIN,
    QUOTE,
    entry,
    kb,
)

MESH = Term("MESH:D001241", "Aspirin", Category.CHEMICAL)
EXACT = Term("skos:exactMatch", "exact match", Category.RELATION)
SAME = Statement(ASPIRIN, EXACT, MESH, document="PMID:1")
ASA = TaughtWords("ASA", ASPIRIN, ANNA, "2026-01-02T03:04:05Z")


def parts(pieces: Iterable[bytes]) -> tuple[dict, list[dict[str, str]]]:
    lines = b"".join(pieces).decode().splitlines()
    metadata = yaml.safe_load("\n".join(line[1:] for line in lines if line.startswith("#")))
    table = "\n".join(line for line in lines if not line.startswith("#"))
    return metadata, list(csv.DictReader(io.StringIO(table), delimiter="\t"))


def test_a_mapping_statement_is_a_row_that_names_its_reviewer():
    _, (row,) = parts(sssom(kb(SAME)))
    assert (row["subject_id"], row["predicate_id"], row["object_id"]) == (
        "CHEBI:15365",
        "skos:exactMatch",
        MESH.id,
    )
    assert row["mapping_justification"] == "semapv:MappingReview"
    assert (row["reviewer_id"], row["reviewer_label"], row["author_id"]) == (
        f"orcid:{ANNA}",
        "Anna",
        "",
    )
    assert (row["mapping_date"], row["comment"]) == ("2026-01-02", QUOTE)


def test_a_mapping_that_rests_on_a_retracted_paper_says_so_before_its_quote():
    _, (row,) = parts(sssom(replace(kb(SAME), notices={"PMID:1": "retracted"})))
    assert row["comment"] == f"PMID:1: retracted | {QUOTE}"


def test_sssom_credits_a_typed_mapping_to_its_curator():
    typed = Evidence(SAME.id, ReferenceGround("PMID:1", "Table 1"))
    _, (row,) = parts(sssom(replace(kb(), entries=(entry(SAME, typed),))))
    assert (row["author_id"], row["reviewer_id"]) == (f"orcid:{ANNA}", "")
    assert row["mapping_justification"] == "semapv:ManualMappingCuration"


def test_words_that_a_curator_chose_a_term_for_are_literal_mappings():
    _, (row,) = parts(sssom(replace(kb(), wordings=(ASA,))))
    assert (row["subject_id"], row["subject_label"], row["subject_type"]) == (
        "",
        "ASA",
        "rdfs literal",
    )
    assert (row["object_id"], row["object_label"]) == ("CHEBI:15365", "aspirin")
    assert (row["author_id"], row["mapping_date"]) == (f"orcid:{ANNA}", "2026-01-02")


def test_a_negated_mapping_says_so():
    _, (row,) = parts(sssom(kb(replace(SAME, negated=True))))
    assert row["predicate_modifier"] == "Not"


@pytest.mark.parametrize(
    "claim", [CLAIM, replace(SAME, modality=Modality.HYPOTHESIS)], ids=["no mapping", "hypothesis"]
)
def test_sssom_leaves_out_statements_that_are_no_mappings(claim):
    assert parts(sssom(kb(claim)))[1] == []


def test_statements_that_are_no_mappings_are_named_as_left_out():
    (left_out,) = SSSOM.remarks(kb(SAME, CLAIM))
    assert left_out.message.startswith("1 statement is left out: SSSOM holds only")
    assert "aspirin" in left_out.where
    assert SSSOM.remarks(kb(SAME)) == ()


def test_the_metadata_expands_every_prefix():
    metadata, rows = parts(sssom(replace(kb(SAME), wordings=(ASA,))))
    used = {
        row[name].partition(":")[0]
        for row in rows
        for name in COLUMNS
        if name.endswith("_id") and row[name]
    }
    assert used | {"semapv"} == set(metadata["curie_map"])
    assert metadata["curie_map"]["CHEBI"] == "http://purl.obolibrary.org/obo/CHEBI_"
    assert metadata["mapping_set_id"] == f"{BASE}mappings"


def test_equal_content_is_equal_bytes():
    other = replace(SAME, object=replace(PAIN))
    assert list(sssom(kb(SAME, other))) == list(sssom(kb(other, SAME)))


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_words_stay_in_their_cell(label):
    _, (row,) = parts(sssom(replace(kb(), wordings=(replace(ASA, words=label),))))
    assert row["subject_label"].split() == label.split()
    assert row["object_id"] == "CHEBI:15365"


def test_sssom_py_reads_every_mapping_and_finds_nothing_wrong(tmp_path):
    """What `sssom validate` checks: the schema, the prefixes and the form of the ids."""
    from sssom.constants import SchemaValidationType
    from sssom.parsers import parse_sssom_table
    from sssom.validators import validate

    file = tmp_path / "mappings.sssom.tsv"
    denied = replace(SAME, negated=True)
    file.write_bytes(b"".join(sssom(replace(kb(SAME, denied), wordings=(ASA,)))))
    mappings = parse_sssom_table(str(file))
    assert len(mappings.df) == 3
    checks = (
        SchemaValidationType.JsonSchema,
        SchemaValidationType.PrefixMapCompleteness,
        SchemaValidationType.StrictCurieFormat,
    )
    reports = validate(mappings, list(checks), fail_on_error=False)
    assert [report.results for report in reports.values()] == [[], [], []]
