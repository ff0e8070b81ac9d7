"""From what an answer says to an Extraction: values typed, found in the text, and grounded (SPIRES
§3.4–3.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from core.extraction.block import Block
from core.extraction.literal import (
    DECIMALS,
    INTEGERS,
    canonical_literal,
    permissible_value,
    read_number,
)
from core.extraction.mention_grounding import Grounding
from core.extraction.negation import without_negation
from core.extraction.tree import Branch, Extraction, Leaf, LeafKind
from core.model import Mention, Problem, Severity, Span, fold_words
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot
from core.text.pattern import pattern_matches
from core.text.quote import QuoteMatch, find_whole_words

NAME_SLOTS = ("label", "name")
REACH = 1500  # characters from subject to object
AND = re.compile(r",\s+(?:and\s+)?|(?<!\s)\s+and\s+")


def assemble_extraction(
    schema: Schema, block: Block, text: str, grounding: Grounding | None = None
) -> Extraction:
    """The tree that `block` describes, with the spans of its values in `text` and a mention for
    each entity.
    """
    work = _Assembly(schema, text, grounding)
    tree = work.branch("", schema.definition(block.cls), block, None)
    return Extraction(tree, tuple(work.mentions), tuple(work.problems))


@dataclass
class _Assembly:
    schema: Schema
    text: str
    grounding: Grounding | None
    mentions: list[Mention] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def branch(
        self, path: str, cls: ClassDefinition, block: Block, parent_span: Span | None
    ) -> Branch:
        own = (
            find_whole_words(self.text, block.text, near_span=parent_span, paraphrase=False)
            if block.text
            else QuoteMatch()
        )
        anchor = own.spans[0] if own else self._anchor(cls, block, parent_span)
        slots: list[tuple[str, tuple[Branch | Leaf, ...]]] = []
        for slot in cls.slots:
            items = [
                piece for item in block.get(slot.name) for piece in self._pieces(cls, slot, item)
            ]
            if items:
                places = (value_path(path, slot, number) for number in range(len(items)))
                values = (
                    self.value(at, cls, slot, item=item, parent_span=anchor)
                    for at, item in zip(places, items, strict=True)
                )
                slots.append((slot.name, tuple(values)))
        return Branch(
            path,
            cls.name,
            block.text,
            slots=tuple(slots),
            spans=own.spans or triple_words(cls, slots),
        )

    def _anchor(self, cls: ClassDefinition, block: Block, parent_span: Span | None) -> Span | None:
        """Where an object without words of its own is spoken of: at its value with the fewest
        occurrences.
        """
        words = [
            item for slot in cls.slots for item in block.get(slot.name) if isinstance(item, str)
        ]
        quote_matches = [
            find_whole_words(self.text, item, near_span=parent_span, paraphrase=False)
            for item in words
            if len(item) > 2
        ]
        best = min(filter(None, quote_matches), key=lambda hit: len(hit.spans), default=None)
        return best.spans[0] if best and (cls.is_claim or len(best.spans) == 1) else parent_span

    def value(  # noqa: PLR0917
        self,
        path: str,
        owner: ClassDefinition,
        slot: Slot,
        item: str | Block,
        parent_span: Span | None,
    ) -> Branch | Leaf:
        if isinstance(item, Block):
            return self.branch(path, self.schema.definition(item.cls), item, parent_span)
        if slot.kind is RangeKind.OBJECT and slot.range in self.schema.classes and slot.recurse:
            spans = find_whole_words(self.text, item, near_span=parent_span).spans
            return Branch(path, slot.range, item, spans=spans)
        if slot.alternatives and (other := self.alternative(path, slot, item, parent_span)):
            return other
        if slot.kind is RangeKind.ENTITY:
            return self.entity(
                path, self.schema.classes[slot.range], slot, item, parent_span=parent_span
            )
        if slot.kind is RangeKind.ENUM and slot.range in self.schema.enums:
            return self.enum(path, slot, item, parent_span)
        if owner.is_entity and slot.name in NAME_SLOTS:
            return self.entity(path, owner, slot, item, parent_span=parent_span)
        return self.literal(path, slot, item, parent_span)

    def _pieces(
        self, owner: ClassDefinition, slot: Slot, item: str | Block
    ) -> Iterator[str | Block]:
        """One item; or its parts, where only they and not the whole have terms ("dizziness and
        nystagmus").
        """
        parts = AND.split(item) if isinstance(item, str) and slot.kind is RangeKind.ENTITY else []
        cls = self.schema.classes.get(slot.range)
        if (
            len(parts) < 2
            or cls is None
            or cls.is_relation
            or not self.grounding
            or not all(parts)
            or self.grounding.names_term(cls.name, str(item))
            or not all(self.grounding.names_term(cls.name, p) for p in parts)
        ):
            yield item
        else:
            yield from parts

    # ---------------------------------------------------------- leaves

    def alternative(
        self, path: str, slot: Slot, item: str, parent_span: Span | None
    ) -> Leaf | None:
        """The value as one of the slot's alternatives; None where it is of its range or of none."""
        enums = self.schema.enums
        if slot.kind is RangeKind.ENUM and permissible_value(item, enums[slot.range]):
            return None
        for other in slot.alternatives:
            if other in enums and permissible_value(item, enums[other]):
                return self.enum(path, replace(slot, range=other), item, parent_span)
            if other not in enums and canonical_literal(item, other) is not None:
                typed = replace(slot, range=other, datatype=other)
                return self.literal(path, typed, item, parent_span)
        return None

    def entity(
        self, path: str, cls: ClassDefinition, slot: Slot, item: str, *, parent_span: Span | None
    ) -> Leaf:
        quote_match = find_whole_words(self.text, item, near_span=parent_span)
        flags = () if cls.is_relation else self._flags(path, slot, item, quote_match)
        leaf = Leaf(
            path,
            item,
            cls.name,
            kind=LeafKind.ENTITY,
            value=item,
            spans=quote_match.spans,
            score=quote_match.score,
            flags=flags,
        )
        mention = Mention(
            item, path, cls.name, category=cls.category, spans=quote_match.spans, flags=flags
        )
        if self.grounding:
            words = without_negation(item) if cls.is_relation else item
            mention = self.grounding.ground(mention, words, self.text)
        self.mentions.append(mention)
        return leaf

    def enum(self, path: str, slot: Slot, item: str, parent_span: Span | None) -> Leaf:
        quote_match = find_whole_words(self.text, item, near_span=parent_span)
        value = permissible_value(item, self.schema.enums[slot.range]) or permissible_value(
            without_negation(item), self.schema.enums[slot.range]
        )
        if value is None and self.schema.enums[slot.range].values:
            message = f"“{item}” is not a value of {slot.range}."
            self._problem("not-in-value-set", message, path, Severity.WARNING)
        name = value.name if value else "" if self.schema.enums[slot.range].values else item
        return Leaf(
            path,
            item,
            slot.range,
            kind=LeafKind.ENUM,
            value=name,
            spans=quote_match.spans,
            score=quote_match.score,
        )

    def literal(self, path: str, slot: Slot, item: str, parent_span: Span | None) -> Leaf:
        quote_match = find_whole_words(self.text, item, near_span=parent_span)
        value = canonical_literal(item, slot.datatype)
        if value is None:
            kind = slot.datatype.removeprefix("xsd:")
            self._problem(
                "wrong-type",
                f"“{item}” is not a {kind}; its words were kept.",
                path,
                Severity.WARNING,
            )
        if slot.pattern and value is not None and not pattern_matches(slot.pattern, value):
            self._problem(
                "wrong-pattern", f"“{item}” does not match {slot.pattern}.", path, Severity.WARNING
            )
        self._bounds(path, slot, item, value)
        flags = self._flags(path, slot, item, quote_match)
        return Leaf(
            path,
            item,
            slot.range,
            kind=LeafKind.LITERAL,
            value=item if value is None else value,
            spans=quote_match.spans,
            score=quote_match.score,
            flags=flags,
        )

    def _bounds(self, path: str, slot: Slot, item: str, value: str | None) -> None:
        """Say of a number that the slot's bounds exclude it. It stays: its words are the text's."""
        number = read_number(value) if value is not None else None
        if number is None or slot.datatype not in INTEGERS | DECIMALS:
            return
        message = ""
        if slot.minimum is not None and number < slot.minimum:
            message = f"“{item}” is less than {slot.minimum:g}, the least that {slot.name} allows."
        if slot.maximum is not None and number > slot.maximum:
            message = f"“{item}” is more than {slot.maximum:g}, the most that {slot.name} allows."
        if message:
            self._problem("out-of-bounds", message, path, Severity.WARNING)

    def _flags(self, path: str, slot: Slot, item: str, quote_match: QuoteMatch) -> tuple[str, ...]:
        if quote_match:
            return ("paraphrase",) if quote_match.kind == "paraphrase" else ()
        if fold_words(item) in {fold_words(word) for word in (*slot.examples, *slot.exclude)}:
            self._problem(
                "echo",
                f"“{item}” is an example of the template and not in the text.",
                path,
                Severity.WARNING,
            )
            return ("not in text", "echo")
        self._problem("not-in-text", f"“{item}” is not in the text.", path, Severity.NOTE)
        return ("not in text",)

    def _problem(self, code: str, message: str, where: str, severity: Severity) -> None:
        self.problems.append(Problem(code, message, severity, where))


def with_names(
    schema: Schema, extraction: Extraction, text: str, grounding: Grounding
) -> Extraction:
    """The extraction with a mention for the name of every object of an entity class, where an
    engine made none.
    """
    mention_slots = {mention.slot for mention in extraction.mentions}
    added: list[Mention] = []

    def with_named_slots(branch: Branch) -> Branch:
        cls = schema.definition(branch.cls)
        slots = tuple(
            (name, tuple(value(cls, name, slot_value) for slot_value in values))
            for name, values in branch.slots
        )
        return replace(branch, slots=slots)

    def value(cls: ClassDefinition, slot: str, slot_value: Branch | Leaf) -> Branch | Leaf:
        if isinstance(slot_value, Branch):
            return with_named_slots(slot_value)
        if (
            not cls.is_entity
            or slot not in NAME_SLOTS
            or slot_value.path in mention_slots
            or slot_value.kind is not LeafKind.LITERAL
        ):
            return slot_value
        mention = Mention(
            slot_value.text,
            slot_value.path,
            cls.name,
            category=cls.category,
            spans=slot_value.spans,
            flags=slot_value.flags,
        )
        added.append(grounding.ground(mention, slot_value.text, text))
        return replace(slot_value, kind=LeafKind.ENTITY, cls=cls.name, value=slot_value.text)

    tree = with_named_slots(extraction.tree)
    return replace(extraction, tree=tree, mentions=(*added, *extraction.mentions))


def triple_words(
    cls: ClassDefinition, slots: list[tuple[str, tuple[Branch | Leaf, ...]]]
) -> tuple[Span, ...]:
    """The words from a triple's subject to its object, where both are in the text and near each
    other.
    """
    ends = [
        value.spans[0]
        for name, (value, *_) in slots
        if name in ("subject", "object") and value.spans
    ]
    if not cls.is_claim or len(ends) < 2:
        return ()
    cover = Span(min(span.start for span in ends), max(span.end for span in ends))
    return (cover,) if cover.end - cover.start <= REACH else ()


def value_path(path: str, slot: Slot, number: int) -> str:
    """The path of the n-th value of a slot. Deviation: further values of a single slot have an
    index too.
    """
    name = f"{path}.{slot.name}" if path else slot.name
    return f"{name}[{number}]" if slot.multivalued or number else name


def with_mentions(extraction: Extraction, mentions: Mapping[str, Mention]) -> Extraction:
    """The extraction with these mentions, by slot, in place of its own."""
    return replace(extraction, mentions=tuple(mentions.get(m.slot, m) for m in extraction.mentions))
