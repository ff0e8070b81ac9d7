"""The verb `decide`, with little to import: others call it often."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from core.cli.file_input import json_lines, stored_bytes
from core.cli.statement_list import put
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.kb.gate.gate import HINTS, HoldReason
from core.model import Curator, State, Verdict
from core.services.documents.absent_text import missing_texts
from core.services.review import decision, undo
from core.services.review.decision_row import VERDICTS, decide_rows
from core.services.shared import screen


def decide_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="the statement's id (s1-…)")
    parser.add_argument("verdict", nargs="?", choices=VERDICTS)
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
        help="take back a decision, or the last one on a statement",
    )


def decide(desk: Desk, args: Namespace) -> int:
    if args.input:
        return decide_lines(desk, args)
    result = undone(desk, args) if args.undo else decided(desk, args)
    last_decision = result.decisions[-1]
    put(
        {
            "id": result.record.id,
            "version": result.record.version,
            "state": str(result.record.state),
            "decision": last_decision.id,
        }
    )
    if result.record.state is State.APPROVED and (
        away := missing_texts(desk, result.record.evidence)
    ):
        document_ids = ", ".join(sorted({document for document, _ in away}))
        print(f"groundwork: {HoldReason.ABSENT}: {document_ids}. {HINTS[HoldReason.ABSENT]}",
              file=sys.stderr)  # fmt: skip
    return 0


def decide_lines(desk: Desk, args: Namespace) -> int:
    """Decisions as JSON lines; a line of result for each, in order. 1 when any was refused."""
    if args.id or args.undo:
        raise InputError("--input takes no statement and no --undo.", "Put the ids into the file.")
    refused = False
    for result in decide_rows(desk, json_lines(stored_bytes(args.input)), curator(args)):
        put(result)
        refused |= "error" in result
    return int(refused)


def undone(desk: Desk, args: Namespace) -> decision.DecisionResult:
    if args.id or args.verdict:
        raise InputError("--undo takes one id and no verdict.", "Example: decide --undo s1-…")
    return undo.undo_named(desk, args.undo, curator(args) if args.curator else None)


def decided(desk: Desk, args: Namespace) -> decision.DecisionResult:
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
        desk, args.id, args.version, judgement, curator(args), evidence=args.evidence
    )


def curator(args: Namespace) -> Curator:
    if not args.curator:
        raise InputError("--curator is missing: whose decision is it?", "Give your ORCID iD.")
    return screen.curator(args.curator, "")


VERBS: tuple[Verb, ...] = (
    Verb(
        "decide",
        "approve, reject or mark a statement, or take a decision back",
        decide_arguments,
        decide,
    ),
)
