"""GeneGPT's algorithm: an address is parsed into a call, its result appended, until the model
answers.
"""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.genes.answer import AnswerStatus
from core.genes.strategies import decoding
from core.genes.strategies.toolbox import call_of_address
from core.llm.completer import Reply, Request
from core.ncbi.call import Align, Alignment, NcbiDatabase, Search, Summary
from core.ncbi.client import Ncbi
from core.ncbi.example import ExampleFetcher

ADDRESS = f"{decoding.EUTILS}/esearch.fcgi?db=gene&retmax=5&retmode=json&sort=relevance&term=LMP10"
RECORDS = f"{decoding.EUTILS}/efetch.fcgi?db=gene&id=5699,8138"


class Model:
    model, finish = "made-up", "stop"

    def __init__(self, *replies: str):
        self.said, self.prompts = list(replies), []

    def complete(self, request: Request, on_text: object = None) -> Reply:
        self.prompts.append(request.messages[0].content)
        assert request.stop == ("->", "\n\nQuestion")
        return Reply(self.said.pop(0) if len(self.said) > 1 else self.said[0], finish=self.finish)


def decoded(model: Model, text: str = "What is the official gene symbol of LMP10?"):
    return decoding.answer(
        Ncbi(ExampleFetcher()), model, text, decoding.prompt_header("slim", Ncbi(ExampleFetcher()))
    )


def test_addresses_become_calls_and_results_are_appended():
    model = Model(f"[{ADDRESS}]", f"[{RECORDS}]", "Answer: PSMB10")
    answer = decoded(model)
    assert (answer.status, answer.text, answer.calls) == (AnswerStatus.ANSWERED, "PSMB10", 2)
    assert f"[{ADDRESS}]->[" in model.prompts[1] and '"ids": ["5699", "8138"]' in model.prompts[1]


def test_the_last_address_counts():
    assert decoding.last_address(f"[{RECORDS}]\nthen [{ADDRESS}]") == ADDRESS
    assert decoding.last_address("Answer: PSMB10 [see text]") == ""


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/latest/",
        "file:///etc/passwd",
        "https://eutils.ncbi.nlm.nih.gov@169.254.169.254/entrez/eutils/esearch.fcgi?db=gene&term=x",
        "https://example.org/entrez/eutils/esearch.fcgi?db=gene&term=x",
        "https://eutils.ncbi.nlm.nih.gov\u2100/entrez/eutils/esearch.fcgi?db=gene&term=x",
        "https://www.ncbi.nlm.nih.gov/entrez/eutils/../../etc/passwd",
    ],
)
def test_hostile_address_is_not_fetched(address: str):
    with pytest.raises(InputError):
        call_of_address(address)
    answer = decoded(Model(f"[{address}]", "Answer: x"))
    assert answer.steps[0].status == "refused"


@pytest.mark.parametrize(
    ("query", "call"),
    [
        ("esearch.fcgi?db=omim&term=a+b&retmax=20", Search(NcbiDatabase.OMIM, "a b", 20)),
        ("esummary.fcgi?db=snp&id=rs5", Summary(NcbiDatabase.SNP, ("5",))),
        ("efetch.fcgi?db=gene&id=1,2&retmode=json", Summary(NcbiDatabase.GENE, ("1", "2"))),
    ],
)
def test_eutils_addresses_become_typed_calls(query: str, call: object):
    assert call_of_address(f"{decoding.EUTILS}/{query}") == call


def test_blast_addresses_become_typed_calls():
    assert call_of_address(
        f"{decoding.BLAST}?CMD=Put&PROGRAM=blastn&DATABASE=nt&QUERY={'ACGT' * 6}"
    ) == Align("ACGT" * 6, "core_nt")
    assert call_of_address(
        f"{decoding.BLAST}?CMD=Get&FORMAT_TYPE=Text&RID=ABCDEFGH016"
    ) == Alignment("ABCDEFGH016")


def test_a_refused_address_is_known_by_the_tool_it_means():
    answer = decoded(Model(f"[{decoding.EUTILS}/esummary.fcgi?db=gene&id=../x]", "Answer: x"))
    assert (answer.steps[0].tool, answer.steps[0].status) == ("esummary", "refused")


def test_an_address_that_was_cut_off_is_not_asked():
    model = Model(f"[{ADDRESS}")
    model.finish = "length"
    answer = decoded(model)
    assert (answer.status, answer.steps) == (AnswerStatus.FAILED, ()) and "cut off" in answer.notes[
        0
    ]


def test_a_step_in_a_fence_is_continued_after_its_address():
    model = Model(f"```\n[{ADDRESS}]\n```", "Answer: PSMB10")
    decoded(model)
    assert f"[{ADDRESS}]->[" in model.prompts[1]


def test_the_mask_switches_documentations_and_demonstrations():
    recorded = Ncbi(ExampleFetcher())
    slim, full = decoding.prompt_header("slim", recorded), decoding.prompt_header("full", recorded)
    assert "call E-utilities" not in slim and "LMP10" in slim and "rs1217074595" not in slim
    assert "call E-utilities" in full and "Meesmann" in full
    assert decoding.mask_of("full") == "111111" and decoding.mask_of("101110") == "101110"
    with pytest.raises(InputError):
        decoding.mask_of("half")


def test_several_hops_are_decomposed():
    model = Model("Answer: x")
    decoded(model, "What is the function of the gene associated with SNP rs5?")
    assert decoding.HOPS in model.prompts[0]


def test_a_model_that_repeats_itself_is_stopped():
    model = Model(f"[{ADDRESS}]")
    assert (
        decoded(model).status is AnswerStatus.FAILED and len(model.prompts) == decoding.REPEATS + 1
    )
