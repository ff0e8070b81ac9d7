"""Verbs for whoever runs the desk: `jobs`, `worker`, `backup`, `restore`, `move`, `doctor`."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from core.cli.output import print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import SettingsError
from core.model import Job, JobState
from core.settings import Settings, child_environment
from core.text.count import counted


def worker_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--job", default="", metavar="JOB", help="work on this job only, then stop")
    parser.add_argument("--until-idle", action="store_true", help="stop when no job is waiting")


def jobs_arguments(parser: ArgumentParser) -> None:
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--stop", default="", metavar="JOB", help="stop this job at its next step; "
                     "finished work is kept")  # fmt: skip
    act.add_argument(
        "--first", default="", metavar="JOB", help="begin this waiting job before the others"
    )
    act.add_argument(
        "--resume", default="", metavar="JOB", help="run a stopped or interrupted job again, here"
    )
    parser.add_argument("--curator", default="", help="your ORCID iD, if the project has roles")


def file_argument(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a tar file; gzipped if its name ends in .gz")


def move_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "url", help="postgresql+psycopg://user@host/name or sqlite:////path/file.db; must be empty"
    )


def doctor_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--network", action="store_true", help="also ask the model and NCBI whether they answer"
    )
    parser.add_argument(
        "--format",
        choices=("text", "jsonl"),
        default="text",
        help="output format (default: text)",
    )


LOOK = 1.0  # seconds between two looks for work


LOST_WITHIN = 900.0  # seconds since a sign of life of a job that a worker takes up by itself


MOST_TIMES = 3  # that one job is taken up by itself


def jobs(desk: Desk, args: Namespace) -> int:
    """The newest jobs, one a line: its id, what it is and how far, and what came of it."""
    from core.services.home import project
    from core.services.people.orcid import checked_curator
    from core.services.settings.job_line import job_line, job_outcome, job_subject

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
    print_note(f"{job_line(job)}")
    return int(job.state is JobState.FAILED)


def worker(desk: Desk, args: Namespace) -> int:
    """Work on waiting jobs of the project: a process beside the app, on this machine or another."""
    from core.services.shared.unit_task import work_on

    if args.job:
        work_on(str(desk.folder), args.job)  # silent: mostly started by another command
        return 0
    if desk.settings.scheduler:
        return dask_worker(desk.settings)
    print_note("waiting for work; stop with Ctrl-C")
    while True:
        if not one_round(desk):
            if args.until_idle:
                return 0
            time.sleep(LOOK)


def one_round(desk: Desk) -> int:
    """Take up jobs that wait or lost their worker, and help with units of jobs that run; how much
    was done.
    """
    from core.jobs.order import jobs_in_order
    from core.services.shared.unit_task import knows_units, work_on

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
            print_note(f"did {units_done:,} of {job.total:,} of {job.id} ({job.name})")
            return jobs_done + units_done
    return jobs_done


def _say_outcome(job: Job) -> None:
    from core.services.settings.job_line import job_line, job_outcome

    words = filter(None, (job.id, job_line(job), job_outcome(job)))
    print_note(f"{' · '.join(words)}")


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


def dask_worker(settings: Settings) -> int:
    """Join this machine's processors to the scheduler, a process each; again when it comes back
    after it was stopped.
    """
    import subprocess  # a hundredth of a second, which no other verb needs

    from core.jobs.pool import usable_cores

    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise SettingsError(
            "GROUNDWORK_SCHEDULER is set, but dask is not installed.",
            "pip install 'dask[distributed]', or unset the variable.",
        ) from error
    address = settings.scheduler
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
    command += ["--nworkers", str(usable_cores()), "--nthreads", "1"]
    while True:
        status = subprocess.call(command, env=child_environment(settings))
        print_note(f"no scheduler at {address} any more (status {status}); trying again")
        time.sleep(LOOK)


def backup(desk: Desk, args: Namespace) -> int:
    from core.services.settings import project_copy

    rows = project_copy.write_backup(desk, args.file)
    print_note(f"{counted(rows, 'row')} and the project's files in {args.file}")
    return 0


def restore(desk: Desk, args: Namespace) -> int:
    from core.services.settings import project_copy

    rows = project_copy.restore_backup(desk, args.file)
    print_note(f"{counted(rows, 'row')} restored in {desk.folder}")
    return 0


def move(desk: Desk, args: Namespace) -> int:
    from core.services.settings import project_copy

    rows = project_copy.move_database(desk, args.url)
    print_note(
        f"{counted(rows, 'row')} copied. Set GROUNDWORK_DATABASE_URL to the new"
        " address and restart; the old database is unchanged."
    )
    return 0


def doctor(desk: Desk, args: Namespace) -> int:
    """Status 1 when anything is wrong."""
    from core.services.settings.doctor import examine_project

    wrong = 0
    for finding in examine_project(desk, network=args.network):
        wrong += not finding.good
        if args.format == "jsonl":
            print_line(asdict(finding))
            continue
        print(f"{'ok   ' if finding.good else 'WRONG'} {finding.name}: {finding.says}")
        if finding.hint:
            print(f"      {finding.hint}")
    return 1 if wrong else 0


VERBS = (
    Verb(
        "backup", "write the whole project into one file while others work", file_argument, backup
    ),
    Verb("restore", "restore a backup as a new project", file_argument, restore),
    Verb(
        "move", "copy the project into another database (SQLite, PostgreSQL)", move_arguments, move
    ),
    Verb("doctor", "check this installation and say how to fix problems", doctor_arguments, doctor),
    Verb(
        "jobs",
        "list the jobs of the project, stop one, put one first or run it again",
        jobs_arguments,
        jobs,
    ),
    Verb(
        "worker",
        "work on waiting jobs, as a second process or on a second machine with the same database",
        worker_arguments,
        worker,
    ),
)
