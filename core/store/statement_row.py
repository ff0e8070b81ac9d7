"""A statement and its evidence as rows: what is looked up by has a column, and every word can be
shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from core.codec import to_json
from core.model import (
    Evidence,
    Ground,
    Literal,
    Qualifier,
    RecordGround,
    ReferenceGround,
    State,
    Statement,
    TextGround,
    Thing,
    fold_words,
)
from core.text.clean import without_deceptive_signs

Proposed = tuple[Statement, Sequence[Evidence]]
T = TypeVar("T", bound=Thing | Ground | Evidence)


def storable_proposal(statement: Statement, grounds: Sequence[Evidence]) -> Proposed:
    """A proposal whose words every database and page can show as they are: lone surrogates and NUL
    become U+FFFD, signs that turn what follows them around go (U+202E in a label would show object
    before subject), and its evidence follows the statement.
    """
    grounds = [_shown(evidence) for evidence in grounds]
    words = [word for thing in things_of_statement(statement) for word in value_and_label(thing)]
    words += [qualifier.name for qualifier in statement.qualifiers]
    if all(without_deceptive_signs(word) == word for word in words):
        return statement, grounds
    cleaned = replace(
        statement,
        subject=_without_deceptive_signs(statement.subject),
        predicate=_without_deceptive_signs(statement.predicate),
        object=_without_deceptive_signs(statement.object),
        qualifiers=tuple(
            Qualifier(
                without_deceptive_signs(qualifier.name), _without_deceptive_signs(qualifier.value)
            )
            for qualifier in statement.qualifiers
        ),
    )
    old, new = statement.id, cleaned.id
    return cleaned, [
        replace(evidence, statement=new) if evidence.statement == old else evidence
        for evidence in grounds
    ]


def _shown(evidence: Evidence) -> Evidence:
    """Evidence whose words can be shown. The value of a record stays as the stored answer has it,
    but for what no file takes: it is looked for there again.
    """
    ground = evidence.ground
    if isinstance(ground, RecordGround):
        value = ground.value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
        ground = replace(ground, value=value)
    else:
        ground = _without_deceptive_signs(ground)
    return replace(_without_deceptive_signs(evidence), ground=ground)


def _without_deceptive_signs(thing: T) -> T:
    """The same with words that are what they look like."""
    texts = {
        field.name: without_deceptive_signs(value)
        for field in fields(thing)
        if type(value := getattr(thing, field.name)) is str
    }
    return replace(thing, **texts)  # type: ignore[arg-type]  # the same fields, as texts


def things_of_statement(statement: Statement) -> tuple[Thing, ...]:
    return (
        statement.subject,
        statement.predicate,
        statement.object,
        *(qualifier.value for qualifier in statement.qualifiers),
    )


def join_with_bars(words: Iterable[str]) -> str:
    """Several words in one column, each once and between bars: `|dictionary|spires|`; "" for
    none. A bar in a word becomes a slash.
    """
    parts = sorted({word.replace("|", "/") for word in words} - {""})
    return f"|{'|'.join(parts)}|" if parts else ""


def split_at_bars(words: str) -> list[str]:
    return words.strip("|").split("|") if words else []


def statement_row(
    statement: Statement, grounds: list[Evidence], schema: str = ""
) -> dict[str, Any]:
    return {
        "id": statement.id,
        "state": str(State.PROPOSED),
        "version": len(grounds),
        "subject": thing_key(statement.subject),
        "predicate": statement.predicate.id or statement.predicate.label,
        "object": thing_key(statement.object),
        "subject_category": category_of_thing(statement.subject),
        "object_category": category_of_thing(statement.object),
        "unsupported": not any(map(is_proven, grounds)),
        "new_evidence": False,
        "search": fold_words(
            " ".join(
                word for thing in things_of_statement(statement) for word in value_and_label(thing)
            )
        ),
        "derived_from": statement.derived_from,
        "document": next(filter(None, map(evidence_document, grounds)), statement.document),
        "schemas": join_with_bars([schema]),
        "engines": join_with_bars(piece.engine for piece in grounds),
        "rules": join_with_bars(piece.rule for piece in grounds),
        "body": to_json(statement),
        **score_columns(grounds),
    }


def score_columns(grounds: Sequence[Evidence]) -> dict[str, float]:
    """What the queue is sorted by: the best score of the evidence, 0 to 1, as doubt (1 less it) and
    margin (how far it is from a half). Without evidence the doubt is whole.
    """
    best = max((piece.score for piece in grounds), default=0.0)
    return {"doubt": round(1 - best, 6), "margin": round(abs(best - 0.5), 6)}


def thing_key(thing: Thing) -> str:
    """What a thing is looked up by: its CURIE or node id; words and values have none."""
    return "" if isinstance(thing, Literal) else thing.id


def category_of_thing(thing: Thing) -> str:
    return "" if isinstance(thing, Literal) else str(thing.category)


def value_and_label(thing: Thing) -> tuple[str, str]:
    return (thing.value, thing.unit) if isinstance(thing, Literal) else (thing.id, thing.label)


def evidence_document(evidence: Evidence) -> str:
    match evidence.ground:
        case TextGround(document=document):
            return document
        case ReferenceGround(reference=reference):
            return reference
    return ""


def is_proven(evidence: Evidence) -> bool:
    """A quote at its place in a text, or a recorded call; a typed reference proves nothing by
    itself.
    """
    match evidence.ground:
        case TextGround(span=span, quote=quote):
            return bool(quote) and span.end > span.start
        case RecordGround(call=call):
            return bool(call)
    return False


def evidence_row(piece: Evidence) -> dict[str, Any]:
    return {
        "id": piece.id,
        "statement": piece.statement,
        "run": piece.run,
        "document": evidence_document(piece),
        "engine": piece.engine,
        "rule": piece.rule,
        "score": piece.score,
        "body": to_json(piece),
    }
