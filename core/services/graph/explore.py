"""Views of what is approved: what an address asks for, where everything stands, pictures of it."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import parse_qs, urlencode

from core.bulk import collector_paused
from core.desk import Desk
from core.errors import InputError
from core.kb.graph.filter import GraphFilter, GraphPart, allowed
from core.kb.graph.graph import Graph, GraphEdge, GraphMemory, GraphNode, Said
from core.kb.graph.layout import Placement, Position, lay_out
from core.kb.graph.neighbourhood import (
    MOST_NODES,
    GraphView,
    busiest_points,
    folded,
    neighbourhood,
    shortest_paths,
)
from core.kb.graph.overview import GROUP, overview
from core.kb.graph.picture import svg
from core.kb.graph.raster import png
from core.kb.graph.scene import DASHES, Palette, line_bends, palette, scene, size_of
from core.kb.graph.search import ThingIndex
from core.kb.graph.web_page import web_page
from core.model import Curator, State, Statement
from core.services.review.queue import StatementRow, row
from core.services.shared.colour import CATEGORY_COLOURS
from core.services.shared.saved_view import SavedView, view_name
from core.store import Filter

__all__ = [
    "DASHES",
    "GROUP",
    "MOST_NODES",
    "SAID",
    "Graph",
    "GraphEdge",
    "GraphNode",
    "Palette",
    "ThingIndex",
    "line_bends",
    "size_of",
]

AROUND, PATHS, ALL, OVERVIEW = "around", "paths", "all", "overview"
MODES = (OVERVIEW, AROUND, PATHS, ALL)
SAID = tuple(str(kind) for kind in Said)
SIZES = ("statements", "evidence")
MOST_STEPS = 3
MOST_LISTED = 60  # values of one kind in an address
PICTURES = {"svg": "image/svg+xml", "png": "image/png", "html": "text/html"}
SAVED = "graph·"  # begins the stored name of a view of the graph


@dataclass(frozen=True, slots=True)
class ViewRequest:
    """What of the graph is looked at: all that an address holds of it.

    `steps` are 1 to 3. Of `relations`, `kinds` and `said` one that begins with - is left out.
    `paper` are words of a title or an id; `since` and `until` are days (ISO 8601); `evidence` is
    the least number of pieces. `also` is expanded, `fold` collapsed, `hide` left out.
    `pin` is `key@across,down` in thousandths of the frame.
    """

    view: str = ""  # of `MODES`; "" is an overview for what is large, else everything
    centre: tuple[str, ...] = ()
    steps: int = 1
    relations: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    paper: str = ""
    curator: str = ""
    since: str = ""
    until: str = ""
    evidence: int = 0
    part: tuple[str, ...] = ()  # a category; or two, and a relation from one to the other
    also: tuple[str, ...] = ()
    fold: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    pin: tuple[str, ...] = ()
    size: str = SIZES[0]
    values: bool = False

    def having(self, name: str, value: Any) -> ViewRequest:
        """The same but for one field."""
        return replace(self, **{name: value})

    @property
    def asks_store(self) -> bool:
        """Whether it is filtered by what only the store knows."""
        return bool(self.paper or self.curator or self.since or self.until or self.evidence > 1)

    @property
    def filters(self) -> int:
        """How many filters there are."""
        own = (self.relations, self.kinds, self.said, self.paper, self.curator, self.since)
        return sum(map(bool, (*own, self.until, self.evidence > 1)))


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
    """A view with the place of each point. `mode` is of `MODES`; `total` counts the things that
    there are.
    """

    view: GraphView
    placement: Placement
    mode: str = ALL
    total: int = 0
    legend: Legend = field(default_factory=Legend)
    remark: str = ""


def request_of(address: Mapping[str, Sequence[str]]) -> ViewRequest:
    """What an address asks for; what is not a value of a field is left out of account."""
    by_field: dict[str, object] = {}
    for request_field in fields(ViewRequest):
        values = [value for value in address.get(request_field.name, ()) if value][:MOST_LISTED]
        if not values:
            continue
        if isinstance(request_field.default, tuple):
            by_field[request_field.name] = tuple(
                values if request_field.name == "part" else dict.fromkeys(values)
            )
        elif isinstance(request_field.default, bool):
            by_field[request_field.name] = values[0] == "yes"
        elif isinstance(request_field.default, int):
            by_field[request_field.name] = (
                int(values[0]) if values[0].isdecimal() and len(values[0]) < 9 else 1
            )
        else:
            by_field[request_field.name] = values[0][:300]
    request = ViewRequest(**by_field)  # type: ignore[arg-type]
    return replace(
        request,
        view=request.view if request.view in MODES else "",
        steps=min(max(request.steps, 1), MOST_STEPS),
        size=request.size if request.size in SIZES else SIZES[0],
        said=tuple(kind for kind in request.said if kind.removeprefix("-") in SAID),
    )


def address_of(request: ViewRequest) -> dict[str, list[str]]:
    """The values of an address that ask for this view; a field that has its default has none."""
    by_field: dict[str, list[str]] = {}
    for request_field in fields(ViewRequest):
        value = getattr(request, request_field.name)
        if value == request_field.default:
            by_field[request_field.name] = []
        elif isinstance(value, tuple):
            by_field[request_field.name] = list(value)
        else:
            by_field[request_field.name] = ["yes" if value is True else str(value)]
    return by_field


def request_from_words(words: str) -> ViewRequest:
    """An address as the page writes it: `centre=CHEBI%3A15365&steps=2`, with or without what stands
    before the `?`. Raises InputError for more than an address can hold.
    """
    if len(words) > 20_000:
        raise InputError("That address is too long.", "Copy the address from the page again.")
    return request_of(parse_qs(words.rpartition("?")[2]))


def words_of(request: ViewRequest) -> str:
    return urlencode({name: value for name, value in address_of(request).items() if value}, True)


class ExploreMemory:
    """The graph of a project, kept from decision to decision."""

    def __init__(self) -> None:
        self._memory = GraphMemory()
        self._lock = threading.Lock()

    def graph(self, desk: Desk) -> Graph:
        """The graph of what is approved now; only what was decided since is read."""
        with self._lock:
            approved = Filter(states=(State.APPROVED,))
            added: Iterable[tuple[str, Statement]] = desk.store.queue.each_claim(approved)
            gone: frozenset[str] = frozenset()
            if ids_before := self._memory.graph.statements.keys():
                ids = frozenset(desk.store.queue.ids(approved))
                added = desk.store.queue.claims_of(sorted(ids - ids_before)).items()
                gone = frozenset(ids_before - ids)
            with collector_paused():
                return self._memory.update(added, gone)


def graph_filter(desk: Desk, request: ViewRequest) -> GraphFilter:
    passing = None
    if request.asks_store:
        store_filter = Filter(
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
        allowed(request.relations),
        allowed(request.kinds),
        allowed(request.said),
        frozenset(request.hide),
        passing,
        part,
        request.values,
    )


def drawing(desk: Desk, graph: Graph, request: ViewRequest) -> Drawing:
    """The view that is asked for, each point at its place."""
    mode, view, remark = choose_view(graph, request, graph_filter(desk, request))
    view = folded(view, request.fold) if request.fold else view
    if mode != OVERVIEW:
        view = weighed(desk, view, by_evidence=request.size == SIZES[1])
    total = sum(point.kind != "value" for point in graph.points.values())
    return Drawing(view, lay_out(view, pins(request)), mode, total, legend(view, mode), remark)


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
        view = neighbourhood(graph, centres, 1, also=request.also, filter=filter)
        return mode, view, "Nothing that is drawn connects these two."
    if mode == ALL:
        return mode, busiest_points(graph, filter=filter), ""
    remark = "Add a second thing to see the paths to it." if mode == PATHS else ""
    centres_drawn = centres or [graph.busiest]
    return (
        mode,
        neighbourhood(graph, centres_drawn, request.steps, also=request.also, filter=filter),
        remark,
    )


def weighed(desk: Desk, view: GraphView, by_evidence: bool) -> GraphView:
    """The view with the evidence of its lines counted, and, where asked, that of its points."""
    counts = desk.store.queue.pieces([line.statement for line in view.lines])
    lines = tuple(replace(line, count=counts.get(line.statement, 0)) for line in view.lines)
    if not by_evidence:
        return replace(view, lines=lines)
    ends: Counter[str] = Counter()
    for line in lines:
        ends.update({line.source: line.count, line.target: line.count})
    points = tuple(replace(point, evidence=max(ends[point.key], 1)) for point in view.points)
    return replace(view, points=points, lines=lines)


def pins(request: ViewRequest) -> dict[str, Position]:
    positions: dict[str, Position] = {}
    for words in request.pin:
        key, _, place = words.rpartition("@")
        across, _, down = place.partition(",")
        if key and across.isdecimal() and down.isdecimal():
            positions[key] = (min(int(across), 1000), min(int(down), 1000))
    return positions


def pin(drawing: Drawing, key: str) -> str:
    """Where a point stands now, as `ViewRequest.pin` says it."""
    placement = drawing.placement
    x, y = placement.positions[key]
    across, down = (
        round(min(max(at / edge + 0.5, 0.0), 1.0) * 1000)
        for at, edge in ((x, placement.width), (y, placement.height))
    )
    return f"{key}@{across},{down}"


def dashes(kind: str) -> tuple[float, ...]:
    """The line style of a way of saying, in pixels of line and gap; empty for a whole line."""
    return DASHES[Said(kind)]


def line_width(line: GraphEdge, mode: str) -> float:
    """Pixels: more for more statements of an overview, or for more pieces of evidence."""
    most, weight = (9.0, 1.0) if mode == OVERVIEW else (4.5, 0.7)
    return round(min(1.4 + weight * math.log2(max(line.count, 1)) * 0.6, most), 1)


def curators(desk: Desk) -> list[Curator]:
    """Everybody who decided something in this project."""
    people = {person.orcid: person for person in desk.store.curators.all()}
    deciders = desk.store.queue.values("curator")
    return [people.get(orcid) or Curator(orcid, "") for orcid in deciders]


def toggled(names: Sequence[str], name: str) -> tuple[str, ...]:
    """Names that pass, with one of them shown that was not, or hidden that was shown."""
    only = [shown_name for shown_name in names if not shown_name.startswith("-")]
    if f"-{name}" in names:
        return tuple(listed_name for listed_name in names if listed_name != f"-{name}")
    if name in only:
        return tuple(listed_name for listed_name in names if listed_name != name)
    return (*names, name if only else f"-{name}")


def legend(view: GraphView, mode: str) -> Legend:
    things = (point for point in view.points if point.kind != "value")
    weight = "count" if mode == OVERVIEW else ""

    def counted(pairs: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
        counts: Counter[str] = Counter()
        for name, number in pairs:
            counts[name] += number
        return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    return Legend(
        counted((str(point.category), point.degree if weight else 1) for point in things),
        counted(
            (line.predicate, line.count if weight else 1) for line in view.lines if line.predicate
        ),
        counted((str(kind), 1) for line in view.lines for kind in line.said),
    )


def relations(graph: Graph) -> list[tuple[str, int]]:
    """The relations of the graph in words, with their statements counted, the most used first."""
    counts = Counter(line.predicate for line in graph.every_line())
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def kinds(graph: Graph) -> list[tuple[str, int]]:
    """The categories of things, with these counted, the most frequent first."""
    counts = Counter(
        str(point.category) for point in graph.points.values() if point.kind != "value"
    )
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def rows(desk: Desk, view: GraphView, limit: int = 500) -> list[StatementRow]:
    """The statements in view as lines of a table."""
    ids = [line.statement for line in view.lines if line.statement]
    return [row(record) for record in desk.store.statements.of_ids(ids[:limit])]


def draw(drawn: Drawing, name: str, colours: Palette, title: str) -> bytes:
    """The picture as svg, png or html. Raises InputError for another name."""
    if name not in PICTURES:
        raise InputError(
            f"There are no pictures in the format {name!r}.", f"Use {', '.join(PICTURES)}."
        )
    shapes = scene(drawn.view, drawn.placement, colours)
    if name == "png":
        return png(shapes, colours.ink, colours.paper)
    if name == "html":
        return web_page(shapes, colours, title).encode("utf-8")
    return svg(shapes, title, colours.ink, colours.paper).encode("utf-8")


def colours(names: Sequence[tuple[str, int]], dark: bool = False) -> Palette:
    """Those of the desk; the relations named first have a colour of their own."""
    categories = {
        category: paint.dark if dark else paint.light
        for category, paint in CATEGORY_COLOURS.items()
    }
    return palette(categories, [name for name, _ in names], dark)


def saved_views(desk: Desk) -> list[SavedView]:
    """Views of the graph that were saved in this project, by name."""
    return [
        SavedView(view.name.removeprefix(SAVED), view.address, view.curator)
        for view in desk.store.views.all()
        if view.name.startswith(SAVED)
    ]


def save_view(desk: Desk, name: str, request: ViewRequest, curator: Curator) -> SavedView:
    """Keep a view under a name; another of that name is replaced. Raises InputError for a name that
    is empty or too long.
    """
    words = view_name(name)
    view = SavedView(SAVED + words, {"graph": words_of(request)}, curator.orcid)
    desk.store.views.save(view)
    return replace(view, name=words)


def remove_view(desk: Desk, name: str) -> None:
    desk.store.views.remove(SAVED + name)
