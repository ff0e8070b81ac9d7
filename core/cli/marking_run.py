"""What the verb propose does."""

from __future__ import annotations

from argparse import Namespace

from core.cli.decision_run import curator
from core.cli.file_input import json_lines, stored_bytes
from core.cli.statement_list_run import put
from core.desk import Desk
from core.model import Json
from core.services.documents import marking, marking_row


def propose(desk: Desk, args: Namespace) -> int:
    """What a curator found by hand, as proposals. 1 when any was refused."""
    person = curator(args)
    if args.input:
        refused = False
        lines = json_lines(stored_bytes(args.input))
        for result in marking_row.propose_rows(desk, lines, person, args.approve):
            put(result)
            refused |= "error" in result
        return int(refused)
    row: Json = {"document": args.document, "quote": args.quote, "predicate": args.predicate}
    row |= {"subject": {"id": args.subject, "label": args.subject_label}}
    row |= {"object": {"id": args.object, "label": args.object_label}}
    row |= {"negated": args.negated, "modality": args.modality, "start": args.start}
    new_marking = marking_row.from_json(desk, row)
    put(
        marking_row.result_json(
            marking.propose_marking(desk, new_marking, person, approve=args.approve)
        )
    )
    return 0
