"""Verbs for whoever runs the desk: `worker`, `backup`, `restore`, `move`, `doctor`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from core.cli.verb import Verb
from core.desk import Desk
from core.errors import SettingsError
from core.jobs.pool import usable_cores
from core.model import JobState
from core.services.settings import copy
from core.services.settings.doctor import examine
from core.services.shared.unit_task import known, work_on
from core.text.count import counted

LOOK = 1.0  # seconds between two looks for work


def worker_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--job", default="", metavar="JOB", help="work on this job only, then end")
    parser.add_argument("--until-idle", action="store_true", help="end when nothing waits")


def worker(desk: Desk, args: Namespace) -> int:
    """Work on what waits in the project: a process beside the app, on this machine or another."""
    if args.job:
        done = work_on(str(desk.folder), args.job)
        print(f"groundwork: {counted(done, 'unit')} done", file=sys.stderr)
        return 0
    if desk.settings.scheduler:
        return dask_worker(desk.settings.scheduler)
    print("groundwork: waiting for work; stop with Ctrl-C", file=sys.stderr)
    while True:
        if not one_round(desk):
            if args.until_idle:
                return 0
            time.sleep(LOOK)


def one_round(desk: Desk) -> int:
    """Take up jobs that wait, and help with units of jobs that run; how much was done."""
    done = 0
    for job in desk.store.jobs.find(states=(JobState.QUEUED,)):
        desk.runner.take_up(job.id)
        desk.runner.wait(job.id)
        done += 1
    for job in desk.store.jobs.find(states=(JobState.RUNNING,)):
        if known(job.name):
            done += work_on(str(desk.folder), job.id)
    return done


def dask_worker(address: str) -> int:
    """Join this machine's processors to the scheduler, a process each."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise SettingsError(
            "GROUNDWORK_SCHEDULER is set, but dask is not installed.",
            "pip install 'dask[distributed]', or unset the variable.",
        ) from error
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
    return subprocess.call([*command, "--nworkers", str(usable_cores()), "--nthreads", "1"])


def file_argument(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a tar file; gzipped where it ends in .gz")


def backup(desk: Desk, args: Namespace) -> int:
    rows = copy.backup(desk, args.file)
    print(f"groundwork: {counted(rows, 'row')} and the project's files in {args.file}",
          file=sys.stderr)  # fmt: skip
    return 0


def restore(desk: Desk, args: Namespace) -> int:
    rows = copy.restore(desk, args.file)
    print(f"groundwork: {counted(rows, 'row')} restored in {desk.folder}", file=sys.stderr)
    return 0


def move_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "url", help="postgresql+psycopg://user@host/name or sqlite:////path/file.db; must be empty"
    )


def move(desk: Desk, args: Namespace) -> int:
    rows = copy.move(desk, args.url)
    print(
        f"groundwork: {counted(rows, 'row')} copied. Set GROUNDWORK_DATABASE_URL to the new"
        " address and restart; the old database stays as it is.",
        file=sys.stderr,
    )
    return 0


def doctor_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--network", action="store_true", help="ask the model one short question")
    parser.add_argument("--format", choices=("text", "jsonl"), default="text")


def doctor(desk: Desk, args: Namespace) -> int:
    """Status 1 when anything is wrong."""
    wrong = 0
    for finding in examine(desk, network=args.network):
        wrong += not finding.good
        if args.format == "jsonl":
            print(json.dumps(asdict(finding), ensure_ascii=False))
            continue
        print(f"{'ok   ' if finding.good else 'WRONG'} {finding.name}: {finding.says}")
        if finding.hint:
            print(f"      {finding.hint}")
    return 1 if wrong else 0


VERBS = (
    Verb(
        "backup",
        "write the whole project into one file while others work",
        file_argument,
        backup,
    ),
    Verb("restore", "put a backup into a new project", file_argument, restore),
    Verb(
        "move",
        "copy the project's rows into another database (SQLite, PostgreSQL)",
        move_arguments,
        move,
    ),
    Verb(
        "doctor",
        "what is wrong with this installation, and how to put it right",
        doctor_arguments,
        doctor,
    ),
    Verb(
        "worker",
        "work on what waits: a second process, or a second machine on the same database",
        worker_arguments,
        worker,
    ),
)
