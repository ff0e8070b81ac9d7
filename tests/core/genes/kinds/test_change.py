"""The significance and the rs numbers of a change of a gene, at a loopback NCBI.

The form: ClinVar's esummary (2.0) has `title`, `genes`, `protein_change` and `variation_set` with
cross-references to dbSNP; its help, "How to search ClinVar", has the searches. Variants are
made up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.genes.answer import AnswerStatus
from core.ncbi.address import NcbiAddresses
from tests.core.genes.strategies.test_today import Served, gene

TITLE = "NM_000001.2(AAA1):c.20G>A (p.Gly17Asp)"


def variation(uid: str, title: str = TITLE, symbol: str = "AAA1", **more: Any) -> dict[str, Any]:
    disease = {
        "trait_name": "Made up disease",
        "trait_xrefs": [{"db_source": "OMIM", "db_id": "100100"}],
    }
    return {
        "uid": uid, "accession": f"VCV{uid}", "accession_version": f"VCV{uid}.1", "title": title,
        "germline_classification": {"description": "Pathogenic", "trait_set": [disease],
                                    "review_status": "criteria provided, single submitter"},
        "variation_set": [{"variation_xrefs": [{"db_source": "dbSNP", "db_id": "77"}]}],
        "genes": [{"symbol": "OVL1", "geneid": "9"}, {"symbol": symbol, "geneid": "1"}],
        "protein_change": "G17D, G27D",
    } | more  # fmt: skip


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    return Served(answering)


def searches(served: Served) -> list[str]:
    asked = [parameters for tool, parameters in served.asked if tool == "esearch"]
    return [parameters["term"] for parameters in asked if parameters["db"] == "clinvar"]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Is AAA1 G17D pathogenic?", "AAA1[gene] AND G17D"),
        ("Is AAA1 p.(Gly17Asp) pathogenic?", "AAA1[gene] AND G17D"),
        ("Is AAA1 c.20G>A pathogenic?", "AAA1[gene] AND c.20G>A"),
        ("Is NM_000001.2:c.20G>A pathogenic?", "NM_000001.2:c.20G>A"),
        ("Is NM_000001.1:c.20G>A pathogenic?", "NM_000001.1:c.20G>A"),
    ],
)
def test_a_change_is_answered_however_it_is_written(served: Served, text: str, term: str):
    answer = served(text, clinvar=[variation("1")])
    assert answer.status is AnswerStatus.ANSWERED, answer.notes
    assert answer.text == (
        "Pathogenic (criteria provided, single submitter, 1 of 4 stars; Made up disease; VCV1.1)"
    )
    assert searches(served) == [term]


def test_the_value_rests_on_the_fields_that_name_gene_and_change(served: Served):
    value = served("Is AAA1 G17D pathogenic?", clinvar=[variation("1")]).values[0]
    assert [(tie.field, tie.raw) for tie in value.ties[:2]] == [
        ("/result/1/title", TITLE),
        ("/result/1/genes/1/symbol", "AAA1"),
    ]
    assert (value.subject.id, value.object.id) == ("ClinVar:1", "OMIM:100100")


@pytest.mark.parametrize(
    "other",
    [
        variation("2", "NM_000001.2(AAA1):c.21G>A (p.Gly17Glu)", protein_change="G17E"),
        variation("2", "NM_000009.1(BBB1):c.20G>A (p.Gly17Asp)", symbol="BBB1"),
    ],
    ids=["another change", "another gene"],
)
def test_a_record_that_the_search_finds_and_no_field_ties_is_not_an_answer(
    served: Served, other: Any
):
    served.reports = {}
    answer = served("Is AAA1 G17D pathogenic?", clinvar=[other], gene=[gene("1", "AAA1")])
    assert answer.status is AnswerStatus.NOT_FOUND
    assert any("of other variants" in note for note in answer.notes)


def test_a_title_goes_before_the_numbering_of_another_transcript(served: Served):
    other = variation("2", "NM_000001.2(AAA1):c.80G>A (p.Gly27Asp)")
    both = served("Is AAA1 G27D pathogenic?", clinvar=[variation("1"), other])
    assert [value.record for value in both.values] == ["ClinVar:2"]
    alone = served("Is AAA1 G27D pathogenic?", clinvar=[variation("1")])
    assert alone.status is AnswerStatus.ANSWERED
    assert any("on another transcript" in note for note in alone.notes)


def test_two_base_changes_with_one_protein_change_are_both_given(served: Served):
    other = variation("2", "NM_000001.2(AAA1):c.20_21delinsAT (p.Gly17Asp)")
    answer = served("Is AAA1 G17D pathogenic?", clinvar=[variation("1"), other])
    assert [value.record for value in answer.values] == ["ClinVar:1", "ClinVar:2"]


def test_a_gene_by_another_name_is_found_by_its_symbol(served: Served):
    record = gene("1", "AAA1", otheraliases="OLD1")
    answer = served("Is OLD1 G17D pathogenic?", clinvar=[variation("1")], gene=[record])
    assert answer.status is AnswerStatus.ANSWERED
    assert searches(served) == ["OLD1[gene] AND G17D", "AAA1[gene] AND G17D"]


def test_another_transcript_of_the_gene_numbers_otherwise_and_is_not_an_answer(served: Served):
    answer = served("Is NM_000002.1:c.20G>A pathogenic?", clinvar=[variation("1")])
    assert answer.status is AnswerStatus.NOT_FOUND


def test_the_rs_number_of_a_change_is_the_cross_reference_of_its_record(served: Served):
    answer = served("What is the rs number of AAA1 G17D?", clinvar=[variation("1")])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, "rs77")
    assert answer.values[0].field == "/result/1/variation_set/0/variation_xrefs/0/db_id"


def test_the_gene_is_the_one_in_the_title_not_another_that_overlaps_it(served: Served):
    answer = served("Is OVL1 c.20G>A pathogenic?", clinvar=[variation("1")], gene=[])
    assert answer.status is AnswerStatus.NOT_FOUND


def test_a_haplotype_answers_for_none_of_its_variants(served: Served):
    title = "[NM_000001.2(AAA1):c.20G>A (p.Gly17Asp); NM_000001.2(AAA1):c.99G>A (p.Arg33Gln)]"
    answer = served("Is AAA1 R33Q pathogenic?", clinvar=[variation("1", title)], gene=[])
    assert answer.status is AnswerStatus.NOT_FOUND


def test_a_gene_beside_a_transcript_must_be_its_gene(served: Served):
    right = served("Is NM_000001.2(AAA1):c.20G>A pathogenic?", clinvar=[variation("1")])
    assert right.status is AnswerStatus.ANSWERED
    wrong = served("Is NM_000001.2(BBB1):c.20G>A pathogenic?", clinvar=[variation("1")])
    assert wrong.status is AnswerStatus.NOT_FOUND


@pytest.mark.parametrize(
    "record",
    [
        variation("1", germline_classification={"description": ["Pathogenic"]}),
        variation("1", genes="AAA1"),
        variation("1", title={"a": 1}),
    ],
    ids=["a list", "a word", "an object"],
)
def test_a_record_in_another_form_is_not_an_answer(served: Served, record: dict[str, Any]):
    answer = served("Is AAA1 G17D pathogenic?", clinvar=[record], gene=[])
    assert answer.status in (AnswerStatus.NOT_FOUND, AnswerStatus.FAILED)


def test_a_cross_reference_that_is_not_a_number_is_not_read_as_an_rs_number(served: Served):
    xrefs = [{"variation_xrefs": [{"db_source": "dbSNP", "db_id": "77 OR <b>"}]}]
    answer = served(
        "What is the rs number of AAA1 G17D?", clinvar=[variation("1", variation_set=xrefs)]
    )
    assert answer.status is AnswerStatus.NOT_FOUND


@pytest.mark.parametrize("name", ["C677T", "677C>T", "677C-T"])
def test_an_old_name_by_bases_is_found_among_clinvars_other_names(served: Served, name: str):
    record = variation("1", "NM_000001.2(AAA1):c.665C>T (p.Ala222Val)")
    record["variation_set"][0]["aliases"] = ["A222V", name]
    record["protein_change"] = "A222V"
    answer = served("is AAA1 C677T pathogenic", clinvar=[record])
    assert answer.status is AnswerStatus.ANSWERED, answer.notes
    assert answer.values[0].ties[0].raw == name
    assert any(f"lists {name} among" in note for note in answer.notes)


def test_a_change_of_amino_acids_is_not_sought_among_other_names(served: Served):
    record = variation("1", "NM_000001.2(AAA1):c.665C>T (p.Ala222Val)")
    record["variation_set"][0]["aliases"] = ["G12C"]
    answer = served("is AAA1 G12C pathogenic", clinvar=[record])
    assert answer.status is AnswerStatus.NOT_FOUND
