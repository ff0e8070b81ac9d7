"""Terms that carry the same name: one name with two ids, or words without an id that an id is known
for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from core.model import Category, Qualifier, Statement, Term, Thing, fold_words

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
