"""The verb that draws what is approved: a picture, or what is in view as data."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.choices import ASSERTION_KINDS, PICTURES, THING_SIZES
from core.cli.verb import LazyRun, Verb

FORMATS = (*PICTURES, "json")


def graph_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "thing", nargs="*", help="things to put in the centre: ids or labels (default: everything)"
    )
    parser.add_argument("--to", metavar="THING", help="draw the paths to this thing")
    parser.add_argument("--steps", type=int, choices=(1, 2, 3), default=1, help="default: 1")
    parser.add_argument("--overview", action="store_true", help="kinds and relations, counted")
    parser.add_argument(
        "--address", default="", help="a view, as it stands in the page's address after the ?"
    )
    for name, words in (
        ("relation", "draw only this relation; -NAME leaves it out"),
        ("kind", "draw only this kind of thing; -NAME leaves it out"),
        ("said", f"{', '.join(ASSERTION_KINDS)}; -NAME leaves it out"),
        ("hide", "leave this thing out"),
    ):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="NAME", help=words)
    parser.add_argument(
        "--paper",
        default="",
        help="only statements with evidence in this paper: its id, or words of its title",
    )
    parser.add_argument("--curator", default="", help="decided by this ORCID iD")
    parser.add_argument(
        "--since", default="", metavar="DAY", help="decided since this date, such as 2026-01-31"
    )
    parser.add_argument("--until", default="", metavar="DAY", help="decided until this date")
    parser.add_argument(
        "--evidence",
        type=int,
        default=0,
        help="only statements with at least this many pieces of evidence",
    )
    parser.add_argument("--size", choices=THING_SIZES, help="what the size of a thing shows")
    parser.add_argument("--values", action="store_true", help="numbers and words as points")
    parser.add_argument("--dark", action="store_true", help="on a dark background")
    parser.add_argument("--format", choices=FORMATS, default="svg", help="default: svg")
    parser.add_argument("--output", type=Path, help="the file to write (default: standard output)")


VERBS: tuple[Verb, ...] = (
    Verb(
        "graph",
        "draw the approved statements as SVG, PNG, a web page or data",
        graph_arguments,
        LazyRun("graph_run:graph"),
    ),
)
