"""The genes of a band or of a place, at a loopback NCBI with made-up genes; search fields as the
Entrez Gene help names them (Default Map Location, Base Position, Chromosome)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.genes.answer import AnswerStatus
from core.genes.question.region_name import region_of
from core.genes.question.understand import understand_question
from core.ncbi.address import NcbiAddresses
from tests.core.genes.strategies.test_today import Served, gene, placed

KIND = "genes of a region"


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    return Served(answering)


def banded(uid: str, symbol: str, band: str) -> dict:
    return gene(uid, symbol, chromosome="17", maplocation=band)


def at(uid: str, symbol: str, start: int, stop: int, accession: str = "NC_000007.14") -> dict:
    return gene(uid, symbol, genomicinfo=[placed(accession, start, stop)])


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Which genes lie in 17q21?", "17q21"),
        ("genes in band xq28", "Xq28"),
        ("List the genes in the 7q11.23 critical region", "7q11.23"),
        ("What is in 22q11.2?", "22q11.2"),
        ("what lies at chr7:55,019,017", "chr7:55019017"),
        ("Which gene is at 7:140753336 (GRCh38)?", "chr7:140753336"),
        ("Which protein-coding genes lie between 55 and 56 Mb on chromosome 7?",
         "chr7:55000000-56000000"),
        ("Which gene lies at chrX 153,000,000?", "chrX:153000000"),
        ("genes of NC_000007.14:55019017-55211628", "NC_000007.14:55019017-55211628"),
    ],
)  # fmt: skip
def test_a_region_is_read_from_plain_words(question: str, subject: str):
    read = understand_question(question)
    assert (read.kind, read.subject) == (KIND, subject)
    assert region_of(subject) is not None


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Which gene is at chr7:140453136 in hg19?", "GRCh38, not of hg19"),
        ("genes of NC_000007.13:55019017-55211628", "GRCh38, not of GRCh37"),
        ("Which mouse genes lie in 11q13?", "another species"),
        ("Which SNPs lie in 17q21?", "SNPs"),
        ("What diseases map to 17q21.31?", "diseases"),
        ("Genes in 17q21 and 13q13", "one at a time"),
        ("Which olfactory receptor genes are in 11p15?", "some of the genes"),
        ("What is the gene density of 19q13?", "density"),
        ("pseudogenes in 17q21", "pseudogenes"),
        ("lncRNA genes in 22q11", "lncRNA"),
        ("genes on 17q21.31 and their function", "function"),
        ("Which genes on 13q14 cause retinoblastoma?", "some of the genes"),
        ("Which genes are on chromosome 21?", "name a band"),
        ("Which genes overlap chr1:1000-90000000?", "name a part"),
        ("What band is chr7:55019017 in?", "more than the genes"),
        ("What is at chr7:140753336 A>T?", "more than the genes"),
        ("Which genes are not in 17q21?", "something that is not the case"),
    ],
)
def test_region_question_for_several_regions_or_species_is_declined(question: str, reason: str):
    read = understand_question(question)
    assert read.kind == "not understood" and reason in read.why


@pytest.mark.parametrize(
    "question", ["Is BRCA1 in 17q21?", "Which genes cause 22q11.2 deletion syndrome?"]
)
def test_a_gene_or_a_disease_that_names_a_region_stays_what_it_is(question: str):
    assert understand_question(question).kind not in (KIND, "not understood")


def test_a_gene_counts_where_its_own_band_lies_in_the_band(served: Served):
    records = [
        banded("1", "AAA1", "17q21.31"),
        banded("2", "BBB1", "17q21.2-q21.31"),
        banded("3", "CCC1", "17q21.31-q22"),  # reaches beyond it
        banded("4", "DDD1", "17q2"),  # coarser than it
        banded("5", "EEE1", ""),
    ]
    answer = served("Which genes lie in 17q21?", gene=records)
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, ["AAA1", "BBB1"])
    assert (answer.values[0].raw, answer.values[0].object.label) == ("17q21.31", "17q21.31")
    assert {drop.record for drop in answer.steps[-1].dropped} == {
        "NCBIGene:3", "NCBIGene:4", "NCBIGene:5",
    }  # fmt: skip
    term = served.asked[0][1]["term"]
    assert "17q21*[Default Map Location]" in term and "alive[prop]" in term


def test_a_gene_counts_where_its_own_place_holds_the_base(served: Served):
    records = [
        at("1", "AAA1", 99, 199),
        at("2", "BBB1", 500, 200),  # minus strand: bases 201 to 501
        at("3", "CCC1", 900, 950),
        at("4", "OLD1", 99, 199, "NC_000007.13"),
    ]
    answer = served("Which genes lie at chr7:200-201?", gene=records)
    assert answer.text == ["AAA1", "BBB1"]
    assert answer.values[0].object.label == "GRCh38 NC_000007.14:100-200(+)"
    assert any("No assembly was" in note for note in answer.notes)
    assert served.asked[0][1]["term"].startswith("7[CHR] AND 200:201[CHRPOS]")


def test_an_assembly_that_was_named_needs_no_note(served: Served):
    answer = served("Which gene lies at chr7:150 in GRCh38?", gene=[at("1", "AAA1", 99, 199)])
    assert answer.text == ["AAA1"] and not any("assembly" in note for note in answer.notes)


def test_more_genes_than_a_page_are_read_to_the_end_and_what_is_left_is_reported(served: Served):
    ids = [str(number) for number in range(1, 251)]
    records = [banded(uid, f"AAA{uid}", "17q21.1") for uid in ids]

    def page(parameters: dict) -> dict:
        start = int(parameters.get("retstart") or 0)
        return {"count": "1300", "idlist": ids[start : start + 200]}

    served._said = page  # type: ignore[method-assign]
    answer = served("Which genes lie in 17q21?", gene=records)
    assert len(answer.text) == 250 and answer.status is AnswerStatus.INCOMPLETE
    assert "250 of 1300 genes in 17q21 read" in answer.missing


def test_a_region_without_genes_is_not_found(served: Served):
    answer = served("Which genes lie in 17q21?", gene=[banded("1", "AAA1", "17q25.1")])
    assert answer.status is AnswerStatus.NOT_FOUND
