"""Views of what is approved: their addresses, what they filter by, saving them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import InputError
from core.kb.graph import graph as graphs
from core.model import Category, Term, Verdict
from core.services.graph import explore, view_request
from core.services.graph.explore_memory import ExploreMemory
from core.services.graph.view_request import ViewRequest
from core.services.review import decision, facets
from core.services.review.decision import Judgement
from tests import reviewing
from tests.reviewing import ANNA, BEN, DOCUMENT, RELIEVES


@pytest.fixture
def desk(tmp_path):
    desk = reviewing.filled(tmp_path / "project")
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    yield desk
    desk.close()


def drawing(desk, **asked):
    return explore.drawing_of_view(desk, ExploreMemory().graph(desk), ViewRequest(**asked))


def labels(desk, **asked):
    return {point.label for point in drawing(desk, **asked).view.points}


def test_page_address_holds_the_whole_view():
    request = ViewRequest(
        view="around",
        centre=("CHEBI:1", "words\naspirin\nchemical\ndoc:1"),
        steps=2,
        relations=("-treats",),
        paper="willow & co",
        since="2026-01-01",
        evidence=2,
        part=("disease", "disease"),
        pin=("CHEBI:1@10,990",),
        size="evidence",
        values=True,
    )
    assert view_request.request_from_words(view_request.view_address(request)) == request
    assert (
        view_request.request_from_words(f"http://desk/?{view_request.view_address(request)}")
        == request
    )


@pytest.mark.parametrize(
    "words",
    [
        "steps=99999999999",
        "steps=x&view=%00&said=nonsense",
        "evidence=-1&pin=a&size=9",
        "values==b",
        "since=garbage&until=2026-13-01",
    ],
)
def test_an_address_with_nonsense_is_a_view_all_the_same(desk, words):
    request = view_request.request_from_words(words)
    assert request.view == ""
    assert explore.drawing_of_view(desk, ExploreMemory().graph(desk), request).view.points


def test_drawing_is_centred_on_the_requested_thing(desk):
    assert labels(desk, centre=("HP:0002018",)) == {"aspirin", "Nausea"}
    assert drawing(desk, centre=("HP:0002018",)).mode == view_request.AROUND


def test_small_graph_is_shown_whole_unless_an_overview_is_chosen(desk):
    assert drawing(desk).mode == view_request.ALL
    assert "chemical · 2" in labels(desk, view=view_request.OVERVIEW)


def test_paths_lead_from_one_thing_to_another(desk):
    ends = ("HP:0002018", "HP:0002315")
    assert labels(desk, view=view_request.PATHS, centre=ends) == {"aspirin", "Nausea", "Headache"}


def test_unconnected_pair_is_shown_with_a_remark(desk):
    ends = ("HP:0002018", "HP:0002315")
    drawn = drawing(desk, view=view_request.PATHS, centre=ends, said=("negated",))
    assert "connects these two" in drawn.remark
    assert {point.label for point in drawn.view.points} >= {"Nausea", "Headache"}


def test_a_thing_that_is_not_in_the_graph_is_reported(desk):
    drawn = drawing(desk, centre=("NOPE:1", "HP:0002018"))
    assert drawn.remark == "Not in the graph: NOPE:1."
    assert {point.label for point in drawn.view.points} == {"aspirin", "Nausea"}


def test_direction_signs_in_an_address_are_dropped_from_the_remark(desk):
    drawn = drawing(desk, centre=("NO\u202ePE:1", "HP:0002018"))
    assert drawn.remark.endswith(" NOPE:1.")


def test_a_view_that_nothing_passes_says_why_it_is_empty(desk):
    assert "take one away" in drawing(desk, kinds=(str(Category.GENE),)).remark
    assert "take one away" not in drawing(desk).remark


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"paper": DOCUMENT}, True),
        ({"paper": "no such paper"}, False),
        ({"curator": ANNA.orcid}, True),
        ({"curator": BEN.orcid}, False),
        ({"since": "2026-01-02"}, True),
        ({"since": "2026-01-03"}, False),
        ({"until": "2026-01-02"}, True),
        ({"until": "2026-01-01"}, False),
        ({"evidence": 1}, True),
        ({"evidence": 2}, False),
        ({"said": ("negated",)}, True),
        ({"said": ("hypothetical",)}, False),
        ({"kinds": (str(Category.GENE),)}, False),
    ],
)
def test_graph_filters_keep_what_they_name(desk, asked, expected):
    assert bool(drawing(desk, **asked).view.points) is expected


def test_evidence_is_counted_and_may_be_the_size_of_a_thing(desk):
    (line,) = [edge for edge in drawing(desk).view.lines if edge.statement == RELIEVES.id]
    assert line.weight == 1
    sizes = {p.label: explore.size_of(p) for p in drawing(desk, size="evidence").view.points}
    assert sizes["aspirin"] > sizes["Nausea"]


def test_the_legend_counts_what_is_in_view(desk):
    legend = drawing(desk).legend
    assert dict(legend.relations)["treats"] == 4
    assert dict(legend.said) == {"plain": 3, "negated": 1, "qualified": 1}


@pytest.mark.parametrize(
    ("names", "expected"),
    [((), ("-a",)), (("-a",), ()), (("b",), ("b", "a")), (("a", "b"), ("b",))],
)
def test_a_click_on_the_legend_hides_or_shows(names, expected):
    assert view_request.toggled_names(names, "a") == expected


def test_the_memory_follows_each_decision(desk):
    memory = ExploreMemory()
    before = memory.graph(desk)
    record = desk.store.statements.get(RELIEVES.id)
    decision.decide(desk, record.id, record.version, Judgement(Verdict.UNSURE), curator=ANNA)
    after = memory.graph(desk)
    assert RELIEVES.id in {line.statement for line in before.every_line()}
    assert RELIEVES.id not in {line.statement for line in after.every_line()}
    assert after == ExploreMemory().graph(desk)


def test_a_view_of_the_graph_is_saved_apart_from_views_of_the_queue(desk):
    request = ViewRequest(centre=("HP:0002018",), steps=2)
    view_request.save_view(desk, "  around   nausea ", request, ANNA)
    (view,) = view_request.saved_views(desk)
    assert view.name == "around nausea"
    assert view_request.request_from_words(view.address["graph"]) == request
    assert facets.saved_views(desk) == []
    view_request.remove_view(desk, "around nausea", ANNA)
    assert view_request.saved_views(desk) == []


def test_a_view_needs_a_name(desk):
    with pytest.raises(InputError, match="needs a name"):
        view_request.save_view(desk, "  ", ViewRequest(), ANNA)


@pytest.mark.parametrize("name", explore.PICTURES)
def test_every_picture_is_drawn(desk, name):
    content = explore.draw_picture(
        drawing(desk), name, explore.drawing_colours([("treats", 4)]), "A title"
    )
    start = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!doctype html>"}[name]
    assert content.startswith(start)


def test_a_picture_of_another_kind_is_refused(desk):
    with pytest.raises(InputError, match="no pictures"):
        explore.draw_picture(drawing(desk), "bmp", explore.drawing_colours([]), "")


def test_a_hidden_centre_leaves_the_view_with_its_neighbours_and_says_so(desk):
    drawn = drawing(desk, view="around", centre=("CHEBI:15365",), hide=("CHEBI:15365",))
    (centre,) = drawn.view.centres
    near = drawing(desk, view="around", centre=("CHEBI:15365",)).view.points
    assert centre in {point.key for point in near} - {"CHEBI:15365"}
    assert drawn.remark.startswith("aspirin is hidden; its neighbour ")


def test_a_term_of_no_kind_has_that_of_its_vocabulary():
    mondo = replace(RELIEVES, subject=Term("MONDO:0005148", "type 2 diabetes"))
    points = graphs.graph([mondo]).points
    assert points["MONDO:0005148"].category is Category.DISEASE
