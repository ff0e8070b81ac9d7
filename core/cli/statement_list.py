"""The verb `statements`, with little to import: others call it often."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from core.cli.verb import Verb
from core.desk import Desk
from core.model import Json, Literal, Node, Qualifier, State, Statement, Term, Thing
from core.review.fold import fold_log
from core.store import Filter, StatementRecord


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
    review_state = fold_log(record.evidence, record.decisions)
    evidence = [
        {"id": piece.id, "standing": str(review_state.standing(piece))} for piece in record.evidence
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


VERBS = (Verb("statements", "list statements as JSON lines", statements_arguments, statements),)
