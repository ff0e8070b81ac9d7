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
        metavar="list|install|add|contains|remove|update|consequences|refresh-labels|look-up",
        required=True,
    )
    actions.add_parser(
        "list",
        help="list name, version, terms, names, ids, source and licence of each, tab-separated",
    )
    installing = actions.add_parser(
        "install", help="download and install the current release of a vocabulary"
    )
    installing.add_argument("name", help="such as mesh or hp; the page Vocabularies lists all")
    installing.add_argument("--full", action="store_true", help=SUPPRESS)
    _add_arguments(actions.add_parser("add", help="add a file of your own"))
    contains = actions.add_parser(
        "contains",
        help="say what kind of thing a vocabulary of your own contains, and which schemas use it",
    )
    contains.add_argument("name", help="as listed")
    contains.add_argument(
        "kinds", nargs="*", type=Category, metavar="KIND",
        help=f"{', '.join(Category)}; none: only say which schemas use it",
    )  # fmt: skip
    _look_up_arguments(
        actions.add_parser(
            "look-up", help="ask a remote service, or the project's mappings, for words or an id"
        )
    )
    actions.add_parser("remove", help="remove a vocabulary from the project").add_argument(
        "name", help="as listed"
    )
    actions.add_parser(
        "update", help="download installed vocabularies again and say what changed"
    ).add_argument(
        "name", nargs="?", default="", help="as listed (default: all that were installed by name)"
    )
    _consequences_arguments(
        actions.add_parser(
            "consequences",
            help="list approved statements affected by the last update of a vocabulary",
        )
    )
    actions.add_parser(
        "refresh-labels", help="use the new labels of renamed terms in the statements, with a note"
    ).add_argument("name", help="the updated vocabulary, as listed")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, help="OBO, OWL, MeSH, a table …: recognised by its content"
    )
    parser.add_argument(
        "--column", action="append", default=[], metavar="ROLE=NAME",
        help=f"which column of a table contains what; roles: {', '.join(columns.ROLES)}",
    )  # fmt: skip
    parser.add_argument("--prefix", default="", help="the prefix for ids in a table that have none")
    parser.add_argument(
        "--separator", default="|", help="what separates several values in one cell (default: |)"
    )
    parser.add_argument(
        "--holds", type=Category, action="append", default=[], metavar="KIND",
        help=f"what kind of thing a file without hierarchy holds: {', '.join(Category)}",
    )  # fmt: skip


def _look_up_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "service",
        choices=sorted({*SERVICES, mappings.NAME}),
        help="a remote service; mappings: those imported into this project",
    )
    parser.add_argument("words", help="words, or an id")
    parser.add_argument("--in", dest="within", default="", help="only in this vocabulary")


def _consequences_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="the updated vocabulary, as listed")
    parser.add_argument(
        "--replace",
        action="store_true",
        help="replace obsolete terms that have one successor in these statements: one decision,"
        " which keeps the approvals",
    )
    parser.add_argument("--curator", default="", help="with --replace: your ORCID iD")


VERBS = (
    Verb(
        "vocabularies",
        "list, install, add, remove and update vocabularies",
        _vocabularies_arguments,
        LazyRun("vocabulary_run:run"),
    ),
)
