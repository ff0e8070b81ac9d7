"""The verb on vocabularies: list, install, add, remove, update, ask a remote service."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from pathlib import Path

from core.cli.verb import LazyRun, Verb
from core.grounding.readers import columns
from core.grounding.remote.registry import SERVICES
from core.model import Category
from core.services.vocabularies import (
    mappings,
)


def _vocabularies_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action",
        metavar="list|install|add|remove|update|refresh-labels|look-up",
        required=True,
    )
    actions.add_parser(
        "list", help="name, version, terms, names, ids, source and licence of each, tab-separated"
    )
    installing = actions.add_parser(
        "install", help="download the current release of one into the project, by name"
    )
    installing.add_argument("name")
    installing.add_argument("--full", action="store_true", help=SUPPRESS)
    adding = actions.add_parser("add", help="add a file of your own")
    adding.add_argument("file", type=Path)
    adding.add_argument(
        "--column", action="append", default=[], metavar="ROLE=NAME",
        help=f"which column of a table contains what; roles: {', '.join(columns.ROLES)}",
    )  # fmt: skip
    adding.add_argument("--prefix", default="", help="put before ids of a table that have none")
    adding.add_argument("--separator", default="|", help="between several values of a cell")
    adding.add_argument(
        "--holds", type=Category, action="append", default=[], metavar="KIND",
        help=f"what kind of thing a file without hierarchy holds: {', '.join(Category)}",
    )  # fmt: skip
    asking = actions.add_parser(
        "look-up", help="ask a remote service, or the project's mappings, for words or an id"
    )
    asking.add_argument("service", choices=sorted({*SERVICES, mappings.NAME}))
    asking.add_argument("words")
    asking.add_argument("--in", dest="within", default="", help="only in this vocabulary")
    actions.add_parser("remove", help="take one out of the project").add_argument("name")
    actions.add_parser("update", help="get installed ones again and say what changed").add_argument(
        "name", nargs="?", default=""
    )
    actions.add_parser(
        "refresh-labels", help="write what an update renamed into the statements, with a note"
    ).add_argument("name")


VERBS = (
    Verb(
        "vocabularies",
        "list, install, add, remove and update vocabularies",
        _vocabularies_arguments,
        LazyRun("vocabulary_run:run"),
    ),
)
