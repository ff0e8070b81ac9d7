"""Where the points of a view stand: computed beforehand, the same every time, so that no picture
has to settle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.kb.graph.label import LINE, longest_label, single_line, text_width
from core.kb.graph.neighbourhood import GraphView

SHAPE = 1.75  # width of a picture by its height
LEAST = 920.0  # pixels that a picture is wide at least
ROOM = 1.9  # times the room that labels take, for lines between them
ROUNDS = 120  # of pushing labels apart
IMPROVED = 50  # steps of stress majorization
POWER = 25  # of power iteration
EVENLY = 0.6  # how far points are spread evenly over the frame: 0 not, 1 wholly
RING = 24  # things at most that stand on a ring round one
GAP = 0.9  # between parts, in the unit in which n points fill a square of side √n
RADIUS = (6.0, 20.0)  # pixels of a point, least and most
Position = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where each point stands, in pixels from the middle of a frame of `width` by `height` pixels.
    On a `ring` few things stand round one, their labels outside.
    """

    positions: Mapping[str, Position] = field(default_factory=dict)
    width: float = LEAST
    height: float = LEAST / SHAPE
    ring: bool = False


def lay_out(view: GraphView, pins: Mapping[str, Position] | None = None) -> Placement:
    """A position for each point; of few points round one the centre stands in the middle.

    Other views are laid out by stress majorization (Gansner, Koren and North 2004), each connected
    part by itself, the parts packed into the frame and the labels pushed apart. `pins` are places
    that were chosen, in thousandths of the frame's width and height from its upper left corner.
    """
    if not view.points:
        return Placement()
    placement = ring_positions(view) if is_ring(view) else spread_parts(view)
    return pinned_positions(placement, pins) if pins else placement


def pinned_positions(placement: Placement, pins: Mapping[str, Position]) -> Placement:
    size = placement.width, placement.height
    chosen = {
        key: tuple((part / 1000 - 0.5) * edge for part, edge in zip(pins[key], size, strict=True))
        for key in placement.positions
        if key in pins
    }
    places: dict[str, Position] = {**placement.positions, **chosen}  # type: ignore[dict-item]
    return Placement(places, *size, ring=placement.ring)


def is_ring(view: GraphView) -> bool:
    """Whether the view is few things round one: these stand on a ring, their labels outside."""
    close = all(point.distance <= 1 for point in view.points)
    round_one = len(view.centres) == 1 and close and len(view.points) <= RING
    return len(view.points) <= 2 or round_one


def ring_positions(view: GraphView) -> Placement:
    wide, high = LEAST, LEAST / SHAPE
    centre = view.centres[0] if len(view.centres) == 1 else ""
    others = [name for name in cyclic_order(view) if name != centre]
    placed = {centre: (0.0, 0.0)} if centre and len(others) < len(view.points) else {}
    for number, name in enumerate(others):
        angle = 2 * math.pi * number / len(others)
        x, y = wide * 0.36 * math.cos(angle), high * 0.43 * math.sin(angle)
        placed[name] = (round(x, 1), round(y, 1))
    return Placement(placed, wide, high, ring=True)


def cyclic_order(view: GraphView) -> list[str]:
    """The points in such an order that what is linked stands side by side: depth first from the
    centre.
    """
    linked = linked_points(view)
    order: dict[str, None] = {}
    waiting = [point.key for point in reversed(view.points)]
    while waiting:
        name = waiting.pop()
        if name not in order:
            order[name] = None
            waiting += reversed([neighbour for neighbour in linked[name] if neighbour not in order])
    return list(order)


def spread_parts(view: GraphView) -> Placement:
    """Parts by stress, packed, stretched to the frame, labels apart; the frame grows with what the
    labels need.
    """
    half = label_boxes(view)
    area = float((half[:, 0] * half[:, 1]).sum()) * 4 * ROOM
    wide = max(LEAST, math.sqrt(area * SHAPE))
    places = packed_parts(view)
    at = np.array([places[point.key] for point in view.points])
    at = evened_along_axes(at)
    at = fitted_to_frame(at, wide - 2 * half[:, 0].max(), wide / SHAPE - 2 * half[:, 1].max())
    at = pushed_apart(at, half)
    low, high = (at - half).min(axis=0), (at + half).max(axis=0)
    size = np.maximum(high - low, [wide, wide / SHAPE])
    size = np.maximum(size, [size[1] * SHAPE, size[0] / SHAPE])
    wide, high = size - 2 * half.max(axis=0)
    at = fitted_to_frame(at, wide, high, shrink=False)
    positions = {
        point.key: (round(float(x), 1), round(float(y), 1))
        for point, (x, y) in zip(view.points, at, strict=True)
    }
    return Placement(positions, round(float(size[0]), 1), round(float(size[1]), 1))


