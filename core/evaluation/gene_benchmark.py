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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.evaluation.data_folder import BESIDE, missing_data
from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.error_class import SAID, ErrorClass, classify_error
from core.genes.score import gold_values, precision, recall, score
from core.genes.strategies.registry import STRATEGIES
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage
from core.services.genes.options import AskOptions
from core.services.genes.questions import ask
from core.services.genes.trace import AnswerJudgement, judgements
from core.settings import CODE

DATASETS = {"geneturing": "GeneTuring", "genehop": "GeneHop"}
AT_ONCE = 4  # questions that wait for answers side by side
HOLDS = "the questions of GeneTuring and GeneHop with their answers (questions.json)"
# GeneGPT (Jin et al. 2024), full and slim: its recorded steps on the first 25 questions of each
# task
PUBLISHED = {
    "Gene alias": (0.84, 0.88),
    "Gene name conversion": (1.00, 1.00),
    "Gene SNP association": (1.00, 1.00),
    "Gene location": (0.64, 0.72),
    "SNP location": (1.00, 1.00),
    "Gene disease association": (0.852, 0.696),
    "Protein-coding genes": (0.76, 1.00),
    "Human genome DNA aligment": (0.44, 0.48),
    "Multi-species DNA aligment": (0.88, 0.88),
    "SNP gene function": (0.55, None),  # of the paper, all questions, scored by hand
    "Disease gene location": (0.76, None),
    "sequence gene alias": (0.28, None),  # of the paper, all questions
}


@dataclass(frozen=True, slots=True)
class BenchmarkOutcome:
    """One question: its score, precision (None: nothing answered), recall, and how it went
    wrong.
    """

    task: str
    question: str
    gold: list[str]
    answer: GeneAnswer
    score: float
    precision: float | None
    seconds: float
    error: ErrorClass | None = None
    recall: float = 0.0
    by_person: bool = False  # the class was given by a click on the page, not read from the trace

    @property
    def abstained(self) -> bool:
        return not self.answer.text

    @property
    def measured(self) -> bool:
        """Whether there was anything to score: a model without a recorded step, or a service that
        is down, gives nothing.
        """
        return self.answer.status is not AnswerStatus.FAILED

    @property
    def confident_wrong(self) -> bool:
        return self.answer.status is AnswerStatus.ANSWERED and self.score == 0


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
    parser.add_argument("--limit", type=int, default=0, help="questions a task (default: all)")
    parser.add_argument("--only", default="", help="tasks whose name contains this")
    parser.add_argument("--output", type=Path, help="write each answer here, JSON lines")
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
        (judgement.question, judgement.way): judgement for judgement in reversed(judgements(desk))
    }
    outcomes = [
        _judged(from_json(BenchmarkOutcome, answer), args.way, judged) for answer in answers
    ]
    if args.output:
        _write(args.output, outcomes)
    results = table(outcomes)
    return EvaluationReport(
        json.dumps(results, indent=2) if args.format == "json" else text(results, args)
    )


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
        answer = ask(desk, row["question"], options, run=run).answer
    except InputError as error:
        raise InputError(f"{row['question'][:60]}: {error}") from error
    gold = gold_values(row["answer"])
    task_score = score(row["task"], answer.text, row["answer"])
    wrong = classify_error(answer, gold) if task_score < 1 else None
    exact = precision(row["task"], answer.text, row["answer"])
    recall_score = recall(row["task"], answer.text, row["answer"])
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
def table(outcomes: Sequence[BenchmarkOutcome]) -> Json:
    """A row a task, and the macro average: the mean of the tasks' scores."""
    rows = [
        _row(
            task,
            [benchmark_outcome for benchmark_outcome in outcomes if benchmark_outcome.task == task],
        )
        for task in dict.fromkeys(benchmark_outcome.task for benchmark_outcome in outcomes)
    ]
    return {
        "tasks": rows,
        "macro": mean(row["score"] for row in rows if row["score"] is not None),
        "calls": mean(benchmark_outcome.answer.calls for benchmark_outcome in outcomes),
        "seconds": mean(benchmark_outcome.seconds for benchmark_outcome in outcomes),
        "confident_wrong": sum(benchmark_outcome.confident_wrong for benchmark_outcome in outcomes),
        "supported": _supported(outcomes),
        "errors": {
            str(kind): sum(benchmark_outcome.error is kind for benchmark_outcome in outcomes)
            for kind in ErrorClass
        },
        "judged": sum(benchmark_outcome.by_person for benchmark_outcome in outcomes),
    }


def _supported(outcomes: Sequence[BenchmarkOutcome]) -> Json:
    """Answers whose every value stands in the records as the answer, and their precision."""
    precisions = [
        benchmark_outcome.precision
        for benchmark_outcome in outcomes
        if benchmark_outcome.answer.status is AnswerStatus.ANSWERED
        and benchmark_outcome.precision is not None
    ]
    return {
        "answers": len(precisions),
        "questions": len(outcomes),
        "precision": mean(precisions) if precisions else None,
    }


