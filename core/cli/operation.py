"""Verbs for whoever runs the desk: `jobs`, `worker`, `backup`, `restore`, `move`, `doctor`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.verb import LazyRun, Verb


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


VERBS = (
    Verb(
        "backup",
        "write the whole project into one file while others work",
        file_argument,
        LazyRun("operation_run:backup"),
    ),
    Verb(
        "restore",
        "restore a backup as a new project",
        file_argument,
        LazyRun("operation_run:restore"),
    ),
    Verb(
        "move",
        "copy the project into another database (SQLite, PostgreSQL)",
        move_arguments,
        LazyRun("operation_run:move"),
    ),
    Verb(
        "doctor",
        "check this installation and say how to fix problems",
        doctor_arguments,
        LazyRun("operation_run:doctor"),
    ),
    Verb(
        "jobs",
        "list the jobs of the project, stop one, put one first or run it again",
        jobs_arguments,
        LazyRun("operation_run:jobs"),
    ),
    Verb(
        "worker",
        "work on waiting jobs, as a second process or on a second machine with the same database",
        worker_arguments,
        LazyRun("operation_run:worker"),
    ),
)
