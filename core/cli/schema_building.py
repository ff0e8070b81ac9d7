"""`schema`: make a schema from a form, or see one as a form. `schemas` lists and describes them."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from core.cli.verb import LazyRun, Verb


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="new|form|note", required=True)
    making = actions.add_parser("new", help="save a schema described by a form (JSON)")
    making.add_argument(
        "--from", dest="file", type=Path, required=True, help="the form; - for standard input"
    )
    making.add_argument("--print", action="store_true", help="only print the LinkML")
    noting = actions.add_parser(
        "note", help="set the text that is added to every prompt of a schema"
    )
    noting.add_argument("name", help="the schema's name")
    noting.add_argument(
        "--set", dest="words", metavar="FILE", help="save this text; - for standard input"
    )
    noting.add_argument("--clear", action="store_true", help="add no text from now on")
    noting.add_argument("--history", action="store_true", help="show every version of the text")
    showing = actions.add_parser(
        "form", help="show a schema as a form, and what the form cannot show"
    )
    showing.add_argument("name", help="the schema's name")


VERBS = (
    Verb(
        "schema",
        "make a schema from a form, without YAML",
        arguments,
        LazyRun("schema_building_run:run"),
    ),
)
