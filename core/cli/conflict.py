"""The verb on conflicts: list what is at odds, and say what becomes of it."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.choices import CONFLICT_ENDS
from core.cli.verb import LazyRun, Verb
from core.review.conflicts import ConflictKind


def conflicts_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--kind", choices=list(ConflictKind), default="", help="only those")
    parser.add_argument("--limit", type=int, default=0, help="maximum number (default: all)")
    parser.add_argument(
        "--settle", nargs=2, metavar=("FIRST", "SECOND"), help="the two statements to settle (s1-…)"
    )
    parser.add_argument(
        "--reopen",
        nargs=2,
        metavar=("FIRST", "SECOND"),
        help="reopen the settled conflict of these two statements",
    )
    parser.add_argument("--settled", action="store_true", help="list those settled by keeping both")
    parser.add_argument("--outcome", choices=CONFLICT_ENDS, help="how to settle the conflict")
    parser.add_argument("--wrong", default="", metavar="ID", help="which of the two is rejected")
    parser.add_argument("--version", type=int, default=-1, help="the version of it that you saw")
    parser.add_argument("--reason", default="", help="why it is rejected: words or number")
    parser.add_argument("--note", default="", help="a note on the decision")
    parser.add_argument("--curator", default="", help="your ORCID iD")


VERBS: tuple[Verb, ...] = (
    Verb(
        "conflicts",
        "list statements that contradict each other, and settle them",
        conflicts_arguments,
        LazyRun("conflict_run:conflicts"),
    ),
)
