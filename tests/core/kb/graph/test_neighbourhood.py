"""What of the knowledge base is in view."""

from __future__ import annotations

import pytest

from core.kb.graph.filter import GraphFilter, GraphPart, ThingIndex, read_allowed_names
from core.kb.graph.graph import AssertionKind, Graph, GraphEdge, GraphMemory, graph
from core.kb.graph.neighbourhood import (
    GraphView,
    busiest_points,
    folded,
    neighbourhood,
    overview,
    shortest_paths,
)
from core.model import Category, Literal, Modality, Node, Qualifier, Statement, Term

TREATS = Term("biolink:treats", "treats")


def term(number: int, label: str = "") -> Term:
    return Term(f"CHEBI:{number}", label or f"thing {number}", Category.CHEMICAL)


def star(leaves: int) -> list[Statement]:
    return [Statement(term(0), TREATS, term(number)) for number in range(1, leaves + 1)]


def test_a_neighbourhood_is_what_is_one_statement_away():
    far = Statement(term(1), TREATS, term(99))
    assert keys(neighbourhood(graph([*star(2), far]), ["CHEBI:0"])) == {
        "CHEBI:0",
        "CHEBI:1",
        "CHEBI:2",
    }


def test_a_wider_radius_shows_more():
    far = Statement(term(1), TREATS, term(99))
    assert "CHEBI:99" in keys(neighbourhood(graph([*star(2), far]), ["CHEBI:0"], radius=2))


def test_a_node_is_looked_through():
    onion = Node("n1-o", "Ingredient", "two onions")
    whole_graph = graph(
        [Statement(term(0), TREATS, onion), Statement(onion, TREATS, Literal("2", unit="g"))]
    )
    assert [point.label for point in neighbourhood(whole_graph, ["CHEBI:0"]).points] == [
        "thing 0",
        "two onions",
        "2 g",
    ]


def test_values_can_be_notes_of_what_has_them():
    onion = Node("n1-o", "Ingredient", "two onions")
    whole_graph = graph(
        [Statement(term(0), TREATS, onion), Statement(onion, TREATS, Literal("2", unit="g"))]
    )
    points = busiest_points(whole_graph, filter=GraphFilter(values=False)).points
    assert {point.label: point.notes for point in points} == {
        "thing 0": (),
        "two onions": ("treats: 2 g",),
    }


def test_no_more_than_can_be_read_and_it_says_how_many_were_cut():
    view = neighbourhood(graph(star(400)), ["CHEBI:0"])
    assert (len(view.points), view.cut) == (300, 101)
    assert len(busiest_points(graph(star(400)), most=10).points) == 10


def test_the_busiest_thing_is_where_one_begins():
    assert graph(star(3)).busiest == "CHEBI:0"
    assert graph([]).busiest == ""


@pytest.mark.parametrize(
    ("changed", "stances"),
    [
        ({"negated": True}, (AssertionKind.NEGATED,)),
        ({"modality": Modality.HYPOTHESIS}, (AssertionKind.HYPOTHETICAL,)),
        ({"qualifiers": (Qualifier("stage", Literal("I")),)}, (AssertionKind.QUALIFIED,)),
        (
            {"negated": True, "modality": Modality.BACKGROUND},
            (AssertionKind.NEGATED, AssertionKind.BACKGROUND),
        ),
        ({}, (AssertionKind.PLAIN,)),
    ],
    ids=["negated", "hypothesis", "qualified", "both", "plain"],
)
def test_graph_line_carries_the_stance_of_its_statement(changed, stances):
    (line,) = busiest_points(graph([Statement(term(0), TREATS, term(1), **changed)])).lines
    assert line.said == stances
    assert line.is_plain is (stances == (AssertionKind.PLAIN,))


def test_a_negation_is_written_on_its_line():
    (line,) = busiest_points(graph([Statement(term(0), TREATS, term(1), negated=True)])).lines
    assert line == GraphEdge(
        line.statement, "CHEBI:0", "CHEBI:1", "not treats", "treats", (AssertionKind.NEGATED,)
    )


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


def test_unconnected_nodes_have_an_empty_path_view():
    assert shortest_paths(chain(), "CHEBI:0", "CHEBI:404").points == ()
    hidden = GraphFilter(hidden=frozenset({"CHEBI:2"}))
    assert shortest_paths(chain(), "CHEBI:0", "CHEBI:3", filter=hidden).points == ()


def test_neighbourhood_leaves_out_hidden_nodes_and_other_relations():
    hidden = GraphFilter(hidden=frozenset({"CHEBI:1"}))
    assert keys(busiest_points(chain(), filter=hidden)) == {f"CHEBI:{n}" for n in (0, 2, 3, 4)}
    other = GraphFilter(relations=read_allowed_names(["causes"]))
    assert busiest_points(chain(), filter=other).points == ()
    assert keys(neighbourhood(chain(), ["CHEBI:0"], filter=other)) == {"CHEBI:0"}


