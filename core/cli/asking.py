"""The verb that asks the knowledge base: SPARQL, or a question to fill in."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.verb import LazyRun, Verb
from core.kb.query.question_pattern import MOST, PATTERNS

FORMATS = ("table", "json", "csv", "tsv", "nt")


def query_arguments(parser: ArgumentParser) -> None:
    names = ", ".join(pattern.name for pattern in PATTERNS)
    parser.add_argument("sparql", nargs="?", help="a SPARQL query; - reads it from standard input")
    parser.add_argument("--input", type=Path, help="a file with the query")
    parser.add_argument("--question", metavar="NAME", help=f"a ready-made question: {names}")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="thing, other, relation or paper of the question: an id, or a label",
    )
    parser.add_argument("--list", action="store_true", help="the questions and example queries")
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    parser.add_argument(
        "--most",
        type=int,
        default=MOST,
        help="maximum number of rows (default: %(default)s)",
    )


VERBS: tuple[Verb, ...] = (
    Verb(
        "query",
        "query the approved statements: in SPARQL, or by a ready-made question",
        query_arguments,
        LazyRun("asking_run:query"),
    ),
)
