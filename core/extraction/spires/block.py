"""What a model's answer says, before anything is looked up: blocks of fields."""

from __future__ import annotations

from dataclasses import dataclass

from core.model import Problem


@dataclass(frozen=True, slots=True)
class Block:
    """One object of class `cls`: its fields in schema order, each with its items.

    An item is text, or a Block where the answer itself was nested. `text` is the words it was read from, if known.
    """

    cls: str
    fields: tuple[tuple[str, tuple[str | Block, ...]], ...] = ()
    text: str = ""

    def get(self, slot: str) -> tuple[str | Block, ...]:
        return next((items for name, items in self.fields if name == slot), ())

    def values(self) -> list[str]:
        """Every text item, here and below, in order."""
        found: list[str] = []
        for _, items in self.fields:
            for item in items:
                found += item.values() if isinstance(item, Block) else [item]
        return found


@dataclass(frozen=True, slots=True)
class Parsed:
    """An answer's blocks, what it said is not stated (field and words), and what could not be placed, as problems."""

    blocks: tuple[Block, ...] = ()
    not_stated: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()

    def merged(self, cls: str) -> Block:
        """All blocks as one object: how the answer about a whole document is read."""
        if len(self.blocks) == 1:
            return self.blocks[0]
        gathered: dict[str, dict[str | Block, None]] = {}
        for block in self.blocks:
            for slot, items in block.fields:
                gathered.setdefault(slot, {}).update(dict.fromkeys(items))
        return Block(cls, tuple((slot, tuple(items)) for slot, items in gathered.items()))
