"""GeneTuring and GeneHop beside GeneGPT's figures: score, precision, recall, abstentions, calls and
seconds a task.

Questions come from a folder with `questions.json` (id, dataset, task, question, answer). NCBI is
asked as configured: point GROUNDWORK_NCBI_EUTILS_URL and GROUNDWORK_NCBI_BLAST_URL at a stand-in
for recorded answers.

Why a question of GeneTuring or GeneHop was not answered right, and what its score could be: the
records of some questions were never recorded, and a rule can take no answer from a record that is
not there.
"""

from __future__ import annotations

import gzip
import json
import re
import time
import zlib
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.evaluation.data_folder import BESIDE, missing_data
from core.evaluation.gene_scores import DATASETS, BenchmarkOutcome, mean, score_table, score_text
from core.genes.answer import AnswerStatus, AnswerStep
from core.genes.error_class import classify_error, trace_holds
from core.genes.score import SPECIES, answer_precision, answer_recall, gold_values, score_answer
from core.genes.strategies.registry import STRATEGIES
from core.model import Json
from core.ncbi.record import NcbiRecord
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage
from core.services.genes.options import AskOptions
from core.services.genes.questions import ask_gene_question
from core.services.genes.trace import AnswerJudgement, all_judgements
from core.settings import CODE


class MissReason(StrEnum):
    SERVICE = "a service that it needs is not there"
    NO_HIT = "BLAST reports no hit for its sequence"
    NO_PLACE = "BLAST reports no hit on GRCh38, so only the chromosome is known"
    NO_RECORD = "no record under its name was found"
    ELSEWHERE = "the answer stands only in records that do not name what was asked"
    UNTRUSTED = "the answer stands only in OMIM's locus, which no rule takes alone"
    NOT_TAKEN = "a record that names what was asked holds the answer"
    OTHER_ANSWER = "another answer was given"


# What a rule could mend. The others need an answer of NCBI that is not there (or, for OMIM's locus,
# which often names another place, a second one that agrees).
OURS = (MissReason.NOT_TAKEN, MissReason.OTHER_ANSWER)


@dataclass(frozen=True, slots=True)
class MissedQuestion:
    """A question that lost some of its point; `asked`: the requests that brought nothing. `held`:
    recorded answers that hold its name and the right value (None: nobody looked).
    """

    task: str
    subject: str
    gold: str
    score: float
    reason: MissReason
    asked: tuple[str, ...]
    held: int | None = None


def missed_questions(
    outcomes: Iterable[BenchmarkOutcome], recorded: Path | None = None
) -> list[MissedQuestion]:
    """One for each question that was not answered right, in their order. `recorded`: JSON lines
    {key, fn, body} of recorded answers to look through. Raises InputError.
    """
    holders = _holders(recorded) if recorded else None
    return [
        MissedQuestion(
            outcome.task,
            outcome.answer.subject or outcome.question,
            ", ".join(outcome.gold),
            score=outcome.score,
            reason=miss_reason(outcome),
            asked=tuple(dict.fromkeys(filter(None, map(_fruitless, outcome.answer.steps)))),
            held=holders(outcome) if holders else None,
        )
        for outcome in outcomes
        if outcome.score < 1
    ]


def miss_reason(outcome: BenchmarkOutcome) -> MissReason:
    """What the trace tells. Where a record holds the right value, that is looked at first."""
    answer = outcome.answer
    held = [value for value in outcome.gold if trace_holds(answer, value)]
    naming = [
        record
        for step in answer.steps
        for record in step.records
        if held and _fields(record, [answer.subject])
    ]
    fields = {field for record in naming for field in _fields(record, held)}
    if fields:
        return MissReason.UNTRUSTED if fields == {"unconfirmed_locus"} else MissReason.NOT_TAKEN
    if answer.status is AnswerStatus.PARTLY and outcome.score:
        return MissReason.NO_PLACE
    if answer.text:
        return MissReason.OTHER_ANSWER
    if any(step.tool == "blast_get" for step in answer.steps):
        return MissReason.NO_HIT
    if held:
        return MissReason.ELSEWHERE
    return (
        MissReason.SERVICE
        if any(step.status == "failed" for step in answer.steps)
        else MissReason.NO_RECORD
    )


def _fields(record: NcbiRecord, words: Iterable[str]) -> list[str]:
    """The fields of a record that hold one of these."""
    patterns = [_as_words(word.removeprefix("chr"), re.I) for word in words]
    return [
        name
        for name in record.values
        if any(pattern.search(record.text(name)) for pattern in patterns)
    ]


