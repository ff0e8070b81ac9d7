"""Answers as people and programs read them."""

from __future__ import annotations

from core.genes.answer import AnswerStatus, AnswerStep, AnswerValue, GeneAnswer, StatementEnd
from core.genes.export import answer_report, answer_row, answer_totals, evidence_rows, spoken_bytes
from core.genes.question.question import QuestionKind


def test_totals_count_what_was_sent_apart_from_what_the_record_answered():
    sent = AnswerStep("ask[0]", "planned", "esearch", {}, seconds=0.4, size=900)
    again = AnswerStep("ask[1]", "planned", "esummary", {}, seconds=9.0, size=5000, reused=True)
    assert answer_totals([sent]) == "1 call · 0.4 s · 900 bytes"
    assert answer_totals([sent, again]) == "2 calls · 1 answered from the record · 0.4 s · 5.9 kB"


def test_amounts_are_short():
    assert (spoken_bytes(12), spoken_bytes(5307), spoken_bytes(2_345_678)) == (
        "12 bytes",
        "5.3 kB",
        "2.3 MB",
    )


def test_a_report_names_each_call_its_reason_and_what_of_it_is_the_answer():
    step = AnswerStep("ask[0]", "you", "esummary", {"db": "gene", "id": "1"}, why="What it is called.", part="Which gene?",  # noqa: E501
                warnings=("The list was cut.",), used=(("NCBIGene:1", "/result/1/name"),))  # fmt: skip  # noqa: E501
    report = answer_report(
        GeneAnswer(
            "Q ![x](http://evil.example)?",
            QuestionKind.ALIAS,
            AnswerStatus.NOT_FOUND,
            steps=(step,),
        ),
        "r1",
        "planner",
    )
    assert "# Q \\!\\[x\\](http://evil.example)?" in report
    line = (
        "| 1 | you | esummary: db gene, id 1 | Which gene? What it is called. | done; The list was"
        " cut. | 0 | "
    )
    assert line + "NCBIGene:1 /result/1/name |" in report


def test_a_value_that_no_record_states_outright_says_so():
    ranked = AnswerValue(
        "AAA", "OMIM:200", "/result/200/title", "PROTEIN Q; AAA", "c1", relation="unconfirmed"
    )
    stated = AnswerValue("BBB", "NCBIGene:2", "/result/2/name", "BBB", "c1")
    answer = GeneAnswer(
        "Q",
        QuestionKind.DISEASE_GENES,
        AnswerStatus.ANSWERED,
        ["AAA", "BBB"],
        values=(ranked, stated),
    )
    assert [row.get("standing") for row in evidence_rows(answer)] == ["unconfirmed", None]
    assert "| AAA (unconfirmed) |" in answer_report(answer, "r1", "planner")


def test_every_row_names_the_gene_that_it_is_about():
    place = AnswerValue(
        "17q21.2", "NCBIGene:3859", "/result/3859/maplocation", "17q21.2", "c1",
        StatementEnd("KRT12", "NCBIGene:3859"), StatementEnd("17q21.2"),
    )  # fmt: skip
    answer = GeneAnswer(
        "Q", QuestionKind.DISEASE_LOCATIONS, AnswerStatus.ANSWERED, ["17q21.2"], values=(place,)
    )
    assert evidence_rows(answer)[0]["about"] == "KRT12"
    assert "| 17q21.2 | KRT12 | NCBIGene:3859 |" in answer_report(answer, "r1", "planner")


def test_an_answer_of_unconfirmed_values_alone_is_headed_as_one():
    ranked = AnswerValue(
        "AAA", "OMIM:200", "/result/200/title", "PROTEIN Q; AAA", "c1", relation="unconfirmed"
    )
    answer = GeneAnswer(
        "Q", QuestionKind.DISEASE_GENES, AnswerStatus.ANSWERED, ["AAA"], values=(ranked,)
    )
    assert answer_row(answer, "r1", "planner")["unconfirmed"]
    assert "**AAA** (answered, unconfirmed)" in answer_report(answer, "r1", "planner")
