"""What the verb people does."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict

from core.desk import Desk
from core.model import Role
from core.services.people import agreement, roles, sign_in


def run(desk: Desk, args: Namespace) -> int:
    match args.action:
        case "list":
            for person in roles.list_people(desk):
                line = {"orcid": person.orcid, "name": person.name, "role": str(person.role)}
                print(json.dumps(line, ensure_ascii=False))
        case "role":
            roles.appoint_person(desk, args.orcid, args.name, Role(args.role))
        case "connect" if args.orcid:
            sign_in.vouch_for_sign_in(desk, args.sign_in, args.orcid)
        case "connect":
            for key, name in sign_in.waiting_sign_ins(desk).items():
                print(json.dumps({"sign_in": key, "name": name}, ensure_ascii=False))
        case "agreement":
            for row in agreement.agreement_of_pairs(desk):
                print(json.dumps(asdict(row), ensure_ascii=False))
    return 0
