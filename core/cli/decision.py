"""The verb `decide`, with little to import: others call it often."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from core.cli.file_input import json_lines, stored_bytes
from core.cli.output import print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import VERDICTS, Curator, State, Verdict

if TYPE_CHECKING:
    from core.services.review import decision


def decide_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the statement's id (s1-…)")
    parser.add_argument("verdict", nargs="?", choices=VERDICTS, help="your decision")
    parser.add_argument(
        "--version", type=int, help="the version you saw: it is in the output of `statements`"
    )
    parser.add_argument("--curator", default="", help="your ORCID iD")
    parser.add_argument(
        "--reason", default="", help="why it is rejected: words or number of the closed list"
    )
    parser.add_argument("--note", default="", help="a note; needed with the reason “other”")
    parser.add_argument("--evidence", default="", help="judge this piece of evidence only (e1-…)")
    parser.add_argument(
        "--input",
        metavar="FILE|-",
        default="",
        help="JSON lines {id, verdict, version, reason, note, evidence}; a line of result for each",
    )
    parser.add_argument(
        "--undo",
        metavar="ID",
        default="",
        help="take back a decision, a batch of them, or the last one on a statement",
    )


def decide(desk: Desk, args: Namespace) -> int:
    from core.kb.gate.gate import HINTS, HoldReason
    from core.services.review import decision
    from core.services.review.absent_text import missing_texts

    if args.input:
        return decide_lines(desk, args)
    result = undone(desk, args) if args.undo else decide_one(desk, args)
    last_decision = result.decisions[-1]
    progress = decision.approval_progress(result.record, desk.store.project.policy())
    print_line(
        {
            "id": result.record.id,
            "version": result.record.version,
            "state": str(result.record.state),
            "decision": last_decision.id,
            **({"approvals": progress} if progress else {}),
        }
    )
    if result.record.state is State.APPROVED and (
        away := missing_texts(desk, result.record.evidence)
    ):
        document_ids = ", ".join(sorted({document for document, _ in away}))
        print_note(f"{HoldReason.ABSENT}: {document_ids}. {HINTS[HoldReason.ABSENT]}")
    return 0


def decide_lines(desk: Desk, args: Namespace) -> int:
    """Decisions as JSON lines; a line of result for each, in order. 1 when any was refused."""
    from core.services.review.decision_row import decide_rows

    if args.id or args.undo:
        raise InputError("--input takes no statement and no --undo.", "Put the ids into the file.")
    refused = False
    for result in decide_rows(desk, json_lines(stored_bytes(args.input)), curator(args)):
        print_line(result)
        refused |= "error" in result
    return int(refused)


def undone(desk: Desk, args: Namespace) -> decision.DecisionResult:
    from core.services.review import undo

    if args.id or args.verdict:
        raise InputError("--undo takes one id and no verdict.", "Example: decide --undo s1-…")
    return undo.undo_named(desk, args.undo, curator(args))


def decide_one(desk: Desk, args: Namespace) -> decision.DecisionResult:
    from core.services.review import decision

    if not args.id or not args.verdict:
        raise InputError(
            "Name a statement and a verdict.", f"The verdicts are {', '.join(VERDICTS)}."
        )
    if args.version is None:
        raise InputError(
            "--version is missing: which version of the statement did you see?", "See `statements`."
        )
    judgement = decision.Judgement(
        Verdict(args.verdict), decision.reason_of(args.reason), args.note
    )
    return decision.decide(
        desk, args.id, args.version, judgement, curator=curator(args), evidence=args.evidence
    )


def curator(args: Namespace) -> Curator:
    from core.services.people.orcid import checked_curator

    if not args.curator:
        raise InputError("--curator is missing: whose decision is it?", "Give your ORCID iD.")
    return checked_curator(args.curator, "")


VERBS = (
    Verb(
        "decide",
        "approve, reject or mark a statement, or take a decision back",
        decide_arguments,
        decide,
    ),
)
