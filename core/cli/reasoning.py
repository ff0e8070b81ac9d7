"""Verbs that define classes, and that classify what was approved by them."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.verb import LazyRun, Verb

FORMATS = ("table", "json", "ttl")


def define_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="what the class is called")
    parser.add_argument(
        "--kind", default="", help="a class of a schema (schema:Recipe) or category:food"
    )
    parser.add_argument(
        "--tie",
        action="append",
        default=[],
        metavar="RELATION>…=TERM",
        help="members are tied by these relations to this term or to one below it; all as ids",
    )
    parser.add_argument(
        "--either", action="store_true", help="one relation is enough (default: all are needed)"
    )
    parser.add_argument(
        "--apart",
        action="append",
        default=[],
        metavar="NAME",
        help="another class that shares no member with it",
    )
    parser.add_argument("--list", action="store_true", help="list the classes")
    parser.add_argument(
        "--paths", action="store_true", help="list the relations that a class can be defined by"
    )
    parser.add_argument("--remove", metavar="NAME", help="remove a class")


def classify_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=FORMATS, default="table", help="output format (default: table)"
    )
    parser.add_argument(
        "--reasoner",
        default="pyelk",
        metavar="NAME",
        help="pyelk (default); with Java: hermit, elk, or the path of the JAR of either",
    )
    parser.add_argument("--why", action="store_true", help="say why each member is one")
    parser.add_argument("--output", type=Path, help="the file to write (default: standard output)")


VERBS: tuple[Verb, ...] = (
    Verb(
        "define",
        "define a class: a kind of thing with certain relations",
        define_arguments,
        LazyRun("reasoning_run:define"),
    ),
    Verb(
        "classify",
        "group approved things by the defined classes",
        classify_arguments,
        LazyRun("reasoning_run:classify"),
    ),
)
