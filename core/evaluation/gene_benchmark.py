"""GeneTuring and GeneHop beside GeneGPT's figures: score, precision, recall, abstentions, calls and
seconds a task.

Questions come from a folder with `questions.json` (id, dataset, task, question, answer). NCBI is
asked as configured: point GROUNDWORK_NCBI_EUTILS_URL and GROUNDWORK_NCBI_BLAST_URL at a stand-in
for recorded answers.
"""

from __future__ import annotations

import json
import re
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.desk import Desk, open_desk
from core.errors import InputError
from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.error_class import SAID, ErrorClass, classify_error
from core.genes.score import gold_values, precision, recall, score
from core.genes.strategies.decoding import MASKS, mask_of
from core.genes.strategies.registry import STRATEGIES
from core.model import Json
from core.services.genes.options import AskOptions
from core.services.genes.questions import ask
from core.services.genes.trace import AnswerJudgement, judgements

# GeneGPT §3.3: full and slim, each of Dc.1–2 and Dm.1–4 left out, each of them alone
ABLATIONS = (
    *("111111", "001001"),
    *("011111", "101111", "110111", "111011", "111101", "111110"),
    *("100000", "010000", "001000", "000100", "000010", "000001"),
)
DATASETS = {"geneturing": "GeneTuring", "genehop": "GeneHop"}
DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "genegpt"
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
    parser.add_argument("--data", type=Path, default=DATA, help="folder with questions.json")
    parser.add_argument(
        "--mask",
        default="",
        help="decoding: full, slim, six bits, or several with commas (an ablation)",
    )
    parser.add_argument(
        "--ablation",
        action="store_true",
        help="decoding: one table of full, slim, the paper's six ablations and its six probes",
    )
    parser.add_argument("--limit", type=int, default=0, help="questions a task (default: all)")
    parser.add_argument("--only", default="", help="tasks whose name holds this")
    parser.add_argument("--output", type=Path, help="write each answer here, JSON lines")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(desk: Desk, args: Namespace) -> int:
    rows = _questions(args.data, DATASETS[args.task], args.limit, args.only)
    masks = list(ABLATIONS) if args.ablation else [one for one in args.mask.split(",") if one]
    if args.way == "decoding" and len(masks) > 1:
        return _ablation(desk, rows, [mask_of(mask) for mask in masks], args)
    judged = {
        (judgement.question, judgement.way): judgement for judgement in reversed(judgements(desk))
    }
    options = AskOptions(way=args.way, mask=masks[0] if masks else "full", reuse=False)
    outcomes = [_judged(_one(desk, row, options), args.way, judged) for row in rows]
    if args.output:
        _write(args.output, outcomes)
    print(
        json.dumps(table(outcomes), indent=2)
        if args.format == "json"
        else text(table(outcomes), args)
    )
    return 0


def _questions(folder: Path, dataset: str, limit: int, only: str) -> list[Json]:
    path = folder / "questions.json"
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"{path} cannot be read.", "Give the folder of the questions with --data."
        ) from error
    rows = [
        row for row in given if row["dataset"] == dataset and only.lower() in row["task"].lower()
    ]
    if not rows:
        raise InputError(f"{path} holds no {dataset} question.")
    seen: dict[str, int] = {}
    kept = []
    for row in rows:
        seen[row["task"]] = seen.get(row["task"], 0) + 1
        if not limit or seen[row["task"]] <= limit:
            kept.append(row)
    return kept


def _one(desk: Desk, row: Json, options: AskOptions) -> BenchmarkOutcome:
    start = time.monotonic()
    try:
        answer = ask(desk, row["question"], options).answer
    except InputError as error:
        raise InputError(f"{row['question'][:60]}: {error}") from error
    gold = gold_values(row["answer"])
    found = score(row["task"], answer.text, row["answer"])
    wrong = classify_error(answer, gold) if found < 1 else None
    if sys.stderr.isatty():
        print(
            f"\r{row['task'][:40]:42}{row.get('index', '')!s:>4}",
            end="\r",
            file=sys.stderr,
            flush=True,
        )
    exact = precision(row["task"], answer.text, row["answer"])
    whole = recall(row["task"], answer.text, row["answer"])
    return BenchmarkOutcome(
        row["task"],
        row["question"],
        gold,
        answer,
        found,
        exact,
        time.monotonic() - start,
        wrong,
        whole,
    )


