"""`evaluate`: the papers' tables, each as a job whose documents or questions are units."""

from __future__ import annotations

import sys
from argparse import REMAINDER, ArgumentParser, Namespace

from core import COMMAND
from core.cli.output import print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.model import Job, JobState


def _arguments(parser: ArgumentParser) -> None:
    from core.evaluation.registry import EVALUATIONS

    parser.add_argument(
        "task", nargs="?", choices=EVALUATIONS, help="which of the papers' tables to repeat"
    )
    parser.add_argument(
        "--resume", default="", metavar="JOB", help="continue an evaluation that was stopped"
    )
    parser.add_argument(
        "options", nargs=REMAINDER, help="the task's own options; `evaluate TASK --help` lists them"
    )


EVERY = 10.0  # seconds between two lines of progress


def evaluate(desk: Desk, args: Namespace) -> int:
    from core.services.evaluation.evaluation_job import report_of, start_evaluation

    if args.resume:
        job = desk.store.jobs.get(args.resume)
        job = job if job.state is JobState.DONE else desk.runner.resume(job.id)
    elif args.task:
        job = start_evaluation(desk, _task_arguments(args))
    else:
        raise InputError("No task is named.", "`evaluate --help` lists them.")
    print_note(f"evaluation {job.id}")
    ended = _ended(desk, job)
    if ended.state is not JobState.DONE:
        raise GroundworkError(
            f"The evaluation is {ended.state}. {ended.error}".strip(),
            f"Continue it: {COMMAND} evaluate --resume {job.id}",
        )
    report = report_of(ended)
    print(report.text)
    if report.notes:
        print(report.notes, file=sys.stderr)
    return report.status


def _task_arguments(args: Namespace) -> Namespace:
    from core.services.evaluation.evaluation_job import task_named

    module = task_named(args.task)
    parser = ArgumentParser(
        prog=f"{COMMAND} evaluate {args.task}",
        description=(module.__doc__ or "").split("\n\n")[0],
    )
    module.add_arguments(parser)
    parser.set_defaults(task=args.task)
    return parser.parse_args(args.options)


def _ended(desk: Desk, job: Job) -> Job:
    """The job when it has ended; meanwhile how far it is is said now and then."""
    while job.state in (JobState.QUEUED, JobState.RUNNING):
        job = desk.runner.wait(job.id, EVERY)
        if job.message and job.state is JobState.RUNNING:
            print_note(f"{job.message}")
    return job


VERBS = (
    Verb(
        "evaluate",
        "measure an engine on a benchmark and compare with published figures",
        _arguments,
        evaluate,
    ),
)
