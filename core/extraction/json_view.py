"""An extraction as plain JSON: what `extract` prints and drafts hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.extraction.tree import Branch, Extraction, Leaf, LeafKind
from core.grounding.choice import score_margin, tied_candidates
from core.model import (
    Candidate,
    Evidence,
    Json,
    Literal,
    Mention,
    Node,
    Outcome,
    Problem,
    Statement,
    Term,
    TextGround,
    Thing,
)
from core.schema.definition import Schema


def plain_object(schema: Schema, extraction: Extraction) -> Json:
    """The nested object: an entity is {id, label} (id null while ungrounded), a list where the slot
    is one.
    """
    mentions = {mention.slot: mention for mention in extraction.mentions}
    return _object(schema, extraction.tree, mentions)


def _object(schema: Schema, branch: Branch, mentions: dict[str, Mention]) -> Json:
    if not branch.slots and branch.text:
        return {"text": branch.text}
    cls = schema.definition(branch.cls)
    values_by_slot = {}
    for name, values in branch.slots:
        slot = cls.slot(name)
        items = [_value(schema, value, mentions) for value in values]
        values_by_slot[name] = (
            items if slot is None or slot.multivalued or len(items) > 1 else items[0]
        )
    return values_by_slot


def _value(schema: Schema, value: Branch | Leaf, mentions: dict[str, Mention]) -> Json:
    if isinstance(value, Branch):
        return _object(schema, value, mentions)
    if value.kind is LeafKind.ENTITY:
        mention = mentions.get(value.path)
        chosen = mention.chosen if mention else None
        return (
            {"id": chosen.id, "label": chosen.label}
            if chosen
            else {"id": None, "label": value.text}
        )
    if value.kind is LeafKind.ENUM:
        return value.value or value.text
    return value.value or value.text


def mention_json(mention: Mention) -> Json:
    chosen = mention.chosen
    best = next((c for c in mention.candidates if chosen and c.term.id == chosen.id), None)
    span = mention.spans[0] if mention.spans else None
    undecided = mention.outcome is Outcome.AMBIGUOUS
    return {
        "text": mention.text,
        "start": span.start if span else None,
        "end": span.end if span else None,
        "slot": mention.slot,
        "id": chosen.id if chosen else None,
        "label": chosen.label if chosen else None,
        "match": str(best.match) if best else "curator" if chosen else "none",
        "score": best.score if best else 1.0 if chosen else 0.0,
        "margin": score_margin(mention.candidates),
        "tie": [candidate.term.id for candidate in tied_candidates(mention.candidates)]
        if undecided
        else [],
        "candidates": [candidate_json(candidate) for candidate in mention.candidates],
        "class": mention.cls,
        "outcome": str(mention.outcome),
        "flags": list(mention.flags),
        "taxon": mention.taxon or None,
        "spans": [[span.start, span.end] for span in mention.spans],
    }


def candidate_json(candidate: Candidate) -> Json:
    candidate_fields = {
        "id": candidate.term.id,
        "label": candidate.term.label,
        "match": str(candidate.match),
        "score": candidate.score,
        "vocabulary": candidate.vocabulary,
        "differed": candidate.differed,
    }
    candidate_fields |= {"taxon": candidate.taxon} if candidate.taxon else {}
    return (
        {**candidate_fields, "obsolete": True, "replaced_by": candidate.replaced_by}
        if candidate.obsolete
        else candidate_fields
    )


def thing_json(thing: Thing) -> Json:
    match thing:
        case Term(id=id, label=label, category=category):
            return {"id": id, "label": label, "category": str(category)}
        case Node(id=id, cls=cls, label=label, category=category):
            return {"node": id, "class": cls, "label": label, "category": str(category)}
        case Literal(value, datatype, unit):
            return {"value": value, "datatype": datatype, "unit": unit}
    raise TypeError(f"not a thing: {thing!r}")


def statement_json(statement: Statement, evidence: Iterable[Evidence]) -> Json:
    return {
        "id": statement.id,
        "subject": thing_json(statement.subject),
        "predicate": thing_json(statement.predicate),
        "object": thing_json(statement.object),
        "negated": statement.negated,
        "modality": str(statement.modality),
        "qualifiers": [
            {"name": q.name, "value": thing_json(q.value)} for q in statement.qualifiers
        ],
        "evidence": [evidence_json(ground) for ground in evidence],
        "document": statement.document,
    }


def evidence_json(evidence: Evidence) -> Json:
    ground = evidence.ground
    evidence_fields: Json = {
        "id": evidence.id,
        "path": evidence.path,
        "engine": evidence.engine,
        "score": evidence.score,
        "rule": evidence.rule,
        "cue": evidence.cue,
    }
    if isinstance(ground, TextGround):
        span = {"start": ground.span.start, "end": ground.span.end}
        return {
            **evidence_fields,
            "document": ground.document,
            "version": ground.version,
            **span,
            "quote": ground.quote,
        }
    return evidence_fields


def problem_json(problem: Problem) -> Json:
    problem_fields = {
        "code": problem.code,
        "severity": str(problem.severity),
        "message": problem.message,
        "where": problem.where,
    }
    return {**problem_fields, "hint": problem.hint} if problem.hint else problem_fields


def problems_json(problems: Sequence[Problem]) -> Json:
    return [problem_json(problem) for problem in problems]
