"""Statements that cannot both stand as they are, or that say the same twice. Shown to curators;
nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from core.model import Json, Statement, identity_json
from core.review.exclusion import exclude_each_other

MOST_OF_A_PAIR = 60  # statements on one pair of things that are compared with each other


class ConflictKind(StrEnum):
    OPPOSITE = "says the opposite"
    MODALITY = "says the same, with another modality"
    QUALIFIED = "says the same, with other qualifiers"
    REVERSED = "says the same in the other direction"
    REFLEXIVE = "has the same subject and object"
    EXCLUDING = "has a relation that rules this one out"
    EQUIVALENT = "says the same, with another id of the same name"
    MAPPED = "says the same, with another id for the same thing"
    NAME = "has the same name under another id"


class ConflictVerdict(StrEnum):
    """What becomes of a conflict."""

    KEEP = "keep both"
    WRONG = "one is wrong"
    DUPLICATE = "duplicate"
    DIFFERENT = "different thing"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements (ids in order), or one that is at odds with itself (`other` is empty)."""

    statement: str
    other: str
    kind: ConflictKind


def find_conflicts(statements: Iterable[Statement]) -> tuple[Conflict, ...]:
    """Every pair in conflict, sorted."""
    claims: dict[str, list[Statement]] = {}
    all_conflicts = []
    for statement in statements:
        claims.setdefault(
            repr(sorted([statement_ends(statement), statement_ends(statement)[::-1]], key=repr)), []
        ).append(statement)
        if statement_ends(statement)[0] == statement_ends(statement)[1]:
            all_conflicts.append(Conflict(statement.id, "", ConflictKind.REFLEXIVE))
    for group in claims.values():
        all_conflicts += [
            conflict
            for statement, other_statement in combinations(group[:MOST_OF_A_PAIR], 2)
            for conflict in conflict_between(statement, other_statement)
        ]
    return tuple(
        sorted(
            set(all_conflicts),
            key=lambda c: (list(ConflictKind).index(c.kind), c.statement, c.other),
        )
    )


def conflict_between(statement: Statement, other_statement: Statement) -> Iterator[Conflict]:
    """The conflict of two statements on the same two things with the same predicate, if there is
    one.
    """
    kind = conflict_kind(statement, other_statement)
    if kind and statement.id != other_statement.id:
        first_id, second = sorted((statement.id, other_statement.id))
        yield Conflict(first_id, second, kind)


def conflict_kind(statement: Statement, other_statement: Statement) -> ConflictKind | None:
    if predicate(statement) != predicate(other_statement):
        return ConflictKind.EXCLUDING if _ruled_out(statement, other_statement) else None
    if statement_ends(statement) != statement_ends(other_statement):
        return (
            ConflictKind.REVERSED
            if statement_ends(statement)[0] != statement_ends(statement)[1]
            and statement.negated == other_statement.negated
            else None
        )
    if statement.negated != other_statement.negated:
        return (
            ConflictKind.OPPOSITE if qualifiers(statement) == qualifiers(other_statement) else None
        )
    if statement.modality is not other_statement.modality:
        return ConflictKind.MODALITY
    return ConflictKind.QUALIFIED


def _ruled_out(statement: Statement, other_statement: Statement) -> bool:
    same = (
        statement_ends(statement) == statement_ends(other_statement)
        and not statement.negated
        and not other_statement.negated
    )
    return same and exclude_each_other(statement.predicate.id, other_statement.predicate.id)


def statement_ends(statement: Statement) -> list[Json]:
    return [
        identity_json(statement.subject, statement.document),
        identity_json(statement.object, statement.document),
    ]


def predicate(statement: Statement) -> Json:
    return identity_json(statement.predicate, statement.document)


def qualifiers(statement: Statement) -> list[Json]:
    return sorted(
        [q.name, identity_json(q.value, statement.document)] for q in statement.qualifiers
    )
