"""`people`: who works here, in which role, and how far they agree."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb
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


VERBS = (
    Verb(
        "people",
        "list the people, their roles and how far they agree",
        arguments,
        LazyRun("people_run:run"),
    ),
)
