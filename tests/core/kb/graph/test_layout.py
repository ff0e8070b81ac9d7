"""Where points stand, and that their labels leave each other room."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from core.kb.graph.graph import graph
from core.kb.graph.label import longest_label, single_line, text_width
from core.kb.graph.layout import lay_out, overlapping_pairs, pinned_positions
from core.kb.graph.neighbourhood import GraphView, busiest_points, neighbourhood
from core.kb.graph.scene import GraphScene, palette, scene_of_view
from core.model import Category, Statement, Term

TREATS = Term("biolink:treats", "treats")
COLOURS = palette(dict.fromkeys(Category, "#123456"), ["treats"])


def term(number: int, label: str = "") -> Term:
    return Term(f"CHEBI:{number}", label or f"thing {number}", Category.CHEMICAL)


def star(leaves: int) -> GraphView:
    claims = [Statement(term(0), TREATS, term(number)) for number in range(1, leaves + 1)]
    return neighbourhood(graph(claims), ["CHEBI:0"])


def hubs(count: int) -> GraphView:
    """Few things with many statements, long labels, and lines across."""
    chance = random.Random(3)
    claims = []
    for number in range(1, count):
        hub = min(int(chance.paretovariate(0.6)), number) - 1
        claims.append(Statement(term(hub), TREATS, term(number, f"a rare disease, type {number}")))
    claims += [
        Statement(term(chance.randrange(count)), TREATS, term(chance.randrange(count)))
        for _ in range(count // 3)
    ]
    return busiest_points(graph(claims))


@pytest.mark.parametrize("leaves", [1, 5, 60])
def test_places_are_the_same_every_time_and_within_the_frame(leaves):
    view = star(leaves)
    placement = lay_out(view)
    assert placement == lay_out(view)
    assert len(set(placement.positions.values())) == leaves + 1
    assert all(
        abs(x) <= placement.width / 2 and abs(y) <= placement.height / 2
        for x, y in placement.positions.values()
    )


def overlapping_captions(drawn: GraphScene) -> int:
    """How many pairs of labels overlap, by more than a pixel."""
    boxes = np.array([caption.box for caption in drawn.captions]).reshape(-1, 4)
    if len(boxes) < 2:
        return 0
    wide = np.minimum(boxes[:, None, 2], boxes[None, :, 2]) - np.maximum(
        boxes[:, None, 0], boxes[None, :, 0]
    )
    high = np.minimum(boxes[:, None, 3], boxes[None, :, 3]) - np.maximum(
        boxes[:, None, 1], boxes[None, :, 1]
    )
    return int(np.triu((wide > 1) & (high > 1), 1).sum())


def test_layout_of_an_empty_graph_is_empty():
    assert lay_out(GraphView()).positions == {}


def test_a_view_fills_its_frame():
    placement = lay_out(hubs(300))
    places = np.array(list(placement.positions.values()))
    assert (np.ptp(places, axis=0) > np.array([placement.width, placement.height]) * 0.85).all()


@pytest.mark.parametrize("count", [30, 300])
def test_fewer_than_three_in_a_hundred_pairs_of_labels_overlap(count):
    """By the boxes of the words as they are drawn; issue 12 asks for < 3 % at 300 things."""
    view = hubs(count)
    drawn = scene_of_view(view, lay_out(view), COLOURS)
    assert len(drawn.captions) == len(view.points) == count
    assert overlapping_captions(drawn) <= 0.001 * count * (count - 1) / 2


@pytest.mark.parametrize("leaves", [6, 12, 23])
def test_labels_of_a_ring_do_not_overlap(leaves):
    view = star(leaves)
    placement = lay_out(view)
    assert placement.ring
    assert overlapping_captions(scene_of_view(view, placement, COLOURS)) == 0


def test_boxes_that_overlap_are_found():
    """Held against comparing each with each."""
    chance = np.random.default_rng(1)
    at, half = chance.uniform(0, 200, (60, 2)), chance.uniform(2, 20, (60, 2))
    apart = np.abs(at[:, None] - at[None])
    meets = ((half[:, None] + half[None] - apart) > 0.5).all(axis=2)
    assert overlapping_pairs(at, half).tolist() == np.argwhere(np.triu(meets, 1)).tolist()


def test_layout_places_linked_nodes_nearer_than_unlinked_ones():
    ends = pairwise(range(20))
    view = busiest_points(graph([Statement(term(a), TREATS, term(b)) for a, b in ends]))
    at = lay_out(view).positions
    near = np.mean([np.hypot(*np.subtract(at[ln.source], at[ln.target])) for ln in view.lines])
    far = np.hypot(*np.subtract(at["CHEBI:0"], at["CHEBI:19"]))
    assert near < far / 3


def test_a_pin_holds_its_point():
    placement = pinned_positions(lay_out(star(40)), {"CHEBI:7": (0, 1000)})
    assert placement.positions["CHEBI:7"] == (-placement.width / 2, placement.height / 2)


def test_labels_are_cut_to_what_a_picture_holds():
    assert single_line("a" * 50, 10) == "a" * 9 + "…"
    assert longest_label(300) < longest_label(30)
    assert text_width("mm") > text_width("ii")
