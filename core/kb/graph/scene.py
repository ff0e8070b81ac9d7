"""A view as shapes with places, sizes and colours: what every kind of picture is drawn from.

Four draw: `picture.py` (SVG), `raster.py` (PNG) and `web_page.py` (pyvis) draw the scene; the
browser on Explore gets things and places and draws with this module's colours, sizes, bends and
dashes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.kb.graph.graph import AssertionKind, GraphEdge, GraphNode
from core.kb.graph.label import LINE, longest_label, single_line, text_width
from core.kb.graph.layout import Placement, Position, point_radius
from core.kb.graph.neighbourhood import GraphView
from core.model import Category

# A colour for each of the most used relations, on light and dark; all others are grey.
RELATION_COLOURS = (
    ("#0072B2", "#56B4E9"),
    ("#C44E00", "#FF9B57"),
    ("#00785A", "#2FC99A"),
    ("#B0457B", "#EE9DC6"),
    ("#8A6F00", "#E6D05A"),
    ("#5B3FA0", "#B8A6F0"),
    ("#7A1D4C", "#D67BA8"),
)
OTHER_RELATION = ("#7A8B8B", "#8FA3A3")
DASHES: Mapping[AssertionKind, tuple[float, ...]] = {
    AssertionKind.PLAIN: (),
    AssertionKind.NEGATED: (9, 4),
    AssertionKind.HYPOTHETICAL: (2, 4),
    AssertionKind.BACKGROUND: (2, 7),
    AssertionKind.QUALIFIED: (12, 3, 2, 3),
}
# of the height: on a ring a label stands beside what is further to the side than this, else under
BESIDE = 0.35
BEND = 26.0  # pixels between lines of the same two ends
WORDS = 11  # pixels of the words on lines
MARGIN = 30.0  # pixels round a picture
RING_MARGIN = 170.0  # beside a ring, for its labels
OTHER_CATEGORY = "#556060"


@dataclass(frozen=True, slots=True)
class Palette:
    """Hex colours of a picture: of each category, of each relation, of ink and paper."""

    categories: Mapping[Category, str]
    relations: Mapping[str, str] = field(default_factory=dict)
    other: str = OTHER_RELATION[0]
    ink: str = "#1B2626"
    paper: str = "#FFFFFF"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line from point to point in pixels, by way of `by` when bent; `words` stand at `at`."""

    line: GraphEdge
    start: Position
    by: Position
    end: Position
    colour: str
    dashes: tuple[float, ...]
    words: str = ""
    at: Position = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of `size` pixels radius."""

    point: GraphNode
    at: Position
    size: float
    colour: str
    is_centre: bool = False


@dataclass(frozen=True, slots=True)
class Caption:
    """Words at a place; `anchor` is start, middle or end of the words; `at` is on their middle
    line.
    """

    words: str
    at: Position
    anchor: str = "middle"

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom in pixels."""
        wide = text_width(self.words)
        left = self.at[0] - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return left, self.at[1] - LINE / 2, left + wide, self.at[1] + LINE / 2


@dataclass(frozen=True, slots=True)
class GraphScene:
    """Shapes within `width` by `height` pixels, lines first."""

    width: float
    height: float
    strokes: tuple[Stroke, ...]
    dots: tuple[Dot, ...]
    captions: tuple[Caption, ...]


def palette(
    categories: Mapping[Category, str], relations: Sequence[str], dark: bool = False
) -> Palette:
    """`relations` are the most used first: these have a colour of their own."""
    colours = {name: pair[dark] for name, pair in zip(relations, RELATION_COLOURS, strict=False)}
    ink, paper = ("#E6EEEE", "#121818") if dark else ("#1B2626", "#FFFFFF")
    return Palette(categories, colours, OTHER_RELATION[dark], ink=ink, paper=paper)


def scene_of_view(view: GraphView, placement: Placement, colours: Palette) -> GraphScene:
    across = RING_MARGIN if placement.ring else MARGIN
    middle = placement.width / 2 + across, placement.height / 2 + MARGIN
    places = {key: (x + middle[0], y + middle[1]) for key, (x, y) in placement.positions.items()}
    dots = tuple(
        Dot(
            point,
            places[point.key],
            size_of(point),
            colour=colours.categories.get(point.category, OTHER_CATEGORY),
            is_centre=point.key in view.centres,
        )
        for point in view.points
    )
    longest = longest_label(len(dots))
    captions = tuple(caption_lines(dot, placement, middle, longest) for dot in dots)
    sizes = {dot.point.key: dot.size for dot in dots}
    strokes = [
        line_style(line, bend, places, sizes, colours=colours)
        for line, bend in zip(view.lines, line_bends(view.lines), strict=True)
    ]
    return GraphScene(
        2 * middle[0],
        2 * middle[1],
        tuple(with_words_where_free(strokes, captions, dots)),
        dots=dots,
        captions=captions,
    )


def size_of(point: GraphNode) -> float:
    """Pixels of its radius: by evidence where that is counted, else by statements."""
    return round(point_radius(point.evidence or point.degree), 1)


