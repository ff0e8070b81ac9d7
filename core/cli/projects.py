"""`projects`: what stands beside each other; make one, rename it. `backup` and `restore` are verbs
of their own.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from core.cli.output import print_line
from core.cli.verb import Verb
from core.desk import Desk
from core.model import Json

if TYPE_CHECKING:
    from core.services.home.projects import ProjectEntry


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list|make|rename", required=True)
    actions.add_parser("list", help="list the projects in the same folder, as JSON lines")
    making = actions.add_parser("make", help="create an empty project in the same folder")
    making.add_argument("title", help="its name; the folder is named after it")
    renaming = actions.add_parser("rename", help="give this project another name")
    renaming.add_argument("title", help="the new name; the folder keeps its own")


def run(desk: Desk, args: Namespace) -> int:
    from core.services.home import projects

    match args.action:
        case "list":
            for entry in projects.list_projects(desk.settings):
                print_line(line(entry))
        case "make":
            print_line(line(projects.make_project(desk.settings, args.title)))
        case "rename":
            projects.rename_project(desk, args.title)
    return 0


def line(entry: ProjectEntry) -> Json:
    return {
        "folder": str(entry.folder),
        "title": entry.title,
        "changed": entry.changed,
        "bytes": entry.size,
        "example": entry.example,
        "made": entry.made,
    }


VERBS = (Verb("projects", "list, create and rename projects", arguments, run),)
