"""`projects`: what stands beside each other; make one, rename it. `backup` and `restore` are verbs
of their own.
"""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list|make|rename", required=True)
    actions.add_parser("list", help="list the projects in the same folder, as JSON lines")
    making = actions.add_parser("make", help="create an empty project in the same folder")
    making.add_argument("title", help="its name; the folder is named after it")
    renaming = actions.add_parser("rename", help="give this project another name")
    renaming.add_argument("title", help="the new name; the folder keeps its own")


VERBS = (
    Verb("projects", "list, create and rename projects", arguments, LazyRun("projects_run:run")),
)
