"""The key below a picture: what the colours of things and lines and the styles of lines mean, and
how much is not drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.kb.graph.graph import AssertionKind, GraphEdge, GraphNode
from core.kb.graph.label import LINE, single_line, text_width
from core.kb.graph.layout import Position
from core.kb.graph.neighbourhood import GraphView
from core.kb.graph.scene import (
    DASHES,
    OTHER_CATEGORY,
    Caption,
    Dot,
    GraphScene,
    Palette,
    Stroke,
)
from core.model import Category

EDGE, GAP = 24.0, 36.0  # pixels beside the key, and between two of its entries
RADIUS = 7.0
BESIDE = 2 * RADIUS + 5  # pixels from where an entry begins to its words
SAMPLE_LENGTH = 34.0  # pixels of a line that shows a colour or a style
END = 0.5  # pixels: the ends of such a line are points too small to be seen
LONGEST = 40  # characters of a relation's name


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """Words, behind a dot of a category or a line in a colour and style."""

    words: str
    colour: str = ""
    category: Category | None = None
    dashes: tuple[float, ...] = ()

    @property
    def is_line(self) -> bool:
        return bool(self.colour) and self.category is None

    @property
    def beside(self) -> float:
        """Pixels from where the entry begins to its words."""
        return SAMPLE_LENGTH + 8 if self.is_line else BESIDE if self.category else 0.0


def with_key(drawn: GraphScene, view: GraphView, colours: Palette) -> GraphScene:
    """The picture with its key below it. An overview needs none: its points are the categories."""
    entries = [
        *category_entries(view, colours),
        *relation_entries(view, colours),
        *style_entries(view, colours),
    ]
    if not any(entry.category for entry in entries):
        return drawn
    if view.cut:
        entries.append(KeyEntry(f"{view.cut:,} more things are not drawn"))
    places = list(_places(entries, drawn.width, drawn.height + LINE))
    dots, strokes = list(drawn.dots), list(drawn.strokes)
    for entry, (x, y) in zip(entries, places, strict=True):
        if entry.category:
            point = GraphNode(f"key·{entry.category}", entry.words, entry.category)
            dots.append(Dot(point, (x + RADIUS, y), RADIUS, entry.colour))
        elif entry.is_line:
            line, ends = sample_line(entry, (x, y))
            strokes.append(line)
            dots += ends
    captions = [
        Caption(entry.words, (x + entry.beside, y), "start")
        for entry, (x, y) in zip(entries, places, strict=True)
    ]
    return replace(
        drawn,
        height=places[-1][1] + 1.5 * LINE,
        strokes=tuple(strokes),
        dots=tuple(dots),
        captions=(*drawn.captions, *captions),
    )


def category_entries(view: GraphView, colours: Palette) -> list[KeyEntry]:
    """The most frequent first."""
    counts = Counter(point.category for point in view.points if point.kind in ("term", "node"))
    return [
        KeyEntry(str(category), colours.categories.get(category, OTHER_CATEGORY), category)
        for category in sorted(counts, key=lambda category: (-counts[category], category))
    ]


def relation_entries(view: GraphView, colours: Palette) -> list[KeyEntry]:
    """The relations that have a colour of their own, the most frequent first, and the rest."""
    counts = Counter(line.predicate for line in view.lines)
    names = sorted(counts, key=lambda name: (-counts[name], name))
    own = [name for name in names if name in colours.relations]
    others = [name for name in names if name not in colours.relations]
    entries = [KeyEntry(single_line(name, LONGEST), colours.relations[name]) for name in own]
    if others:
        words = single_line(others[0], LONGEST) if len(others) == 1 else "other relations"
        entries.append(KeyEntry(words, colours.other))
    return entries


def style_entries(view: GraphView, colours: Palette) -> list[KeyEntry]:
    """How statements are made that are not plain."""
    kinds = {line.said[0] for line in view.lines} - {AssertionKind.PLAIN}
    return [
        KeyEntry(str(kind), colours.ink, dashes=DASHES[kind])
        for kind in AssertionKind
        if kind in kinds
    ]


def sample_line(entry: KeyEntry, start: Position) -> tuple[Stroke, list[Dot]]:
    """A short line as it stands in the picture, with its ends."""
    (x, y), end = start, (start[0] + SAMPLE_LENGTH, start[1])
    points = [
        GraphNode(f"key·{side}·{entry.words}", entry.words, Category.THING)
        for side in ("from", "to")
    ]
    line = GraphEdge("", points[0].key, points[1].key, entry.words)
    stroke = Stroke(
        line, start, (x + SAMPLE_LENGTH / 2, y), end=end, colour=entry.colour, dashes=entry.dashes
    )
    ends = zip(points, (start, end), strict=True)
    return stroke, [Dot(point, at, END, entry.colour) for point, at in ends]


def _places(entries: list[KeyEntry], wide: float, top: float) -> Iterator[Position]:
    """Where each entry begins, from left to right in lines of the picture's width."""
    x, y = EDGE, top
    for entry in entries:
        long = entry.beside + text_width(entry.words)
        if x > EDGE and x + long > wide - EDGE:
            x, y = EDGE, y + 1.5 * LINE
        yield x, y
        x += long + GAP
