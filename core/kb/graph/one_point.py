"""One point for one thing: statements that name a thing by several ids are drawn as if all named
the preferred one of those in use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol, TypeVar

from core.model import Category, Qualifier, Statement, Term, Thing

_T = TypeVar("_T", bound=Thing)
Preferred = Callable[[Iterable[str], Category], str]


class IdsOfThings(Protocol):
    """Which ids are one thing."""

    def of(self, id: str) -> frozenset[str]: ...


class OnePointEach:
    """The terms in use, and for each whose thing has several the one that stands for all."""

    def __init__(self, same: IdsOfThings, preferred: Preferred):
        self._same, self._preferred = same, preferred
        self._used: dict[str, Term] = {}
        self._instead: dict[str, Term] = {}

    @property
    def merges(self) -> bool:
        """Whether some thing in use has several ids."""
        return bool(self._instead)

    def meet(self, things: Iterable[Thing]) -> bool:
        """Takes note of terms; True where one that was met before now stands under another id, so
        that what was drawn is to be drawn again.
        """
        again = False
        for term in things:
            if isinstance(term, Term) and term.id and term.id not in self._used:
                self._used[term.id] = term
                again = self._settle(term) or again
        return again

    def _settle(self, term: Term) -> bool:
        """Choose for the thing of a new term; whether that changes one that was there."""
        ids = self._same.of(term.id) & self._used.keys()
        if len(ids) < 2:
            return False
        best = self._used[self._preferred(sorted(ids), term.category)]
        changed = False
        for id in ids:
            changed = changed or (id != term.id and self._instead.get(id, self._used[id]) != best)
            self._instead[id] = best
        return changed

    def also(self, id: str) -> tuple[str, ...]:
        """The other ids in use of the thing of a point."""
        if id not in self._instead:
            return ()
        return tuple(sorted((self._same.of(id) & self._used.keys()) - {id}))

    def drawn(self, statement: Statement) -> Statement:
        """The statement with the preferred terms in the place of its own."""
        if not self._instead:
            return statement
        return replace(
            statement,
            subject=self._put(statement.subject),
            object=self._put(statement.object),
            qualifiers=tuple(Qualifier(q.name, self._put(q.value)) for q in statement.qualifiers),
        )

    def _put(self, thing: _T) -> _T:
        if not isinstance(thing, Term) or thing.id not in self._instead:
            return thing
        best = self._instead[thing.id]
        return replace(thing, id=best.id, label=best.label)
