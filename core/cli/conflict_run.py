"""What the verb conflicts does."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from core.cli.decision_run import curator
from core.cli.statement_list_run import put, statement_json
from core.desk import Desk
from core.errors import InputError, NotFound
from core.model import Json, TextGround, Verdict
from core.services.review import conflict_work, decision
from core.services.review.card import StatementCard
from core.services.review.conflict_work import ConflictVerdict

ENDS = {
    "keep": ConflictVerdict.KEEP,
    "wrong": ConflictVerdict.WRONG,
    "duplicate": ConflictVerdict.DUPLICATE,
    "different": ConflictVerdict.DIFFERENT,
}


def conflicts(desk: Desk, args: Namespace) -> int:
    """A line for each conflict that nobody settled, or one for what was settled or reopened."""
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
            put(asdict(outcome))
        return 0
    work = conflict_work.read_conflicts(desk, args.kind)
    for conflict in work.open[: args.limit or None]:
        conflict_case = conflict_work.conflict_case(desk, conflict)
        sides = [card for card in (conflict_case.first, conflict_case.second) if card is not None]
        put({"kind": str(conflict.kind), "statements": [_side(card) for card in sides]})
    return 0


def _side(card: StatementCard) -> Json:
    record = card.record
    quotes = [
        {"document": piece.ground.document, "quote": piece.ground.quote}
        for piece in record.evidence
        if isinstance(piece.ground, TextGround)
    ]
    head = {"id": record.id, "version": record.version, "state": str(record.state)}
    return head | statement_json(record.statement) | {"quotes": quotes}


def _settle(desk: Desk, args: Namespace) -> int:
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
        ENDS[args.outcome],
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
    put(outcome_json)
    return 0


def _reopen(desk: Desk, args: Namespace) -> int:
    first_id, second = args.reopen
    conflict = conflict_work.conflict_of(first_id, second, args.kind)
    person = curator(args)
    if not conflict_work.reopen_conflict(desk, conflict, person.orcid):
        raise NotFound("This conflict is not settled.", "`conflicts --settled` lists those.")
    put({"kind": args.kind, "reopened": True})
    return 0