def _row(task: str, outcomes: Sequence[BenchmarkOutcome]) -> Json:
    answered = [
        benchmark_outcome.precision
        for benchmark_outcome in outcomes
        if benchmark_outcome.precision is not None
    ]
    full, slim = PUBLISHED.get(task, (None, None))
    return {
        "task": task,
        "questions": len(outcomes),
        "score": (
            mean(benchmark_outcome.score for benchmark_outcome in outcomes)
            if any(benchmark_outcome.measured for benchmark_outcome in outcomes)
            else None
        ),
        "precision": mean(answered) if answered else None,
        "recall": (
            mean(benchmark_outcome.recall for benchmark_outcome in outcomes)
            if any(benchmark_outcome.measured for benchmark_outcome in outcomes)
            else None
        ),
        "abstained": sum(benchmark_outcome.abstained for benchmark_outcome in outcomes),
        "unsupported": sum(
            benchmark_outcome.answer.status is AnswerStatus.UNSUPPORTED
            for benchmark_outcome in outcomes
        ),
        "failed": sum(not benchmark_outcome.measured for benchmark_outcome in outcomes),
        "confident_wrong": sum(benchmark_outcome.confident_wrong for benchmark_outcome in outcomes),
        "calls": mean(benchmark_outcome.answer.calls for benchmark_outcome in outcomes),
        "seconds": mean(benchmark_outcome.seconds for benchmark_outcome in outcomes),
        "errors": {
            str(kind): count
            for kind in ErrorClass
            if (count := sum(benchmark_outcome.error is kind for benchmark_outcome in outcomes))
        },
        "paper_full": full,
        "paper_slim": slim,
    }


def text(results: Json, args: Namespace) -> str:
    """The table as people read it."""
    widths = {"n": 4, "score": 8, "precision": 11, "recall": 8, "abstain": 9, "unsup.": 8}
    widths |= {"wrong": 7, "calls": 7, "s": 7}
    columns = "".join(f"{name:>{width}}" for name, width in widths.items())
    head = f"{'task':28}{columns}   GeneGPT full/slim*"
    lines = [f"{DATASETS[args.task]}, way {args.way}", head]
    for row in results["tasks"]:
        published = (row["paper_full"], row["paper_slim"])
        paper = "/".join(
            "—" if figure is None else f"{figure:.3f}".removesuffix("0") for figure in published
        )
        exact = _figure(row["precision"])
        wrong = " ".join(f"{kind} {count}" for kind, count in row["errors"].items())
        lines.append(
            f"{row['task']:28}{row['questions']:>4}{_figure(row['score']):>8}{exact:>11}{_figure(row['recall']):>8}{row['abstained']:>9}{row['unsupported']:>8}{row['confident_wrong']:>7}{row['calls']:>7.2f}{row['seconds']:>7.2f}"
            f"   {paper:11} {wrong}"
        )
    lines.append(
        f"{'macro average':28}{'':4}{results['macro']:>8.3f}{'':43}"
        f"{results['calls']:>7.2f}{results['seconds']:>7.2f}"
    )
    proven = results["supported"]
    lines.append(
        f"answers that the records support: {proven['answers']} of {proven['questions']} questions,"
        f" precision {_figure(proven['precision'])}"
    )
    if missing := [row["task"] for row in results["tasks"] if row["score"] is None]:
        lines.append(
            "not measured, for nothing answered (see the notes with --output):"
            f" {', '.join(missing)}"
        )
    if args.task == "geneturing":
        lines.append(
            "* its recorded steps on the first 25 questions of each task; all 450: full 0.805, slim"
            " 0.829"
        )
    else:
        lines.append(
            "* function and alias: all questions, function scored by hand; location: the first 25"
            " questions"
        )
    lines.append(
        "errors: "
        + ", ".join(
            f"{kind} {count} ({SAID[ErrorClass(kind)]})"
            for kind, count in results["errors"].items()
            if count
        )
    )
    lines.append(
        f"{results['judged']} of these classes were given by a person on the page, the others read"
        " from the trace"
    )
    return "\n".join(lines)


def _write(path: Path, outcomes: Sequence[BenchmarkOutcome]) -> None:
    lines = [
        {
            "task": benchmark_outcome.task,
            "question": benchmark_outcome.question,
            "answer": benchmark_outcome.answer.text,
            "gold": benchmark_outcome.gold,
            "score": benchmark_outcome.score,
            "status": str(benchmark_outcome.answer.status),
            "calls": benchmark_outcome.answer.calls,
            "error": str(benchmark_outcome.error or ""),
            "notes": list(benchmark_outcome.answer.notes),
        }
        for benchmark_outcome in outcomes
    ]
    path.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
    )


def _figure(number: float | None) -> str:
    return "—" if number is None else f"{number:.3f}"


def mean(numbers: Iterable[float]) -> float:
    """To four places; 0 of none."""
    figures = list(numbers)
    return round(sum(figures) / len(figures), 4) if figures else 0.0