def _judged(
    found: BenchmarkOutcome, way: str, judged: Mapping[tuple[str, str], AnswerJudgement]
) -> BenchmarkOutcome:
    """With the class that a person gave to this very answer before, on the page of this project."""
    known = judged.get((found.answer.question, way)) or judged.get((found.question, way))
    if found.score == 1 or known is None or known.answer != found.answer.text:
        return found
    return replace(found, error=known.error, by_person=True)


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
        "macro": _mean(row["score"] for row in rows if row["score"] is not None),
        "calls": _mean(benchmark_outcome.answer.calls for benchmark_outcome in outcomes),
        "seconds": _mean(benchmark_outcome.seconds for benchmark_outcome in outcomes),
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
    known = [
        benchmark_outcome.precision
        for benchmark_outcome in outcomes
        if benchmark_outcome.answer.status is AnswerStatus.ANSWERED
        and benchmark_outcome.precision is not None
    ]
    return {
        "answers": len(known),
        "questions": len(outcomes),
        "precision": _mean(known) if known else None,
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
            _mean(benchmark_outcome.score for benchmark_outcome in outcomes)
            if any(benchmark_outcome.measured for benchmark_outcome in outcomes)
            else None
        ),
        "precision": _mean(answered) if answered else None,
        "recall": (
            _mean(benchmark_outcome.recall for benchmark_outcome in outcomes)
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
        "calls": _mean(benchmark_outcome.answer.calls for benchmark_outcome in outcomes),
        "seconds": _mean(benchmark_outcome.seconds for benchmark_outcome in outcomes),
        "errors": {
            str(kind): count
            for kind in ErrorClass
            if (count := sum(benchmark_outcome.error is kind for benchmark_outcome in outcomes))
        },
        "paper_full": full,
        "paper_slim": slim,
    }


def text(found: Json, args: Namespace) -> str:
    """The table as people read it."""
    widths = {"n": 4, "score": 8, "precision": 11, "recall": 8, "abstain": 9, "unsup.": 8}
    widths |= {"wrong": 7, "calls": 7, "s": 7}
    columns = "".join(f"{name:>{width}}" for name, width in widths.items())
    head = f"{'task':28}{columns}   GeneGPT full/slim*"
    lines = [f"{DATASETS[args.task]}, way {args.way}", head]
    for row in found["tasks"]:
        published = (row["paper_full"], row["paper_slim"])
        paper = "/".join(
            "—" if one is None else f"{one:.3f}".removesuffix("0") for one in published
        )
        exact = _figure(row["precision"])
        wrong = " ".join(f"{kind} {count}" for kind, count in row["errors"].items())
        lines.append(
            f"{row['task']:28}{row['questions']:>4}{_figure(row['score']):>8}{exact:>11}{_figure(row['recall']):>8}{row['abstained']:>9}{row['unsupported']:>8}{row['confident_wrong']:>7}{row['calls']:>7.2f}{row['seconds']:>7.2f}"
            f"   {paper:11} {wrong}"
        )
    lines.append(
        f"{'macro average':28}{'':4}{found['macro']:>8.3f}{'':43}"
        f"{found['calls']:>7.2f}{found['seconds']:>7.2f}"
    )
    proven = found["supported"]
    lines.append(
        f"answers that the records support: {proven['answers']} of {proven['questions']} questions,"
        f" precision {_figure(proven['precision'])}"
    )
    if missing := [row["task"] for row in found["tasks"] if row["score"] is None]:
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
            for kind, count in found["errors"].items()
            if count
        )
    )
    lines.append(
        f"{found['judged']} of these classes were given by a person on the page, the others read"
        " from the trace"
    )
    return "\n".join(lines)


def _ablation(desk: Desk, rows: Sequence[Json], masks: Sequence[str], args: Namespace) -> int:
    """Score by mask and task: which documentation and demonstrations matter (GeneGPT §3.3)."""
    found = {}
    for mask in masks:
        asked = _with_model(desk, mask)
        found[mask] = table(
            [_one(asked, row, AskOptions(way="decoding", mask=mask, reuse=False)) for row in rows]
        )
        if asked is not desk:
            asked.close()
    if args.format == "json":
        print(json.dumps(found, indent=2))
        return 0
    names = {bits: name for name, bits in MASKS.items()}
    print(
        f"{'Dc.1–2 Dm.1–4':28}"
        + "".join(f"{mask + ' ' + names.get(mask, ''):>14}" for mask in masks)
    )
    for task in dict.fromkeys(row["task"] for row in rows):
        cells = [
            next(one["score"] for one in found[mask]["tasks"] if one["task"] == task)
            for mask in masks
        ]
        print(f"{task:28}" + "".join(f"{_figure(cell):>14}" for cell in cells))
    macro = {
        mask: one["macro"] if any(row["score"] is not None for row in one["tasks"]) else None
        for mask, one in found.items()
    }
    print(f"{'macro average':28}" + "".join(f"{_figure(macro[mask]):>14}" for mask in masks))
    return 0


def _with_model(desk: Desk, mask: str) -> Desk:
    """A desk whose recorded model is that of the mask, where the model's name ends with one."""
    if not re.search(r"[01]{6}$", desk.settings.model):
        return desk
    return open_desk(replace(desk.settings, model=desk.settings.model[:-6] + mask))


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


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return round(sum(found) / len(found), 4) if found else 0.0