def caption_lines(dot: Dot, placement: Placement, middle: Position, longest: int) -> Caption:
    words, (x, y) = single_line(dot.point.label, longest), dot.at
    if placement.ring and not dot.is_centre:
        across, down = x - middle[0], y - middle[1]
        if abs(across) > BESIDE * max(abs(down), 1.0):
            way = 1 if across > 0 else -1
            return Caption(words, (x + way * (dot.size + 5), y), "start" if way > 0 else "end")
        if down < 0:
            return Caption(words, (x, y - dot.size - LINE / 2 - 1))
    return Caption(words, (x, y + dot.size + LINE / 2 + 1))


def line_bends(lines: Sequence[GraphEdge]) -> list[float]:
    """How far each line is bent to its left, in pixels, so that lines of the same two ends are told
    apart; of a line from a thing to itself which of its loops it is.
    """
    pairs = [tuple(sorted((line.source, line.target))) for line in lines]
    counted, seen_pairs, bends = Counter(pairs), Counter[tuple[str, ...]](), []
    for line, pair in zip(lines, pairs, strict=True):
        place = seen_pairs[pair]
        seen_pairs[pair] += 1
        if line.source == line.target:
            bends.append(float(place))
            continue
        way = 1 if line.source == pair[0] else -1
        bends.append(way * (place - (counted[pair] - 1) / 2) * BEND)
    return bends


def line_style(
    line: GraphEdge,
    bend: float,
    places: Mapping[str, Position],
    sizes: Mapping[str, float],
    *,
    colours: Palette,
) -> Stroke:
    paint = colours.relations.get(line.predicate, colours.other)
    dashes = DASHES[line.said[0]]
    (x1, y1), (x2, y2) = places[line.source], places[line.target]
    if line.source == line.target:
        size = sizes[line.source]
        reach, aside = size + 14 + 14 * bend, 0.6 * size + 6 + 4 * bend
        top = (x1, y1 - 2 * reach)
        return Stroke(
            line, (x1 - aside, y1), top, end=(x1 + aside, y1), colour=paint, dashes=dashes
        )
    by = bend_point(x1, y1, x2, y2, bend=bend)
    end = point_before((x2, y2), by, sizes[line.target] + 2)
    start = point_before((x1, y1), by, sizes[line.source])
    return Stroke(line, start, by, end=end, colour=paint, dashes=dashes)


def bend_point(x1: float, y1: float, x2: float, y2: float, *, bend: float) -> Position:
    """The point that a line bends towards."""
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    return (
        (x1 + x2) / 2 - (y2 - y1) / length * bend * 2,
        (y1 + y2) / 2 + (x2 - x1) / length * bend * 2,
    )


def point_before(end: Position, by: Position, gap: float) -> Position:
    """A place `gap` pixels before the end, on the way from `by`."""
    across, down = by[0] - end[0], by[1] - end[1]
    length = math.hypot(across, down) or 1.0
    share = min(gap / length, 0.45)
    return end[0] + across * share, end[1] + down * share


def middle_of(edge: Stroke) -> Position:
    """The middle of a bent line."""
    return tuple(  # type: ignore[return-value]
        edge.start[axis] / 4 + edge.by[axis] / 2 + edge.end[axis] / 4 for axis in (0, 1)
    )


def words_place(edge: Stroke) -> Position:
    """The middle of a line; above the arch where a thing is tied to itself."""
    x, y = middle_of(edge)
    return (x, y - 9) if edge.line.source == edge.line.target else (x, y)


def with_words_where_free(
    strokes: Sequence[Stroke], captions: Sequence[Caption], dots: Sequence[Dot]
) -> list[Stroke]:
    """Lines with their words, where these are shorter than the line and cover nothing else."""
    boxes = [caption.box for caption in captions]
    boxes += [
        (dot.at[0] - dot.size, dot.at[1] - dot.size, dot.at[0] + dot.size, dot.at[1] + dot.size)
        for dot in dots
    ]
    taken_boxes = np.array(boxes).reshape(-1, 4)
    with_words = []
    for edge in strokes:
        words, at = single_line(edge.line.label, 30), words_place(edge)
        long = math.dist(edge.start, edge.end)
        wide = text_width(words, WORDS) + 6
        box = np.array([at[0] - wide / 2, at[1] - 8, at[0] + wide / 2, at[1] + 8])
        meets = (taken_boxes[:, :2] < box[2:]).all(axis=1) & (taken_boxes[:, 2:] > box[:2]).all(
            axis=1
        )
        loop = edge.line.source == edge.line.target
        if meets.any() or (long < wide and not loop):
            with_words.append(edge)
            continue
        taken_boxes = np.vstack([taken_boxes, box])
        with_words.append(
            Stroke(
                edge.line,
                edge.start,
                edge.by,
                end=edge.end,
                colour=edge.colour,
                dashes=edge.dashes,
                words=words,
                at=at,
            )
        )
    return with_words
