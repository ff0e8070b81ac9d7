"""Verbs on statements: list them, decide."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace

from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import (
    Curator,
    Json,
    Literal,
    Node,
    Qualifier,
    State,
    Statement,
    Term,
    Thing,
    Verdict,
)
from core.services.documents.absent_text import missing
from core.services.graph import knowledge_base
from core.services.review import decision
from core.services.shared import screen
from core.store import Filter, StatementRecord

VERDICTS = ("approve", "reject", "unsure")


def thing_json(thing: Thing) -> Json:
    match thing:
        case Term(id=curie, label=label, category=category):
            return {"id": curie, "label": label, "category": str(category)}
        case Node(id=node, cls=cls, label=label, category=category):
            return {"node": node, "class": cls, "label": label, "category": str(category)}
        case Literal(value=value, datatype=datatype, unit=unit):
            return {"value": value, "datatype": datatype, "unit": unit}


def qualifier_json(qualifier: Qualifier) -> Json:
    return {"name": qualifier.name, "value": thing_json(qualifier.value)}


def statement_json(statement: Statement) -> Json:
    return {
        "subject": thing_json(statement.subject),
        "predicate": thing_json(statement.predicate),
        "object": thing_json(statement.object),
        "negated": statement.negated,
        "modality": str(statement.modality),
        "qualifiers": [qualifier_json(qualifier) for qualifier in statement.qualifiers],
        "derived_from": statement.derived_from,
    }


def record_json(record: StatementRecord) -> Json:
    found = decision.folded(record)
    evidence = [
        {"id": piece.id, "standing": str(found.standing(piece))} for piece in record.evidence
    ]
    head = {"id": record.id, "version": record.version, "state": str(record.state)}
    return head | statement_json(record.statement) | {"evidence": evidence}


def put(value: Json) -> None:
    print(json.dumps(value, ensure_ascii=False))


def statements_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--state", choices=[str(state) for state in State], help="only those in this state"
    )
    parser.add_argument("--document", default="", help="only those of this document (PMID:1)")
    parser.add_argument("--limit", type=int, default=0, help="at most so many (default: all)")


def statements(desk: Desk, args: Namespace) -> int:
    states = (State(args.state),) if args.state else ()
    for record in desk.store.queue.records(
        Filter(states=states, document=args.document), limit=max(args.limit, 0)
    ):
        put(record_json(record))
    return 0


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
        "--undo",
        metavar="ID",
        default="",
        help="take back a decision, or the last one on a statement",
    )


def decide(desk: Desk, args: Namespace) -> int:
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
    if done.record.state is State.APPROVED and (away := missing(desk, done.record.evidence)):
        named = ", ".join(sorted({document for document, _ in away}))
        why = knowledge_base.HoldReason.ABSENT
        print(f"groundwork: {why}: {named}. {knowledge_base.HINTS[why]}", file=sys.stderr)
    return 0


def undone(desk: Desk, args: Namespace) -> decision.DecisionResult:
    if args.id or args.verdict:
        raise InputError("--undo takes one id and no verdict.", "Example: decide --undo s1-…")
    return decision.undo_named(desk, args.undo, curator(args) if args.curator else None)


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
    Verb("statements", "list statements as JSON lines", statements_arguments, statements),
    Verb(
        "decide",
        "approve, reject or mark a statement, or take a decision back",
        decide_arguments,
        decide,
    ),
)
