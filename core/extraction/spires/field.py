"""The field a model meant by the name it wrote: plural, spaced, case-varied, reordered and
decorated names.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from core.schema.definition import ClassDefinition, Slot

WORDS = re.compile(r"[^\W_]+")
ALIKE = 0.92  # how alike a misspelt name must be


def words_of_name(name: str) -> list[str]:
    return WORDS.findall(name.casefold())


def stem(word: str) -> str:
    """A word without its plural, however it was made: processes, entities, and the reference's
    "geness".
    """
    bare = word.rstrip("s")
    if bare.endswith(("sse", "xe", "che", "she")):
        bare = bare[:-1].rstrip("s")
    return bare[:-2] + "y" if bare.endswith("ie") and len(bare) > 3 else bare


class SlotNames:
    """The slots of a class by the names a model may give them."""

    def __init__(self, cls: ClassDefinition):
        self.cls = cls
        self.asked = tuple(slot for slot in cls.slots if not slot.skip and not slot.identifier)
        ordered = [*self.asked, *(slot for slot in cls.slots if slot not in self.asked)]
        self.exact: dict[str, Slot] = {}
        self.stemmed: dict[str, Slot] = {}
        self.sets: dict[frozenset[str], Slot] = {}
        for slot in ordered:
            for name in filter(None, (slot.name, slot.title)):
                self._add(slot, words_of_name(name))
        self.known: dict[str, Slot | None] = {}

    def _add(self, slot: Slot, parts: list[str]) -> None:
        self.exact.setdefault("".join(parts), slot)
        self.stemmed.setdefault("".join(map(stem, parts)), slot)
        self.sets.setdefault(frozenset(map(stem, parts)), slot)

    def find(self, label: str) -> Slot | None:
        """The slot that `label` names, or None."""
        if len(label) > 90:
            return None
        if label not in self.known:
            self.known[label] = self._find(label)
        return self.known[label]

    def exactly(self, label: str) -> Slot | None:
        """The slot of just this name, case, spaces and plural aside."""
        joined_stems = "".join(map(stem, words_of_name(label)))
        return self.stemmed.get(joined_stems) if joined_stems and len(label) <= 90 else None

    def _find(self, label: str) -> Slot | None:
        parts = words_of_name(label)
        joined_label = "".join(parts)
        stems = [stem(part) for part in parts]
        if not joined_label:
            return None
        return (
            self.exact.get(joined_label)
            or self.stemmed.get("".join(stems))
            or self.stemmed.get(stem(joined_label))
            or (self.sets.get(frozenset(stems)) if len(parts) > 1 else None)
            or self._misspelt(joined_label)
        )

    def _misspelt(self, joined_label: str) -> Slot | None:
        if len(joined_label) < 9:
            return None
        alike = [
            (SequenceMatcher(None, joined_label, name).ratio(), name)
            for name in self.exact
            if name[0] == joined_label[0]
        ]
        best = max(alike, default=(0.0, ""))
        return self.exact[best[1]] if best[0] >= ALIKE else None

    def inline(self) -> re.Pattern[str] | None:
        """Where another field begins in the same line: `subject: A; predicate: B`."""
        names = [r"[ _-]".join(map(re.escape, words_of_name(slot.name))) for slot in self.asked]
        if not names:
            return None
        return re.compile(
            rf"(?:[;,|]\s*|\.\s+|\s{{2,}})(?=\"?(?:{'|'.join(names)})\"?\s*:\s)", re.I
        )
