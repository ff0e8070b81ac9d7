"""What of the knowledge base is in view, where it stands, and the picture of it."""

from __future__ import annotations

import re

import pytest

from core.kb.graph.layout import count_overlapping_labels, frame_size, lay_out
from core.kb.graph.neighbourhood import (
    Graph,
    GraphEdge,
    GraphFilter,
    GraphView,
    busiest_points,
    graph,
    matching_things,
    neighbourhood,
    shortest_paths,
    values_folded,
)
from core.kb.graph.picture import picture
from core.model import Category, Literal, Modality, Node, Qualifier, Statement, Term

TREATS = Term("biolink:treats", "treats")
COLOURS = dict.fromkeys(Category, "#123456")


def term(number: int, label: str = "") -> Term:
    return Term(f"CHEBI:{number}", label or f"thing {number}", Category.CHEMICAL)


def star(leaves: int) -> list[Statement]:
    return [Statement(term(0), TREATS, term(number)) for number in range(1, leaves + 1)]


def test_a_neighbourhood_is_what_is_one_statement_away():
    far = Statement(term(1), TREATS, term(99))
    assert keys(neighbourhood(graph([*star(2), far]), "CHEBI:0")) == {
        "CHEBI:0",
        "CHEBI:1",
        "CHEBI:2",
    }


def test_a_wider_radius_shows_more():
    far = Statement(term(1), TREATS, term(99))
    assert "CHEBI:99" in keys(neighbourhood(graph([*star(2), far]), "CHEBI:0", radius=2))


def test_a_node_is_looked_through():
    onion = Node("n1-o", "Ingredient", "two onions")
    found = graph(
        [Statement(term(0), TREATS, onion), Statement(onion, TREATS, Literal("2", unit="g"))]
    )
    assert [point.label for point in neighbourhood(found, "CHEBI:0").points] == [
        "thing 0",
        "two onions",
        "2 g",
    ]


def test_values_can_be_notes_of_what_has_them():
    onion = Node("n1-o", "Ingredient", "two onions")
    found = graph(
        [Statement(term(0), TREATS, onion), Statement(onion, TREATS, Literal("2", unit="g"))]
    )
    points = busiest_points(values_folded(found)).points
    assert {point.label: point.notes for point in points} == {
        "thing 0": (),
        "two onions": ("treats: 2 g",),
    }


def test_no_more_than_can_be_read_and_it_says_how_many_were_cut():
    view = neighbourhood(graph(star(400)), "CHEBI:0")
    assert (len(view.points), view.cut) == (300, 101)
    assert len(busiest_points(graph(star(400)), most=10).points) == 10


def test_the_busiest_thing_is_where_one_begins():
    assert graph(star(3)).busiest == "CHEBI:0"
    assert graph([]).busiest == ""


@pytest.mark.parametrize(
    "changed",
    [
        {"negated": True},
        {"modality": Modality.HYPOTHESIS},
        {"qualifiers": (Qualifier("stage", Literal("I")),)},
    ],
    ids=["negated", "hypothesis", "qualified"],
)
def test_what_is_not_plainly_so_is_not_a_plain_line(changed):
    found = graph([Statement(term(0), TREATS, term(1), **changed)])
    (line,) = busiest_points(found).lines
    assert not line.is_plain
    page = picture(busiest_points(found), lay_out(busiest_points(found)), COLOURS)
    assert '"dashes": true' in page


def test_a_negation_is_written_on_its_line():
    (line,) = busiest_points(graph([Statement(term(0), TREATS, term(1), negated=True)])).lines
    assert line == GraphEdge(
        line.statement, "CHEBI:0", "CHEBI:1", "not treats", True, False, "treats"
    )


@pytest.mark.parametrize("leaves", [0, 1, 5, 60])
def test_places_are_the_same_every_time_and_within_the_frame(leaves):
    view = neighbourhood(graph(star(leaves) or star(1)), "CHEBI:0", radius=2)
    positions = lay_out(view)
    assert positions == lay_out(view)
    within = frame_size(view)
    assert all(
        abs(x) <= within.width / 2 and abs(y) <= within.height / 2 for x, y in positions.values()
    )


