"""`people`: who works here, in which role, and how far they agree."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from core.cli.output import print_line
from core.cli.verb import Verb
from core.desk import Desk
from core.model import Role


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action", metavar="list|role|connect|agreement", required=True
    )
    actions.add_parser("list", help="list everyone with their role, as JSON lines")
    giving = actions.add_parser(
        "role", help="give a person a role; roles apply once there is an owner"
    )
    giving.add_argument("orcid", help="their ORCID iD")
    giving.add_argument(
        "role",
        choices=[str(role) for role in Role],
        help="what the person may do: see the operator's guide",
    )
    giving.add_argument(
        "--name", default="", help="the person's name, if the project does not know it yet"
    )
    connecting = actions.add_parser(
        "connect", help="list unconnected sign-ins, or connect one to an ORCID iD"
    )
    connecting.add_argument("sign_in", nargs="?", help="the sign-in, as the list prints it")
    connecting.add_argument("orcid", nargs="?", help="the ORCID iD of the person")
    actions.add_parser(
        "agreement", help="show how far each pair of people agrees, overall and by predicate"
    )


def run(desk: Desk, args: Namespace) -> int:
    from core.services.people import agreement, roles, sign_in

    match args.action:
        case "list":
            for person in roles.list_people(desk):
                line = {"orcid": person.orcid, "name": person.name, "role": str(person.role)}
                print_line(line)
        case "role":
            roles.appoint_person(desk, args.orcid, args.name, Role(args.role))
        case "connect" if args.orcid:
            sign_in.vouch_for_sign_in(desk, args.sign_in, args.orcid)
        case "connect":
            for key, name in sign_in.waiting_sign_ins(desk).items():
                print_line({"sign_in": key, "name": name})
        case "agreement":
            for row in agreement.agreement_of_pairs(desk):
                print_line(asdict(row))
    return 0


VERBS = (Verb("people", "list the people, their roles and how far they agree", arguments, run),)
