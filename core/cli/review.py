"""Verbs on statements: decide, propose."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from core.cli.extraction_options import stored
from core.cli.statement_list import put
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.model import (
    Curator,
    Json,
    Modality,
    State,
    Verdict,
)
from core.services.documents import marking, marking_row
from core.services.documents.absent_text import missing_texts
from core.services.documents.marking_row import from_lines as json_lines
from core.services.graph import knowledge_base
from core.services.review import decision, undo
from core.services.shared import screen

VERDICTS = ("approve", "reject", "unsure")


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
    done = undone(desk, args) if args.undo else decided(desk, args)
    made = done.decisions[-1]
    put(
        {
            "id": done.record.id,
            "version": done.record.version,
            "state": str(done.record.state),
            "decision": made.id,
        }
    )
    if done.record.state is State.APPROVED and (away := missing_texts(desk, done.record.evidence)):
        named = ", ".join(sorted({document for document, _ in away}))
        why = knowledge_base.HoldReason.ABSENT
        print(f"groundwork: {why}: {named}. {knowledge_base.HINTS[why]}", file=sys.stderr)
    return 0


def decide_lines(desk: Desk, args: Namespace) -> int:
    """Decisions as JSON lines; a line of result for each, in order. 1 when any was refused."""
    if args.id or args.undo:
        raise InputError("--input takes no statement and no --undo.", "Put the ids into the file.")
    person = curator(args)
    lines = stored(args.input).decode("utf-8-sig", "replace").split("\n")
    results = [decided_row(desk, row, person) for row in json_lines(lines)]
    for result in results:
        put(result)
    return int(any("error" in result for result in results))


def decided_row(desk: Desk, row: Json | InputError, person: Curator) -> Json:
    try:
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, dict) or row.get("verdict") not in VERDICTS:
            raise InputError(f"A line needs a verdict: {', '.join(VERDICTS)}.")
        if isinstance(row.get("version"), bool) or not isinstance(row.get("version"), int):
            raise InputError("A line needs the version that you saw.", "See `statements`.")
        words = {name: str(row.get(name) or "") for name in ("id", "reason", "note", "evidence")}
        reason = decision.reason_of(words["reason"])
        judgement = decision.Judgement(Verdict(row["verdict"]), reason, words["note"])
        made = decision.decide(
            desk, words["id"], row["version"], judgement, person, evidence=words["evidence"]
        )
    except GroundworkError as error:
        return {"id": row.get("id") if isinstance(row, dict) else None, "error": str(error)}
    record = made.record
    head: Json = {"id": record.id, "version": record.version, "state": str(record.state)}
    return head | {"decision": made.decisions[-1].id}


def propose_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--document", default="", help="a document of the project (PMID:1)")
    parser.add_argument("--quote", default="", help="the words that say it, as the text has them")
    parser.add_argument("--start", type=int, help="where the quote starts, if it occurs twice")
    parser.add_argument("--subject", default="", help="a CURIE")
    parser.add_argument("--predicate", default="", help="a CURIE, such as biolink:treats")
    parser.add_argument("--object", default="", help="a CURIE")
    parser.add_argument("--subject-label", default="", help="default: the vocabulary's label")
    parser.add_argument("--object-label", default="", help="default: the vocabulary's label")
    parser.add_argument("--negated", action="store_true", help="the text says it is not so")
    parser.add_argument("--modality", choices=[str(m) for m in Modality], default="asserted")
    parser.add_argument("--curator", default="", help="your ORCID iD")
    parser.add_argument("--approve", action="store_true", help="approve it at once, as its author")
    parser.add_argument(
        "--input",
        metavar="FILE|-",
        default="",
        help=(
            "JSON lines {document or text, quote, subject, predicate, object, negated, …}; a line"
            " of result for each, in order"
        ),
    )


def propose(desk: Desk, args: Namespace) -> int:
    """What a curator found by hand, as proposals. 1 when any was refused."""
    person = curator(args)
    if args.input:
        lines = stored(args.input).decode("utf-8-sig", "replace").split("\n")
        results = [
            marking_row.propose_row(desk, row, person, args.approve) for row in json_lines(lines)
        ]
        for result in results:
            put(result)
        return int(any("error" in result for result in results))
    row: Json = {"document": args.document, "quote": args.quote, "predicate": args.predicate}
    row |= {"subject": {"id": args.subject, "label": args.subject_label}}
    row |= {"object": {"id": args.object, "label": args.object_label}}
    row |= {"negated": args.negated, "modality": args.modality, "start": args.start}
    said = marking_row.from_json(desk, row)
    put(marking_row.result_json(marking.mark(desk, said, person, approve=args.approve)))
    return 0


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
    Verb(
        "propose",
        "propose a statement that you found in a text by hand",
        propose_arguments,
        propose,
    ),
)
