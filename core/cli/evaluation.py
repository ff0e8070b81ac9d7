"""`evaluate`: the papers' tables, each as a job whose documents or questions are units."""

from __future__ import annotations

from argparse import REMAINDER, ArgumentParser

from core.cli.verb import LazyRun, Verb
from core.evaluation.registry import EVALUATIONS


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "task", nargs="?", choices=EVALUATIONS, help="which of the papers' tables to repeat"
    )
    parser.add_argument(
        "--resume", default="", metavar="JOB", help="continue an evaluation that was stopped"
    )
    parser.add_argument(
        "options", nargs=REMAINDER, help="the task's own options; `evaluate TASK --help` lists them"
    )


VERBS = (
    Verb(
        "evaluate",
        "measure an engine on a benchmark and compare with published figures",
        _arguments,
        LazyRun("evaluation_run:evaluate"),
    ),
)
