"""Permissible values of a schema as terms: by name, alias, meaning or description."""

from __future__ import annotations

from collections.abc import Sequence

from core.grounding.match import normalise
from core.model import Candidate, Category, MatchKind, Term
from core.schema.definition import EnumDefinition, PermissibleValue


def permissible_candidates(
    words: str, enums: Sequence[EnumDefinition]
) -> list[tuple[float, Candidate]]:
    """Values whose name, alias, meaning or description the words are; (rank, candidate) pairs.

    >>> severity = EnumDefinition("Severity", (PermissibleValue("SEVERE_PAIN", ("agony",)),))
    >>> [(rank, found.surface) for rank, found in permissible_candidates("agony", [severity])]
    [(0.95, 'SEVERE_PAIN')]
    """
    key = normalise.name_key(words) if enums else ""
    matches_of_sets = []
    for enum in enums:
        for value in enum.values:
            if score := _score(words, key, value):
                term = Term(value.meaning, value.name, Category.THING)
                candidate = Candidate(term, MatchKind.ENUM, score, value.name, vocabulary=enum.name)
                matches_of_sets.append((score, candidate))
    return matches_of_sets


def _score(words: str, key: str, value: PermissibleValue) -> float:
    if words == value.name or (value.meaning and words.casefold() == value.meaning.casefold()):
        return 1.0
    if key == normalise.name_key(value.name.replace("_", " ")):
        return 0.97
    if key in {normalise.name_key(alias) for alias in value.aliases}:
        return 0.95
    return 0.85 if value.description and key == normalise.name_key(value.description) else 0.0
