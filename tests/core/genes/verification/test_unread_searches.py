"""A model's list is whole only where its searches were read to their end."""

from __future__ import annotations

import json

import pytest

from core.errors import InputError
from core.genes.answer import AnswerStatus, AnswerStep, GeneAnswer
from core.genes.question.understand import understand_question
from core.genes.session import NcbiSession
from core.genes.strategies.toolbox import call_of
from core.genes.verification.answer_verification import verify_conclusion
from core.ncbi.call import NcbiDatabase, Search
from core.ncbi.client import Ncbi
from core.ncbi.example import ExampleFetcher
from core.ncbi.record import NcbiRecord

REGION, PLACE = "Which genes lie in 17q21?", "Which chromosome is AAA1 on?"


def searched(*ids: str, count: int) -> AnswerStep:
    arguments = {"db": "gene", "term": "17q21"}
    return AnswerStep("ask[0]", "model", "esearch", arguments, call="c0", ids=ids, count=count)


def looked(*ids: str) -> AnswerStep:
    record = NcbiRecord(
        "NCBIGene:1",
        "gene",
        {"symbol": "AAA1", "taxid": "9606", "band": "17q21.1", "chromosome": "17"},
        {"symbol": "/a", "band": "/b", "chromosome": "/c"},
    )
    arguments = {"db": "gene", "id": ",".join(ids)}
    return AnswerStep("ask[1]", "model", "esummary", arguments, call="c1", records=(record,))


def concluded(question: str, conclusion: str, *steps: AnswerStep) -> GeneAnswer:
    session = NcbiSession(
        Ncbi(ExampleFetcher()), understand_question(question), "model", steps=list(steps)
    )
    return verify_conclusion(session, json.dumps({"answer": conclusion}))


def test_a_list_from_a_part_of_a_search_is_incomplete_with_numbers():
    answer = concluded(REGION, "AAA1", searched("1", "2", count=85), looked("1", "2"))
    assert answer.status is AnswerStatus.INCOMPLETE
    assert answer.missing == ("2 of 85 results read of the search '17q21'",)


def test_search_read_page_by_page_is_complete():
    pages = (searched("1", count=2), searched("2", count=2))
    assert concluded(REGION, "AAA1", *pages, looked("1")).status is AnswerStatus.ANSWERED


def test_a_search_that_was_given_up_says_nothing():
    answer = concluded(REGION, "AAA1", searched("8", "9", count=85), looked("1"))
    assert answer.status is AnswerStatus.ANSWERED


def test_single_value_needs_no_complete_search_result():
    answer = concluded(PLACE, "chr17", searched("1", count=85), looked("1"))
    assert answer.status is AnswerStatus.ANSWERED


def test_a_model_can_ask_for_the_next_page():
    arguments = {"db": "gene", "term": "17q21", "retmax": 20, "retstart": 20}
    assert call_of("esearch", arguments) == Search(NcbiDatabase.GENE, "17q21", 20, 20)


@pytest.mark.parametrize("start", ["-1", "10000", "x"])
def test_a_page_that_ncbi_does_not_have_is_refused(start: str):
    with pytest.raises(InputError, match="retstart"):
        call_of("esearch", {"db": "gene", "term": "17q21", "retstart": start})
