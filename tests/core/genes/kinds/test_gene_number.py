"""A gene may be named by its number in NCBI Gene or OMIM, or by the protein that it makes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.genes.answer import AnswerStatus
from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand_question
from core.ncbi.address import NcbiAddresses
from tests.core.genes.strategies.test_today import Served, gene


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    return Served(answering)


@pytest.mark.parametrize(
    ("text", "kind", "subject"),
    [
        ("gene id 7157", QuestionKind.ALIAS, "NCBIGene:7157"),
        ("Entrez gene 672 symbol?", QuestionKind.ALIAS, "NCBIGene:672"),
        ("symbol for NCBIGene:4000", QuestionKind.ALIAS, "NCBIGene:4000"),
        ("Which gene has MIM number 151623?", QuestionKind.ALIAS, "MIM:151623"),
        ("what is OMIM *191170", QuestionKind.ALIAS, "MIM:191170"),
        ("Where is gene id 7157?", QuestionKind.GENE_LOCATION, "NCBIGene:7157"),
        ("strand of Entrez gene 672", "strand of a gene", "NCBIGene:672"),
        ("What is the MIM number of gene 7157?", "identifiers of a gene", "NCBIGene:7157"),
        ("Which gene encodes the protein huntingtin?", QuestionKind.ALIAS, "huntingtin"),
        ("What gene makes dystrophin?", QuestionKind.ALIAS, "dystrophin"),
        (
            "Which gene encodes the cystic fibrosis transmembrane conductance regulator?",
            QuestionKind.ALIAS,
            "cystic fibrosis transmembrane conductance regulator",
        ),
        ("Is FLJ10539 a known alias?", QuestionKind.ALIAS, "FLJ10539"),
        ("Is AAA59172 a protein record?", "protein record", "AAA59172"),
    ],
)
def test_the_gene_is_found_in_the_words(text: str, kind: str, subject: str):
    question = understand_question(text)
    assert (question.kind, question.subject) == (kind, subject)


def test_a_gene_number_is_answered_by_its_record_and_is_not_an_alias(served: Served):
    answer = served("Which symbol has gene id 1?", gene=[gene("1", "AAA1")])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, "AAA1")
    assert answer.values[0].relation == "itself"


def test_a_gene_of_another_species_does_not_answer(served: Served):
    answer = served("Which symbol has mouse gene id 1?", gene=[gene("1", "AAA1")])
    assert answer.status is AnswerStatus.NOT_FOUND


def test_an_omim_number_is_answered_by_the_record_that_lists_it(served: Served):
    records = [gene("1", "AAA1", mim=["100100"]), gene("2", "AAA2", mim=["100200"])]
    answer = served("Which gene has MIM number 100200?", gene=records)
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, "AAA2")


def test_an_omim_number_that_no_record_lists_is_not_found(served: Served):
    answer = served("Which gene has MIM number 100300?", gene=[gene("1", "AAA1", mim=["100100"])])
    assert answer.status is AnswerStatus.NOT_FOUND


def test_a_protein_name_is_answered_by_the_designation_of_its_gene(served: Served):
    record = gene("1", "AAA1", otherdesignations="madeupin|madeupin isoform 2")
    answer = served("Which gene encodes madeupin?", gene=[record])
    assert (answer.text, answer.values[0].relation) == ("AAA1", "inferred")


def test_papers_on_a_gene_and_something_else_are_declined():
    question = understand_question("pubmed articles on ACE2 and covid")
    assert question.kind == QuestionKind.UNKNOWN
    assert "ACE2 together with covid" in question.why
    assert understand_question("papers on TP53 and BRCA1").more == ("BRCA1",)
