"""How gene questions were answered, a row a task, next to the published figures."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.error_class import ERROR_DESCRIPTIONS, ErrorClass
from core.model import Json

DATASETS = {"geneturing": "GeneTuring", "genehop": "GeneHop"}
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


def score_table(outcomes: Sequence[BenchmarkOutcome]) -> Json:
    """A row a task, and the macro average: the mean of the tasks' scores."""
    rows = [
        _row(
            task,
            [outcome for outcome in outcomes if outcome.task == task],
        )
        for task in dict.fromkeys(outcome.task for outcome in outcomes)
    ]
    return {
        "tasks": rows,
        "macro": mean(row["score"] for row in rows if row["score"] is not None),
        "calls": mean(outcome.answer.calls for outcome in outcomes),
        "seconds": mean(outcome.seconds for outcome in outcomes),
        "confident_wrong": sum(outcome.confident_wrong for outcome in outcomes),
        "supported": _supported(outcomes),
        "errors": {
            str(kind): sum(outcome.error is kind for outcome in outcomes) for kind in ErrorClass
        },
        "judged": sum(outcome.by_person for outcome in outcomes),
    }


def _supported(outcomes: Sequence[BenchmarkOutcome]) -> Json:
    """Answers whose every value is in the records as the answer, and their precision."""
    precisions = [
        outcome.precision
        for outcome in outcomes
        if outcome.answer.status is AnswerStatus.ANSWERED and outcome.precision is not None
    ]
    return {
        "answers": len(precisions),
        "questions": len(outcomes),
        "precision": mean(precisions) if precisions else None,
    }


def _row(task: str, outcomes: Sequence[BenchmarkOutcome]) -> Json:
    answered = [outcome.precision for outcome in outcomes if outcome.precision is not None]
    full, slim = PUBLISHED.get(task, (None, None))
    return {
        "task": task,
        "questions": len(outcomes),
        "score": (
            mean(outcome.score for outcome in outcomes)
            if any(outcome.measured for outcome in outcomes)
            else None
        ),
        "precision": mean(answered) if answered else None,
        "recall": (
            mean(outcome.recall for outcome in outcomes)
            if any(outcome.measured for outcome in outcomes)
            else None
        ),
        "abstained": sum(outcome.abstained for outcome in outcomes),
        "unsupported": sum(
            outcome.answer.status is AnswerStatus.UNSUPPORTED for outcome in outcomes
        ),
        "failed": sum(not outcome.measured for outcome in outcomes),
        "confident_wrong": sum(outcome.confident_wrong for outcome in outcomes),
        "calls": mean(outcome.answer.calls for outcome in outcomes),
        "seconds": mean(outcome.seconds for outcome in outcomes),
        "errors": {
            str(kind): count
            for kind in ErrorClass
            if (count := sum(outcome.error is kind for outcome in outcomes))
        },
        "paper_full": full,
        "paper_slim": slim,
    }


def score_text(results: Json, args: Namespace) -> str:
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
            f"{kind} {count} ({ERROR_DESCRIPTIONS[ErrorClass(kind)]})"
            for kind, count in results["errors"].items()
            if count
        )
    )
    lines.append(
        f"{results['judged']} of these classes were given by a person on the page, the others read"
        " from the trace"
    )
    return "\n".join(lines)


def _figure(number: float | None) -> str:
    return "—" if number is None else f"{number:.3f}"


def mean(numbers: Iterable[float]) -> float:
    """To four places; 0 of none."""
    figures = list(numbers)
    return round(sum(figures) / len(figures), 4) if figures else 0.0
