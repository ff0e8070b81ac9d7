"""The evaluation counts how answers went wrong, also as people judged them on the page."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.evaluation import gene_benchmark, gene_scores
from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.question.question import QuestionKind
from core.ncbi.example import ExampleFetcher
from core.services.evaluation.stage import run_here
from core.services.genes import trace
from core.services.genes.questions import AskOptions, ask_gene_question
from core.settings import Settings

QUESTION = "What is the official gene symbol of LMP10?"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk(Settings(tmp_path / "desk", datasets_url=""))
    monkeypatch.setattr(desk, "web", lambda kind="api", hosts=(): ExampleFetcher())
    yield desk
    desk.close()


def evaluated(desk: Desk, folder: Path) -> dict:
    row = {"dataset": "GeneTuring", "task": "Gene alias", "question": QUESTION, "answer": "MADEUP"}
    (folder / "questions.json").write_text(json.dumps([row]))
    parser = ArgumentParser()
    gene_benchmark.add_arguments(parser)
    args = parser.parse_args(["--data", str(folder), "--format", "json"])
    named = Namespace(**vars(args), task="geneturing")
    return json.loads(run_here(gene_benchmark.stages(desk, named)).text)


def test_a_class_is_read_from_the_trace_until_a_person_gives_one(desk: Desk, tmp_path: Path):
    before = evaluated(desk, tmp_path)
    assert (before["errors"]["E4"], before["judged"]) == (1, 0)
    trace.judge_answer(desk, ask_gene_question(desk, QUESTION, AskOptions()).run, "E1")
    after = evaluated(desk, tmp_path)
    assert (after["errors"]["E1"], after["errors"]["E4"], after["judged"]) == (1, 0, 1)


def test_a_judgement_of_another_answer_says_nothing_of_this_one(desk: Desk, tmp_path: Path):
    run = ask_gene_question(desk, QUESTION, AskOptions()).run
    desk.store.runs.save_result(run, desk.store.runs.result(run) | {"text": "OTHER1"})
    trace.judge_answer(desk, run, "E1")
    assert evaluated(desk, tmp_path)["judged"] == 0


def test_benchmark_task_without_any_answer_has_no_score():
    failed = GeneAnswer("?", QuestionKind.ALIAS, AnswerStatus.FAILED)
    outcomes = [gene_scores.BenchmarkOutcome("Gene alias", "?", ["A"], failed, 0.0, None, 0.1)] * 2
    scores = gene_scores.score_table(outcomes)
    assert (scores["tasks"][0]["score"], scores["tasks"][0]["failed"]) == (None, 2)
    assert "not measured" in gene_scores.score_text(
        scores, Namespace(task="geneturing", way="tools")
    )
    right = replace(
        outcomes[0], answer=replace(failed, status=AnswerStatus.UNSUPPORTED, text="A"), score=1.0
    )
    assert gene_scores.score_table([*outcomes, right])["tasks"][0]["score"] == pytest.approx(
        1 / 3, abs=1e-3
    )
    assert scores["supported"] == {"answers": 0, "questions": 2, "precision": None}
