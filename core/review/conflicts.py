"""Statements that cannot both stand as they are, or that say the same twice. Shown to curators;
nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from core.model import Json, Statement, identity
from core.review.exclusion import exclude

MOST_OF_A_PAIR = 60  # statements on one pair of things that are compared with each other


class ConflictKind(StrEnum):
    OPPOSITE = "says the opposite"
    MODALITY = "says the same, with another modality"
    QUALIFIED = "says the same, with other qualifiers"
    REVERSED = "says the same in the other direction"
    REFLEXIVE = "has the same subject and object"
    EXCLUDING = "has a relation that rules this one out"
    EQUIVALENT = "says the same, with another id of the same name"
    NAME = "has the same name under another id"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements (ids in order), or one that is at odds with itself (`other` is empty)."""

    statement: str
    other: str
    kind: ConflictKind


def conflicts(statements: Iterable[Statement]) -> tuple[Conflict, ...]:
    """Every pair in conflict, sorted."""
    claims: dict[str, list[Statement]] = {}
    found = []
    for statement in statements:
        claims.setdefault(
            repr(sorted([ends(statement), ends(statement)[::-1]], key=repr)), []
        ).append(statement)
        if ends(statement)[0] == ends(statement)[1]:
            found.append(Conflict(statement.id, "", ConflictKind.REFLEXIVE))
    for group in claims.values():
        found += [
            conflict
            for one, other in combinations(group[:MOST_OF_A_PAIR], 2)
            for conflict in conflict_between(one, other)
        ]
    return tuple(
        sorted(set(found), key=lambda c: (list(ConflictKind).index(c.kind), c.statement, c.other))
    )


def conflict_between(statement: Statement, other: Statement) -> Iterator[Conflict]:
    """The conflict of two statements on the same two things with the same predicate, if there is
    one.
    """
    kind = kind_of(statement, other)
    if kind and statement.id != other.id:
        first, second = sorted((statement.id, other.id))
        yield Conflict(first, second, kind)


def kind_of(statement: Statement, other: Statement) -> ConflictKind | None:
    if predicate(statement) != predicate(other):
        return ConflictKind.EXCLUDING if _ruled_out(statement, other) else None
    if ends(statement) != ends(other):
        return (
            ConflictKind.REVERSED
            if ends(statement)[0] != ends(statement)[1] and statement.negated == other.negated
            else None
        )
    if statement.negated != other.negated:
        return ConflictKind.OPPOSITE if qualifiers(statement) == qualifiers(other) else None
    if statement.modality is not other.modality:
        return ConflictKind.MODALITY
    return ConflictKind.QUALIFIED


def _ruled_out(statement: Statement, other: Statement) -> bool:
    same = ends(statement) == ends(other) and not statement.negated and not other.negated
    return same and exclude(statement.predicate.id, other.predicate.id)


def ends(statement: Statement) -> list[Json]:
    return [
        identity(statement.subject, statement.document),
        identity(statement.object, statement.document),
    ]


def predicate(statement: Statement) -> Json:
    return identity(statement.predicate, statement.document)


def qualifiers(statement: Statement) -> list[Json]:
    return sorted([q.name, identity(q.value, statement.document)] for q in statement.qualifiers)
