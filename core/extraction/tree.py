"""What an engine extracts: a tree of branches (objects) and leaves (values), the same for every
engine.

Paths name places: `triples[0].subject`. A multivalued slot always has an index, a single one never;
the root's is "".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.codec import noun
from core.model import Mention, Problem, Span


class LeafKind(StrEnum):
    ENTITY = "entity"  # to be grounded
    ENUM = "enum"
    LITERAL = "literal"


@dataclass(frozen=True, slots=True)
class RelationEvidence:
    """Why an engine proposes a relation: the sentence, its rule, the words it went by, and how
    likely it is (0 to 1).
    """

    sentence: Span
    rule: str
    cue: str
    score: float


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value. `text` is the words extracted, `cls` the range (class, enum or type).

    `value` is the permissible value's name for an enum, the canonical form for a literal, and
    `text` for an entity. `spans` are its occurrences in the document, primary first; `score` says
    how well the primary one fits (1: exact). `stated` says which sentences give the object this
    value, where an engine read them; the others only name it.
    """

    path: str
    text: str
    cls: str
    kind: LeafKind
    value: str = ""
    spans: tuple[Span, ...] = ()
    score: float = 0.0
    flags: tuple[str, ...] = ()
    stated: tuple[RelationEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """An object. `text` is the words it was extracted from; `slots` are in schema order, absent
    ones left out. `stated` says why, where the object is a relation.
    """

    path: str
    cls: str
    text: str = ""
    slots: tuple[tuple[str, tuple[Branch | Leaf, ...]], ...] = ()
    spans: tuple[Span, ...] = ()
    stated: tuple[RelationEvidence, ...] = ()

    def get(self, slot: str) -> tuple[Branch | Leaf, ...]:
        return next((values for name, values in self.slots if name == slot), ())

    def walk(self) -> Iterator[Branch | Leaf]:
        """This branch and everything below it, depth first, in order."""
        yield self
        for _, values in self.slots:
            for value in values:
                if isinstance(value, Branch):
                    yield from value.walk()
                else:
                    yield value

    def leaves(self) -> Iterator[Leaf]:
        return (place for place in self.walk() if isinstance(place, Leaf))


@noun
@dataclass(frozen=True, slots=True)
class Extraction:
    """What an engine found in one text. One Mention for each ENTITY leaf, with `mention.slot ==
    leaf.path`.
    """

    tree: Branch
    mentions: tuple[Mention, ...] = ()
    problems: tuple[Problem, ...] = ()
