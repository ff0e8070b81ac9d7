"""Where the points of a view stand: computed beforehand, the same every time, so that no picture
has to settle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import networkx as nx
import numpy as np

from core.kb.graph.neighbourhood import GraphView

SEED = 7
STEPS = 120
ROUNDS = 40  # of pushing labels apart
STEP = (10.0, 7.0)  # pixels between the places that are tried for a label
SMALL = 40  # things that fit beside the table
GAP = 0.9  # between parts, in the unit in which n points fill a square of side √n
Position = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a view is drawn in, in pixels: its size, and the size of a label in it.

    Positions lie within ±width / 2 and ±height / 2.
    """

    width: float = 550.0
    height: float = 520.0
    font: int = 12
    label: float = 108.0  # labels are cut to this width


def frame_size(view: GraphView) -> Frame:
    """Up to 40 things stand beside the table; more take the page's width, in smaller words."""
    count = len(view.points)
    if count <= SMALL:
        return Frame(height=520.0 if count <= 12 else 600.0)
    if count <= 120:
        return Frame(880.0, 760.0, 11, 92.0)
    return Frame(880.0, 1080.0, 10, 72.0)


@lru_cache(maxsize=64)
def lay_out(view: GraphView) -> Mapping[str, Position]:
    """A position for each point; of few points the centre stands in the middle.

    Few points stand on a ring round the centre; more are laid out by force (Fruchterman and
    Reingold 1991), each connected part by itself, the parts packed into the frame and the labels
    pushed apart.
    """
    if is_ring(view):
        return ring(view)
    within = frame_size(view)
    return separate_labels(
        view, stretch_to_frame(force_directed_places(view, within), within), within
    )


def is_ring(view: GraphView) -> bool:
    """Whether the view is few things round one: these stand on a ring, their labels outside."""
    close = all(point.distance <= 1 for point in view.points)
    return len(view.points) <= 2 or bool(close and view.centre and len(view.points) <= 24)


def ring(view: GraphView) -> dict[str, Position]:
    within = frame_size(view)
    others = [name for name in cyclic_order(view) if name != view.centre]
    placed = {view.centre: (0.0, 0.0)} if len(others) < len(view.points) else {}
    for number, name in enumerate(others):
        angle = 2 * math.pi * number / len(others)
        x, y = within.width / 2 * math.cos(angle), within.height / 2 * math.sin(angle)
        placed[name] = (round(x, 1), round(y, 1))
    return placed


def cyclic_order(view: GraphView) -> list[str]:
    """The points in such an order that what is linked stands side by side: depth first from the
    centre.
    """
    linked: dict[str, list[str]] = {point.key: [] for point in view.points}
    for line in view.lines:
        linked[line.source].append(line.target)
        linked[line.target].append(line.source)
    order: dict[str, None] = {}
    waiting = [point.key for point in reversed(view.points)]
    while waiting:
        name = waiting.pop()
        if name not in order:
            order[name] = None
            waiting += reversed([other for other in linked[name] if other not in order])
    return list(order)


def force_directed_places(view: GraphView, within: Frame) -> dict[str, Position]:
    """Each connected part by itself, the biggest first, then packed in rows so that none drifts
    away.
    """
    graph = nx.Graph()
    graph.add_nodes_from(point.key for point in view.points)
    graph.add_edges_from(
        (line.source, line.target) for line in view.lines if line.source != line.target
    )
    order = {name: number for number, name in enumerate(graph)}
    parts = sorted(
        nx.connected_components(graph),
        key=lambda part: (-len(part), min(order[name] for name in part)),
    )
    placed = [part_layout(graph, sorted(part, key=order.__getitem__)) for part in parts]
    return pack_components(placed, within.width / within.height)


def part_layout(graph: nx.Graph, names: list[str]) -> dict[str, Position]:
    """One connected part in a square whose area grows with its points."""
    part = nx.Graph()
    part.add_nodes_from(names)
    part.add_edges_from(sorted(graph.edges(names)))
    start = {
        name: np.array(sunflower_places(number, len(names))) for number, name in enumerate(names)
    }
    found = nx.spring_layout(
        part, pos=start, iterations=STEPS, k=1.6 / math.sqrt(len(names)), seed=SEED
    )
    low, high = np.min(list(found.values()), axis=0), np.max(list(found.values()), axis=0)
    reach = float(max(high - low)) or 1.0
    side = math.sqrt(len(names))
    return {name: tuple(float(v) for v in (found[name] - low) / reach * side) for name in names}  # type: ignore[misc]


