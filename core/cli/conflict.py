"""The verb on conflicts: list what is at odds, and say what becomes of it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING

from core.cli.decision import curator
from core.cli.output import print_line
from core.cli.statement_list import statement_json
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError, NotFound
from core.model import Json, TextGround, Verdict

if TYPE_CHECKING:
    from core.services.review.card import StatementCard


def conflicts_arguments(parser: ArgumentParser) -> None:
    from core.review.conflicts import ConflictKind, ConflictVerdict

    parser.add_argument("--kind", choices=list(ConflictKind), default="", help="only those")
    parser.add_argument("--limit", type=int, default=0, help="maximum number (default: all)")
    parser.add_argument(
        "--settle", nargs=2, metavar=("FIRST", "SECOND"), help="the two statements to settle (s1-…)"
    )
    parser.add_argument(
        "--reopen",
        nargs=2,
        metavar=("FIRST", "SECOND"),
        help="reopen the settled conflict of these two statements",
    )
    parser.add_argument("--settled", action="store_true", help="list those settled by keeping both")
    outcomes = [outcome.name.lower() for outcome in ConflictVerdict]
    parser.add_argument("--outcome", choices=outcomes, help="how to settle the conflict")
    parser.add_argument("--wrong", default="", metavar="ID", help="which of the two is rejected")
    parser.add_argument("--version", type=int, default=-1, help="the version of it that you saw")
    parser.add_argument("--reason", default="", help="why it is rejected: words or number")
    parser.add_argument("--note", default="", help="a note on the decision")
    parser.add_argument("--curator", default="", help="your ORCID iD")


def conflicts(desk: Desk, args: Namespace) -> int:
    """A line for each conflict that nobody settled, or one for what was settled or reopened."""
    from core.services.review import conflict_work

    if args.settle:
        return _settle(desk, args)
    if args.reopen:
        return _reopen(desk, args)
    if args.settled:
        kept = [
            outcome
            for outcome in conflict_work.kept_conflicts(desk)
            if args.kind in ("", outcome.kind)
        ]
        for outcome in kept[: args.limit or None]:
            print_line(asdict(outcome))
        return 0
    work = conflict_work.read_conflicts(desk, args.kind)
    for conflict in work.open[: args.limit or None]:
        conflict_case = conflict_work.conflict_case(desk, conflict)
        sides = [card for card in (conflict_case.first, conflict_case.second) if card is not None]
        print_line({"kind": str(conflict.kind), "statements": [_side(card) for card in sides]})
    return 0


def _side(card: StatementCard) -> Json:
    record = card.record
    quotes = [
        {"document": piece.ground.document, "quote": piece.ground.quote}
        for piece in record.evidence
        if isinstance(piece.ground, TextGround)
    ]
    said: Json = {"paper_status": dict(card.withdrawn)} if card.withdrawn else {}
    head = {"id": record.id, "version": record.version, "state": str(record.state)}
    return head | statement_json(record.statement) | {"quotes": quotes, **said}


def _settle(desk: Desk, args: Namespace) -> int:
    from core.services.review import conflict_work, decision

    if args.outcome is None or not args.kind:
        raise InputError(
            "Name the kind of conflict and how to settle it: --kind and --outcome.",
            "`conflicts` lists the kinds.",
        )
    first_id, second = args.settle
    conflict = conflict_work.conflict_of(first_id, second, args.kind)
    rejection = conflict_work.settle_conflict(
        desk,
        conflict,
        conflict_work.ConflictVerdict[args.outcome.upper()],
        curator(args),
        wrong=args.wrong,
        version=args.version,
        reason=decision.reason_of(args.reason),
        note=args.note,
    )
    outcome_json: Json = {"kind": args.kind, "outcome": args.outcome}
    if rejection is not None:
        done = rejection.decisions[0]
        outcome_json |= {"decision": done.id, "rejected": done.statement}
        if done.verdict is Verdict.SUPERSEDE:
            outcome_json = outcome_json | {"corrected": outcome_json.pop("rejected")}
            outcome_json["correction"] = rejection.record.id
    print_line(outcome_json)
    return 0


def _reopen(desk: Desk, args: Namespace) -> int:
    from core.services.review import conflict_work

    first_id, second = args.reopen
    conflict = conflict_work.conflict_of(first_id, second, args.kind)
    person = curator(args)
    if not conflict_work.reopen_conflict(desk, conflict, person.orcid):
        raise NotFound("This conflict is not settled.", "`conflicts --settled` lists those.")
    print_line({"kind": args.kind, "reopened": True})
    return 0


VERBS = (
    Verb(
        "conflicts",
        "list statements that contradict each other, and settle them",
        conflicts_arguments,
        conflicts,
    ),
)
