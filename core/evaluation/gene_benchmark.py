"""GeneTuring and GeneHop beside GeneGPT's figures: score, precision, recall, abstentions, calls and
seconds a task.

Questions come from a folder with `questions.json` (id, dataset, task, question, answer). NCBI is
asked as configured: point GROUNDWORK_NCBI_EUTILS_URL and GROUNDWORK_NCBI_BLAST_URL at a stand-in
for recorded answers.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.evaluation.data_folder import BESIDE, missing_data
from core.evaluation.gene_misses import miss_text, missed_questions, reachable_average
from core.evaluation.gene_scores import DATASETS, BenchmarkOutcome, score_table, score_text
from core.genes.error_class import classify_error
from core.genes.score import answer_precision, answer_recall, gold_values, score_answer
from core.genes.strategies.registry import STRATEGIES
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage
from core.services.genes.options import AskOptions
from core.services.genes.questions import ask_gene_question
from core.services.genes.trace import AnswerJudgement, all_judgements
from core.settings import CODE

AT_ONCE = 4  # questions that wait for answers side by side
HOLDS = "the questions of GeneTuring and GeneHop with their answers (questions.json)"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--way",
        choices=tuple(STRATEGIES),
        default="planner",
        help="how to answer (default: planner)",
    )
    parser.add_argument(
        "--data", type=Path, default=CODE / BESIDE / "genegpt", help=f"folder of {HOLDS}"
    )
    parser.add_argument(
        "--mask",
        default="",
        help="decoding: full, slim or six bits (`evaluate gene-ablation` runs the paper's all)",
    )
    parser.add_argument("--limit", type=int, default=0, help="questions per task (default: all)")
    parser.add_argument("--only", default="", help="tasks whose name contains this")
    parser.add_argument("--output", type=Path, help="write each answer here, JSON lines")
    parser.add_argument(
        "--missed",
        action="store_true",
        help="also say why each question without a right answer has none, and what is possible",
    )
    parser.add_argument(
        "--recorded",
        type=Path,
        help="with --missed: recorded answers to look through, JSON lines {key, fn, body}",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit a question."""
    rows = questions(args.data, DATASETS[args.task], args.limit, args.only)
    options = AskOptions(way=args.way, mask=args.mask or "full", reuse=False)
    answers = yield EvaluationStage(
        "questions",
        [row["question"] for row in rows],
        lambda place, run: to_json(ask_one(desk, rows[place], options, run)),
        threads=AT_ONCE,
    )
    judged = {
        (judgement.question, judgement.way): judgement
        for judgement in reversed(all_judgements(desk))
    }
    outcomes = [
        _judged(from_json(BenchmarkOutcome, answer), args.way, judged) for answer in answers
    ]
    if args.output:
        _write(args.output, outcomes)
    results = score_table(outcomes)
    missed = missed_questions(outcomes, args.recorded) if args.missed else []
    if args.format == "json":
        if args.missed:
            results |= {"missed": to_json(missed), "ceiling": reachable_average(outcomes, missed)}
        return EvaluationReport(json.dumps(results, indent=2))
    text = score_text(results, args)
    return EvaluationReport(f"{text}\n{miss_text(outcomes, missed)}" if args.missed else text)


def questions(folder: Path, dataset: str, limit: int, only: str) -> list[Json]:
    """The rows of a dataset, at most `limit` a task (0: all), of tasks whose name holds `only`.
    Raises InputError.
    """
    path = folder / "questions.json"
    try:
        all_rows = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise missing_data(HOLDS) from error
    rows = [
        row for row in all_rows if row["dataset"] == dataset and only.lower() in row["task"].lower()
    ]
    if not rows:
        raise InputError(f"{path} holds no {dataset} question.")
    count_by_task: dict[str, int] = {}
    limited = []
    for row in rows:
        count_by_task[row["task"]] = count_by_task.get(row["task"], 0) + 1
        if not limit or count_by_task[row["task"]] <= limit:
            limited.append(row)
    return limited


def ask_one(desk: Desk, row: Json, options: AskOptions, run: str = "") -> BenchmarkOutcome:
    """One question asked and scored."""
    start = time.monotonic()
    try:
        answer = ask_gene_question(desk, row["question"], options, run=run).answer
    except InputError as error:
        raise InputError(f"{row['question'][:60]}: {error}") from error
    gold = gold_values(row["answer"])
    task_score = score_answer(row["task"], answer.text, row["answer"])
    wrong = classify_error(answer, gold) if task_score < 1 else None
    exact = answer_precision(row["task"], answer.text, row["answer"])
    recall_score = answer_recall(row["task"], answer.text, row["answer"])
    return BenchmarkOutcome(
        row["task"],
        row["question"],
        gold,
        answer,
        task_score,
        exact,
        time.monotonic() - start,
        wrong,
        recall_score,
    )


def _judged(
    outcome: BenchmarkOutcome, way: str, judged: Mapping[tuple[str, str], AnswerJudgement]
) -> BenchmarkOutcome:
    """With the class that a person gave to this very answer before, on the page of this project."""
    judgement = judged.get((outcome.answer.question, way)) or judged.get((outcome.question, way))
    if outcome.score == 1 or judgement is None or judgement.answer != outcome.answer.text:
        return outcome
    return replace(outcome, error=judgement.error, by_person=True)


# ------------------------------------------------------------------ tables


def _write(path: Path, outcomes: Sequence[BenchmarkOutcome]) -> None:
    lines = [
        {
            "task": outcome.task,
            "question": outcome.question,
            "answer": outcome.answer.text,
            "gold": outcome.gold,
            "score": outcome.score,
            "status": str(outcome.answer.status),
            "calls": outcome.answer.calls,
            "error": str(outcome.error or ""),
            "notes": list(outcome.answer.notes),
        }
        for outcome in outcomes
    ]
    path.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
    )
