"""What the verb evaluate does: the job of a task, waited for, and its report."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.model import Job, JobState
from core.services.evaluation.evaluation_job import report_of, start_evaluation, task_named

EVERY = 10.0  # seconds between two lines of progress


def evaluate(desk: Desk, args: Namespace) -> int:
    if args.resume:
        job = desk.store.jobs.get(args.resume)
        job = job if job.state is JobState.DONE else desk.runner.resume(job.id)
    elif args.task:
        job = start_evaluation(desk, _task_arguments(args))
    else:
        raise InputError("No task is named.", "`evaluate --help` lists them.")
    print(f"groundwork: evaluation {job.id}", file=sys.stderr)
    ended = _ended(desk, job)
    if ended.state is not JobState.DONE:
        raise GroundworkError(
            f"The evaluation is {ended.state}. {ended.error}".strip(),
            f"Continue it: python -m core evaluate --resume {job.id}",
        )
    report = report_of(ended)
    print(report.text)
    if report.notes:
        print(report.notes, file=sys.stderr)
    return report.status


def _task_arguments(args: Namespace) -> Namespace:
    module = task_named(args.task)
    parser = ArgumentParser(
        prog=f"python -m core evaluate {args.task}",
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
            print(f"groundwork: {job.message}", file=sys.stderr)
    return job
