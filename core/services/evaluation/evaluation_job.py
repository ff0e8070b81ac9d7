"""An evaluation as a job: a unit a document or question, on every core or a cluster, and what was
measured is kept, so that one that was stopped or killed goes on where it was.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, cast

from core import COMMAND
from core.desk import Desk
from core.desk_parts import HasStore
from core.errors import GroundworkError, InputError
from core.evaluation.registry import EVALUATIONS
from core.jobs.pool import processes_for, run_units
from core.jobs.runner import JobContext, register_job
from core.jobs.units import UnitResult, register_units
from core.model import Job, Json
from core.optional_part import part_of
from core.services.evaluation.stage import (
    Evaluation,
    EvaluationReport,
    EvaluationStage,
    EvaluationTask,
)
from core.services.shared.unit_task import DaskCluster, worker_command, worker_environment
from core.store.unit import JobUnit, UnitState

JOB = "evaluation"
MEASURED = "measured"  # the kind of result that a unit's run keeps
LONGEST_NAME = 200


def task_named(name: str) -> EvaluationTask:
    """The module of an evaluation, loaded when it is asked for. Raises InputError where it measures
    a part that is left out of this installation.
    """
    try:
        return cast(EvaluationTask, import_module(EVALUATIONS[name].module))
    except ModuleNotFoundError as error:
        if (part := part_of(str(error.name))) is None:
            raise
        raise InputError(
            f"The evaluation {name} measures {part.name}, which is not installed here.",
            "Install the app with all of its parts.",
        ) from error


def start_evaluation(desk: Desk, args: Namespace, curator: str = "") -> Job:
    """Begin the evaluation `args.task`. Raises InputError where its data are missing."""
    first = next(task_named(args.task).stages(desk, args))
    with desk.runner.preparing(JOB, _packed(args), curator) as job:
        desk.store.units.add(_units(desk, job.id, 0, first))
    return desk.store.jobs.get(job.id)


def report_of(job: Job) -> EvaluationReport:
    """What an evaluation that has ended prints."""
    return EvaluationReport(**job.result)


@register_job(JOB)
def run_evaluation(context: JobContext, arguments: Json) -> Json:
    """The job. Resumed, it measures what failed or was not reached."""
    desk: Desk = context.context
    units, job = desk.store.units, context.job.id
    units.free(job)
    units.retry(job)
    evaluation, start = _begun(desk, arguments), 0
    try:
        stage = next(evaluation)
        while True:
            _take_in(desk, job, start, stage)
            waiting = units.counts(job)[UnitState.WAITING]
            run_units(
                context,
                units,
                threads=stage.threads,
                processes=processes_for(waiting, stage.worth) if stage.threads == 1 else 0,
                command=worker_command(desk, job),
                environment=worker_environment(desk),
                cluster=DaskCluster(desk) if desk.settings.scheduler and waiting > 1 else None,
                noun=stage.noun,
                worth=stage.worth,
            )
            results = _results(desk, job, start, stage)
            start += len(stage.names)
            stage = evaluation.send(results)
    except StopIteration as end:
        return asdict(end.value)
    finally:
        _opened.cache_clear()


def _threads_of(desk: Desk, arguments: Json) -> int:
    return next(_begun(desk, arguments)).threads


@register_units(JOB, _threads_of)
def measure_unit(desk: Desk, unit: JobUnit, check: Callable[[], None]) -> UnitResult:
    """One document or question."""
    check()
    stage, start = _opened(desk, unit.job).stage_of(unit.number)
    value = stage.measure(unit.number - start, unit.run)
    return UnitResult(UnitState.DONE, "", ((MEASURED, value),))


class _OpenEvaluation:
    """An evaluation at the stage that is measured now."""

    def __init__(self, desk: Desk, job: str):
        self._desk, self._job, self._lock = desk, job, Lock()
        self._evaluation = _begun(desk, desk.store.jobs.get(job).arguments)
        self._stage, self._start = next(self._evaluation), 0

    def stage_of(self, number: int) -> tuple[EvaluationStage, int]:
        """The stage that a unit is of, and the number of that stage's first unit."""
        with self._lock:
            while number >= self._start + len(self._stage.names):
                results = _results(self._desk, self._job, self._start, self._stage)
                self._start += len(self._stage.names)
                self._stage = self._evaluation.send(results)
            return self._stage, self._start


@lru_cache(maxsize=1)
def _opened(desk: Desk, job: str) -> _OpenEvaluation:
    return _OpenEvaluation(desk, job)


def _take_in(desk: HasStore, job: str, start: int, stage: EvaluationStage) -> None:
    """Write down the units of a stage. Raises InputError where they are there and of other data."""
    stored = desk.store.units.all(job, len(stage.names), start)
    if not stored:
        desk.store.units.add(_units(desk, job, start, stage))
    elif [unit.name for unit in stored] != [name[:LONGEST_NAME] for name in stage.names]:
        raise InputError(
            f"The {stage.noun} have changed since this evaluation began.", "Start it again."
        )


def _units(desk: HasStore, job: str, start: int, stage: EvaluationStage) -> list[JobUnit]:
    return [
        JobUnit(job, start + place, name[:LONGEST_NAME], desk.new_id())
        for place, name in enumerate(stage.names)
    ]


def _results(desk: HasStore, job: str, start: int, stage: EvaluationStage) -> list[Json]:
    """What each part of a stage gave, in order. Raises GroundworkError where one failed."""
    units = desk.store.units.all(job, len(stage.names), start)
    if failed := [unit for unit in units if unit.state is not UnitState.DONE]:
        raise GroundworkError(
            f"{len(failed):,} of {len(units):,} {stage.noun} could not be measured, such as"
            f" {failed[0].name[:60]}: {failed[0].message}",
            f"Try them again: {COMMAND} evaluate --resume {job}",
        )
    results = desk.store.runs.results([unit.run for unit in units], MEASURED)
    return [results[unit.run] for unit in units]


# ------------------------------------------------------------------ arguments as JSON


def _packed(args: Namespace) -> dict[str, Json]:
    """Arguments as JSON; paths are made absolute, for a worker may run in another folder."""

    def pack(value: Any) -> Json:
        if isinstance(value, Path):
            return {"path": str(value.absolute())}
        return [pack(part) for part in value] if isinstance(value, list | tuple) else value

    return {name: pack(value) for name, value in vars(args).items()}


def _begun(desk: Desk, arguments: Json) -> Evaluation:
    def unpack(value: Json) -> Any:
        if isinstance(value, dict):
            return Path(value["path"])
        return [unpack(part) for part in value] if isinstance(value, list) else value

    args = Namespace(**{name: unpack(value) for name, value in arguments.items()})
    return task_named(args.task).stages(desk, args)
