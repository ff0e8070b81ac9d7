"""The gene of a UniProt entry or a RefSeq record, at a loopback NCBI.

The forms: Datasets v2's OpenAPI document (v2reportsGeneDescriptor with `swiss_prot_accessions`,
v2reportsTranscript with `accession_version`). Genes are made up.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.genes.answer import AnswerStatus
from core.ncbi.address import NcbiAddresses
from tests.core.genes.kinds.test_more_kinds import PRODUCT
from tests.core.genes.strategies.test_today import Served, gene

GENE = gene("1", "AAA1")


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    ncbi = Served(answering)
    ncbi.reports["product_report"] = {"reports": [{"product": PRODUCT}], "total_count": 1}
    report = {
        "gene_id": "1",
        "symbol": "AAA1",
        "tax_id": "9606",
        "swiss_prot_accessions": ["P00001"],
    }
    ncbi.reports["1"] = {"reports": [{"gene": report}]}
    return ncbi


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("Which gene does NM_000001.2 belong to?", "RefSeq:NM_000001.2"),
        ("Which gene does NM_000001 belong to?", "RefSeq:NM_000001.2"),
        ("Which gene encodes NP_000001.1?", "RefSeq:NP_000001.1"),
        ("Which gene encodes UniProt P00001?", "UniProtKB:P00001"),
    ],
)
def test_the_gene_is_the_one_whose_report_lists_the_accession(
    served: Served, text: str, record: str
):
    answer = served(text, gene=[GENE])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, "AAA1 (NCBIGene:1)"), (
        answer.notes
    )
    assert (answer.values[0].subject.id, answer.values[0].object.id) == ("NCBIGene:1", record)


def test_answer_from_another_version_of_an_accession_says_so(served: Served):
    answer = served("Which gene does NM_000001.1 belong to?", gene=[GENE])
    assert answer.status is AnswerStatus.ANSWERED
    assert any(note.endswith("NM_000001.2.") for note in answer.notes)


def test_a_gene_that_only_the_search_finds_is_not_an_answer(served: Served):
    answer = served("Which gene does NM_000009.1 belong to?", gene=[GENE])
    assert answer.status is AnswerStatus.NOT_FOUND


def test_accession_question_fails_when_datasets_does_not_answer(served: Served):
    answer = served("Which gene encodes UniProt P00001?", datasets=False, gene=[GENE])
    assert answer.status is AnswerStatus.FAILED
