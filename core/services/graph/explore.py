"""Views of what is approved: their content, their layout, pictures of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.desk_parts import HasStore
from core.errors import InputError
from core.kb.graph.filter import GraphFilter, GraphPart, ThingIndex, read_allowed_names
from core.kb.graph.graph import PICTURES, SIZES, AssertionKind, Graph, GraphEdge, GraphNode
from core.kb.graph.key import with_key
from core.kb.graph.layout import Placement, lay_out
from core.kb.graph.neighbourhood import (
    GROUP,
    MOST_NODES,
    GraphView,
    busiest_points,
    folded,
    neighbourhood,
    next_centre,
    overview,
    shortest_paths,
)
from core.kb.graph.picture import svg_picture
from core.kb.graph.raster import png_picture
from core.kb.graph.scene import DASHES, Palette, line_bends, palette, scene_of_view, size_of
from core.kb.graph.web_page import web_page
from core.model import Curator, State
from core.services.graph.view_request import (
    ALL,
    AROUND,
    OVERVIEW,
    PATHS,
    ViewRequest,
    pins_of,
)
from core.services.review.queue import StatementRow, queue_row
from core.services.shared.colour import CATEGORY_COLOURS
from core.store import QueueFilter
from core.text.clean import without_deceptive_signs

__all__ = [
    "DASHES",
    "GROUP",
    "MOST_NODES",
    "PICTURES",
    "Graph",
    "GraphEdge",
    "GraphNode",
    "Palette",
    "ThingIndex",
    "line_bends",
    "size_of",
]

LONGEST_KEY, MOST_NAMED = 60, 5  # characters of an id that is told, and ids


@dataclass(frozen=True, slots=True)
class Legend:
    """What is in view, counted: categories of things, relations and ways of saying of statements,
    the most frequent first.
    """

    kinds: tuple[tuple[str, int], ...] = ()
    relations: tuple[tuple[str, int], ...] = ()
    said: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """A view with the place of each point. `mode` is of `view_request.MODES`; `total` counts the
    things that there are.
    """

    view: GraphView
    placement: Placement
    mode: str = ALL
    total: int = 0
    legend: Legend = field(default_factory=Legend)
    remark: str = ""


def graph_filter(desk: HasStore, request: ViewRequest) -> GraphFilter:
    passing = None
    if request.asks_store:
        store_filter = QueueFilter(
            states=(State.APPROVED,),
            paper=request.paper,
            curator=request.curator,
            since=request.since,
            until=request.until,
            least_evidence=request.evidence,
        )
        passing = frozenset(desk.store.queue.ids(store_filter))
    kind, other_kind, relation = (*request.part, "", "", "")[:3]
    part = GraphPart(kind, relation, other_kind) if kind else None
    return GraphFilter(
        read_allowed_names(request.relations),
        read_allowed_names(request.kinds),
        read_allowed_names(request.said),
        hidden=frozenset(request.hide),
        statements=passing,
        part=part,
        values=request.values,
    )


def drawing_of_view(desk: HasStore, graph: Graph, request: ViewRequest) -> Drawing:
    """The view that is asked for, each point at its place."""
    mode, view, remark = choose_view(graph, request, graph_filter(desk, request))
    remark = " ".join(filter(None, (*_what_is_missing(graph, view, request), remark)))
    view = folded(view, request.fold) if request.fold else view
    if mode != OVERVIEW:
        view = view_with_evidence(desk, view, by_evidence=request.size == SIZES[1])
    total = sum(point.kind != "value" for point in graph.points.values())
    return Drawing(
        view,
        lay_out(view, pins_of(request)),
        mode,
        total=total,
        legend=drawing_legend(view, mode),
        remark=remark,
    )


def _what_is_missing(graph: Graph, view: GraphView, request: ViewRequest) -> Iterator[str]:
    """What a reader who followed an old address, or narrowed too far, has to know."""
    if away := [key for key in request.centre if key not in graph.points]:
        names = ", ".join(key[:LONGEST_KEY] for key in away[:MOST_NAMED])
        yield without_deceptive_signs(f"Not in the graph: {names}.")
    if graph.points and not view.points:
        yield "Nothing passes these filters together: take one away."


def choose_view(
    graph: Graph, request: ViewRequest, filter: GraphFilter
) -> tuple[str, GraphView, str]:
    """The mode that is drawn, the view, and what is to be said of it."""
    centres = [key for key in request.centre if key in graph.points]
    mode = request.view or (AROUND if centres else "")
    if not mode:
        mode = ALL if request.part or len(graph.points) <= MOST_NODES else OVERVIEW
    if mode == OVERVIEW:
        return mode, overview(graph, filter), ""
    if mode == PATHS and len(centres) > 1:
        view = shortest_paths(graph, centres[0], centres[1], filter=filter)
        if view.points:
            return mode, view, ""
        view = neighbourhood(graph, centres, also=request.also, filter=filter)
        return mode, view, "Nothing that is drawn connects these two."
    if mode == ALL:
        return mode, busiest_points(graph, filter=filter), ""
    centres_drawn, remark = _shown_centres(graph, centres, filter)
    if mode == PATHS:
        remark = f"{remark} Add a second thing to see the paths to it.".lstrip()
    return (
        mode,
        neighbourhood(graph, centres_drawn, radius=request.steps, also=request.also, filter=filter),
        remark,
    )


def _shown_centres(
    graph: Graph, centres: Sequence[str], filter: GraphFilter
) -> tuple[list[str], str]:
    """The centres that are not hidden; else a neighbour of one, so that the view stays where it
    was, and what is to be said of it.
    """
    shown = [key for key in centres if key not in filter.hidden]
    if shown or not centres:
        return shown or [graph.busiest], ""
    for key in centres:
        if instead := next_centre(graph, key, filter):
            hidden, now = (graph.points[name].label for name in (key, instead))
            moved_notice = f"{hidden} is hidden; its neighbour {now} is in the centre."
            return [instead], without_deceptive_signs(moved_notice)
    return [graph.busiest], "What was in the centre is hidden, and has no neighbours to show."


def view_with_evidence(desk: HasStore, view: GraphView, by_evidence: bool) -> GraphView:
    """The view with the evidence of its lines counted, and, where asked, that of its points."""
    counts = desk.store.queue.pieces([line.statement for line in view.lines])
    lines = tuple(line._replace(weight=counts.get(line.statement, 0)) for line in view.lines)
    if not by_evidence:
        return replace(view, lines=lines)
    ends: Counter[str] = Counter()
    for line in lines:
        ends.update({line.source: line.weight, line.target: line.weight})
    points = tuple(point._replace(evidence=max(ends[point.key], 1)) for point in view.points)
    return replace(view, points=points, lines=lines)


def pin_words(drawing: Drawing, key: str) -> str:
    """Where a point is now, as `ViewRequest.pin` says it."""
    placement = drawing.placement
    x, y = placement.positions[key]
    across, down = (
        round(min(max(at / edge + 0.5, 0.0), 1.0) * 1000)
        for at, edge in ((x, placement.width), (y, placement.height))
    )
    return f"{key}@{across},{down}"


def line_dashes(kind: str) -> tuple[float, ...]:
    """The line style of a way of saying, in pixels of line and gap; empty for a whole line."""
    return DASHES[AssertionKind(kind)]


def line_width(line: GraphEdge, mode: str) -> float:
    """Pixels: more for more statements of an overview, or for more pieces of evidence."""
    most, weight = (9.0, 1.0) if mode == OVERVIEW else (4.5, 0.7)
    return round(min(1.4 + weight * math.log2(max(line.weight, 1)) * 0.6, most), 1)


def deciding_curators(desk: HasStore) -> list[Curator]:
    """Everybody who decided something in this project."""
    people = {person.orcid: person for person in desk.store.curators.all()}
    deciders = desk.store.queue.values("curator")
    return [people.get(orcid) or Curator(orcid, "") for orcid in deciders]


def drawing_legend(view: GraphView, mode: str) -> Legend:
    things_in_view = (point for point in view.points if point.kind != "value")
    weight = "count" if mode == OVERVIEW else ""

    def counted(pairs: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
        counts: Counter[str] = Counter()
        for name, number in pairs:
            counts[name] += number
        return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    return Legend(
        counted((str(point.category), point.degree if weight else 1) for point in things_in_view),
        counted(
            (line.predicate, line.weight if weight else 1) for line in view.lines if line.predicate
        ),
        counted((str(kind), 1) for line in view.lines for kind in line.said),
    )


def relation_counts(graph: Graph) -> list[tuple[str, int]]:
    """The relations of the graph in words, with their statements counted, the most used first."""
    counts = Counter(line.predicate for line in graph.every_line())
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def kind_counts(graph: Graph) -> list[tuple[str, int]]:
    """The categories of things, with these counted, the most frequent first."""
    counts = Counter(
        str(point.category) for point in graph.points.values() if point.kind != "value"
    )
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def table_of_view(desk: HasStore, view: GraphView, limit: int = 500) -> list[StatementRow]:
    """The statements in view as lines of a table."""
    ids = [line.statement for line in view.lines if line.statement]
    return [queue_row(record) for record in desk.store.statements.of_ids(ids[:limit])]


def draw_picture(drawn: Drawing, name: str, colours: Palette, title: str) -> bytes:
    """The picture as svg, png or html. Raises InputError for another name."""
    if name not in PICTURES:
        raise InputError(
            f"There are no pictures in the format {name!r}.", f"Use {', '.join(PICTURES)}."
        )
    shapes = with_key(scene_of_view(drawn.view, drawn.placement, colours), drawn.view, colours)
    if name == "png":
        return png_picture(shapes, colours.ink, colours.paper)
    if name == "html":
        return web_page(shapes, colours, title).encode("utf-8")
    return svg_picture(shapes, title, colours.ink, colours.paper).encode("utf-8")


def drawing_colours(names: Sequence[tuple[str, int]], dark: bool = False) -> Palette:
    """Those of the desk; the relations named first have a colour of their own."""
    categories = {
        category: paint.dark if dark else paint.light
        for category, paint in CATEGORY_COLOURS.items()
    }
    return palette(categories, [name for name, _ in names], dark)
