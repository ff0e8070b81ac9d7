"""Which kind of gene question natural wordings select: the share that the rules read rightly, of
the half that they were tuned on and of the half that they were not.

The wordings are rows {question, kind, tuned}, written for this (`tests/data/gene_wordings.jsonl`);
no network and no model is asked.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.desk import Desk
from core.errors import InputError
from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand_question
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage

DATA = Path(__file__).resolve().parents[2] / "tests" / "data" / "gene_wordings.jsonl"
SHORT = 2000  # wordings that are worth the start of a process


@dataclass(frozen=True, slots=True)
class WordingOutcome:
    """One wording: the kind it is of, the kind it was read as, and whether rules saw it before."""

    question: str
    kind: str
    read_as: str
    tuned: bool

    @property
    def right(self) -> bool:
        return self.kind == self.read_as

    @property
    def misled(self) -> bool:
        """Read as a kind that it is not: worse than declined, for it gets an answer."""
        return not self.right and self.read_as != QuestionKind.UNKNOWN


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, default=DATA, help="JSON lines {question, kind, tuned}"
    )
    parser.add_argument(
        "--show",
        action="store_true",
        help="list the wordings that were misread, of the tuned half only",
    )


def stages(desk: Desk, args: Namespace) -> Evaluation:
    rows = read_wordings(args.data)
    kinds = yield EvaluationStage(
        "wordings",
        [row["question"] for row in rows],
        lambda place, run: str(understand_question(rows[place]["question"]).kind),
        worth=SHORT,
    )
    outcomes = [
        WordingOutcome(row["question"], row["kind"], read_as, bool(row["tuned"]))
        for row, read_as in zip(rows, kinds, strict=True)
    ]
    misread = [
        f"{outcome.question} | {outcome.kind} | read as {outcome.read_as}"
        for outcome in outcomes
        if outcome.tuned and not outcome.right
    ]
    return EvaluationReport("\n".join([wordings_table(outcomes), *(misread if args.show else ())]))


def read_wordings(path: Path) -> list[Json]:
    """Raises InputError where the file cannot be read."""
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read.", "Give the wordings with --data.") from error


def wordings_table(outcomes: Sequence[WordingOutcome]) -> str:
    """A line a kind: right of all, in the tuned half and in the other; misled are counted."""
    lines = [f"{'kind':38}{'tuned':>12}{'never tuned':>14}{'misled':>8}"]
    for kind in dict.fromkeys(wording_outcome.kind for wording_outcome in outcomes):
        lines.append(
            _line(
                kind,
                [wording_outcome for wording_outcome in outcomes if wording_outcome.kind == kind],
            )
        )
    return "\n".join((*lines, _line("all", outcomes)))


def _line(name: str, outcomes: Sequence[WordingOutcome]) -> str:
    halves = []
    for tuned in (True, False):
        half = [wording_outcome for wording_outcome in outcomes if wording_outcome.tuned is tuned]
        halves.append(f"{sum(wording_outcome.right for wording_outcome in half)} of {len(half)}")
    misled = sum(wording_outcome.misled for wording_outcome in outcomes)
    return f"{name:38}{halves[0]:>12}{halves[1]:>14}{misled:>8}"
