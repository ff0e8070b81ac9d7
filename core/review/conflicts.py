"""Statements that cannot both stand as they are, or that say the same twice, and terms that carry
the same name. Shown to curators; nothing is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import TypeVar

from core.model import Category, Json, Qualifier, Statement, Term, Thing, fold_words, identity_json

_PAIRS = (
    ("biolink:treats", "biolink:causes"),  # a drug that treats a disease and brings it about
    ("biolink:treats", "biolink:exacerbates_condition"),
    ("biolink:treats_or_applied_or_studied_to_treat", "biolink:causes"),
    ("biolink:treats", "biolink:contributes_to"),
    ("biolink:treats", "biolink:predisposes_to_condition"),
    ("biolink:prevents", "biolink:causes"),
    ("biolink:preventative_for_condition", "biolink:causes"),
    ("biolink:ameliorates_condition", "biolink:exacerbates_condition"),
    ("biolink:ameliorates", "biolink:exacerbates"),
    ("biolink:disrupts", "biolink:enhances_response_to"),
    ("biolink:enables", "biolink:prevents"),
    ("biolink:positively_regulates", "biolink:negatively_regulates"),
    ("biolink:positively_correlated_with", "biolink:negatively_correlated_with"),
    ("biolink:positively_associated_with", "biolink:negatively_associated_with"),
    ("biolink:increases_response_to", "biolink:decreases_response_to"),
    ("biolink:increases_amount_or_activity_of", "biolink:decreases_amount_or_activity_of"),
    ("biolink:contraindicated_in", "biolink:treats"),
    ("RO:0002213", "RO:0002212"),  # positively regulates, negatively regulates
    ("RO:0002450", "RO:0002449"),  # directly positively, directly negatively regulates activity of
    ("RO:0003303", "RO:0002606"),  # causes condition, is substance that treats
    ("RO:0003307", "RO:0003309"),  # ameliorates condition, exacerbates condition
)
EXCLUDING = frozenset(frozenset(pair) for pair in _PAIRS)


def exclude_each_other(predicate: str, other_predicate: str) -> bool:
    """Whether two predicates, by CURIE, rule each other out."""
    return frozenset((predicate, other_predicate)) in EXCLUDING


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


NameKey = tuple[str, Category]
T = TypeVar("T", bound=Thing)


def name_key(term: Term) -> NameKey:
    """Case-folded label and category: what a person would call the same."""
    return fold_words(term.label), term.category


def shared_names(terms: Iterable[Term]) -> dict[NameKey, tuple[str, ...]]:
    """Names that more than one id carries, with the ids in order."""
    ids: dict[NameKey, set[str]] = {}
    for term in terms:
        if term.id and term.label.strip():
            ids.setdefault(name_key(term), set()).add(term.id)
    return {key: tuple(sorted(term_ids)) for key, term_ids in ids.items() if len(term_ids) > 1}


def canonical_statement(statement: Statement, id_of: Callable[[Term], str]) -> Statement:
    """The statement as it would be if every term had the id that `id_of` gives it."""
    return Statement(
        subject=_canonical(statement.subject, id_of),
        predicate=statement.predicate,
        object=_canonical(statement.object, id_of),
        negated=statement.negated,
        modality=statement.modality,
        qualifiers=tuple(
            Qualifier(qualifier.name, _canonical(qualifier.value, id_of))
            for qualifier in statement.qualifiers
        ),
        document=statement.document,
    )


def with_ids_of(statement: Statement, other: Statement) -> Statement:
    """The statement with the ids that the other one has for the same names."""
    ids = {name_key(end): end.id for end in (other.subject, other.object) if isinstance(end, Term)}
    return canonical_statement(statement, lambda term: ids.get(name_key(term), term.id))


def _canonical(thing: T, id_of: Callable[[Term], str]) -> T:
    return replace(thing, id=id_of(thing)) if isinstance(thing, Term) else thing
