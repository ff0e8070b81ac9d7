"""Scores are GeneGPT's; wrong answers are classed as it does."""

from __future__ import annotations

import pytest

from core.genes.answer import AnswerStatus, AnswerStep, GeneAnswer
from core.genes.error_class import ErrorClass, classify_error
from core.genes.question.question import QuestionKind
from core.genes.score import answer_precision, answer_recall, score_answer, token_f1
from core.ncbi.record import NcbiRecord


@pytest.mark.parametrize(
    ("task", "answer", "gold", "expected"),
    [
        ("Gene alias", "PSMB10", "PSMB10", 1.0),
        ("Gene alias", ["PSMB10", "X"], "PSMB10", 0.0),
        ("Gene location", "16", "chr16", 1.0),
        ("Protein-coding genes", "No", "NA", 1.0),
        ("Multi-species DNA aligment", "Danio rerio", "zebrafish", 1.0),
        ("Human genome DNA aligment", "chr15:1-2", "chr15:5-6", 0.5),
        ("Human genome DNA aligment", "chr1", "chr15:5-6", 0.0),
        ("Gene disease association", ["A", "X"], "A, B", 0.5),
        ("Disease gene location", ["1p1"], ["1p1"], 1.0),
        ("SNP gene function", "It does a thing.", "It does a thing", 1.0),
        ("Gene alias", "", "PSMB10", 0.0),
    ],
)
def test_task_scores_follow_the_benchmarks_rules(
    task: str, answer: object, gold: object, expected: float
):
    assert score_answer(task, answer, gold) == expected  # type: ignore[arg-type]


def test_precision_of_a_list_and_of_nothing():
    assert answer_precision("Gene disease association", ["A", "X"], "A, B") == 0.5
    assert answer_precision("Gene alias", "", "A") is None


def test_recall_gives_no_half_points():
    assert answer_recall("Gene disease association", ["A", "X"], "A, B") == 0.5
    assert answer_recall("Human genome DNA aligment", "chr1:5-6", "chr1:1-2") == 0.0


def test_token_f1_counts_shared_words():
    assert token_f1("a b c", "a b d") == pytest.approx(2 / 3)


def told(*steps: AnswerStep, status: AnswerStatus = AnswerStatus.NOT_FOUND) -> GeneAnswer:
    return GeneAnswer("q", QuestionKind.ALIAS, status, "", steps=steps)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (told(status=AnswerStatus.FAILED), ErrorClass.OTHER),
        (told(AnswerStep("a", "model", "esearch", {"db": "snp"})), ErrorClass.API),
        (
            told(
                AnswerStep("a", "model", "esearch", {"db": "gene"}),
                AnswerStep("b", "model", "esearch", {"db": "gene"}, status="refused"),
            ),
            ErrorClass.ARGUMENTS,
        ),
        (
            told(
                AnswerStep(
                    "a",
                    "model",
                    "esummary",
                    {"db": "gene"},
                    records=(NcbiRecord("NCBIGene:1", "gene", {"symbol": "GOLD1"}),),
                )
            ),
            ErrorClass.EXTRACTION,
        ),
        (told(AnswerStep("a", "model", "esearch", {"db": "gene"})), ErrorClass.UNANSWERABLE),
    ],
)
def test_failed_answers_are_sorted_into_error_classes(answer: GeneAnswer, expected: ErrorClass):
    assert classify_error(answer, ["GOLD1"]) is expected
