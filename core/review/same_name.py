"""Terms that carry the same name: one name with two ids, or words without an id that an id is known
for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def canonical_statement(statement: Statement, first_ids: Mapping[NameKey, str]) -> Statement:
    """The statement as it would be if every name had the one id of `first_ids`."""
    return Statement(
        subject=_canonical(statement.subject, first_ids),
        predicate=statement.predicate,
        object=_canonical(statement.object, first_ids),
        negated=statement.negated,
        modality=statement.modality,
        qualifiers=tuple(
            Qualifier(qualifier.name, _canonical(qualifier.value, first_ids))
            for qualifier in statement.qualifiers
        ),
        document=statement.document,
    )


def _canonical(thing: T, first_ids: Mapping[NameKey, str]) -> T:
    if isinstance(thing, Term) and (first_id := first_ids.get(name_key(thing))):
        return replace(thing, id=first_id)
    return thing
