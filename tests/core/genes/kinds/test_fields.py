"""The field that was asked for: each kind reads its own field, at a loopback NCBI."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.genes.answer import AnswerStatus
from core.ncbi.address import NcbiAddresses
from tests.core.genes.strategies.test_today import Served, gene, placed, snp

PLACES = [{**placed("NC_000007.14", 299, 99), "exoncount": 7}]
HISTORY = [
    {"annotationrelease": "105", "assemblyaccver": "GCF_000001405.25",
     "chraccver": "NC_000007.13", "chrstart": 250, "chrstop": 50},
]  # fmt: skip
GENE = gene(
    "1",
    "AAA1",
    mim=["600001"],
    genomicinfo=PLACES,
    locationhist=HISTORY,
    summary="This gene makes things. [provided by RefSeq, Jul 2008]",
)
REPORT = {
    "gene_id": "1",
    "symbol": "AAA1",
    "tax_id": "9606",
    "type": "PROTEIN_CODING",
    "swiss_prot_accessions": ["P00001"],
    "ensembl_gene_ids": ["ENSG00000000001"],
    "nomenclature_authority": {"authority": "HGNC", "identifier": "HGNC:7"},
    "gene_ontology": {
        "molecular_functions": [
            {"name": "DNA binding", "go_id": "GO:0003677", "evidence_code": "IDA",
             "qualifier": "enables", "reference": {"pmids": ["11", "12"]}},
            {"name": "RNA binding", "go_id": "GO:0003723", "evidence_code": "IDA",
             "qualifier": "NOT enables", "reference": {"pmids": []}},
        ],
        "biological_processes": [
            {"name": "growth", "go_id": "GO:0040007", "evidence_code": "IMP", "qualifier": ""},
        ],
    },
}  # fmt: skip


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    ncbi = Served(answering)
    ncbi._types = lambda ids: (200, {"reports": [{"gene": REPORT}]})  # type: ignore[method-assign]
    return ncbi


@pytest.mark.parametrize(
    ("text", "answer_text"),
    [
        ("Which strand is AAA1 on?", "minus (-)"),
        ("How many exons does AAA1 have?", "7"),
        ("What is the cytogenetic band of AAA1?", "7q31.2"),
        ("What are the coordinates of AAA1?", "GRCh38 NC_000007.14:100-300(-)"),
        ("What are the coordinates of AAA1 on hg19?", "GRCh37 NC_000007.13:51-251(-)"),
        ("What is the Gene ID of AAA1?", "NCBIGene:1"),
        ("What is the MIM number of AAA1?", "OMIM:600001"),
        ("What is the HGNC ID of AAA1?", "HGNC:7"),
        ("What is the Ensembl ID of AAA1?", "ENSEMBL:ENSG00000000001"),
        ("What is the UniProt accession of AAA1?", "UniProtKB:P00001"),
        ("What does AAA1 do?", "This gene makes things."),
        ("What is the full name of AAA1?", "made up AAA1"),
        ("Which biological processes is AAA1 involved in?", "GO:0040007 growth (IMP)"),
        ("What are the molecular functions of AAA1?",
         "GO:0003677 DNA binding (IDA; PMID:11, PMID:12)"),
        ("Is AAA1 on chromosome 5?", "No (chr7)"),
        ("Is AAA1 on chromosome 7?", "Yes (chr7)"),
    ],
)  # fmt: skip
def test_the_field_that_is_asked_for_is_given(served: Served, text: str, answer_text: str):
    answer = served(text, gene=[GENE])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, answer_text), answer.notes


@pytest.mark.parametrize(
    ("text", "answer_text"),
    [
        ("What are the HGVS names of rs5?", "NC_000007.14:g.150G>A"),
        ("What is the allele frequency of rs5?", "1000Genomes: A=0.2/10"),
        ("What are the alleles of rs5?", "NC_000007.14:149:G:A"),
        ("What are the coordinates of rs5?", "GRCh38 NC_000007.14:150"),
        ("What are the coordinates of rs5 on GRCh37?", "GRCh37 chr7:90"),
        ("Which chromosome is rs5 on?", "chr7"),
    ],
)
def test_the_field_of_a_variant_is_given(served: Served, text: str, answer_text: str):
    record = snp("5", global_mafs=[{"study": "1000Genomes", "freq": "A=0.2/10"}])
    answer = served(text, snp=[record])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, answer_text), answer.notes


def test_a_place_coarser_than_the_question_is_partly_an_answer(served: Served):
    answer = served("What are the coordinates of rs5 on hg19?", snp=[snp("5", chrpos_prev_assm="")])
    assert (answer.status, answer.text) == (AnswerStatus.PARTLY, "chr7")


def clinvar(uid: str, rs: str) -> dict[str, Any]:
    return {
        "uid": uid, "accession": f"VCV{uid}", "accession_version": f"VCV{uid}.2", "title": "NM_1.1:c.1A>G",  # noqa: E501
        "germline_classification": {"description": "Pathogenic", "review_status": "reviewed by expert panel",  # noqa: E501
                                    "trait_set": [{"trait_name": "Made up disease", "trait_xrefs": []}]},  # noqa: E501
        "variation_set": [{"variation_xrefs": [{"db_source": "dbSNP", "db_id": rs}]}], "genes": [],
    }  # fmt: skip


def test_a_classification_counts_only_where_the_record_names_the_variant(served: Served):
    records = [clinvar("1", "5"), clinvar("2", "55")]
    answer = served("Is rs5 pathogenic?", clinvar=records)
    about = "reviewed by expert panel, 3 of 4 stars; Made up disease; VCV1.2"
    assert answer.text == f"Pathogenic ({about})"
    assert answer.values[0].ties[0].raw == "5"


def test_each_of_several_names_is_answered_and_those_without_are_counted(served: Served):
    whole = served.respond

    def respond(path: str, parameters: dict[str, Any]) -> tuple[int, Any]:
        if "esearch" in path and not parameters["term"].startswith(("AAA1", '"AAA1')):
            return 200, {"esearchresult": {"count": "0", "retmax": "0", "idlist": []}}
        return whole(path, parameters)

    served.respond = respond  # type: ignore[method-assign]
    answer = served("Which chromosomes are AAA1 and BBB1 on?", gene=[GENE])
    assert (answer.status, answer.text) == (AnswerStatus.INCOMPLETE, ["chr7"])
    assert answer.missing == ("1 of 2 names answered (BBB1 not found)",)


@pytest.mark.parametrize(
    ("text", "status", "answer_text"),
    [
        ("Is AAA1 involved in growth?", AnswerStatus.NOT_FOUND, ""),
        (
            "Is AAA1 involved in growth per GO?",
            AnswerStatus.ANSWERED,
            "Yes (GO:0040007 growth (IMP))",
        ),
        ("Is AAA1 involved in cell growth?", AnswerStatus.NOT_FOUND, ""),
        ("Is AAA1 involved in DNA repair?", AnswerStatus.NOT_FOUND, ""),
    ],
)
def test_gene_ontology_terms_answer_questions_on_biological_processes(
    served: Served, text: str, status: AnswerStatus, answer_text: str
):
    answer = served(text, gene=[GENE])
    assert (answer.status, answer.text or "") == (status, answer_text), answer.notes
    if "DNA repair" in text:
        assert "none is called DNA" in answer.notes[-1]
