"""Where the points of a view stand: computed beforehand, the same every time, so that no picture has to settle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import networkx as nx
import numpy as np

from core.kb.graph import View

SEED = 7
SPREAD = 12.0  # how strongly points repel each other
SIZE = 1000.0  # positions lie within ±SIZE / 2
Position = tuple[float, float]


@lru_cache(maxsize=64)
def layout(view: View) -> Mapping[str, Position]:
    """A position for each point; the centre, if there is one, at the origin.

    Few points stand on a ring round the centre; more are laid out by force (ForceAtlas2, Jacomy et al. 2014).
    """
    names = [point.key for point in view.points]
    if len(names) <= 2 or (all(point.distance <= 1 for point in view.points) and view.centre and len(names) <= 24):
        return ring(view)
    found = forced(view)
    return scaled(found, view.centre)


def ring(view: View) -> dict[str, Position]:
    others = [point.key for point in view.points if point.key != view.centre]
    placed = {view.centre: (0.0, 0.0)} if len(others) < len(view.points) else {}
    for number, name in enumerate(others):
        angle = 2 * math.pi * number / len(others) - math.pi / 2
        placed[name] = (round(SIZE / 2 * math.cos(angle), 1), round(SIZE / 2 * math.sin(angle), 1))
    return placed


def forced(view: View) -> dict[str, Position]:
    graph = nx.Graph()
    graph.add_nodes_from(point.key for point in view.points)
    graph.add_edges_from((line.source, line.target) for line in view.lines if line.source != line.target)
    start = {name: np.array(near(number, len(graph))) for number, name in enumerate(graph)}
    steps = 200 if len(graph) <= 100 else 60
    found = nx.forceatlas2_layout(graph, pos=start, max_iter=steps, scaling_ratio=SPREAD, gravity=1.0, seed=SEED)
    return {name: (float(x), float(y)) for name, (x, y) in found.items()}


def near(number: int, count: int) -> Position:
    """A sunflower: an even start, without chance."""
    angle, distance = number * 2.399963, math.sqrt((number + 0.5) / count)
    return distance * math.cos(angle), distance * math.sin(angle)


def scaled(found: dict[str, Position], centre: str) -> dict[str, Position]:
    x0, y0 = found.get(centre, (0.0, 0.0))
    reach = max((max(abs(x - x0), abs(y - y0)) for x, y in found.values()), default=0.0) or 1.0
    half = SIZE / 2
    return {
        name: (round((x - x0) / reach * half, 1), round((y - y0) / reach * half, 1)) for name, (x, y) in found.items()
    }
