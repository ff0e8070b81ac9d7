"""A value is supported by the right field of the right record only; what else holds it is said."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.genes.answer import AnswerStatus, AnswerStep, AnswerValue, GeneAnswer, StatementEnd
from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand_question
from core.genes.session import NcbiSession
from core.genes.strategies import planner
from core.genes.verification.answer_verification import (
    asked_in,
    cut_off,
    in_prose,
    json_answer,
    values_of,
    verify_conclusion,
)
from core.llm.completer import Reply
from core.ncbi.client import Ncbi
from core.ncbi.example import QUESTIONS, ExampleFetcher
from core.ncbi.record import NcbiRecord

LMP10 = "What is the official gene symbol of LMP10?"
PLACE = "Which chromosome is PSMB10 on?"


def gene(symbol: str, number: int = 1, **values: object) -> NcbiRecord:
    fields = {"symbol": symbol, "taxid": "9606", **values}
    return NcbiRecord(
        f"NCBIGene:{number}", "gene", fields, {name: f"/result/{number}/{name}" for name in fields}
    )


def concluded(
    question: str, conclusion: object, *records: NcbiRecord, tool: str = "esummary"
) -> GeneAnswer:
    session = NcbiSession(Ncbi(ExampleFetcher()), understand_question(question), "model")
    session.steps.append(
        AnswerStep("ask[0]", "model", tool, {"db": "gene"}, call="c1", records=records)
    )
    return verify_conclusion(
        session, conclusion if isinstance(conclusion, str) else json.dumps(conclusion)
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_planners_value_is_verified_with_the_planners_evidence(question: str):
    ncbi = Ncbi(ExampleFetcher())
    session = NcbiSession(ncbi, understand_question(question), "model")
    session.steps.extend((planned := planner.answer(ncbi, question)).steps)
    again = verify_conclusion(session, json.dumps({"answer": planned.text}))
    assert again.status is AnswerStatus.ANSWERED
    assert {(value.value, value.record, value.subject) for value in again.values} == {
        (value.value, value.record, value.subject) for value in planned.values
    }


def test_the_chromosome_of_another_gene_is_not_an_answer():
    answer = concluded(
        PLACE, "Answer: chr7", gene("KRT3", chromosome="7"), gene("PSMB10", 2, chromosome="16")
    )
    assert (answer.status, answer.values) == (AnswerStatus.UNSUPPORTED, ())
    assert "NCBIGene:1 (chromosome)" in answer.notes[0]
    assert (
        concluded(PLACE, "Answer: 16", gene("PSMB10", 2, chromosome="16")).status
        is AnswerStatus.ANSWERED
    )


def test_a_gene_of_another_species_is_not_an_answer():
    assert concluded(
        LMP10, "Answer: Psmb10", gene("Psmb10", aliases=["LMP10"], taxid="10090")
    ).status is (AnswerStatus.UNSUPPORTED)


def test_the_alias_is_the_name_that_was_asked_for():
    value = concluded(LMP10, "Answer: PSMB10", gene("PSMB10", aliases=["LMP10"])).values[0]
    assert (value.subject.id, value.object) == ("NCBIGene:1", StatementEnd("LMP10"))


def test_one_of_two_genes_with_the_same_name_is_ambiguous():
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
    answer = concluded(
        "What are genes related to Brody myopathy?", {"answer": ["ATP2A1"]}, gene("ATP2A1")
    )
    assert (answer.status, answer.values[0].relation) == (AnswerStatus.UNSUPPORTED, "unconfirmed")
    assert "no record connects" in answer.notes[0]


def test_coordinates_of_another_sequence_are_no_answer():
    question = "Align the DNA sequence to the human genome: " + "ACGT" * 8
    values = {"kind": "GRCh38 chromosome", "chromosome": "7", "subject": [10, 41], "bits": 60.0}
    hit = NcbiRecord("RefSeq:NC_000007.14", "nuccore", values, {"subject": "hit 1"})
    assert (
        concluded(question, "Answer: chr7:10-41", hit, tool="blast_get").status
        is AnswerStatus.UNSUPPORTED
    )


def test_a_question_of_unknown_kind_is_supported_by_any_record_cited_ones_first():
    conclusion = {"answer": "big", "evidence": [{"record": "NCBIGene:1", "field": "note"}]}
    answer = concluded(
        "How big is it?", conclusion, gene("A", 1, note="big"), gene("B", 2, name="big")
    )
    assert (answer.status, answer.values[0].record) == (AnswerStatus.ANSWERED, "NCBIGene:1")


def test_a_record_that_no_call_returned_is_reported():
    conclusion = {"answer": "PSMB10", "evidence": [{"record": "NCBIGene:999"}]}
    assert (
        "NCBIGene:999" in concluded(LMP10, conclusion, gene("PSMB10", aliases=["LMP10"])).notes[0]
    )


def test_value_of_an_api_agent_is_unconfirmed():
    hit = NcbiRecord("mygene:1", "api", {"symbol": "PSMB10"}, {"symbol": "/hits/0/symbol"})
    assert concluded(LMP10, "Answer: PSMB10", hit).values[0].relation == "unconfirmed"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('Sure! {"answer": ["A", "B", ""], "status": "answered"} Done.', ("A", "B")),
        ('```json\n{"answer": true}\n```', ("Yes",)),
        ('{"answer": null, "evidence": "x"}', ()),
    ],
)
def test_a_final_answer_is_found_in_what_stands_round_it(text: str, values: tuple[str, ...]):
    final = json_answer(text)
    assert final is not None and final.values == values


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


SUMMARY = "What is the function of the gene associated with SNP rs5?"
SNP = NcbiRecord(
    "DBSNP:rs5",
    "snp",
    {"gene_records": [{"symbol": "CALCR", "gene": "NCBIGene:1", "pointer": "/g/0"}]},
)
FUNCTION = "This gene encodes a receptor of calcitonin, in bone and kidney. It is big."


def said_of_calcr(words: str) -> AnswerStatus:
    named = gene("CALCR", name="calcitonin receptor", summary=FUNCTION)
    return concluded(SUMMARY, words, SNP, named).status


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (FUNCTION, AnswerStatus.ANSWERED),
        (FUNCTION.rstrip("."), AnswerStatus.ANSWERED),
        ("Answer: This gene  encodes a receptor", AnswerStatus.ANSWERED),
        ("Answer: encodes a receptor o", AnswerStatus.ANSWERED),  # 20 characters
        ("Answer: encodes a receptor", AnswerStatus.UNSUPPORTED),  # 18
        ("Answer: This gene encodes an enzyme of calcitonin", AnswerStatus.UNSUPPORTED),
    ],
)
def test_a_part_of_a_summary_is_long_enough_to_say_something(words: str, status: AnswerStatus):
    assert said_of_calcr(words) is status


def test_a_cut_answer_has_failed_and_says_why():
    session = NcbiSession(Ncbi(ExampleFetcher()), understand_question(LMP10), "model")
    answer = cut_off(session, Reply("It is", finish="length"))
    assert answer.status is AnswerStatus.FAILED
    assert "cut off" in answer.notes[0] and "more tokens" in answer.notes[0]


def test_an_answer_whose_connection_broke_off_is_to_be_asked_for_again():
    session = NcbiSession(Ncbi(ExampleFetcher()), understand_question(LMP10), "model")
    (note,) = cut_off(session, Reply("It is", finish="cut")).notes
    assert "connection broke off" in note and "again" in note and "more tokens" not in note


def test_a_kind_that_names_no_subject_is_the_models_to_answer():
    assert asked_in(LMP10) == understand_question(LMP10)
    unread = asked_in("What is the official gene symbol?")
    assert unread.kind is QuestionKind.UNKNOWN


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("I looked at three records and found a lot.", True),
        ("Answer: PSMB10", False),
        ('{"answer": "PSMB10"}', False),
        (" Not found. ", False),
        ("N/A", False),
        ("unknown to me", True),
    ],
)
def test_prose_is_what_names_no_values(text: str, prose: bool):
    assert in_prose(text) is prose


@pytest.mark.parametrize(
    ("kind", "body", "count"),
    [
        (QuestionKind.ALIAS, "A, B and C", 3),
        (QuestionKind.ALIAS, ", ".join("G" * 9 for _ in range(36)), 36),  # 394 characters
        (QuestionKind.ALIAS, ", ".join("G" * 9 for _ in range(37)), 1),  # 405: one text
        (QuestionKind.ALIAS, "x" * 398 + ", B", 1),  # 401
        (QuestionKind.ALIAS, "x" * 397 + ", B", 2),  # 400
        (QuestionKind.SNP_FUNCTION, "It does this, and that", 1),
        (QuestionKind.DISEASE_GENES, ", ".join("G" * 9 for _ in range(37)), 37),
        ("a kind that no rule knows", "A, B", 2),
        ("a kind that no rule knows", "x" * 398 + ", B", 1),
        (QuestionKind.ALIAS, "", 0),
        (QuestionKind.SNP_FUNCTION, "``", 0),
    ],
)
def test_last_words_are_split_where_their_kind_has_lists(kind: str, body: str, count: int):
    assert len(values_of(f"Answer: {body}", kind)) == count


def test_values_in_words_of_the_record_are_compared_without_case_and_full_stop():
    question = "Is TTTY7 a protein-coding gene?"
    kind = gene("TTTY7", name="testis-specific transcript, Y-linked 7", type="ncRNA")
    assert concluded(question, "Answer: no", kind).status is AnswerStatus.ANSWERED
    assert concluded(question, "Answer: yes", kind).status is AnswerStatus.UNSUPPORTED


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("mouse", AnswerStatus.ANSWERED),
        ("Mus musculus", AnswerStatus.ANSWERED),
        ("human", AnswerStatus.UNSUPPORTED),
        ("Homo sapiens", AnswerStatus.UNSUPPORTED),
        ("rat", AnswerStatus.UNSUPPORTED),
    ],
)
def test_a_species_is_that_of_the_best_hit_by_either_of_its_names(said: str, status: AnswerStatus):
    sequence = "ACGT" * 8
    hit = NcbiRecord(
        "RefSeq:NM_1",
        "nuccore",
        {"organism": "Mus musculus", "bits": 60.0},
        {"organism": "hit 1"},
    )
    question = understand_question(f"What species is this DNA from? {sequence}")
    session = NcbiSession(Ncbi(ExampleFetcher()), question, "model")
    put = AnswerStep("ask[0]", "model", "blast_put", {"query": sequence}, rid="R1")
    got = AnswerStep("ask[1]", "model", "blast_get", {"rid": "R1"}, call="c1", records=(hit,))
    session.steps.extend((put, got))
    assert verify_conclusion(session, f"Answer: {said}").status is status


def test_one_of_several_genes_is_ambiguous_and_names_them():
    records = gene("PCLO", aliases=["LMP10"]), gene("CLAM", 2, aliases=["LMP10"])
    answer = concluded(LMP10, "Answer: PCLO", *records)
    assert answer.text == "PCLO"
    assert any("CLAM" in note and "PCLO" in note and "equally" in note for note in answer.notes)
    assert concluded(LMP10, "Answer: PSMB10", records[0]).status is AnswerStatus.UNSUPPORTED
    assert concluded(LMP10, "Answer: PCLO", records[0]).notes == ()


def test_one_of_several_values_is_not_ambiguous_where_a_question_has_several():
    places = [
        {"symbol": symbol, "gene": f"NCBIGene:{n}", "pointer": f"/g/{n}"}
        for n, symbol in enumerate(("AAA1", "BBB1"), 1)
    ]
    variant = NcbiRecord("DBSNP:rs5", "snp", {"gene_records": places})
    answer = concluded("Which genes is rs5 in?", "Answer: AAA1", variant)
    assert answer.status is AnswerStatus.ANSWERED


def test_all_values_are_shown_where_several_are_given():
    answer = concluded(
        LMP10, {"answer": ["PCLO", "PCLO", "NONE9"]}, gene("PCLO", aliases=["LMP10"])
    )
    assert answer.text == ["PCLO", "NONE9"]
    assert [note.partition(": ")[2] for note in answer.notes] == ["NONE9."]


def test_at_most_ten_places_of_a_value_elsewhere_are_listed():
    values = [f"N{number}" for number in range(12)]
    record = gene("PSMB10", aliases=["LMP10"], note=["N0"])
    notes = concluded(LMP10, {"answer": values}, record).notes
    assert "N0 is in NCBIGene:1 (note)" in notes[0]
    assert notes[1].partition(": ")[2] == ", ".join(values[1:10]) + "."


def test_long_values_are_shortened_in_notes():
    notes = concluded(LMP10, "Answer: " + "x" * 90, gene("PSMB10", aliases=["LMP10"])).notes
    assert [note.partition(": ")[2] for note in notes] == ["x" * 80 + "."]


def test_the_record_that_the_model_names_goes_first_also_where_rules_know_the_kind():
    conclusion = {"answer": "PCLO", "evidence": [{"record": "NCBIGene:2", "field": "symbol"}]}
    twins = gene("PCLO", 1, aliases=["LMP10"]), gene("PCLO", 2, aliases=["LMP10"])
    assert concluded(LMP10, conclusion, *twins).values[0].record == "NCBIGene:2"
    assert concluded(LMP10, "Answer: PCLO", *twins).values[0].record == "NCBIGene:1"


HOW = "How big is it?"


def held(conclusion: object, *records: NcbiRecord) -> AnswerValue:
    return concluded(HOW, conclusion, *records).values[0]


def test_a_field_of_any_record_is_bound_with_its_words_its_place_and_its_gene():
    record = replace(gene("A", 1, note=["Big", "old"]), raw={"note": "Big; old"})
    value = held("Answer: big", record)
    assert (value.value, value.record, value.field) == ("big", "NCBIGene:1", "/result/1/note")
    assert value.raw == "Big; old"
    assert value.subject == StatementEnd("A", "NCBIGene:1")
    nameless = NcbiRecord("DBSNP:rs1", "snp", {"note": "big"}, {"note": "/n"})
    assert held("Answer: big", nameless).subject == StatementEnd("DBSNP:rs1", "DBSNP:rs1")
    assert held("Answer: big", nameless).raw == "big"


def test_a_value_without_a_place_in_the_answer_proves_nothing():
    nowhere = NcbiRecord("DBSNP:rs1", "snp", {"note": "big"}, {})
    assert concluded(HOW, "Answer: big", nowhere).status is AnswerStatus.UNSUPPORTED


def test_the_named_field_goes_before_the_named_record_and_that_before_the_others():
    first, second = gene("big", 1, note="big"), gene("big", 2, note="big")
    both = {"answer": "big", "evidence": [{"record": "NCBIGene:2", "field": "note"}]}
    assert held(both, first, second).field == "/result/2/note"
    whole = {"answer": "big", "evidence": [{"record": "NCBIGene:2"}]}
    assert held(whole, first, second).field == "/result/2/symbol"
    assert held("Answer: big", first, second).field == "/result/1/symbol"


def test_a_chromosome_may_be_written_with_its_prefix():
    assert held("Answer: chr16", gene("A", 1, place="16")).field == "/result/1/place"


def test_a_record_may_be_cited_without_its_prefix_and_five_unknown_ones_are_named():
    record = gene("PSMB10", aliases=["LMP10"])
    short = {"answer": "PSMB10", "evidence": [{"record": "1"}, {"record": ""}]}
    assert concluded(LMP10, short, record).notes == ()
    many = {"answer": "PSMB10", "evidence": [{"record": f"{n}" + "x" * 50} for n in range(6)]}
    (note,) = concluded(LMP10, many, record).notes
    assert note.endswith(", ".join(f"{n}" + "x" * 39 for n in range(5)) + ".")


def test_a_record_of_an_api_beside_one_of_ncbi_is_not_a_record_of_the_api():
    mixed = gene("OTHER", 2, note="PSMB10"), NcbiRecord("mygene:1", "api", {"a": 1}, {})
    assert concluded(LMP10, "Answer: PSMB10", *mixed).status is AnswerStatus.UNSUPPORTED


def test_a_model_that_says_not_found_beside_a_value_found_nothing():
    conclusion = {"answer": "PSMB10", "status": "Not found"}
    answer = concluded(LMP10, conclusion, gene("PSMB10", aliases=["LMP10"]))
    assert (answer.status, answer.values) == (AnswerStatus.NOT_FOUND, ())


def test_gene_value_that_only_the_model_connects_is_an_answer_with_a_note():
    hit = NcbiRecord("mygene:1", "api", {"symbol": "PSMB10"}, {"symbol": "/hits/0/symbol"})
    answer = concluded(LMP10, "Answer: PSMB10", hit)
    assert answer.status is AnswerStatus.ANSWERED
    assert any("no record connects" in note for note in answer.notes)


def test_one_of_the_names_is_not_ambiguous_where_all_names_were_asked_for():
    record = gene("PSMB10", aliases=["LMP10", "MECL1"])
    answer = concluded("What are the aliases of PSMB10?", "Answer: LMP10", record)
    assert (answer.status, answer.notes) == (AnswerStatus.ANSWERED, ())
