"""Ids of different vocabularies that are one thing: what mapping sets say, corrected by what the
project's curators say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

Pair = tuple[str, str]  # of ids, in the order of the alphabet
MOST_KNOWN = 50_000  # ids whose equivalents are remembered
LARGEST = 40  # ids of one thing; more than that is a fault of a mapping set


def pair_of(one: str, other: str) -> Pair:
    """Two ids, whichever is given first.

    >>> pair_of("OMIM:104300", "MONDO:0004975")
    ('MONDO:0004975', 'OMIM:104300')
    """
    return (one, other) if one <= other else (other, one)


class MappingSource(Protocol):
    """What mapping sets say, as they stand."""

    def group(self, id: str) -> frozenset[str]:
        """All ids that the sets, taken together, call the same as this one, itself among them."""
        ...

    def neighbours(self, id: str) -> Iterable[str]:
        """The ids that some set maps this one to, or from."""
        ...


class NoMappings:
    """For work outside a project."""

    def group(self, id: str) -> frozenset[str]:
        return frozenset((id,))

    def neighbours(self, id: str) -> Iterable[str]:
        return ()


class EquivalentsSource(Protocol):
    """Gives the equivalents as they stand now, for one piece of work."""

    def steady(self) -> Equivalents: ...


class Equivalents:
    """The ids of one thing. `same` are pairs that are one thing besides what the mappings say,
    `different` pairs that are not, whatever they say. Never changes; safe to share between threads.
    """

    def __init__(
        self,
        mappings: MappingSource | None = None,
        same: Iterable[Pair] = (),
        different: Iterable[Pair] = (),
    ):
        self._mappings = mappings or NoMappings()
        self._different = frozenset(different)
        self._same: dict[str, set[str]] = {}
        for one, other in same:
            self._same.setdefault(one, set()).add(other)
            self._same.setdefault(other, set()).add(one)
        self._judged = frozenset(self._same) | {id for pair in self._different for id in pair}
        self._known: dict[str, frozenset[str]] = {}

    def steady(self) -> Equivalents:
        return self

    def of(self, id: str) -> frozenset[str]:
        """All ids of the thing, this one among them.

        >>> pairs = [("DOID:10652", "MONDO:0004975"), ("MONDO:0004975", "OMIM:104300")]
        >>> sorted(Equivalents(same=pairs).of("DOID:10652"))
        ['DOID:10652', 'MONDO:0004975', 'OMIM:104300']
        """
        if (ids := self._known.get(id)) is None:
            if len(self._known) >= MOST_KNOWN:
                self._known = {}
            ids = self._known[id] = self._ids(id) if id else frozenset()
        return ids

    def same(self, one: str, other: str) -> bool:
        """Whether two ids are one thing."""
        return one == other or other in self.of(one)

    def _ids(self, id: str) -> frozenset[str]:
        mapped = self._mappings.group(id)
        return mapped if self._judged.isdisjoint(mapped) else self._reached(id)

    def _reached(self, id: str) -> frozenset[str]:
        """Step by step over pairs that nobody calls different."""
        reached, waiting = {id}, [id]
        while waiting and len(reached) < LARGEST:
            here = waiting.pop()
            for other in sorted({*self._mappings.neighbours(here), *self._same.get(here, ())}):
                if other in reached or pair_of(here, other) in self._different:
                    continue
                if pair_of(id, other) in self._different:
                    continue
                reached.add(other)
                waiting.append(other)
        return frozenset(reached)


def groups(ids: Iterable[str], equivalents: Equivalents) -> Mapping[str, frozenset[str]]:
    """Of some ids those that share a thing with another of them: id → the ids of its thing that
    are among them.

    >>> alzheimer = Equivalents(same=[("DOID:10652", "MONDO:0004975")])
    >>> sorted(groups(["DOID:10652", "MESH:D003924", "MONDO:0004975"], alzheimer))
    ['DOID:10652', 'MONDO:0004975']
    """
    wanted = frozenset(filter(None, ids))
    shared = {id: equivalents.of(id) & wanted for id in sorted(wanted)}
    return {id: several for id, several in shared.items() if len(several) > 1}
