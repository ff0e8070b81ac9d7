"""Of each question that was not answered right, the reason, and what the score could be."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluation.gene_benchmark import (
    MissReason,
    miss_reason,
    miss_text,
    missed_questions,
    reachable_average,
)
from core.evaluation.gene_scores import BenchmarkOutcome
from core.genes.answer import AnswerStatus, AnswerStep, GeneAnswer
from core.genes.question.question import QuestionKind
from core.ncbi.record import NcbiRecord

SEARCH = AnswerStep("1", "planned", "esearch", {"db": "gene", "term": "PTH1[sym]"})


def outcome(
    *steps: AnswerStep,
    score: float = 0.0,
    text: str = "",
    status: AnswerStatus = AnswerStatus.NOT_FOUND,
) -> BenchmarkOutcome:
    answer = GeneAnswer("?", QuestionKind.ALIAS, status, text, steps=steps, subject="PTH1")
    return BenchmarkOutcome("Gene alias", "?", ["PTH"], answer, score, None, 0.1)


def summary_of(**values: object) -> AnswerStep:
    record = NcbiRecord("NCBIGene:5741", "gene", values)
    return replace(SEARCH, tool="esummary", records=(record,), ids=("5741",))


def test_a_name_without_a_record_is_reported_with_the_search_that_found_nothing():
    (row,) = missed_questions([outcome(SEARCH)])
    assert (row.reason, row.asked) == (MissReason.NO_RECORD, ("esearch gene PTH1[sym]",))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"symbol": "PTH", "aliases": ["PTH1"]}, MissReason.NOT_TAKEN),
        ({"symbol": "PTH", "aliases": ["PTH7"]}, MissReason.ELSEWHERE),
        ({"title": "PTH1", "unconfirmed_locus": "PTH"}, MissReason.UNTRUSTED),
    ],
)
def test_place_of_the_right_answer_decides_the_kind_of_miss(values: dict, reason: MissReason):
    assert miss_reason(outcome(summary_of(**values))) is reason


def test_services_and_searches_without_an_answer_are_distinguished():
    absent = replace(SEARCH, tool="elink", status="failed")
    no_hit = AnswerStep("2", "planned", "blast_get", {"rid": "R1"})
    assert miss_reason(outcome(absent)) is MissReason.SERVICE
    assert miss_reason(outcome(no_hit)) is MissReason.NO_HIT
    half = outcome(no_hit, score=0.5, text="chr1", status=AnswerStatus.PARTLY)
    assert miss_reason(half) is MissReason.NO_PLACE
    assert miss_reason(outcome(SEARCH, text="PTHLH")) is MissReason.OTHER_ANSWER


def test_the_ceiling_counts_what_a_rule_could_mend_as_right():
    right = outcome(score=1.0, text="PTH", status=AnswerStatus.ANSWERED)
    mendable = outcome(summary_of(symbol="PTH", aliases=["PTH1"]))
    outcomes = [right, mendable, outcome(SEARCH), outcome(SEARCH)]
    missed = missed_questions(outcomes)
    assert reachable_average(outcomes, missed) == 0.5
    text = miss_text(outcomes, missed)
    assert "not answered right: 3 of 4" in text
    assert "could mend 1" in text and "0.500 at most" in text


def test_recorded_answers_that_hold_name_and_value_are_counted(tmp_path: Path):
    recorded = tmp_path / "recorded.jsonl"
    rows = [
        {"key": "esearch|gene|term=pth1", "fn": "esearch", "body": "PTH1 PTH"},
        {"key": "esummary|gene|id=1", "fn": "esummary", "body": '"name":"PTH1", "alias": "pth"'},
        {"key": "esummary|gene|id=5741", "fn": "esummary", "body": '"name":"PTH", "alias": "PTH1"'},
    ]
    recorded.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (row,) = missed_questions([outcome(SEARCH)], recorded)
    assert row.held == 1


def test_a_file_of_recorded_answers_that_cannot_be_read_is_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"none\.jsonl"):
        missed_questions([outcome(SEARCH)], tmp_path / "none.jsonl")


@pytest.mark.parametrize("line", ["{}", "[1]", "no JSON", "[" * 100_000])
def test_a_file_without_recorded_answers_is_refused(tmp_path: Path, line: str):
    recorded = tmp_path / "other.jsonl"
    recorded.write_text(line + "\n")
    with pytest.raises(InputError, match=r"other\.jsonl"):
        missed_questions([outcome(SEARCH)], recorded)