def _as_words(words: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(words)}(?![\w-])", flags)


def _fruitless(step: AnswerStep) -> str:
    """The request in short, where it failed or NCBI had nothing for it; else nothing."""
    if step.tool == "blast_put":
        return ""
    if step.status != "failed" and (step.ids or step.records or step.count):
        return ""
    asked = step.arguments.get("term") or step.arguments.get("id") or ""
    where = step.arguments.get("dbfrom") or step.arguments.get("db") or ""
    return " ".join(part for part in (step.tool, where, asked if where else "") if part)


# ------------------------------------------------------------------ recorded answers


def _holders(path: Path) -> Callable[[BenchmarkOutcome], int]:
    """Counts the recorded answers, without searches (they hold ids only), that hold a question's
    name and its right value.
    """
    answers = [
        (row["body"], f"{row['key']} {row.get('seq') or ''} {row['body']}".casefold())
        for row in _rows(path)
        if row["fn"] != "esearch"
    ]

    def count(outcome: BenchmarkOutcome) -> int:
        subject = (outcome.answer.subject or outcome.question).casefold()
        accession = re.sub(r"\.\d+$", "", subject)
        values = [_as_words(_as_recorded(value)) for value in outcome.gold]
        return sum(
            accession in all_words and any(value.search(body) for value in values)
            for body, all_words in answers
        )

    return count


def _as_recorded(value: str) -> str:
    """`16` of chr16, the start of a place (`91950805` of chr15:91950805-91950932), and the Latin
    name of a species.
    """
    place = re.fullmatch(r"chr\w+:(\d+)-\d+", value)
    latin = next((name for name, english in SPECIES.items() if english == value), "")
    return place[1] if place else latin or value.removeprefix("chr")


def _rows(path: Path) -> list[dict[str, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines if line.strip()]
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise InputError(
            f"{path} could not be read as JSON lines.", "Give a file of recorded answers."
        ) from error
    if not all(isinstance(row, dict) and {"key", "fn", "body"} <= row.keys() for row in rows):
        raise InputError(
            f"{path} has a line without key, fn or body.", "Give a file of recorded answers."
        )
    return rows


# ------------------------------------------------------------------ tables


def reachable_average(
    outcomes: Sequence[BenchmarkOutcome], missed: Sequence[MissedQuestion]
) -> float:
    """The macro average, were all that a rule could mend answered right."""
    mendable = Counter(
        {
            task: sum(1 - row.score for row in missed if row.task == task and row.reason in OURS)
            for task in {row.task for row in missed}
        }
    )
    tasks = dict.fromkeys(outcome.task for outcome in outcomes)
    scores = {task: [row.score for row in outcomes if row.task == task] for task in tasks}
    return mean((sum(scores[task]) + mendable[task]) / len(scores[task]) for task in tasks)


def miss_text(outcomes: Sequence[BenchmarkOutcome], missed: Sequence[MissedQuestion]) -> str:
    """The table as people read it: a row a question, and what the score could be."""
    lines = ["", f"not answered right: {len(missed)} of {len(outcomes)} questions"]
    for (task, reason), rows in _grouped(missed).items():
        lost = sum(1 - row.score for row in rows)
        lines.append(f"\n{task}: {reason} ({len(rows)}; {lost:.2f} points)")
        lines += [f"  {_in_short(row)}" for row in rows]
    ours = sum(row.reason in OURS for row in missed)
    lines.append(
        f"\na rule could mend {ours}; the others need answers of NCBI that are not there, so the"
        f" macro average can be {reachable_average(outcomes, missed):.3f} at most"
    )
    return "\n".join(lines)


def _in_short(row: MissedQuestion) -> str:
    subject = row.subject if len(row.subject) <= 50 else f"{row.subject[:40]}…"
    gold = row.gold if len(row.gold) <= 40 else f"{row.gold[:39]}…"
    held = "" if row.held is None else f"; {row.held} recorded answers hold both"
    asked = "; ".join(text if len(text) <= 60 else f"{text[:59]}…" for text in row.asked)
    return f"{subject} → {gold}{held}{f'; nothing for: {asked}' if asked else ''}"


def _grouped(
    missed: Iterable[MissedQuestion],
) -> dict[tuple[str, MissReason], list[MissedQuestion]]:
    groups: dict[tuple[str, MissReason], list[MissedQuestion]] = {}
    for row in missed:
        groups.setdefault((row.task, row.reason), []).append(row)
    return groups


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
        answer=answer,
        score=task_score,
        precision=exact,
        seconds=time.monotonic() - start,
        error=wrong,
        recall=recall_score,
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
