"""ParseCompletion (SPIRES §3.3): a model's answer as blocks of fields, with nothing lost.

Deviation: the paper takes one line a field and keeps the last of repeated fields. Here wrapped
lines, bullets, JSON, nested YAML, repeated fields and repeated blocks are all read, and what cannot
be placed is reported as a problem `unplaced`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.extraction.block import Block, ParsedAnswer
from core.extraction.literal import canonical_literal
from core.extraction.spires.answer_entry import AnswerEntry, EntryReader
from core.extraction.spires.field import SlotNames
from core.extraction.spires.item import list_items, tidy_item
from core.extraction.spires.json_answer import json_values, read_json
from core.extraction.spires.line import (
    split_label,
)
from core.extraction.spires.markup import read_markup
from core.extraction.spires.notes import AnswerNotes
from core.extraction.spires.null_values import is_listed, is_stated
from core.extraction.spires.yaml_answer import read_yaml
from core.model import Json, Problem, Severity
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot
from core.text.elision import without_elision

ASK_FOR_ALL = "Run it again, read the text in parts, or ask another model."
MAX_ANSWER = 1_000_000  # characters
GAP = re.compile(r"\s{200,}")  # models that run away in spaces and empty lines
THINKING = re.compile(r"\s*<think>(.*?)</think>", re.S)


def parse_answer(schema: Schema, cls: str, completion: str, *, source: str = "") -> ParsedAnswer:
    """Read a model's answer about class `cls`, and about the text `source`. Never raises for what
    an answer holds; linear in its length.
    """
    reader = AnswerReader(schema, schema.classes[cls])
    return without_elisions(reader.read(completion), source)


def without_elisions(parsed: ParsedAnswer, source: str = "") -> ParsedAnswer:
    """An answer whose values are none of the words for what it left out: these are a problem.
    Words that the text itself has (`source`) stay.
    """
    found: list[str] = []
    blocks = tuple(_elided(block, found, source) for block in parsed.blocks)
    problems = tuple(
        Problem("elided", f"The model left something out: “{words}”.", hint=ASK_FOR_ALL)
        for words in dict.fromkeys(found)
    )
    return replace(parsed, blocks=blocks, problems=parsed.problems + problems) if found else parsed


def _elided(block: Block, found: list[str], source: str) -> Block:
    """A block without elisions, whose words are added to `found`."""
    fields = []
    for name, items in block.fields:
        kept: list[str | Block] = []
        for item in items:
            if isinstance(item, Block):
                kept.append(_elided(item, found, source))
                continue
            words, left_out = without_elision(item, source)
            found += [left_out] if left_out else []
            kept += [words] if words else []
        if kept:
            fields.append((name, tuple(kept)))
    return replace(block, fields=tuple(fields))


class AnswerReader:
    """Reads one answer about one class."""

    def __init__(self, schema: Schema, cls: ClassDefinition):
        self.schema, self.cls, self.names = schema, cls, SlotNames(cls)
        self.notes = AnswerNotes()
        self.empty = False  # fields were named, and none of them has words

    def about(self, cls: str) -> AnswerReader:
        """A reader of a part of the answer, about another class."""
        return AnswerReader(self.schema, self.schema.classes[cls])

    def read(self, completion: str) -> ParsedAnswer:
        text = completion.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", " ")
        text = self._trim(GAP.sub(lambda gap: "\n\n" if "\n" in gap[0] else " ", text))
        answer_json = (
            read_json(text, self.names)
            or read_yaml(text, self.names, self.schema)
            or self._markup(text)
        )
        if answer_json is not None:
            value, around = answer_json
            self.notes.asides(line for words in around for line in words.split("\n"))
            blocks = list(json_values(self, value))
            self.empty = not blocks and not self.notes.problems  # `{"triples": []}` states nothing
        else:
            reader = EntryReader(self.schema, self.cls, self.names, self.notes)
            entries = reader.read(text)
            named = any(entry.slot for entry in entries)
            self.empty = named and not any(entry.lines for entry in entries)
            blocks = list(self._blocks(entries))
        if self.empty and not blocks:
            self.notes.problem("not-stated", "Every field of the answer is empty.", Severity.NOTE)
        elif not (blocks or self.notes.not_stated or self.notes.problems):
            self.notes.problem(
                "no-answer",
                f"Nothing in the answer can be read: {text.strip()[:200]}",
                Severity.ERROR,
            )
        return ParsedAnswer(
            tuple(self._once(blocks)), tuple(self.notes.not_stated), tuple(self.notes.problems)
        )

    def _markup(self, text: str) -> tuple[Json, list[str]] | None:
        """Tags or a table, unless fields are named outside of them."""
        marked_up = read_markup(text, self.names, self.schema)
        outside = (
            [line for words in marked_up[1] for line in words.split("\n")] if marked_up else []
        )
        return None if any(self.names.find(split_label(line)[0]) for line in outside) else marked_up

    def _trim(self, text: str) -> str:
        if len(text) > MAX_ANSWER:
            self.notes.problem(
                "answer-too-long",
                f"The answer has {len(text):,} characters; the rest was not read.",
            )
            text = text[:MAX_ANSWER]
        if thinking := THINKING.match(text):
            self.notes.problem(
                "reasoning",
                f"The model's reasoning was set aside: {thinking[1].strip()}",
                Severity.NOTE,
            )
            text = text[thinking.end() :]
        return text

    # ---------------------------------------------------------- blocks

    def _blocks(self, entries: list[AnswerEntry]) -> Iterator[Block]:
        """A field of one value that comes again, or the first field, begins another block."""
        gathered: dict[str, list[str | Block]] = {}
        seen_names: set[str] = set()
        last_name = first_name = ""
        for entry in entries:
            slot = entry.slot
            if slot is None:
                yield from self.block(gathered)
                gathered, seen_names, first_name, last_name = {}, set(), "", ""
                continue
            again = slot.name in seen_names and slot.name != last_name
            if again and (not slot.multivalued or slot.name == first_name):
                yield from self.block(gathered)
                gathered, seen_names, first_name = {}, set(), ""
            first_name = first_name or slot.name
            last_name = slot.name
            seen_names.add(slot.name)
            gathered.setdefault(slot.name, []).extend(self.values(slot, entry.lines, entry.raw))
        yield from self.block(gathered)

    def block(self, gathered: dict[str, list[str | Block]]) -> Iterator[Block]:
        """The block of these fields in schema order; none where nothing is stated."""
        fields = []
        for slot in self.cls.slots:
            if field_values := gathered.get(slot.name):
                distinct = tuple(dict.fromkeys(field_values))
                if len(distinct) < len(field_values):
                    many = len(field_values) - len(distinct)
                    self.notes.problem(
                        "repeated",
                        f"{slot.name}: {many} repeated items were counted once.",
                        Severity.NOTE,
                    )
                fields.append((slot.name, distinct))
        if fields:
            yield Block(self.cls.name, tuple(fields))

    def values(
        self, slot: Slot, lines: list[str], raw: list[str] | None = None
    ) -> list[str | Block]:
        """The stated items of a field; an inlined object written out under its name is read as a
        Block.
        """
        if (
            slot.kind is RangeKind.OBJECT
            and slot.range in self.schema.classes
            and len(raw or lines) > 1
        ):
            nested = self._nested(slot, raw or lines)
            if nested:
                return list(nested)
        joined_lines = " ".join(line.strip() for line in lines)
        listed = slot.multivalued and slot.separator in joined_lines
        if joined_lines.strip() and not listed and not self._is_stated(slot, joined_lines):
            self.notes.not_stated.append((slot.name, joined_lines))
            return []
        inner = self.schema.classes.get(slot.range)
        if not slot.multivalued and ((inner and inner.is_relation) or slot.name == "predicate"):
            return [tidy_item(joined_lines)] if joined_lines.strip() else []
        item_texts = list_items(slot, lines, relations=bool(inner and inner.is_claim))
        return [*filter(None, (self._item(slot, item) for item in item_texts))]

    def _item(self, slot: Slot, item: str) -> str:
        if self._is_stated(slot, item):
            return item
        self.notes.not_stated.append((slot.name, item))
        return ""

    def _is_stated(self, slot: Slot, words: str) -> bool:
        """A word that elsewhere states nothing ("none") is a value where the schema lists it."""
        if is_stated(words):
            return True
        enums = (self.schema.enums.get(name) for name in (slot.range, *slot.alternatives))
        listed = [name for enum in enums if enum for v in enum.values for name in v.names]
        is_yes_or_no = slot.datatype == "xsd:boolean" and canonical_literal(words, slot.datatype)
        return bool(is_yes_or_no) or is_listed(words, listed)

    def _nested(self, slot: Slot, raw: list[str]) -> tuple[Block, ...]:
        """Lines under a field that name the fields of its class: no further question is needed."""
        inner = AnswerReader(self.schema, self.schema.classes[slot.range])
        field_lines = [
            line for line in raw if (label := split_label(line)[0]) and inner.names.find(label)
        ]
        if len(field_lines) * 2 < len([line for line in raw if line.strip()]):
            return ()
        parsed = inner.read("\n".join(raw))
        self.notes.take_in(inner.notes)
        return parsed.blocks

    def _once(self, blocks: list[Block]) -> list[Block]:
        distinct = list(dict.fromkeys(blocks))
        if len(distinct) < len(blocks):
            many = len(blocks) - len(distinct)
            self.notes.problem(
                "repeated",
                f"{self.cls.name}: {many} repeated blocks were counted once.",
                Severity.NOTE,
            )
        return distinct
