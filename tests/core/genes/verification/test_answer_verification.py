"""A value is supported by the right field of the right record only; what else holds it is said."""

from __future__ import annotations

import json

import pytest

from core.genes.answer import AnswerStatus, Asking, GeneAnswer, Step, Thing
from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand
from core.genes.strategies import planner
from core.genes.verification.answer_verification import json_answer, values_of, verify_conclusion
from core.ncbi.client import Ncbi
from core.ncbi.example import QUESTIONS, ExampleFetcher
from core.ncbi.record import NcbiRecord

LMP10 = "What is the official gene symbol of LMP10?"
PLACE = "Which chromosome is PSMB10 on?"


def gene(symbol: str, number: int = 1, **values: object) -> NcbiRecord:
    given = {"symbol": symbol, "taxid": "9606", **values}
    return NcbiRecord(
        f"NCBIGene:{number}", "gene", given, {name: f"/result/{number}/{name}" for name in given}
    )


def concluded(
    question: str, said: object, *records: NcbiRecord, tool: str = "esummary"
) -> GeneAnswer:
    asking = Asking(Ncbi(ExampleFetcher()), understand(question), "model")
    asking.steps.append(Step("ask[0]", "model", tool, {"db": "gene"}, call="c1", records=records))
    return verify_conclusion(asking, said if isinstance(said, str) else json.dumps(said))


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_the_planner_finds_is_supported_with_the_same_evidence(question: str):
    ncbi = Ncbi(ExampleFetcher())
    asking = Asking(ncbi, understand(question), "model")
    asking.steps.extend((found := planner.answer(ncbi, question)).steps)
    again = verify_conclusion(asking, json.dumps({"answer": found.text}))
    assert again.status is AnswerStatus.ANSWERED
    assert {(one.value, one.record, one.subject) for one in again.found} == {
        (one.value, one.record, one.subject) for one in found.found
    }


def test_the_chromosome_of_another_gene_is_no_answer():
    found = concluded(
        PLACE, "Answer: chr7", gene("KRT3", chromosome="7"), gene("PSMB10", 2, chromosome="16")
    )
    assert (found.status, found.found) == (AnswerStatus.UNSUPPORTED, ())
    assert "NCBIGene:1 (chromosome)" in found.notes[0]
    assert (
        concluded(PLACE, "Answer: 16", gene("PSMB10", 2, chromosome="16")).status
        is AnswerStatus.ANSWERED
    )


def test_a_gene_of_another_species_is_no_answer():
    assert concluded(
        LMP10, "Answer: Psmb10", gene("Psmb10", aliases=["LMP10"], taxid="10090")
    ).status is (AnswerStatus.UNSUPPORTED)


def test_the_alias_is_the_name_that_was_asked_for():
    found = concluded(LMP10, "Answer: PSMB10", gene("PSMB10", aliases=["LMP10"])).found[0]
    assert (found.subject.id, found.object) == ("NCBIGene:1", Thing("LMP10"))


def test_of_two_genes_with_the_name_one_is_ambiguous():
    records = gene("PCLO", aliases=["LMP10"]), gene("CLAM", 2, aliases=["LMP10"])
    assert concluded(LMP10, "Answer: PCLO", *records).status is AnswerStatus.AMBIGUOUS


def test_a_part_of_a_summary_is_what_a_gene_does_and_its_name_is_not():
    question = "What is the function of the gene associated with SNP rs5?"
    snp = NcbiRecord(
        "DBSNP:rs5",
        "snp",
        {"gene_records": [{"symbol": "CALCR", "gene": "NCBIGene:1", "pointer": "/g/0"}]},
    )
    named = gene(
        "CALCR", name="calcitonin receptor", summary="This gene encodes a receptor. It is big."
    )
    assert (
        concluded(question, "Answer: This gene encodes a receptor.", snp, named).status
        is AnswerStatus.ANSWERED
    )
    assert (
        concluded(question, "Answer: calcitonin receptor", snp, named).status
        is AnswerStatus.UNSUPPORTED
    )


def test_a_gene_that_only_a_model_ties_to_a_disease_is_unconfirmed():
    found = concluded(
        "What are genes related to Brody myopathy?", {"answer": ["ATP2A1"]}, gene("ATP2A1")
    )
    assert (found.status, found.found[0].relation) == (AnswerStatus.ANSWERED, "unconfirmed")
    assert "no record ties" in found.notes[0]


def test_coordinates_of_another_sequence_are_no_answer():
    question = "Align the DNA sequence to the human genome: " + "ACGT" * 8
    values = {"kind": "GRCh38 chromosome", "chromosome": "7", "subject": [10, 41], "bits": 60.0}
    hit = NcbiRecord("RefSeq:NC_000007.14", "nuccore", values, {"subject": "hit 1"})
    assert (
        concluded(question, "Answer: chr7:10-41", hit, tool="blast_get").status
        is AnswerStatus.UNSUPPORTED
    )


def test_a_question_that_no_rule_knows_is_supported_by_any_record_and_the_one_the_model_names_first():  # noqa: E501
    said = {"answer": "big", "evidence": [{"record": "NCBIGene:1", "field": "note"}]}
    found = concluded("How big is it?", said, gene("A", 1, note="big"), gene("B", 2, name="big"))
    assert (found.status, found.found[0].record) == (AnswerStatus.ANSWERED, "NCBIGene:1")


def test_a_record_that_no_call_returned_is_said():
    said = {"answer": "PSMB10", "evidence": [{"record": "NCBIGene:999"}]}
    assert "NCBIGene:999" in concluded(LMP10, said, gene("PSMB10", aliases=["LMP10"])).notes[0]


def test_what_an_api_agent_returned_is_unconfirmed():
    hit = NcbiRecord("mygene:1", "api", {"symbol": "PSMB10"}, {"symbol": "/hits/0/symbol"})
    assert concluded(LMP10, "Answer: PSMB10", hit).found[0].relation == "unconfirmed"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('Sure! {"answer": ["A", "B", ""], "status": "answered"} Done.', ("A", "B")),
        ('```json\n{"answer": true}\n```', ("Yes",)),
        ('{"answer": null, "evidence": "x"}', ()),
    ],
)
def test_a_final_answer_is_found_in_what_stands_round_it(text: str, values: tuple[str, ...]):
    found = json_answer(text)
    assert found is not None and found.values == values


def test_a_long_list_is_still_a_list():
    assert (
        len(
            values_of(
                "Answer: " + ", ".join(f"GENE{n}" for n in range(200)), QuestionKind.DISEASE_GENES
            )
        )
        == 200
    )


@pytest.mark.parametrize(
    "text", ['{"answer": "not found"}', '{"answer": "", "status": "not found"}', "Answer: unknown"]
)
def test_a_model_may_find_nothing(text: str):
    assert concluded(LMP10, text).status is AnswerStatus.NOT_FOUND
