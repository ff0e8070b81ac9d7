"""The lines of an answer as entries: which field each line begins, or goes on with.

subject: aspirin          → an entry of `subject`
symptoms:                 → an entry of `symptoms` that stays open …
  - headache              → … its lines
  - nausea
Here is what I found:     → no entry: words between the fields
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.extraction.spires.field import SlotNames
from core.extraction.spires.line import (
    HEADED,
    NAMED,
    indentation,
    is_bulleted,
    is_courtesy,
    is_field_like,
    is_prose,
    otherwise_labelled,
    sort_of,
    split_label,
    strip_decoration,
)
from core.extraction.spires.notes import AnswerNotes
from core.extraction.spires.null_values import is_refusal
from core.extraction.spires.triple_rows import row_tuples
from core.model import Severity
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot

FENCE = re.compile(r"\s*(?:```|~~~)\s*[\w+-]{0,20}\s*")  # ```json
# nothing but a rule (---, ***) or the brackets of a JSON object that was taken apart
RULE = re.compile(r"\s*(?:(?:[-–—=*_~#]\s?){3,}|[{}\[\],\s]+)\s*")
CLOSED = re.compile(r"\s*[\"\[{][^\n]*[\"\]}]\s*,\s*")  # a finished member of a JSON object
NUMBERED = re.compile(r"\d[\s:*_)]*$")  # a heading that counts objects: "Ingredient 2:"


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


@dataclass
class EntryReader:
    """Reads the lines of an answer about one class."""

    schema: Schema
    cls: ClassDefinition
    names: SlotNames
    notes: AnswerNotes

    def read(self, text: str) -> list[AnswerEntry]:
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
        self.notes.asides(aside)
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
            raw=[value + raw],
            indent=indentation(line),
            bullet=is_bulleted(line),
            opened=not own and len(pieces) == 1,
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
            inner = SlotNames(self.schema.classes[slot.range])
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
                self.notes.problem(
                    "unplaced", f"{slot.name}: only a name was expected: {line.strip()}"
                )
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
        if HEADED.fullmatch(strip_decoration(line).strip("*_# ")) or is_courtesy(line):
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
            self.notes.not_stated.append(("", " ".join(rows)))
            self.notes.problem("not-stated", f"The model answered: {' '.join(rows)}", Severity.NOTE)
            return []
        prose = [
            row
            for row, line in zip(rows, lines, strict=True)
            if is_prose(row, listed=is_bulleted(line))
        ]
        if len(slots_asked) == 1 and rows and not prose:
            return [AnswerEntry(slots_asked[0], "", rows, lines)]
        if row_parts := row_tuples(self.schema, self.cls, slots_asked, rows):
            self.notes.problem(
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
            self.notes.problem(
                "no-field-names", "The answer names no fields; its lines were taken in order."
            )
            return [
                AnswerEntry(slot, "", [row], [row])
                for slot, row in zip(slots_asked, rows, strict=True)
            ]
        if text := "\n".join(lines).strip():
            self.notes.problem("unplaced", f"The answer names no field that was asked for: {text}")
        return []