def packed_parts(view: GraphView) -> dict[str, Position]:
    """Each connected part by itself, the biggest first, then packed in rows so that none drifts
    away.
    """
    parts = sorted(connected_parts(view), key=lambda part: -len(part))
    return pack_components([part_layout(view, part) for part in parts], SHAPE)


def connected_parts(view: GraphView) -> list[list[str]]:
    """The points of each connected part, points and parts in the order of the view."""
    import networkx as nx  # most pages and verbs draw nothing

    graph = nx.Graph()
    graph.add_nodes_from(point.key for point in view.points)
    graph.add_edges_from((line.source, line.target) for line in view.lines)
    order = {name: number for number, name in enumerate(graph)}
    parts = [sorted(part, key=order.__getitem__) for part in nx.connected_components(graph)]
    return sorted(parts, key=lambda part: order[part[0]])


def linked_points(view: GraphView) -> dict[str, list[str]]:
    """The points that each point has a line to, as often as it has one."""
    linked: dict[str, list[str]] = {point.key: [] for point in view.points}
    for line in view.lines:
        linked[line.source].append(line.target)
        linked[line.target].append(line.source)
    return linked


def part_layout(view: GraphView, names: Sequence[str]) -> dict[str, Position]:
    """One connected part in a square whose area grows with its points."""
    numbers = {name: number for number, name in enumerate(names)}
    ends = {
        (numbers[line.source], numbers[line.target])
        for line in view.lines
        if line.source != line.target and line.source in numbers
    }
    edges = sorted({(min(pair), max(pair)) for pair in ends})
    at = stress_layout(len(names), edges)
    low, high = at.min(axis=0), at.max(axis=0)
    at = (at - low) / (float(max(high - low)) or 1.0) * math.sqrt(len(names))
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, at, strict=True)}


def stress_layout(count: int, edges: Sequence[tuple[int, int]]) -> np.ndarray:
    """Places whose distances come near the steps between points (stress, improved point by point),
    begun from classical scaling; without chance.
    """
    sunflower = np.array([sunflower_place(number, count) for number in range(count)])
    if count <= 2 or not edges:
        return sunflower
    steps = steps_between(count, edges)
    # the spokes of a hub would all stand two steps apart: hubs get longer lines, so more room
    degrees = np.bincount(np.array(edges).ravel(), minlength=count)
    steps = steps + 0.12 * np.log2(1 + np.maximum(degrees[:, None], degrees[None, :]))
    np.fill_diagonal(steps, 0.0)
    at = classical_scaling(steps) + sunflower * 0.05 * float(steps.max())
    weights = 1.0 / np.where(steps == 0, 1.0, steps) ** 2
    np.fill_diagonal(weights, 0.0)
    total, desired = weights.sum(axis=1), weights * steps
    x, y = at.T
    for _ in range(IMPROVED):
        across, down = x[:, None] - x, y[:, None] - y
        # Each point moves to the weighted mean of where the others want it, at as many units as
        # there are lines between them.
        pull = desired / np.sqrt(np.maximum(across**2 + down**2, 1e-9))
        x = (weights @ x + (pull * across).sum(axis=1)) / total
        y = (weights @ y + (pull * down).sum(axis=1)) / total
    return np.stack([x, y], axis=1)


def steps_between(count: int, edges: Sequence[tuple[int, int]]) -> np.ndarray:
    """The lines on the shortest way from each point to each other one, of points that are all
    connected.
    """
    linked: list[list[int]] = [[] for _ in range(count)]
    for first_point, second in edges:
        linked[first_point].append(second)
        linked[second].append(first_point)
    steps = np.zeros((count, count))
    for start in range(count):
        reached, edge, length = {start}, [start], 0
        while edge:
            steps[start, edge] = length
            length += 1
            following = {name for place in edge for name in linked[place]} - reached
            reached |= following
            edge = list(following)
    return steps


def classical_scaling(steps: np.ndarray) -> np.ndarray:
    """Torgerson's scaling to two axes, by power iteration from a fixed start."""
    squared = steps**2
    means = squared.mean(axis=0)
    centred = -0.5 * (squared - means[:, None] - means[None, :] + squared.mean())
    at = np.array([sunflower_place(number, len(steps)) for number in range(len(steps))])
    for _ in range(POWER):
        at = centred @ at
        at[:, 0] /= np.linalg.norm(at[:, 0]) or 1.0
        at[:, 1] -= at[:, 0] * (at[:, 0] @ at[:, 1])
        at[:, 1] /= np.linalg.norm(at[:, 1]) or 1.0
    sizes = np.abs((at * (centred @ at)).sum(axis=0))
    return np.asarray(at * np.sqrt(sizes))


