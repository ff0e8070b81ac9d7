"""An evaluation in parts that any process can measure.

An evaluation is a generator. It yields stages (documents, questions), is sent what each part of a
stage gave, in order, and returns its report. Whoever measures a part runs the generator up to that
stage; what is costly is therefore made as a `LazyValue`, when a part is measured.
"""

from __future__ import annotations

import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from core.desk import Desk
from core.jobs.pool import FEW
from core.model import Json

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EvaluationStage:
    """Parts that are measured each by itself. `measure(place, run)` gives plain JSON; calls of a
    part are recorded under its run. Parts that wait for answers are measured by `threads` side by
    side; `worth` parts are worth the start of a process.
    """

    noun: str
    names: Sequence[str]
    measure: Callable[[int, str], Json]
    threads: int = 1
    worth: int = FEW


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """What an evaluation prints: its table, `notes` for standard error, and the exit status."""

    text: str
    notes: str = ""
    status: int = 0


Evaluation = Generator[EvaluationStage, list[Json], EvaluationReport]


class EvaluationTask(Protocol):
    """A module that repeats a paper's table."""

    def add_arguments(self, parser: ArgumentParser) -> None: ...

    def stages(self, desk: Desk, args: Namespace) -> Evaluation: ...


class LazyValue(Generic[T]):
    """A value that is made when it is first asked for, by one thread."""

    def __init__(self, make: Callable[[], T]):
        self._make, self._made = make, list[T]()
        self._lock = threading.Lock()

    def __call__(self) -> T:
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]


def run_here(evaluation: Evaluation) -> EvaluationReport:
    """The whole evaluation in this thread, without a queue."""
    try:
        stage = next(evaluation)
        while True:
            stage = evaluation.send([stage.measure(place, "") for place in range(len(stage.names))])
    except StopIteration as end:
        report: EvaluationReport = end.value
        return report
