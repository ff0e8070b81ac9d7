"""The key below a picture: what the colour of a thing means, and how much is not drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from core.kb.graph.graph import GraphNode
from core.kb.graph.label import LINE, text_width
from core.kb.graph.neighbourhood import GraphView
from core.kb.graph.scene import OTHER_CATEGORY, Caption, Dot, GraphScene, Palette

EDGE, GAP = 24.0, 36.0  # pixels beside the key, and between two of its entries
RADIUS = 7.0
BESIDE = 2 * RADIUS + 5  # pixels from where an entry begins to its words


def with_key(drawn: GraphScene, view: GraphView, colours: Palette) -> GraphScene:
    """The picture with its key below it. An overview needs none: its points are the categories."""
    counts = Counter(point.category for point in view.points if point.kind in ("term", "node"))
    categories = sorted(counts, key=lambda category: (-counts[category], category))
    words = [*map(str, categories)]
    words += [f"{view.cut:,} more things are not drawn"] if view.cut else []
    if not words:
        return drawn
    places = list(_places(words, drawn.width, drawn.height + LINE))
    dots = [
        Dot(
            GraphNode(f"key·{category}", str(category), category),
            (x + RADIUS, y),
            RADIUS,
            colours.categories.get(category, OTHER_CATEGORY),
        )
        for category, (x, y) in zip(categories, places, strict=False)
    ]
    captions = [
        Caption(entry, (x + BESIDE, y), "start")
        for entry, (x, y) in zip(words, places, strict=True)
    ]
    return replace(
        drawn,
        height=places[-1][1] + 1.5 * LINE,
        dots=(*drawn.dots, *dots),
        captions=(*drawn.captions, *captions),
    )


def _places(entries: list[str], wide: float, top: float) -> Iterator[tuple[float, float]]:
    """Where each entry begins, from left to right in lines of the picture's width."""
    x, y = EDGE, top
    for words in entries:
        long = BESIDE + text_width(words)
        if x > EDGE and x + long > wide - EDGE:
            x, y = EDGE, y + 1.5 * LINE
        yield x, y
        x += long + GAP
