"""What the verbs jobs, worker, backup, restore, move and doctor do."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from argparse import Namespace
from dataclasses import asdict

from core.desk import Desk
from core.errors import SettingsError
from core.jobs.order import jobs_in_order
from core.jobs.pool import usable_cores
from core.model import Job, JobState
from core.services.home import project
from core.services.people.orcid import checked_curator
from core.services.settings import project_copy
from core.services.settings.doctor import examine_project
from core.services.settings.job_line import job_line, job_outcome, job_subject
from core.services.shared.unit_task import knows_units, work_on
from core.text.count import counted

LOOK = 1.0  # seconds between two looks for work


LOST_WITHIN = 900.0  # seconds since a sign of life of a job that a worker takes up by itself


MOST_TIMES = 3  # that one job is taken up by itself


def jobs(desk: Desk, args: Namespace) -> int:
    """The newest jobs, one a line: its id, what it is and how far, and what came of it."""
    person = checked_curator(args.curator, "").orcid if args.curator else ""
    if args.stop:
        job = project.stop_job(desk, args.stop, person)
    elif args.first:
        job = project.put_first(desk, args.first, person)
    elif args.resume:
        project.resume_job(desk, args.resume, person)
        job = desk.runner.wait(args.resume)
    else:
        for listed in project.project_jobs(desk):
            words = (job_line(listed), job_subject(desk, listed), job_outcome(listed))
            print(f"{listed.id}  {' · '.join(filter(None, words))}")
        return 0
    print(f"groundwork: {job_line(job)}", file=sys.stderr)
    return int(job.state is JobState.FAILED)


def worker(desk: Desk, args: Namespace) -> int:
    """Work on waiting jobs of the project: a process beside the app, on this machine or another."""
    if args.job:
        work_on(str(desk.folder), args.job)  # silent: mostly started by another command
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
    """Take up jobs that wait or lost their worker, and help with units of jobs that run; how much
    was done.
    """
    jobs_done = 0
    for id in lost_jobs(desk):
        desk.runner.resume(id)
        _say_outcome(desk.runner.wait(id))
        jobs_done += 1
    for job in jobs_in_order(desk.store.jobs.find(states=(JobState.QUEUED, JobState.RUNNING))):
        if job.state is JobState.QUEUED:
            desk.runner.take_up(job.id)
            _say_outcome(desk.runner.wait(job.id))
            return jobs_done + 1  # meanwhile others may have begun to wait that go first
        if knows_units(job.name) and (units_done := work_on(str(desk.folder), job.id)):
            print(f"groundwork: did {units_done:,} of {job.total:,} of {job.id} ({job.name})",
                  file=sys.stderr)  # fmt: skip
            return jobs_done + units_done
    return jobs_done


def _say_outcome(job: Job) -> None:
    words = filter(None, (job.id, job_line(job), job_outcome(job)))
    print(f"groundwork: {' · '.join(words)}", file=sys.stderr)


def lost_jobs(desk: Desk) -> list[str]:
    """Jobs whose process was killed in the last minutes, oldest first; what was left behind long
    ago waits for a person, and so does a job that took several workers with it.
    """
    desk.store.jobs.interrupt()
    lost = []
    for job in desk.store.jobs.lost_within(LOST_WITHIN):
        times = int(desk.store.project.get(f"taken up {job.id}", 0))
        if times < MOST_TIMES:
            desk.store.project.set(f"taken up {job.id}", times + 1)
            lost.append(job.id)
    return lost


def dask_worker(address: str) -> int:
    """Join this machine's processors to the scheduler, a process each; again when it comes back
    after it was stopped.
    """
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise SettingsError(
            "GROUNDWORK_SCHEDULER is set, but dask is not installed.",
            "pip install 'dask[distributed]', or unset the variable.",
        ) from error
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
    command += ["--nworkers", str(usable_cores()), "--nthreads", "1"]
    while True:
        status = subprocess.call(command)
        print(f"groundwork: no scheduler at {address} any more (status {status}); trying again",
              file=sys.stderr)  # fmt: skip
        time.sleep(LOOK)


def backup(desk: Desk, args: Namespace) -> int:
    rows = project_copy.write_backup(desk, args.file)
    print(f"groundwork: {counted(rows, 'row')} and the project's files in {args.file}",
          file=sys.stderr)  # fmt: skip
    return 0


def restore(desk: Desk, args: Namespace) -> int:
    rows = project_copy.restore_backup(desk, args.file)
    print(f"groundwork: {counted(rows, 'row')} restored in {desk.folder}", file=sys.stderr)
    return 0


def move(desk: Desk, args: Namespace) -> int:
    rows = project_copy.move_database(desk, args.url)
    print(
        f"groundwork: {counted(rows, 'row')} copied. Set GROUNDWORK_DATABASE_URL to the new"
        " address and restart; the old database is unchanged.",
        file=sys.stderr,
    )
    return 0


def doctor(desk: Desk, args: Namespace) -> int:
    """Status 1 when anything is wrong."""
    wrong = 0
    for finding in examine_project(desk, network=args.network):
        wrong += not finding.good
        if args.format == "jsonl":
            print(json.dumps(asdict(finding), ensure_ascii=False))
            continue
        print(f"{'ok   ' if finding.good else 'WRONG'} {finding.name}: {finding.says}")
        if finding.hint:
            print(f"      {finding.hint}")
    return 1 if wrong else 0
