"""The hierarchy of a few terms, from the example starters: for copies of a vocabulary that come
without one. HPO's base set says nothing of what is above a term, but its starter does for the
modes of inheritance and the ages of onset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.grounding.index.lexicon import IS_A
from core.grounding.readers import registry
from core.grounding.readers.record import VocabularyReading


@dataclass(frozen=True, slots=True)
class HierarchyExcerpt:
    """Terms with what stands at once above each, by is_a only; other relations are not in it."""

    above: Mapping[str, tuple[str, ...]]

    def __contains__(self, id: str) -> bool:
        return id in self.above

    def parents(self, id: str, relations: Sequence[str] = (IS_A,)) -> frozenset[str]:
        return frozenset(self.above.get(id, ()))

    def ancestors(self, id: str, relations: Sequence[str] = (IS_A,)) -> frozenset[str]:
        """All terms above one, itself not among them unless the file has a circle."""
        reached: set[str] = set()
        waiting = list(self.above.get(id, ()))
        while waiting:
            parent = waiting.pop()
            if parent not in reached:
                reached.add(parent)
                waiting += self.above.get(parent, ())
        return frozenset(reached)


NOTHING = HierarchyExcerpt({})


def excerpt_of(starters: Path | None, name: str) -> HierarchyExcerpt:
    """What the starter of a vocabulary says of its hierarchy; nothing where there is no starter."""
    path = starters / f"{name}.tsv" if starters else None
    return _read(path) if path and path.is_file() else NOTHING


@lru_cache(maxsize=64)
def _read(path: Path) -> HierarchyExcerpt:
    records = registry.read(path, VocabularyReading())
    return HierarchyExcerpt({record.id: record.parents for record in records if record.parents})
