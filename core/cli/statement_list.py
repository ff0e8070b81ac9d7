"""The verb `statements`, with little to import: others call it often."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from core.cli.output import print_line
from core.cli.verb import Verb
from core.desk import Desk
from core.model import (
    Evidence,
    Json,
    Literal,
    Node,
    Qualifier,
    State,
    Statement,
    Support,
    Term,
    TextGround,
    Thing,
)

if TYPE_CHECKING:
    from core.services.learning.rule_record import RuleRecord
    from core.store import FormerLabel, StatementRecord


def statements_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--state", choices=[str(state) for state in State], help="only those in this state"
    )
    parser.add_argument("--document", default="", help="only those of this document (PMID:1)")
    parser.add_argument("--limit", type=int, default=0, help="maximum number (default: all)")


READ_AT_ONCE = 500  # statements


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


def record_json(
    record: StatementRecord,
    rules: Mapping[str, RuleRecord],
    newer_texts: Mapping[tuple[str, str], str] | None = None,
    *,
    former_labels: Sequence[FormerLabel] = (),
    support: Mapping[str, Support] | None = None,
) -> Json:
    """A statement with its evidence; a piece that a relation rule proposed says which, and where
    `rules` tells it how many of the rule's statements curators decided on and kept; a piece whose
    text was read again since, that there is a newer text. Terms that a vocabulary renamed are
    listed with what they were called. `support` is what the judges said of each piece.
    """
    from core.review.statement_state import fold_log
    from core.services.support.shown_support import best_support, is_supported, support_json

    review_state = fold_log(record.evidence, record.decisions)
    evidence = [
        {"id": piece.id, "standing": str(review_state.standing(piece))}
        | _rule_json(piece.rule, rules.get(piece.rule))
        | ({"newer_text": True} if _text_of(piece) in (newer_texts or {}) else {})
        | {"support": support_json((support or {}).get(piece.id))}
        for piece in record.evidence
    ]
    head = {"id": record.id, "version": record.version, "state": str(record.state)}
    renamed: Json = [
        {"id": label.term, "before": label.before, "renamed_in": label.renamed_in}
        for label in former_labels
    ]
    renamed_json = {"renamed": renamed} if renamed else {}
    best = best_support(support or {}, record.evidence)
    said = {"support": support_json(best), "supported": is_supported(best)}
    said |= _completeness(record)
    return head | statement_json(record.statement) | {"evidence": evidence} | said | renamed_json


def _completeness(record: StatementRecord) -> Json:
    """Whether the statement has all that it needs, and what is missing, in words."""
    ends = (record.statement.subject, record.statement.predicate, record.statement.object)
    missing = [f"no id for “{t.label}”" for t in ends if isinstance(t, Term) and not t.id]
    missing += ["no proven quote and no recorded answer"] if record.unsupported else []
    return {"complete": not missing, "missing": missing}


def _notices_json(record: StatementRecord, notices: Mapping[str, str]) -> Json:
    """The papers that a statement rests on and that have a status: retracted, corrected, …"""
    papers = {_text_of(piece)[0] for piece in record.evidence}
    own = {paper: notices[paper] for paper in sorted(papers & notices.keys())}
    return {"paper_status": own} if own else {}


def _text_of(piece: Evidence) -> tuple[str, str]:
    """The document and the SHA-256 of the text that a piece of evidence is quoted from."""
    ground = piece.ground
    return (ground.document, ground.version) if isinstance(ground, TextGround) else ("", "")


def _rule_json(rule: str, agreed: RuleRecord | None) -> Json:
    rule_json = {"rule": rule} if rule else {}
    return rule_json | ({"kept": agreed.kept, "decided": agreed.decided} if agreed else {})


def statements(desk: Desk, args: Namespace) -> int:
    from core.services.learning.rule_record import rule_records
    from core.store import QueueFilter

    states = (State(args.state),) if args.state else ()
    rules = rule_records(desk)
    records = iter(
        desk.store.queue.records(
            QueueFilter(states=states, document=args.document), limit=max(args.limit, 0)
        )
    )
    while records_read := list(islice(records, READ_AT_ONCE)):
        papers = {_text_of(piece)[0] for record in records_read for piece in record.evidence} - {""}
        newer_texts = desk.store.documents.newer_texts(sorted(papers))
        ids = [record.id for record in records_read]
        labels = desk.store.statements.former_labels(ids)
        judged = desk.store.support.of_statements(ids)
        notices = desk.store.document_overview.notices(sorted(papers))
        for record in records_read:
            own = labels.get(record.id, ())
            said = judged.get(record.id)
            row = record_json(record, rules, newer_texts, former_labels=own, support=said)
            print_line(row | _notices_json(record, notices))
    return 0


VERBS = (Verb("statements", "list statements as JSON lines", statements_arguments, statements),)
