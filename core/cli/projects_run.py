"""What the verb projects does."""

from __future__ import annotations

import json
from argparse import Namespace

from core.desk import Desk
from core.services.home import projects
from core.services.home.projects import ProjectEntry


def run(desk: Desk, args: Namespace) -> int:
    match args.action:
        case "list":
            for entry in projects.list_projects(desk.settings):
                print(line(entry))
        case "make":
            print(line(projects.make_project(desk.settings, args.title)))
        case "rename":
            projects.rename_project(desk, args.title)
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
