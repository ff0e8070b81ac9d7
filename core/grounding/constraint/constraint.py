"""What a mention of a schema's class may be grounded to: SPIRES §3.5's id spaces, value sets and
branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from core.curie import preferred_prefix
from core.model import Category, Term
from core.schema.definition import ClassDefinition, EnumDefinition, Schema, ValueSet
from core.text.pattern import pattern_matches


@dataclass(frozen=True, slots=True)
class Constraint:
    """`vocabularies` in order of preference; no prefixes: any. An empty constraint grounds to
    project synonyms only.

    `taxon` is a NCBITaxon CURIE that terms with a taxon must have; empty: any. `members` are those
    of the classes of which a range allows any, each with the name of its class as `kind`.
    """

    vocabularies: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    pattern: str = ""
    value_sets: tuple[ValueSet, ...] = ()
    enums: tuple[EnumDefinition, ...] = ()
    category: Category = Category.THING
    taxon: str = ""
    members: tuple[Constraint, ...] = ()
    kind: str = ""

    def kinds_of(self, id: str, vocabulary: str) -> tuple[Constraint, ...]:
        """Those of `members` that allow a term by its id space and, of these, its vocabulary."""
        allowing = tuple(member for member in self.members if member.allows(id))
        return tuple(member for member in allowing if vocabulary in member.vocabularies) or allowing

    def allows(self, id: str) -> bool:
        """Whether an id is in the id space: its prefix (whatever its case) and pattern fit."""
        if self.prefixes:
            prefix = preferred_prefix(id.partition(":")[0])
            if prefix not in _preferred(self.prefixes):
                return False
        return not self.pattern or _matches(self.pattern, id)


class NamedTerm(Protocol):
    """A term with a name that a curator gave it; `normal` is `normalise.key` of the name."""

    @property
    def words(self) -> str: ...

    @property
    def normal(self) -> str: ...

    @property
    def term(self) -> Term: ...


class Synonyms(Protocol):
    """Names that the project's curators gave to terms; `normal` is `normalise.key(words)`. Newest
    first.
    """

    def lookup(self, normal: str, category: Category | None = None) -> list[Term]: ...

    def all(self) -> Sequence[NamedTerm]: ...

    def refused(self, normal: str, category: Category | None = None) -> frozenset[str]:
        """Ids that the words do not mean; "" among them: they are never linked."""
        ...

    def steady(self) -> Synonyms:
        """The same as they stand now, for one piece of work."""
        ...


class NoSynonyms:
    """For work outside a project."""

    def lookup(self, normal: str, category: Category | None = None) -> list[Term]:
        return []

    def all(self) -> Sequence[NamedTerm]:
        return []

    def refused(self, normal: str, category: Category | None = None) -> frozenset[str]:
        return frozenset()

    def steady(self) -> Synonyms:
        return self


def constraint_of(schema: Schema, cls: str) -> Constraint:
    """The constraint that a class of a schema puts on its ids; empty for an unknown class."""
    definition = schema.classes.get(cls)
    return _constraint(schema, definition) if definition else Constraint()


def kinds_of_term(schema: Schema, cls: str, term: Term, vocabulary: str) -> tuple[str, ...]:
    """Of which of the classes of a range of several a term is; empty where `cls` is one class."""
    kinds = constraint_of(schema, cls).kinds_of(term.id, vocabulary)
    own = tuple(kind for kind in kinds if kind.category is term.category)
    return tuple(kind.kind for kind in own or kinds)


def _constraint(schema: Schema, definition: ClassDefinition) -> Constraint:
    enums = tuple(schema.enums[name] for name in definition.enums if name in schema.enums)
    sets = definition.value_sets + tuple(
        value_set for enum in enums for value_set in enum.value_sets
    )
    vocabularies = tuple(value_set.vocabulary for value_set in sets if value_set.vocabulary)
    return Constraint(
        definition.annotators or tuple(dict.fromkeys(vocabularies)),
        definition.id_prefixes,
        definition.id_pattern,
        value_sets=sets,
        enums=tuple(enum for enum in enums if enum.values),
        category=definition.category,
        members=tuple(
            replace(_constraint(schema, member), kind=member.name) for member in definition.members
        ),
    )


@lru_cache(maxsize=1_000)
def _preferred(prefixes: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(preferred_prefix, prefixes))


@lru_cache(maxsize=50_000)
def _matches(pattern: str, id: str) -> bool:
    """A schema's pattern against an id, or against what follows its prefix; a broken pattern
    excludes nothing.
    """
    anchored = pattern.startswith("^") or pattern.endswith("$")
    return pattern_matches(pattern if anchored else f"^(?:{pattern})$", id)
