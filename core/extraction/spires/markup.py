"""An answer in tags or in a table with a row of headings, as the JSON it stands for.

Tags are read by hand: an answer is no XML document, and no entity, attribute type or address in it
means anything.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.extraction.spires.field import SlotNames
from core.extraction.spires.line import FENCES, strip_decoration
from core.model import Json
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot

# "<drug>", "</drug>", "<drug name='aspirin'/>"
TAG = re.compile(
    r"<(/?)([A-Za-z][\w.:-]{0,60})((?:\s+[\w.:-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s*(/?)>"
)
ATTRIBUTE = re.compile(r"([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
TYPOGRAPHY = frozenset(["i", "b", "em", "strong", "u", "sup", "sub", "span", "br", "p"])
DIVIDER = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?\|?\s*")
MAX_DEPTH = 30
MAX_FIELDS_IN_ONE_ROW = 40


@dataclass(slots=True)
class MarkupElement:
    """A tag with the words directly in it and the elements below it."""

    tag: str
    words: list[str] = field(default_factory=list)
    below: list[MarkupElement] = field(default_factory=list)

    @property
    def text(self) -> str:
        return html.unescape("".join(self.words)).strip()

    def leaves(self) -> Iterator[str]:
        if self.text:
            yield self.text
        for element in self.below:
            yield from element.leaves()


def read_markup(text: str, names: SlotNames, schema: Schema) -> tuple[Json, list[str]] | None:
    """The objects of an answer in tags, or in a table, and the words around; None where it is
    neither.
    """
    return read_tags(text, names, schema) or read_table(text, names)


# ------------------------------------------------------------------ tags


def read_tags(text: str, names: SlotNames, schema: Schema) -> tuple[Json, list[str]] | None:
    closed = {match[2] for match in TAG.finditer(text) if match[1]} - TYPOGRAPHY
    fields = {
        name for match in TAG.finditer(text) if match[4] for name, *_ in ATTRIBUTE.findall(match[3])
    }
    if not any(names.exactly(tag) for tag in closed | fields):
        return None
    top = element_tree(text, closed)
    values = list(objects(top.below, names.cls, schema))
    around = [FENCES.sub("", words).strip() for words in top.words]
    return (values, [words for words in around if words]) if values else None


def element_tree(text: str, closed: set[str]) -> MarkupElement:
    """Tags that are closed somewhere, or close themselves, as a tree; other tags stay words. Linear
    in the text.
    """
    line = [MarkupElement("")]
    at = 0
    for match in TAG.finditer(text):
        ends, tag, attributes, self_closed = match.groups()
        if tag not in closed and not (self_closed and tag not in TYPOGRAPHY):
            continue
        line[-1].words.append(text[at : match.start()])
        at = match.end()
        if ends:
            depth = next((n for n in range(len(line) - 1, 0, -1) if line[n].tag == tag), 0)
            del line[depth or len(line) :]
            continue
        element = MarkupElement(tag)
        element.below += [
            MarkupElement(name, [a or b]) for name, a, b in ATTRIBUTE.findall(attributes)
        ]
        line[-1].below.append(element)
        if not self_closed and len(line) < MAX_DEPTH:
            line.append(element)
    line[-1].words.append(text[at:])
    return line[0]


def objects(
    elements: Iterable[MarkupElement], cls: ClassDefinition, schema: Schema
) -> Iterator[Json]:
    """The objects of a class that elements hold: a field of one value that comes again begins
    another.
    """
    names = SlotNames(cls)
    own: dict[str, list[Json]] = {}
    for element in elements:
        slot = names.find(element.tag)
        if slot is None and element.below:
            yield from objects(element.below, cls, schema)
            if element.text:
                own.setdefault(element.tag, []).append(element.text)
            continue
        name = slot.name if slot else element.tag
        if slot and name in own and not slot.multivalued:
            yield dict(own)
            own = {}
        own.setdefault(name, []).extend(element_contents(element, slot, schema))
    if own:
        yield dict(own)


def element_contents(element: MarkupElement, slot: Slot | None, schema: Schema) -> list[Json]:
    """What an element holds for a field: objects of the field's class, or words, a line each."""
    inner = schema.classes.get(slot.range) if slot and slot.kind is RangeKind.OBJECT else None
    if inner and element.below:
        words: list[Json] = [element.text] if element.text else []
        return words + list(objects(element.below, inner, schema))
    leaf_texts = list(element.leaves())
    if slot and slot.multivalued:
        return [
            strip_decoration(line)
            for words in leaf_texts
            for line in words.split("\n")
            if line.strip()
        ]
    return [" ".join(words.split()) for words in leaf_texts]


# ------------------------------------------------------------------ tables


def read_table(text: str, names: SlotNames) -> tuple[Json, list[str]] | None:
    """A table whose first row names the fields: every further row is an object. One table an
    answer.
    """
    lines = text.split("\n")
    divider = next(
        (n for n, line in enumerate(lines) if n and "|" in line and DIVIDER.fullmatch(line)), 0
    )
    if not divider or "|" not in lines[divider - 1]:
        return None
    heads = cells(lines[divider - 1])
    field_heads = [head for head in heads if names.exactly(head)]
    if len(heads) > MAX_FIELDS_IN_ONE_ROW or len(field_heads) * 2 <= len(heads):
        return None
    end = next((n for n in range(divider + 1, len(lines)) if "|" not in lines[n]), len(lines))
    rows = [row_object(heads, cells(line), names) for line in lines[divider + 1 : end]]
    around = [
        FENCES.sub("", "\n".join(part)).strip() for part in (lines[: divider - 1], lines[end:])
    ]
    return [row for row in rows if row], [words for words in around if words]


def cells(line: str) -> list[str]:
    bare = line.strip()
    bare = bare.removeprefix("|").removesuffix("|")
    return [cell.replace("\\|", "|").strip(" *_`") for cell in re.split(r"(?<!\\)\|", bare)]


def row_object(heads: Sequence[str], row: Sequence[str], names: SlotNames) -> dict[str, Json]:
    values_by_head: dict[str, Json] = {
        head: cell for head, cell in zip(heads, row, strict=False) if cell and counts(head, cell)
    }
    if more := [cell for cell in row[len(heads) :] if cell]:
        values_by_head["more columns"] = " | ".join(more)
    return values_by_head


def counts(head: str, cell: str) -> bool:
    """Not the number of a row."""
    return not (
        cell.rstrip(".").isdigit()
        and head.strip("#. ").casefold() in ("", "no", "nr", "number", "row")
    )
