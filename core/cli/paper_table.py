"""The verb table: fill a table of papers and questions, with a quote in every cell."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.choices import TABLE_FORMATS
from core.cli.literature import filter_arguments
from core.cli.verb import LazyRun, Verb

ENGINES = ("auto", "model", "extractive")


def table_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("namespace", help="the namespace; separate several with commas")
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help="one column each")
    parser.add_argument("--input", default="", help="a file of questions, one per line, or -")
    parser.add_argument(
        "--documents",
        nargs="+",
        action="extend",
        default=[],
        metavar="ID",
        help="only these papers, such as PMID:123 (default: all that the filter lets pass)",
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default="auto",
        help="what answers (auto: a model if one is configured)",
    )
    parser.add_argument("--model", default="", help="asked in place of the project's")
    parser.add_argument(
        "--format", choices=TABLE_FORMATS, default="csv", help="output format (default: csv)"
    )
    parser.add_argument("--output", type=Path, help="a file, else standard output")
    filter_arguments(parser)


VERBS = (
    Verb(
        "table",
        "fill a table of papers and questions, with a quote in every cell",
        table_arguments,
        LazyRun("paper_table_run:table"),
    ),
)
