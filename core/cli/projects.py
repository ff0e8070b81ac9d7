"""`projects`: what stands beside each other; make one, rename it. `backup` and `restore` are verbs
of their own.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from core.cli.verb import Verb
from core.desk import Desk
from core.services.home import projects
from core.services.home.projects import ProjectEntry


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list|make|rename", required=True)
    actions.add_parser("list", help="the projects in the same folder, as JSON lines")
    making = actions.add_parser("make", help="a new, empty project in the same folder")
    making.add_argument("title", help="its name, also of its folder")
    renaming = actions.add_parser("rename", help="give this project another name")
    renaming.add_argument("title")


def run(desk: Desk, args: Namespace) -> int:
    match args.action:
        case "list":
            for entry in projects.projects(desk.settings):
                print(line(entry))
        case "make":
            print(line(projects.make(desk.settings, args.title)))
        case "rename":
            projects.rename(desk, args.title)
    return 0


def line(entry: ProjectEntry) -> str:
    return json.dumps(
        {
            "folder": str(entry.folder),
            "title": entry.title,
            "changed": entry.changed,
            "bytes": entry.size,
            "example": entry.example,
            "made": entry.made,
        },
        ensure_ascii=False,
    )


VERBS = (Verb("projects", "list, create and rename projects", arguments, run),)