def test_a_second_centre_brings_its_neighbours():
    assert keys(neighbourhood(chain(), ["CHEBI:3"], also=["CHEBI:0"])) == {
        f"CHEBI:{n}" for n in range(5)
    }


def test_several_centres_each_bring_what_is_round_them():
    view = neighbourhood(chain(), ["CHEBI:3", "CHEBI:4"])
    assert keys(view) == {f"CHEBI:{n}" for n in (0, 2, 3, 4)}
    assert view.centres == ("CHEBI:3", "CHEBI:4")


def test_collapsing_a_node_removes_and_counts_its_own_leaves():
    view = folded(busiest_points(chain()), ["CHEBI:2"])
    assert keys(view) == {f"CHEBI:{n}" for n in (0, 1, 2, 4)}
    assert view.folded == (("CHEBI:2", 1),)


def kinds() -> Graph:
    cold = Term("MONDO:1", "cold", Category.DISEASE)
    causes = Term("biolink:causes", "causes")
    return graph(
        [
            Statement(term(0), TREATS, cold),
            Statement(term(1), TREATS, cold, negated=True),
            Statement(term(1), causes, cold, modality=Modality.HYPOTHESIS),
            Statement(term(1), causes, term(2)),
        ]
    )


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        (GraphFilter(relations=read_allowed_names(["treats"])), {"CHEBI:0", "CHEBI:1", "MONDO:1"}),
        (GraphFilter(relations=read_allowed_names(["-treats"])), {"CHEBI:1", "CHEBI:2", "MONDO:1"}),
        (GraphFilter(kinds=read_allowed_names(["chemical"])), {"CHEBI:1", "CHEBI:2"}),
        (GraphFilter(kinds=read_allowed_names(["-chemical"])), set()),
        (GraphFilter(said=read_allowed_names(["negated"])), {"CHEBI:1", "MONDO:1"}),
        (GraphFilter(said=read_allowed_names(["-plain"])), {"CHEBI:1", "MONDO:1"}),
        (GraphFilter(part=GraphPart("disease")), {"CHEBI:0", "CHEBI:1", "MONDO:1"}),
        (GraphFilter(part=GraphPart("chemical", "causes", "disease")), {"CHEBI:1", "MONDO:1"}),
        (GraphFilter(statements=frozenset()), set()),
    ],
)
def test_a_filter_shows_what_it_names(filter, expected):
    assert keys(busiest_points(kinds(), filter=filter)) == expected


def test_an_overview_counts_things_and_statements_of_each_kind():
    view = overview(kinds())
    assert [(point.label, point.degree) for point in view.points] == [
        ("chemical · 3", 3),
        ("disease · 1", 1),
    ]
    assert sorted(
        (line.source, line.predicate, line.target, line.weight) for line in view.lines
    ) == [
        ("group·chemical", "causes", "group·chemical", 1),
        ("group·chemical", "causes", "group·disease", 1),
        ("group·chemical", "treats", "group·disease", 2),
    ]


def test_an_overview_bundles_what_would_cover_each_other():
    relations = [Term(f"biolink:r{n}", f"r{n}") for n in range(6)]
    disease = Term("MONDO:1", "cold", Category.DISEASE)
    view = overview(graph([Statement(term(0), relation, disease) for relation in relations]))
    assert [line.label for line in view.lines] == [
        "r0 · 1",
        "r1 · 1",
        "r2 · 1",
        "3 other relations · 3",
    ]


def test_graph_updated_by_one_decision_equals_the_rebuilt_graph():
    statements = {claim.id: claim for claim in star(5)}
    extra = Statement(term(3, "another name"), TREATS, term(9))
    memory = GraphMemory()
    before = memory.update(statements.items())
    gone = next(iter(statements))
    after = memory.update([(extra.id, extra)], [gone])
    assert after == graph([*(s for id, s in statements.items() if id != gone), extra])
    assert before == graph(statements.values())


def test_a_search_finds_labels_and_ids_and_what_begins_with_the_words_first():
    index = ThingIndex(graph([Statement(term(1, "acute pain"), TREATS, term(2, "Pain"))]))
    assert index.matching("pain") == ["CHEBI:2", "CHEBI:1"]
    assert index.matching("PAIN acute") == ["CHEBI:1"]
    assert index.matching("chebi:1") == ["CHEBI:1"]
    assert index.matching("nothing") == index.matching(" ") == []


def test_an_unknown_centre_gives_an_empty_view():
    assert neighbourhood(graph(star(1)), ["CHEBI:404"]).points == ()
    assert busiest_points(graph([])).points == ()
