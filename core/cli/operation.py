"""Verbs for whoever runs the desk: `worker`."""

from __future__ import annotations

import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace

from core.cli.verb import Verb
from core.desk import Desk
from core.errors import SettingsError
from core.jobs.pool import cores
from core.jobs.units import has_units
from core.model import JobState
from core.services.shared.unit_task import work_on
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
        if has_units(job.name):
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
    return subprocess.call([*command, "--nworkers", str(cores()), "--nthreads", "1"])


VERBS = (
    Verb(
        "worker",
        "work on what waits: a second process, or a second machine on the same database",
        worker_arguments,
        worker,
    ),
)
