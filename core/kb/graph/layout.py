"""Where the points of a view stand: computed beforehand, the same every time, so that no picture
has to settle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import networkx as nx
import numpy as np

from core.kb.graph.neighbourhood import GraphView

SEED = 7
STEPS = 120
GAP = 0.9  # between parts, in the unit in which n points fill a square of side √n
SIZE = 1000.0  # positions lie within ±SIZE / 2
Position = tuple[float, float]


@lru_cache(maxsize=64)
def layout(view: GraphView) -> Mapping[str, Position]:
    """A position for each point; the centre, if there is one, at the origin.

    Few points stand on a ring round the centre; more are laid out by force (Fruchterman and
    Reingold 1991).
    """
    names = [point.key for point in view.points]
    if len(names) <= 2 or (
        all(point.distance <= 1 for point in view.points) and view.centre and len(names) <= 24
    ):
        return ring(view)
    found = forced(view)
    return scaled(found, view.centre)


def ring(view: GraphView) -> dict[str, Position]:
    others = [name for name in around(view) if name != view.centre]
    placed = {view.centre: (0.0, 0.0)} if len(others) < len(view.points) else {}
    for number, name in enumerate(others):
        angle = 2 * math.pi * number / len(others)
        placed[name] = (round(SIZE / 2 * math.cos(angle), 1), round(SIZE / 2 * math.sin(angle), 1))
    return placed


def around(view: GraphView) -> list[str]:
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


def forced(view: GraphView) -> dict[str, Position]:
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
    return packed([part_layout(graph, sorted(part, key=order.__getitem__)) for part in parts])


def part_layout(graph: nx.Graph, names: list[str]) -> dict[str, Position]:
    """One connected part in a square whose area grows with its points."""
    part = nx.Graph()
    part.add_nodes_from(names)
    part.add_edges_from(sorted(graph.edges(names)))
    start = {name: np.array(near(number, len(names))) for number, name in enumerate(names)}
    found = nx.spring_layout(
        part, pos=start, iterations=STEPS, k=1.6 / math.sqrt(len(names)), seed=SEED
    )
    low, high = np.min(list(found.values()), axis=0), np.max(list(found.values()), axis=0)
    reach = float(max(high - low)) or 1.0
    side = math.sqrt(len(names))
    return {name: tuple(float(v) for v in (found[name] - low) / reach * side) for name in names}  # type: ignore[misc]


def packed(parts: list[dict[str, Position]]) -> dict[str, Position]:
    """Parts in rows of about the same width."""
    sizes = [
        tuple(max(place[axis] for place in part.values()) + GAP for axis in (0, 1))
        for part in parts
    ]
    width = max(
        [math.sqrt(sum(w * h for w, h in sizes)) * 1.2, *(w for w, _ in sizes)], default=0.0
    )
    placed: dict[str, Position] = {}
    x = y = tallest = 0.0
    for part, (wide, high) in zip(parts, sizes, strict=True):
        if x and x + wide > width:
            x, y, tallest = 0.0, y + tallest, 0.0
        placed |= {name: (x + at, y + down) for name, (at, down) in part.items()}
        x, tallest = x + wide, max(tallest, high)
    return placed


def near(number: int, count: int) -> Position:
    """A sunflower: an even start, without chance."""
    angle, distance = number * 2.399963, math.sqrt((number + 0.5) / count)
    return distance * math.cos(angle), distance * math.sin(angle)


def scaled(found: dict[str, Position], centre: str) -> dict[str, Position]:
    """Into the frame; round the centre, or round the middle of all."""
    middle = tuple(
        (min(p[a] for p in found.values()) + max(p[a] for p in found.values())) / 2 for a in (0, 1)
    )
    x0, y0 = found.get(centre, middle) if found else (0.0, 0.0)
    reach = max((max(abs(x - x0), abs(y - y0)) for x, y in found.values()), default=0.0) or 1.0
    half = SIZE / 2
    return {
        name: (round((x - x0) / reach * half, 1), round((y - y0) / reach * half, 1))
        for name, (x, y) in found.items()
    }
