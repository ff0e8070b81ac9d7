"""What the verb decide does."""

from __future__ import annotations

import sys
from argparse import Namespace

from core.cli.file_input import json_lines, stored_bytes
from core.cli.statement_list_run import put
from core.desk import Desk
from core.errors import InputError
from core.kb.gate.gate import HINTS, HoldReason
from core.model import Curator, State, Verdict
from core.services.documents.absent_text import missing_texts
from core.services.people.orcid import checked_curator
from core.services.review import decision, undo
from core.services.review.decision_row import VERDICTS, decide_rows


def decide(desk: Desk, args: Namespace) -> int:
    if args.input:
        return decide_lines(desk, args)
    result = undone(desk, args) if args.undo else decide_one(desk, args)
    last_decision = result.decisions[-1]
    progress = decision.approval_progress(result.record, desk.store.project.policy())
    put(
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
    return undo.undo_named(desk, args.undo, curator(args))


def decide_one(desk: Desk, args: Namespace) -> decision.DecisionResult:
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
    return checked_curator(args.curator, "")
