"""The verb `decide`, with little to import: others call it often."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.choices import VERDICTS
from core.cli.verb import LazyRun, Verb


def decide_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the statement's id (s1-…)")
    parser.add_argument("verdict", nargs="?", choices=VERDICTS, help="your decision")
    parser.add_argument(
        "--version", type=int, help="the version you saw: it is in the output of `statements`"
    )
    parser.add_argument("--curator", default="", help="your ORCID iD")
    parser.add_argument(
        "--reason", default="", help="why it is rejected: words or number of the closed list"
    )
    parser.add_argument("--note", default="", help="a note; needed with the reason “other”")
    parser.add_argument("--evidence", default="", help="judge this piece of evidence only (e1-…)")
    parser.add_argument(
        "--input",
        metavar="FILE|-",
        default="",
        help="JSON lines {id, verdict, version, reason, note, evidence}; a line of result for each",
    )
    parser.add_argument(
        "--undo",
        metavar="ID",
        default="",
        help="take back a decision, or the last one on a statement",
    )


VERBS: tuple[Verb, ...] = (
    Verb(
        "decide",
        "approve, reject or mark a statement, or take a decision back",
        decide_arguments,
        LazyRun("decision_run:decide"),
    ),
)
