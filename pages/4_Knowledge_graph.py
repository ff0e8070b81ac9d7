"""Knowledge graph: what was approved, to look at, to share and to export."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from html import escape

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Category
from core.services.graph import knowledge_base
from core.services.graph.knowledge_base import Drawing, Graph, GraphFilter, GraphView
from core.services.shared.screen import counted
from pages.components.graph.asking import asking_tab
from pages.components.graph.chart import RELATION_COLOURS, graph_chart, relation_colour
from pages.components.graph.export import export_tab
from pages.components.graph.releases import releases_tab
from pages.components.graph.rows_table import rows_table
from pages.components.graph.taking_in import import_tab
from pages.components.shared import cached, state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import begin_page
from pages.components.shared.problem import show_error
from pages.components.shared.term import CATEGORY_COLOURS, curie_html, legend_html, statement_label

WHOLE = "everything"
LISTED = 300  # things in one select box; of more, those that match the words of a search
RELATIONS_SHOWN = 20
MOST_LISTED = 20  # things expanded or hidden, in the address


def main() -> None:
    desk = begin_page("Knowledge graph")
    draw = {
        "Explore": _explore,
        "Ask": asking_tab,
        "Export": export_tab,
        "Releases": releases_tab,
        "Import": import_tab,
    }
    tabs = st.tabs(list(draw), key="tab", bind="query-params")
    for tab, show in zip(tabs, draw.values(), strict=True):
        if tab.open:
            with tab:
                show(desk)


def _explore(desk: Desk) -> None:
    """The neighbourhood of one thing, the paths between two, or everything; what is clicked is
    shown beside the drawing. The whole view is in the address.
    """
    graph = cached.graph(desk)
    if not graph.points:
        empty_state(
            "Nothing is approved yet.",
            "Approve statements on **Review**; they appear here at once.",
        )
        return
    centre = (
        state.url_value("centre") if state.url_value("centre") in graph.points else graph.busiest
    )
    left, end, middle, further, right = st.columns([3, 3, 2, 1.3, 2], vertical_alignment="bottom")
    with left:
        _choose_thing(graph, "centre", centre, "In the middle")
    with end:
        _choose_thing(graph, "to", state.url_value("to"), "Paths to")
    radius = middle.segmented_control("Steps", [1, 2, 3], default=1, key="radius") or 1
    whole = right.toggle(
        "Show everything", key="whole", value=state.url_value("view") == WHOLE, on_change=_toggle
    )
    values = further.toggle(
        "Values", key="values", help="Numbers and words as points of their own. Else: on hover."
    )
    seen = cached.graph(desk, values=values)
    relations = cached.relations(desk)
    filter = GraphFilter(_chosen_relations(relations), frozenset(_listed("hide")))
    drawing = _drawing(seen, centre, radius, whole, filter)
    _where(drawing, seen)
    chart, side = (
        st.columns([7, 3], gap="medium") if drawing.is_small else (st.container(), st.container())
    )
    view_key = state.key(
        "graph", centre, state.url_value("to"), radius, whole, values, _digest(drawing)
    )
    with chart, st.container(border=True):
        graph_chart(drawing, view_key, _go, [name for name, _ in relations])
    with side:
        _thing(graph, centre)
        _statements(desk, drawing, centre)
    _picture(drawing, graph, centre)


def _drawing(graph: Graph, centre: str, radius: int, whole: bool, filter: GraphFilter) -> Drawing:
    if whole:
        return knowledge_base.everything(graph, filter)
    end = state.url_value("to")
    if end in graph.points:
        drawing = knowledge_base.paths(graph, centre, end, filter)
        if drawing.view.points:
            return drawing
        st.info("Nothing that is approved ties these two together.", icon=":material/link_off:")
    return knowledge_base.neighbourhood(graph, centre, radius, _listed("also"), filter)


def _digest(drawing: Drawing) -> int:
    """Tells two drawings apart, so that a click on an old one is not read as one on the new."""
    keys = (point.key for point in drawing.view.points)
    return zlib.crc32("\n".join([*keys, str(len(drawing.view.lines))]).encode())


def _choose_thing(graph: Graph, name: str, current: str, title: str) -> None:
    """A thing by its name. Of few things all are listed; of many, those that the words match."""
    names = [key for key, point in graph.points.items() if point.kind != "value"]
    if len(names) > LISTED:
        words = st.text_input(
            f"{title}: search", key=state.key(name, "words"), placeholder="A name or an id, Enter"
        )
        names = knowledge_base.matching(graph, words) if words else []
    else:
        names = sorted(names, key=lambda key: -graph.points[key].degree)
    if current in graph.points and current not in names:
        names.insert(0, current)
    key = state.key(name, current, len(names))
    st.selectbox(
        title,
        names,
        names.index(current) if current in names else None,
        format_func=lambda one: f"{graph.points[one].label} · {graph.points[one].degree}",
        key=key,
        placeholder="Choose a thing",
        on_change=lambda: state.set_url(**{name: str(state.get(key) or ""), "statement": ""}),
    )


def _chosen_relations(relations: Sequence[tuple[str, int]]) -> frozenset[str]:
    """The legend of lines, which filters: none chosen means all."""
    names = [name for name, _ in relations]
    dark = st.context.theme.type == "dark"
    swatches = " ".join(
        f'<span><b style="color:{relation_colour(names, name, dark)}">━</b> {escape(name)}</span>'
        for name in names[: len(RELATION_COLOURS)]
    )
    more = "<span>━ other relations</span>" if len(names) > len(RELATION_COLOURS) else ""
    st.html(f'<div class="gw-legend">{swatches} {more}</div>')
    known = [name for name in state.url_value("relations").split("|") if name in names]
    chosen = st.pills(
        "Only these relations",
        names[:RELATIONS_SHOWN],
        selection_mode="multi",
        default=known,
        format_func=lambda name: escaped(f"{name} · {dict(relations)[name]}"),
        key="relations",
        on_change=lambda: state.set_url(relations="|".join(state.get("relations") or [])),
    )
    return frozenset(chosen or ())


def _listed(name: str) -> list[str]:
    """Several things in one value of the address."""
    return [key for key in state.url_value(name).split("|") if key][:MOST_LISTED]


def _toggle() -> None:
    state.set_url(view=WHOLE if state.get("whole") else "")


def _go(point: str, statement: str) -> None:
    """Show beside the drawing what was clicked."""
    if statement:
        state.set_url(statement=statement)
    elif not point.startswith("value·"):
        state.set_url(thing=point, statement="")


def _thing(graph: Graph, centre: str) -> None:
    """The thing that was clicked, and what can be done with it in the drawing."""
    key = state.url_value("thing")
    if key in graph.points:
        point = graph.points[key]
        with st.container(border=True):
            st.text(point.label)
            name = "" if key.startswith("n1-") else curie_html(key)
            st.html(f"{name} {escape(str(point.category))}")
            st.caption(f"{counted(point.degree, 'statement')} in the knowledge base")
            with st.container(horizontal=True):
                st.button(
                    "Put in the middle",
                    on_click=lambda: state.set_url(centre=key, also="", to="", thing=""),
                    disabled=key == centre,
                )
                st.button("Expand", on_click=lambda: _add("also", key))
                st.button("Hide", on_click=lambda: _add("hide", key), disabled=key == centre)
    added = _listed("also") + _listed("hide")
    if added:
        words = f"{len(_listed('also'))} expanded, {len(_listed('hide'))} hidden."
        st.button(f"{words} Show as before", on_click=lambda: state.set_url(also="", hide=""))


def _add(name: str, key: str) -> None:
    state.set_url(**{name: "|".join(dict.fromkeys([*_listed(name), key])), "thing": ""})


def _where(drawing: Drawing, graph: Graph) -> None:
    view = drawing.view
    lines = counted(len(view.lines), "statement")
    words = f"{len(view.points)} of {counted(len(graph.points), 'thing')}, {lines} in view."
    if view.cut:
        words += (
            f" ✂ {view.cut:,} more would not be readable and are left out: choose another middle or"
            " fewer steps."
        )
    st.caption(words)
    categories = sorted({point.category for point in view.points if point.kind != "value"})
    st.html(
        f'<div class="gw-legend">{legend_html([Category(category) for category in categories])}'
        f" &nbsp; ◆ unnamed thing{' &nbsp; ▭ value' if _has_values(view) else ''}"
        " &nbsp; ╌ negated &nbsp; ┈ hypothetical or qualified (†)</div>"
    )


def _has_values(view: GraphView) -> bool:
    return any(point.kind == "value" for point in view.points)


def _statements(desk: Desk, drawing: Drawing, centre: str) -> None:
    """The statements in view; the chosen one first, with the way to its record."""
    chosen = state.url_value("statement")
    rows = knowledge_base.rows(desk, [line.statement for line in drawing.view.lines])
    shown = next((row for row in rows if row.id == chosen), None)
    if shown is not None:
        with st.container(border=True):
            st.text(statement_label(shown.statement))
            _open_record(shown.id)
    key = state.key("in-view", centre, len(rows))
    rows_table(
        rows,
        key,
        430,
        current=chosen,
        chosen=lambda row: state.set_url(statement=row.id),
    )
    st.caption("Choose a line to open its record.")


def _open_record(statement: str) -> None:
    st.page_link(
        "pages/3_Review.py",
        label="Open the record",
        icon=":material/rule:",
        query_params={"id": statement, "state": "approved"},
    )


def _picture(drawing: Drawing, graph: Graph, centre: str) -> None:
    with st.expander("A picture to share"):
        label = graph.points[centre].label if centre in graph.points else "knowledge base"
        colours = {category: paint.light for category, paint in CATEGORY_COLOURS.items()}
        if not st.toggle("Draw it", key="draw"):
            st.caption(
                "A web page of its own: it moves and zooms, and asks nothing of any other address."
            )
            return
        page = knowledge_base.picture(drawing, colours, label)
        st.download_button(
            "Download the picture",
            page,
            "knowledge-graph.html",
            "text/html",
            icon=":material/download:",
            on_click="ignore",
        )
        st.iframe(page, height=660)


try:
    main()
except GroundworkError as error:
    show_error(error)
