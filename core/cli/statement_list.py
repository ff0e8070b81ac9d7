"""The verb `statements`, with little to import: others call it often."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb
from core.model import (
    State,
)


def statements_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--state", choices=[str(state) for state in State], help="only those in this state"
    )
    parser.add_argument("--document", default="", help="only those of this document (PMID:1)")
    parser.add_argument("--limit", type=int, default=0, help="maximum number (default: all)")


VERBS = (
    Verb(
        "statements",
        "list statements as JSON lines",
        statements_arguments,
        LazyRun("statement_list_run:statements"),
    ),
)