def pack_components(parts: list[dict[str, Position]], shape: float) -> dict[str, Position]:
    """Parts in rows of about the same width; `shape` is the width of the whole by its height."""
    sizes = [
        tuple(max(place[axis] for place in part.values()) + GAP for axis in (0, 1))
        for part in parts
    ]
    width = max(
        [math.sqrt(sum(w * h for w, h in sizes) * shape), *(w for w, _ in sizes)], default=0.0
    )
    placed: dict[str, Position] = {}
    x = y = tallest = 0.0
    for part, (wide, high) in zip(parts, sizes, strict=True):
        if x and x + wide > width:
            x, y, tallest = 0.0, y + tallest, 0.0
        placed |= {name: (x + at, y + down) for name, (at, down) in part.items()}
        x, tallest = x + wide, max(tallest, high)
    return placed


def sunflower_places(number: int, count: int) -> Position:
    """A sunflower: an even start, without chance."""
    angle, distance = number * 2.399963, math.sqrt((number + 0.5) / count)
    return distance * math.cos(angle), distance * math.sin(angle)


def stretch_to_frame(places: dict[str, Position], within: Frame) -> dict[str, Position]:
    """Places made to fill the frame from edge to edge, in each direction by itself."""
    fitted: list[list[float]] = []
    for axis, size in ((0, within.width), (1, within.height)):
        values = [place[axis] for place in places.values()]
        low, reach = min(values), (max(values) - min(values)) or 1.0
        fitted.append([(value - low) / reach * size - size / 2 for value in values])
    return dict(zip(places, zip(*fitted, strict=True), strict=True))


def separate_labels(
    view: GraphView, places: Mapping[str, Position], within: Frame
) -> dict[str, Position]:
    """Places so that no two labels overlap, as long as the frame has room.

    First each pair that overlaps is moved apart along the axis that takes the shorter way; then
    each point, the busiest first, takes the free place nearest to where it stands. Without chance.
    """
    at = np.array([places[point.key] for point in view.points])
    half = label_boxes(view, within)
    room = np.array([within.width, within.height]) / 2
    earlier = np.sign(np.arange(len(at))[:, None] - np.arange(len(at))[None, :])
    for _ in range(ROUNDS):
        apart = at[:, None, :] - at[None, :, :]
        over = half[:, None, :] + half[None, :, :] - np.abs(apart)
        meets = (over > 0).all(axis=2) & (earlier != 0)
        if not meets.any():
            break
        ways = np.where(apart == 0, earlier[:, :, None], np.sign(apart))
        sideways = over[:, :, 0] < over[:, :, 1]
        for axis, chosen in ((0, sideways), (1, ~sideways)):
            push = np.where(meets & chosen, ways[:, :, axis] * over[:, :, axis], 0.0)
            many = np.maximum((push != 0).sum(axis=1), 1)
            at[:, axis] += push.sum(axis=1) / many * 0.55
        at = np.clip(at, -room, room)
    at = settle_labels(at, half, room, np.array([point.degree for point in view.points]))
    return {
        point.key: (round(float(x), 1), round(float(y), 1))
        for point, (x, y) in zip(view.points, at, strict=True)
    }


def settle_labels(
    at: np.ndarray, half: np.ndarray, room: np.ndarray, degrees: np.ndarray
) -> np.ndarray:
    """Each point at the nearest place where its label meets no other that is placed already."""
    steps = [np.arange(-size, size + 1, step) for size, step in zip(room, STEP, strict=True)]
    grid = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 2)
    order = np.lexsort((np.arange(len(at)), -degrees))
    done = np.empty(0, dtype=int)
    for number in order:
        ways = grid - at[number]
        nearest = grid[np.argsort((ways**2).sum(axis=1), kind="stable")]
        tried = np.concatenate([at[number][None, :], nearest])
        for start in range(0, len(tried), 256):
            places = tried[start : start + 256]
            over = half[done] + half[number] - np.abs(places[:, None, :] - at[done][None, :, :])
            free = ~(over > 0).all(axis=2).any(axis=1)
            if free.any():
                at[number] = places[int(free.argmax())]
                break
        done = np.append(done, number)
    return at


def label_boxes(view: GraphView, within: Frame) -> np.ndarray:
    """Half the width and height, in pixels, of each point with the label under it."""
    sizes = []
    for point in view.points:
        letters = within.font * 0.56 * len(point.label)  # sans-serif letters, on average
        wide = max(min(letters, within.label), 14.0) + 4
        sizes.append((wide / 2, (within.font * 1.3 + 12) / 2))
    return np.array(sizes)


def count_overlapping_labels(view: GraphView, places: Mapping[str, Position]) -> int:
    """How many pairs of labels overlap."""
    at = np.array([places[point.key] for point in view.points])
    half = label_boxes(view, frame_size(view))
    over = half[:, None, :] + half[None, :, :] - np.abs(at[:, None, :] - at[None, :, :])
    return int(np.triu((over > 0.5).all(axis=2), 1).sum())
