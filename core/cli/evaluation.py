"""`evaluate`: the papers' tables. Each task is a module of `core.evaluation`, loaded when it is
asked for.
"""

from __future__ import annotations

import importlib
from argparse import REMAINDER, ArgumentParser, Namespace

from core.cli.verb import Verb
from core.desk import Desk

TASKS = {
    "grounding": "core.evaluation.grounding",
    "bc5cdr": "core.evaluation.bc5cdr",
    "geneturing": "core.evaluation.gene_benchmark",
    "genehop": "core.evaluation.gene_benchmark",
    "gene-ablation": "core.evaluation.gene_ablation",
    "gene-wordings": "core.evaluation.gene_wordings",
    "api-calls": "core.evaluation.api_calls",
    "retrieval": "core.evaluation.retrieval",
    "answers": "core.evaluation.answers",
    "reading": "core.evaluation.reading",
    "triage": "core.evaluation.triage",
}


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("task", choices=sorted(TASKS), help="which of the papers' tables to repeat")
    parser.add_argument(
        "options", nargs=REMAINDER, help="the task's own options; `evaluate TASK --help` lists them"
    )


def _run(desk: Desk, args: Namespace) -> int:
    module = importlib.import_module(TASKS[args.task])
    parser = ArgumentParser(
        prog=f"python -m core evaluate {args.task}",
        description=(module.__doc__ or "").split("\n\n")[0],
    )
    module.add_arguments(parser)
    parser.set_defaults(task=args.task)
    return int(module.run(desk, parser.parse_args(args.options)))


VERBS = (
    Verb(
        "evaluate",
        "measure an engine on a benchmark and compare with published figures",
        _arguments,
        _run,
    ),
)
