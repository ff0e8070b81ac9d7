"""`people`: who works here, in which role, and how far they agree."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from core.cli.verb import Verb
from core.desk import Desk
from core.model import Role
from core.services.people import agreement, roles


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list|role|agreement", required=True)
    actions.add_parser("list", help="everyone with their role, as JSON lines")
    giving = actions.add_parser(
        "role", help="give a person a role; the first owner makes roles count"
    )
    giving.add_argument("orcid", help="their ORCID iD")
    giving.add_argument("role", choices=[str(role) for role in Role])
    giving.add_argument("--name", default="")
    actions.add_parser(
        "agreement", help="agreement of each pair of people, overall and by predicate"
    )


def run(desk: Desk, args: Namespace) -> int:
    match args.action:
        case "list":
            for person in roles.people(desk):
                line = {"orcid": person.orcid, "name": person.name, "role": str(person.role)}
                print(json.dumps(line, ensure_ascii=False))
        case "role":
            roles.appoint(desk, args.orcid, args.name, Role(args.role))
        case "agreement":
            for row in agreement.pairs(desk):
                print(json.dumps(asdict(row), ensure_ascii=False))
    return 0


VERBS = (Verb("people", "list the people, their roles and how far they agree", arguments, run),)