def test_no_two_points_stand_on_one_another():
    positions = lay_out(neighbourhood(graph(star(60)), "CHEBI:0"))
    assert len(set(positions.values())) == 61


def test_no_labels_overlap_at_300_things():
    statements = [
        Statement(term(n * n % (n + 1)), TREATS, term(n + 1, f"disease number {n}"))
        for n in range(299)
    ]
    view = busiest_points(graph(statements))
    assert len(view.points) == 300
    assert count_overlapping_labels(view, lay_out(view)) == 0


def chain() -> Graph:
    """0 → 1 → 2 ← 3, and 0 → 4 → 2."""
    ends = [(0, 1), (1, 2), (3, 2), (0, 4), (4, 2)]
    return graph([Statement(term(a), TREATS, term(b)) for a, b in ends])


def keys(view: GraphView) -> set[str]:
    return {point.key for point in view.points}


def test_all_shortest_paths_lie_between_two_things():
    assert keys(shortest_paths(chain(), "CHEBI:0", "CHEBI:2")) == {
        f"CHEBI:{n}" for n in (0, 1, 2, 4)
    }
    assert keys(shortest_paths(chain(), "CHEBI:0", "CHEBI:3")) == {f"CHEBI:{n}" for n in range(5)}


def test_no_path_is_an_empty_view():
    assert shortest_paths(chain(), "CHEBI:0", "CHEBI:404").points == ()
    hidden = GraphFilter(hidden=frozenset({"CHEBI:2"}))
    assert shortest_paths(chain(), "CHEBI:0", "CHEBI:3", filter=hidden).points == ()


def test_what_is_hidden_or_of_another_relation_is_not_drawn():
    hidden = GraphFilter(hidden=frozenset({"CHEBI:1"}))
    assert keys(busiest_points(chain(), filter=hidden)) == {f"CHEBI:{n}" for n in (0, 2, 3, 4)}
    other = GraphFilter(predicates=frozenset({"causes"}))
    assert busiest_points(chain(), filter=other).points == ()
    assert keys(neighbourhood(chain(), "CHEBI:0", filter=other)) == {"CHEBI:0"}


def test_a_second_centre_brings_its_neighbours():
    assert keys(neighbourhood(chain(), "CHEBI:3", also=["CHEBI:0"])) == {
        f"CHEBI:{n}" for n in range(5)
    }


def test_a_search_finds_labels_and_ids_and_what_begins_with_the_words_first():
    found = graph([Statement(term(1, "acute pain"), TREATS, term(2, "Pain"))])
    assert matching_things(found, "pain") == ["CHEBI:2", "CHEBI:1"]
    assert matching_things(found, "chebi:1") == ["CHEBI:1"]
    assert matching_things(found, "nothing") == []


def test_an_unknown_centre_gives_an_empty_view():
    assert neighbourhood(graph(star(1)), "CHEBI:404").points == ()
    assert lay_out(GraphView("")) == {}


def drawn(label: str) -> str:
    view = busiest_points(graph([Statement(term(0, label), TREATS, term(1))]))
    return picture(view, lay_out(view), COLOURS, title=label)


def test_the_picture_loads_nothing():
    page = drawn("aspirin")
    assert not re.search(r"<link\b", page)
    assert not re.search(r"<(?:script|img|iframe|source)\b[^>]*\bsrc\s*=", page)
    assert not re.search(r"""@import|url\(\s*["']?\s*(https?:)?//""", page)
    assert "default-src 'none'" in page


@pytest.mark.parametrize(
    "label",
    ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'+alert(1)+'"],
)
def test_a_label_cannot_leave_its_place(label):
    page = drawn(label)
    assert page.count("</script>") == drawn("aspirin").count("</script>")
    assert "<img" not in page


def test_signs_that_turn_the_writing_direction_are_not_drawn():
    assert "202e" not in drawn("\u202eevil").casefold()


def test_physics_is_off_and_the_picture_is_the_same_every_time():
    page = drawn("aspirin")
    assert '"physics": {"enabled": false}' in page or '"physics":{"enabled":false}' in page
    assert page == drawn("aspirin")
