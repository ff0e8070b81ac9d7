"""ParseCompletion (SPIRES §3.3): a model's answer as blocks of fields, with nothing lost.

Deviation: the paper takes one line a field and keeps the last of repeated fields. Here wrapped
lines, bullets, JSON, repeated fields and repeated blocks are all read, and what cannot be placed is
reported as a problem `unplaced`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from core.extraction.spires.block import Block, Parsed
from core.extraction.spires.field import FieldNames
from core.extraction.spires.item import list_items, tidy_item
from core.extraction.spires.json_answer import json_values, read_json
from core.extraction.spires.line import (
    HEADED,
    NAMED,
    indentation,
    is_bulleted,
    is_field_like,
    is_prose,
    otherwise_labelled,
    sort_of,
    split_label,
    strip_decoration,
)
from core.extraction.spires.markup import read_markup
from core.extraction.spires.null_values import is_refusal, is_stated
from core.extraction.spires.triple_rows import row_tuples
from core.model import Json, Problem, Severity
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot

MAX_ANSWER = 1_000_000  # characters
LONGEST_MESSAGE = 2_000  # characters of a problem
FENCE = re.compile(r"\s*(?:```|~~~)\s*[\w+-]{0,20}\s*")
RULE = re.compile(r"\s*(?:(?:[-–—=*_~#]\s?){3,}|[{}\[\],\s]+)\s*")
CLOSED = re.compile(r"\s*[\"\[{][^\n]*[\"\]}]\s*,\s*")  # a finished member of a JSON object
NUMBERED = re.compile(r"\d[\s:*_)]*$")
THINKING = re.compile(r"\s*<think>(.*?)</think>", re.S)


@dataclass
class AnswerEntry:
    """A field as it stands in the answer: its lines, bare of bullets. Without a slot they could not
    be placed.
    """

    slot: Slot | None
    label: str
    lines: list[str] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    indent: int = 0
    bullet: bool = False
    opened: bool = False  # nothing stands beside its name: what is indented below belongs to it
    named: bool = False  # its items are written "name: …", each perhaps with more fields


def parse_answer(schema: Schema, cls: str, completion: str) -> Parsed:
    """Read a model's answer about class `cls`. Never raises for what an answer holds; linear in its
    length.
    """
    reader = AnswerReader(schema, schema.classes[cls])
    return reader.read(completion)


class AnswerReader:
    """Reads one answer about one class."""

    def __init__(self, schema: Schema, cls: ClassDefinition):
        self.schema, self.cls, self.names = schema, cls, FieldNames(cls)
        self.problems: list[Problem] = []
        self.not_stated: list[tuple[str, str]] = []
        self.empty = False  # fields were named, and none of them has words

    def about(self, cls: str) -> AnswerReader:
        """A reader of a part of the answer, about another class."""
        return AnswerReader(self.schema, self.schema.classes[cls])

    def read(self, completion: str) -> Parsed:
        text = self._trim(completion.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", " "))
        answer_json = read_json(text, self.names) or self._markup(text)
        if answer_json is not None:
            value, around = answer_json
            self.asides(line for words in around for line in words.split("\n"))
            blocks = list(json_values(self, value))
            self.empty = not blocks and not self.problems  # `{"triples": []}` states nothing
        else:
            blocks = list(self._blocks(self._entries(text)))
        if self.empty and not blocks:
            self.problem("not-stated", "Every field of the answer is empty.", Severity.NOTE)
        elif not (blocks or self.not_stated or self.problems):
            self.problem(
                "no-answer",
                f"Nothing in the answer can be read: {text.strip()[:200]}",
                Severity.ERROR,
            )
        return Parsed(tuple(self._once(blocks)), tuple(self.not_stated), tuple(self.problems))

    def _markup(self, text: str) -> tuple[Json, list[str]] | None:
        """Tags or a table, unless fields are named outside of them."""
        marked_up = read_markup(text, self.names, self.schema)
        outside = (
            [line for words in marked_up[1] for line in words.split("\n")] if marked_up else []
        )
        return None if any(self.names.find(split_label(line)[0]) for line in outside) else marked_up

    def _trim(self, text: str) -> str:
        if len(text) > MAX_ANSWER:
            self.problem(
                "answer-too-long",
                f"The answer has {len(text):,} characters; the rest was not read.",
            )
            text = text[:MAX_ANSWER]
        if thinking := THINKING.match(text):
            self.problem(
                "reasoning",
                f"The model's reasoning was set aside: {thinking[1].strip()}",
                Severity.NOTE,
            )
            text = text[thinking.end() :]
        return text

    # ---------------------------------------------------------- lines

    def _entries(self, text: str) -> list[AnswerEntry]:
        entries: list[AnswerEntry] = []
        aside: list[str] = []
        current: AnswerEntry | None = None
        blank = False
        for line in text.split("\n"):
            if not line.strip() or FENCE.fullmatch(line) or RULE.fullmatch(line):
                blank = True
                continue
            if current is not None and self._below(current, line):
                blank = False
                continue
            started = list(self._fields(line))
            if started:
                entries += started
                current = entries[-1]
            elif current is None or not self._continues(current, line, blank):
                current = None
                aside.append(line)
                if NUMBERED.search(line) and sort_of(line) == "heading":
                    entries.append(AnswerEntry(None, line))
            else:
                current.lines.append(strip_decoration(line))
                current.raw.append(line)
            blank = False
        if not any(entry.slot for entry in entries):
            return self._unnamed(aside)
        self.asides(aside)
        self.empty = not any(entry.lines for entry in entries)
        return entries

    def _fields(self, line: str) -> Iterator[AnswerEntry]:
        """The fields that begin in this line: mostly none or one."""
        label, value = split_label(line)
        slot = self.names.find(label) if label else None
        if slot is None:
            label, value = otherwise_labelled(line)
            slot = self.names.exactly(label) if label else None
        if slot is None:
            return
        pattern = self.names.inline()
        pieces = pattern.split(value) if pattern and ":" in value else [value]
        raw = line.rstrip().endswith(",") * ","
        own = [pieces[0]] if pieces[0].strip() else []
        yield AnswerEntry(
            slot,
            label,
            own,
            [value + raw],
            indentation(line),
            is_bulleted(line),
            not own and len(pieces) == 1,
        )
        for piece in pieces[1:]:
            label, value = split_label(piece)
            yield AnswerEntry(self.names.find(label), label, [value] if value.strip() else [])

    def _below(self, entry: AnswerEntry, line: str) -> bool:
        """Take a line that stands under an open field as YAML writes it: a field of its object, or
        a name.
        """
        slot = entry.slot
        if slot is None or not entry.opened:
            return False
        deeper = indentation(line) > entry.indent
        listed = is_bulleted(line) and not entry.bullet
        label, value = split_label(line)
        if slot.kind is RangeKind.OBJECT and slot.range in self.schema.classes:
            inner = FieldNames(self.schema.classes[slot.range])
            if not (
                label
                and (
                    (deeper and (entry.lines or inner.find(label)))
                    or (listed and inner.exactly(label))
                )
            ):
                return False
        elif slot.kind is RangeKind.ENTITY and (deeper or listed):
            if is_bulleted(line) and (name := NAMED.fullmatch(strip_decoration(line))):
                entry.named = True
                line = name[1]
            elif entry.named and label and value and not is_bulleted(line):
                self.problem("unplaced", f"{slot.name}: only a name was expected: {line.strip()}")
                return True
            else:
                return False
        else:
            return False
        entry.lines.append(strip_decoration(line))
        entry.raw.append(line)
        return True

    def _continues(self, entry: AnswerEntry, line: str, blank: bool) -> bool:
        """Whether a line without a field's name belongs to the field before it."""
        slot = entry.slot
        if HEADED.fullmatch(strip_decoration(line).strip("*_# ")):
            return False
        label, value = split_label(line)
        many = slot is not None and slot.multivalued
        bullet = is_bulleted(line)
        if entry.raw and CLOSED.fullmatch(entry.raw[0]):
            return False
        if not entry.lines:
            return many or not (label and value)
        ended = entry.lines[-1].rstrip().endswith((";", ","))
        if blank:
            return many and (ended or (bullet and not is_field_like(label)))
        if slot is not None and slot.kind is RangeKind.OBJECT and many:
            return True
        return ended or (bullet and many) or not is_field_like(label)

    def _unnamed(self, lines: list[str]) -> list[AnswerEntry]:
        """An answer without any field's name: for a class of one field its items, or one line a
        field, in order.
        """
        slots_asked = self.names.asked
        rows = [strip_decoration(line) for line in lines]
        if rows and all(is_refusal(row) for row in rows):
            self.not_stated.append(("", " ".join(rows)))
            self.problem("not-stated", f"The model answered: {' '.join(rows)}", Severity.NOTE)
            return []
        prose = [
            row
            for row, line in zip(rows, lines, strict=True)
            if is_prose(row, listed=is_bulleted(line))
        ]
        if len(slots_asked) == 1 and rows and not prose:
            return [AnswerEntry(slots_asked[0], "", rows, lines)]
        if row_parts := row_tuples(self.schema, self.cls, slots_asked, rows):
            self.problem(
                "no-field-names",
                "The answer names no fields; the parts of each row were taken in order.",
            )
            return [
                entry
                for parts, row in zip(row_parts, lines, strict=True)
                for entry in (
                    *(
                        AnswerEntry(s, "", [p], [p])
                        for s, p in zip(slots_asked, parts, strict=False)
                    ),
                    AnswerEntry(None, row),
                )
            ]
        if len(slots_asked) == len(rows) > 2 and not prose:
            self.problem(
                "no-field-names", "The answer names no fields; its lines were taken in order."
            )
            return [
                AnswerEntry(slot, "", [row], [row])
                for slot, row in zip(slots_asked, rows, strict=True)
            ]
        if text := "\n".join(lines).strip():
            self.problem("unplaced", f"The answer names no field that was asked for: {text}")
        return []

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
                    self.problem(
                        "repeated",
                        f"{slot.name}: {many} repeated items were taken once.",
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
        if joined_lines.strip() and not listed and not is_stated(joined_lines):
            self.not_stated.append((slot.name, joined_lines))
            return []
        inner = self.schema.classes.get(slot.range)
        if not slot.multivalued and ((inner and inner.is_relation) or slot.name == "predicate"):
            return [tidy_item(joined_lines)] if joined_lines.strip() else []
        item_texts = list_items(slot, lines, relations=bool(inner and inner.is_claim))
        return [*filter(None, (self._item(slot, item) for item in item_texts))]

    def _item(self, slot: Slot, item: str) -> str:
        if is_stated(item):
            return item
        self.not_stated.append((slot.name, item))
        return ""

    def _nested(self, slot: Slot, raw: list[str]) -> tuple[Block, ...]:
        """Lines under a field that name the fields of its class: no further question is needed."""
        inner = AnswerReader(self.schema, self.schema.classes[slot.range])
        field_lines = [
            line for line in raw if (label := split_label(line)[0]) and inner.names.find(label)
        ]
        if len(field_lines) * 2 < len([line for line in raw if line.strip()]):
            return ()
        parsed = inner.read("\n".join(raw))
        self.problems += parsed.problems
        self.not_stated += parsed.not_stated
        return parsed.blocks

    def _once(self, blocks: list[Block]) -> list[Block]:
        distinct = list(dict.fromkeys(blocks))
        if len(distinct) < len(blocks):
            many = len(blocks) - len(distinct)
            self.problem(
                "repeated",
                f"{self.cls.name}: {many} repeated blocks were taken once.",
                Severity.NOTE,
            )
        return distinct

    # ---------------------------------------------------------- what is not a value

    def asides(self, lines: Iterable[str]) -> None:
        """Words around the fields: headings, remarks that nothing is stated, and what could not be
        placed.
        """
        sorts: dict[str, list[str]] = {"heading": [], "not-stated": [], "unplaced": []}
        for line in filter(None, map(str.strip, lines)):
            sorts[sort_of(line)].append(line)
        if lines_of_sort := sorts["heading"]:
            self.problem(
                "heading", f"Words between the fields: {' '.join(lines_of_sort)}", Severity.NOTE
            )
        if lines_of_sort := sorts["not-stated"]:
            self.not_stated += [("", line) for line in lines_of_sort]
            self.problem(
                "not-stated", f"The model answered: {' '.join(lines_of_sort)}", Severity.NOTE
            )
        if lines_of_sort := sorts["unplaced"]:
            self.problem(
                "unplaced",
                "This part of the answer could not be placed: " + "\n".join(lines_of_sort),
            )

    def problem(self, code: str, message: str, severity: Severity = Severity.WARNING) -> None:
        cut_characters = len(message) - LONGEST_MESSAGE
        if cut_characters > 0:
            message = (
                f"{message[:LONGEST_MESSAGE]}… ({cut_characters:,} more characters: the whole"
                " answer is kept with the call)"
            )
        self.problems.append(Problem(code, message, severity))
