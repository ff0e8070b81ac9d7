"""How an answer went wrong is read from its trace, where the trace tells."""

from __future__ import annotations

import pytest

from core.genes.answer import AnswerStatus, AnswerStep, GeneAnswer
from core.genes.error_class import ErrorClass, classify_error
from core.genes.question.question import QuestionKind
from core.ncbi.record import NcbiRecord

KRT = NcbiRecord("NCBIGene:3850", "gene", {"symbol": "KRT3", "chromosome": "12"})


def step(
    tool: str = "esearch",
    status: str = "done",
    records: tuple[NcbiRecord, ...] = (),
    **arguments: object,
) -> AnswerStep:
    return AnswerStep("ask[0]", "model", tool, arguments, status=status, records=records)


def wrong(
    *steps: AnswerStep,
    status: AnswerStatus = AnswerStatus.ANSWERED,
    kind: QuestionKind = QuestionKind.ALIAS,
    subject: str = "LMP10",
) -> GeneAnswer:
    return GeneAnswer("?", kind, status, "X", steps=steps, subject=subject)


ASKED = step(db="gene", term="LMP10[sym]")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (wrong(), ErrorClass.API),
        (wrong(step(db="omim", term="LMP10")), ErrorClass.API),
        (wrong(step("run_shell", "refused", written="id")), ErrorClass.API),
        (wrong(step("address", "refused", written="http://x/")), ErrorClass.API),
        (wrong(step("esearch", "refused", written='{"db": gene,')), ErrorClass.ARGUMENTS),
        (wrong(step(db="gene", term="PSMB")), ErrorClass.ARGUMENTS),
        (wrong(ASKED, step("esummary", records=(KRT,), db="gene", id="1")), ErrorClass.EXTRACTION),
        (wrong(ASKED), ErrorClass.UNANSWERABLE),
        (wrong(ASKED, step(status="failed", db="gene", term="x")), ErrorClass.OTHER),
        (wrong(status=AnswerStatus.FAILED), ErrorClass.OTHER),
        (
            wrong(
                step("blast_put", query="ACGT"), kind=QuestionKind.HUMAN_ALIGNMENT, subject="ACGT"
            ),
            ErrorClass.UNANSWERABLE,
        ),
        (
            wrong(step(db="snp", id="5"), kind=QuestionKind.SNP_GENE, subject="rs5"),
            ErrorClass.UNANSWERABLE,
        ),
    ],
)
def test_the_class_of_a_wrong_answer(answer: GeneAnswer, error: ErrorClass):
    assert (
        classify_error(answer, ["chr12" if error is ErrorClass.EXTRACTION else "PSMB10"]) is error
    )