def pack_components(parts: Sequence[dict[str, Position]], shape: float) -> dict[str, Position]:
    """Parts in rows of about the same width; `shape` is the width of the whole by its height."""
    sizes = [
        tuple(max(place[axis] for place in part.values()) + GAP for axis in (0, 1))
        for part in parts
    ]
    wide = max(
        [math.sqrt(sum(w * h for w, h in sizes) * shape), *(w for w, _ in sizes)], default=0.0
    )
    placed: dict[str, Position] = {}
    x = y = tallest = 0.0
    for part, (across, down) in zip(parts, sizes, strict=True):
        if x and x + across > wide:
            x, y, tallest = 0.0, y + tallest, 0.0
        placed |= {name: (x + at, y + under) for name, (at, under) in part.items()}
        x, tallest = x + across, max(tallest, down)
    return placed


def sunflower_place(number: int, count: int) -> Position:
    """A sunflower: an even start, without chance."""
    # The golden angle in radians: each point lies in the largest gap of those before.
    angle, distance = number * 2.399963, math.sqrt((number + 0.5) / count)
    return distance * math.cos(angle), distance * math.sin(angle)


def fitted_to_frame(at: np.ndarray, wide: float, high: float, shrink: bool = True) -> np.ndarray:
    """Places made to fill a frame from edge to edge, its middle at zero; without `shrink` they are
    never brought nearer to each other.
    """
    low, reach = at.min(axis=0), np.ptp(at, axis=0)
    scale = np.array([wide, high]) / np.where(reach > 0, reach, np.inf)
    if not shrink:
        scale = np.maximum(scale, 1.0)
    return np.asarray((at - low - reach / 2) * scale)


def evened_along_axes(at: np.ndarray) -> np.ndarray:
    """Places spread more evenly along each axis, in the same order: no knot in the middle, no bare
    edges.
    """
    low, reach = at.min(axis=0), np.ptp(at, axis=0)
    ranks = at.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    shares = (at - low) / np.where(reach > 0, reach, 1.0)
    return np.asarray(shares * (1 - EVENLY) + ranks / max(len(at) - 1, 1) * EVENLY)


def pushed_apart(at: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Places where labels overlap no more: each pair that does is moved apart along the axis that
    takes the shorter way, again and again; what still overlaps then gets more room.
    """
    at = at + np.arange(len(at))[:, None] * 1e-6  # no two at the very same place
    for round in range(ROUNDS):
        pairs = overlapping_pairs(at, half)
        if not len(pairs):
            break
        first_points, second = pairs.T
        apart = at[second] - at[first_points]
        over = half[first_points] + half[second] - np.abs(apart)
        sideways = over[:, 0] < over[:, 1]
        push = np.where(apart < 0, -1.0, 1.0) * over * 0.5
        push[~sideways, 0] = 0.0
        push[sideways, 1] = 0.0
        many = np.maximum(np.bincount(pairs.ravel(), minlength=len(at)), 1)[:, None]
        moved = np.zeros_like(at)
        np.add.at(moved, first_points, -push)
        np.add.at(moved, second, push)
        # Less for a point that is pushed from many sides, which would jump otherwise.
        at = at + moved / np.sqrt(many)
        # Twenty rounds did not free all: more room for everything.
        if round % 20 == 19:
            at = at * 1.08
    return at


def overlapping_pairs(at: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Pairs of numbers whose boxes overlap by more than half a pixel, sorted. Looked at are only
    those whose heights may: sorted from top to bottom, a few that follow each.
    """
    count, order = len(at), np.argsort(at[:, 1], kind="stable")
    down = at[order, 1]
    follow = np.searchsorted(down, down + 2 * half[:, 1].max(initial=0.0)) - np.arange(count) - 1
    follow = np.maximum(follow, 0)
    upper = np.repeat(np.arange(count), follow)
    lower = upper + 1 + np.arange(len(upper)) - np.repeat(np.cumsum(follow) - follow, follow)
    pairs = np.sort(np.stack([order[upper], order[lower]], axis=1), axis=1)
    first_points, second = pairs.T
    over = half[first_points] + half[second] - np.abs(at[first_points] - at[second])
    overlaps = pairs[(over > 0.5).all(axis=1)]
    return np.asarray(overlaps[np.lexsort(overlaps.T[::-1])])


def point_radius(weight: int) -> float:
    """Pixels of a point that has so many statements or pieces of evidence."""
    least, most = RADIUS
    return min(least + 1.6 * math.log2(1 + max(weight, 0)), most)


def label_boxes(view: GraphView) -> np.ndarray:
    """Half the width and height, in pixels, of each point with the label under it."""
    sizes, longest = [], longest_label(len(view.points))
    for point in view.points:
        across = max(text_width(single_line(point.label, longest)), 2 * point_radius(point.degree))
        sizes.append(((across + 8) / 2, (LINE + 2 * point_radius(point.degree) + 4) / 2))
    return np.array(sizes)
