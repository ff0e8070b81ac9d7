"""A statement that a file of ours holds in full, with its evidence."""

from __future__ import annotations

import json

from core.codec import from_json
from core.errors import InputError
from core.model import Evidence, Statement

Proposal = tuple[Statement, tuple[Evidence, ...]]


def read_in_full(line: str | bytes) -> Proposal | None:
    """The statement and its evidence; None where the line holds none, so that the rest of its row
    is read instead.
    """
    try:
        row = json.loads(line)
        statement: Statement = from_json(Statement, row["statement"])
        evidence: tuple[Evidence, ...] = from_json(tuple[Evidence, ...], row["evidence"])
    except (InputError, ValueError, KeyError, TypeError, RecursionError):
        return None
    name = statement.id
    return (statement, evidence) if all(piece.statement == name for piece in evidence) else None
