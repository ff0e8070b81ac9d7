"""Why a question of GeneTuring or GeneHop was not answered right, and what its score could be: the
records of some questions were never recorded, and a rule can take no answer from a record that is
not there.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import InputError
from core.evaluation.gene_scores import BenchmarkOutcome, mean
from core.genes.answer import AnswerStatus, AnswerStep
from core.genes.error_class import trace_holds
from core.genes.score import SPECIES
from core.ncbi.record import NcbiRecord


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
            outcome.score,
            miss_reason(outcome),
            tuple(dict.fromkeys(filter(None, map(_fruitless, outcome.answer.steps)))),
            holders(outcome) if holders else None,
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
