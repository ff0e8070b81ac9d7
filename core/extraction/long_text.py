"""Texts longer than a model should read at once: parts with overlap, filled one by one, merged with
all evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from core.errors import ContextExceeded, Filtered, InputError, OverBudget, RemoteError
from core.extraction.assemble import value_path
from core.extraction.engine import Engine
from core.extraction.tree import Branch, Extraction, Leaf
from core.model import Mention, Problem, Severity, Span, fold_words
from core.schema.definition import MANY, Schema
from core.text.sentence import overlapping_pieces, sentence_windows

TOGETHER = 4  # parts being filled at once
SMALLEST = 300  # characters of a part that is still worth a question
OVERLAP = 200  # characters that parts share, where a text is cut because it does not fit


@dataclass(frozen=True, slots=True)
class TextSplit:
    """How a text is cut: `size` and `overlap` count sentences or characters. Nothing is cut when
    `size` is 0.
    """

    unit: str = "sentences"
    size: int = 0
    overlap: int = 1

    def parts(self, text: str) -> list[Span]:
        if not self.size:
            return [Span(0, len(text))]
        if self.size < 0 or self.overlap < 0 or self.overlap >= self.size:
            raise InputError(
                "A text cannot be cut like that.", "The overlap must be smaller than the size."
            )
        cut = sentence_windows if self.unit == "sentences" else overlapping_pieces
        return cut(text, self.size, self.overlap)


Room = Callable[[int], int]  # characters of a text that fit into a context of so many tokens


def no_room(context: int) -> int:
    """The room of an engine that does not say what its questions take."""
    return 0


def extract_in_parts(
    engine: Engine, schema: Schema, cls: str, text: str, *, split: TextSplit, room: Room = no_room
) -> Extraction:
    """Fill class `cls` from each part of the text; offsets are those of the whole text.

    A part that the model cannot read at once is cut further, and the result says so. A part whose
    question fails, or that a limit leaves out, is a problem; when every part fails the first
    failure is raised.
    """
    parts = split.parts(text)
    reading = _Reading(engine, schema, cls, text, room=room)
    if len(parts) < 2:
        results = reading.part(parts[0] if parts else Span(0, len(text)), "")
    else:
        with ThreadPoolExecutor(TOGETHER, thread_name_prefix="chunk") as pool:
            places = (f"chunk[{number}]" for number in range(len(parts)))
            results = [
                result
                for part_results in pool.map(reading.part, parts, places)
                for result in part_results
            ]
    extractions = [result for result in results if isinstance(result, Extraction)]
    if not extractions:
        raise next(result.error for result in results if isinstance(result, _Unread))
    if len(results) == 1:
        return extractions[0]
    failed = [
        Problem(
            result.code,
            f"Part {number + 1} of {len(results)} was not read: {result.error}",
            Severity.WARNING if isinstance(result.error, OverBudget) else Severity.ERROR,
            result.place,
        )
        for number, result in enumerate(results)
        if isinstance(result, _Unread)
    ]
    extraction = merge_trees(schema, extractions)
    notes = [cut_further(len(results), reading.limit)] if len(results) > len(parts) else []
    return replace(extraction, problems=(*notes, *failed, *extraction.problems))


def cut_further(parts: int, limit: int) -> Problem:
    length = f" ({limit:,} tokens)" if limit else ""
    return Problem(
        "read-in-parts",
        f"The text is longer than the model reads at once{length}: it was read in {parts} parts.",
        Severity.NOTE,
        hint="Relations between distant parts of the text may be missing.",
    )


@dataclass(frozen=True, slots=True)
class _Unread:
    """A part that was not read, and why."""

    place: str
    error: RemoteError | OverBudget

    @property
    def code(self) -> str:
        if isinstance(self.error, OverBudget):
            return "over-budget"
        return "filtered" if isinstance(self.error, Filtered) else "call-failed"


class _Reading:
    """Reads the parts of one text; what is learned of the model's context holds for all."""

    def __init__(self, engine: Engine, schema: Schema, cls: str, text: str, *, room: Room):
        self.engine, self.schema, self.cls, self.text, self.room = engine, schema, cls, text, room
        self.limit = 0  # tokens

    def part(self, span: Span, place: str) -> list[Extraction | _Unread]:
        """What a part gives; a list, for it may have to be cut."""
        words = span.quote(self.text)
        try:
            extraction = self.engine.extract(
                self.schema, self.cls, words, place=f"{place}/" if place else ""
            )
        except ContextExceeded as error:
            self.limit = max(self.limit, error.limit)
            below = self._below(words, error.limit)
            if len(below) < 2:
                return [_Unread(place, error)]
            return [
                result
                for number, piece in enumerate(below)
                for result in self.part(
                    Span(span.start + piece.start, span.start + piece.end),
                    f"{place}.{number}" if place else f"chunk[{number}]",
                )
            ]
        except (RemoteError, OverBudget) as error:
            return [_Unread(place, error)]
        return [shift_offsets(extraction, span.start)]

    def _below(self, words: str, limit: int) -> list[Span]:
        """A part in smaller ones: as large as fits where the length is known, else halves."""
        size = self.room(limit) if limit else 0
        size = size if 0 < size < len(words) else len(words) // 2
        return overlapping_pieces(words, size, min(OVERLAP, size // 10)) if size >= SMALLEST else []


def shift_offsets(extraction: Extraction, offset: int) -> Extraction:
    """The extraction of a part with the offsets of the whole."""
    if not offset:
        return extraction

    def spans(of: Sequence[Span]) -> tuple[Span, ...]:
        return tuple(Span(span.start + offset, span.end + offset) for span in of)

    def moved(value: Branch | Leaf) -> Branch | Leaf:
        if isinstance(value, Leaf):
            return replace(value, spans=spans(value.spans))
        slots = tuple(
            (name, tuple(moved(below) for below in values)) for name, values in value.slots
        )
        stated = tuple(
            replace(stated_by, sentence=spans((stated_by.sentence,))[0])
            for stated_by in value.stated
        )
        return replace(value, spans=spans(value.spans), slots=slots, stated=stated)

    tree = moved(extraction.tree)
    assert isinstance(tree, Branch)
    mentions = tuple(replace(m, spans=spans(m.spans)) for m in extraction.mentions)
    return replace(extraction, tree=tree, mentions=mentions)


def merge_trees(schema: Schema, parts: Sequence[Extraction]) -> Extraction:
    """One tree of several: equal values once, with the spans of all; different values of a single
    slot are all kept.
    """
    work = _Merge(schema)
    cls = schema.classes[parts[0].tree.cls.removesuffix(MANY)]
    if any(part.tree.cls.endswith(MANY) for part in parts) or (cls.is_claim and len(parts) > 1):
        parts = [as_list(part) for part in parts]
    for part in parts:
        mentions = {mention.slot: mention for mention in part.mentions}
        for name, values in part.tree.slots:
            for value in values:
                work.add(name, value, mentions)
    problems = list(dict.fromkeys(problem for part in parts for problem in part.problems))
    tree, all_mentions = work.tree(parts[0].tree)
    return Extraction(tree, tuple(all_mentions), tuple(problems))


def as_list(part: Extraction) -> Extraction:
    """A part that gives one object as a part that gives a list of them."""
    if part.tree.cls.endswith(MANY) or not part.tree.slots:
        return (
            part
            if part.tree.slots
            else replace(part, tree=replace(part.tree, cls=plural(part.tree.cls)))
        )
    item = below_path(part.tree, "items[0]")
    mentions = tuple(replace(m, slot=f"items[0].{m.slot}") for m in part.mentions)
    return replace(
        part, tree=Branch("", plural(part.tree.cls), slots=(("items", (item,)),)), mentions=mentions
    )


def plural(cls: str) -> str:
    return cls.removesuffix(MANY) + MANY


def below_path(value: Branch | Leaf, path: str) -> Branch | Leaf:
    """The value with its paths below `path`."""
    full_path = f"{path}.{value.path}" if value.path else path
    if isinstance(value, Leaf):
        return replace(value, path=full_path)
    slots = tuple(
        (name, tuple(below_path(below, path) for below in values)) for name, values in value.slots
    )
    return replace(value, path=full_path, slots=slots)


class _Merge:
    def __init__(self, schema: Schema):
        self.schema = schema
        self.found: dict[
            str, dict[tuple[object, ...], tuple[Branch | Leaf, dict[str, Mention]]]
        ] = {}

    def add(self, slot: str, value: Branch | Leaf, mentions: dict[str, Mention]) -> None:
        values_of_slot = self.found.setdefault(slot, {})
        key = value_signature(value)
        if key in values_of_slot:
            before, theirs = values_of_slot[key]
            values_of_slot[key] = (
                join_equal_values(before, value),
                joined_mentions(before, value, theirs, mentions),
            )
        else:
            below = value.walk() if isinstance(value, Branch) else [value]
            values_of_slot[key] = (
                value,
                {p.path: mentions[p.path] for p in below if p.path in mentions},
            )

    def tree(self, first_tree: Branch) -> tuple[Branch, list[Mention]]:
        cls = self.schema.definition(first_tree.cls)
        slots, mentions = [], []
        for slot in cls.slots:
            values = []
            for number, (value, theirs) in enumerate(self.found.get(slot.name, {}).values()):
                at = value_path("", slot, number)
                values.append(move_paths(value, value.path, at))
                mentions += [
                    replace(m, slot=at + m.slot[len(value.path) :]) for m in theirs.values()
                ]
            if values:
                slots.append((slot.name, tuple(values)))
        return replace(first_tree, slots=tuple(slots)), mentions


def value_signature(value: Branch | Leaf) -> tuple[object, ...]:
    """What makes two values the same: class, words and everything below, but not their position."""
    if isinstance(value, Leaf):
        return (value.cls, fold_words(value.value or value.text))
    below = tuple((name, tuple(value_signature(v) for v in values)) for name, values in value.slots)
    return (value.cls, below) if below else (value.cls, fold_words(value.text))


def move_paths(value: Branch | Leaf, old: str, new: str) -> Branch | Leaf:
    """The value with paths that begin with `new` in place of `old`."""
    path = new + value.path[len(old) :]
    if isinstance(value, Leaf):
        return replace(value, path=path)
    slots = tuple(
        (name, tuple(move_paths(below, old, new) for below in values))
        for name, values in value.slots
    )
    return replace(value, path=path, slots=slots)


def join_equal_values(ours: Branch | Leaf, theirs: Branch | Leaf) -> Branch | Leaf:
    """Equal values with the spans of both, those of the first in front."""
    spans = tuple(dict.fromkeys(ours.spans + theirs.spans))
    if isinstance(ours, Leaf):
        assert isinstance(theirs, Leaf)
        flags = (
            ours.flags
            if not (ours.spans or theirs.spans)
            else ours.flags
            if ours.spans
            else theirs.flags
        )
        return replace(ours, spans=spans, score=max(ours.score, theirs.score), flags=flags)
    assert isinstance(theirs, Branch)
    slots = tuple(
        (name, tuple(join_equal_values(a, b) for a, b in zip(values, other_values, strict=True)))
        for (name, values), (_, other_values) in zip(ours.slots, theirs.slots, strict=True)
    )
    return replace(ours, spans=spans, slots=slots)


def joined_mentions(
    our_value: Branch | Leaf,
    their_value: Branch | Leaf,
    ours: dict[str, Mention],
    theirs: dict[str, Mention],
) -> dict[str, Mention]:
    below = ours.copy()
    for path, mention in ours.items():
        also = theirs.get(their_value.path + path[len(our_value.path) :])
        if also:
            better = also if mention.chosen is None and also.chosen is not None else mention
            flags = mention.flags if mention.spans or not also.spans else also.flags
            spans = tuple(dict.fromkeys(mention.spans + also.spans))
            below[path] = replace(better, slot=path, spans=spans, flags=flags)
    return below
