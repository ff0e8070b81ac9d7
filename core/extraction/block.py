"""What a model's answer says, before anything is looked up: blocks of fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.model import Problem
from core.schema.definition import MANY, ClassDefinition


@dataclass(frozen=True, slots=True)
class Block:
    """One object of class `cls`: its fields in schema order, each with its items.

    An item is text, or a Block where the answer itself was nested. `text` is the words it was read
    from, if known.
    """

    cls: str
    fields: tuple[tuple[str, tuple[str | Block, ...]], ...] = ()
    text: str = ""

    def get(self, slot: str) -> tuple[str | Block, ...]:
        return next((items for name, items in self.fields if name == slot), ())

    def values(self) -> list[str]:
        """Every text item, here and below, in order."""
        texts: list[str] = []
        for _, items in self.fields:
            for item in items:
                texts += item.values() if isinstance(item, Block) else [item]
        return texts


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """An answer's blocks, what it said is not stated (field and words), and what could not be
    placed, as problems.
    """

    blocks: tuple[Block, ...] = ()
    not_stated: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()

    def as_one_block(self, cls: ClassDefinition) -> Block:
        """The answer about a whole document as one object: blocks that fill one together, or a list
        of several.

        Several they are where a relation, or the first field of one value, comes again with other
        values.
        """
        if len(self.blocks) > 1 and are_several(cls, self.blocks):
            return Block(cls.name + MANY, (("items", self.blocks),))
        return self.merged(cls.name)

    def merged(self, cls: str) -> Block:
        """All blocks merged into one object."""
        if len(self.blocks) == 1:
            return self.blocks[0]
        gathered: dict[str, dict[str | Block, None]] = {}
        for block in self.blocks:
            for slot, items in block.fields:
                gathered.setdefault(slot, {}).update(dict.fromkeys(items))
        return Block(cls, tuple((slot, tuple(items)) for slot, items in gathered.items()))


def are_several(cls: ClassDefinition, blocks: Sequence[Block]) -> bool:
    """Whether blocks of a class are different objects rather than parts of one."""
    first_slot = next((slot for slot in cls.slots if not slot.skip and not slot.identifier), None)
    if cls.is_claim or first_slot is None or first_slot.multivalued:
        return cls.is_claim
    return len({block.get(first_slot.name) for block in blocks if block.get(first_slot.name)}) > 1
