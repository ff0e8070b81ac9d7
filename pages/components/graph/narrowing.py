"""The bar above the drawing: filters, how it is drawn, saved views, pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial

import streamlit as st

from core.desk import Desk
from core.services.graph import explore, view_request
from core.services.graph.explore import Drawing
from core.services.graph.view_request import ViewRequest
from core.services.shared.saved_view import SavedView
from pages.components.graph.explorer import paints
from pages.components.shared import cached, page, state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.saved_views import saved_views_list

Ask = Callable[..., None]
NO_NARROWING = ViewRequest()


def draw_filters(desk: Desk, request: ViewRequest, ask: Ask) -> None:
    """What statements are drawn. Every widget is named by what it shows, so that going back in the
    browser shows what was there.
    """
    count = f" · {request.filters}" if request.filters else ""
    with st.popover(f"Filters{count}"):
        _names(
            "relations",
            "Only these relations",
            cached.cached_relations(desk),
            request=request,
            ask=ask,
        )
        _names(
            "kinds",
            "Only these kinds of things",
            cached.cached_kinds(desk),
            request=request,
            ask=ask,
        )
        _names(
            "said",
            "Only statements that are",
            [(kind, 0) for kind in view_request.ASSERTION_KINDS],
            request=request,
            ask=ask,
        )
        _words("paper", "Evidence in a paper", "Words of its title, or its id", request, ask=ask)
        _curator(desk, request, ask)
        left, middle, right = st.columns(3)
        with left:
            _day("since", "Decided since", request, ask)
        with middle:
            _day("until", "Decided until", request, ask)
        with right:
            key = state.key("filter·evidence", request.evidence)
            st.number_input(
                "Minimum pieces of evidence",
                1,
                1_000,
                max(request.evidence, 1),
                key=key,
                on_change=lambda: ask(replace(request, evidence=int(state.get(key) or 1))),
            )
        if request.filters:
            st.button("Remove all filters", on_click=lambda: ask(without_filters(request)))


def without_filters(request: ViewRequest) -> ViewRequest:
    names = ("relations", "kinds", "said", "paper", "curator", "since", "until", "evidence")
    for name in names:
        request = request.having(name, getattr(NO_NARROWING, name))
    return request


def _names(  # noqa: PLR0917
    field: str, title: str, counted_names: list[tuple[str, int]], request: ViewRequest, ask: Ask
) -> None:
    names = [name for name, _ in counted_names]
    chosen = [name for name in getattr(request, field) if name in names]
    left_out = tuple(name for name in getattr(request, field) if name.startswith("-"))
    key = state.key("filter", field, *getattr(request, field))
    counts = dict(counted_names)
    st.multiselect(
        title,
        names,
        chosen,
        format_func=lambda name: escaped(f"{name} · {counts[name]:,}" if counts[name] else name),
        key=key,
        placeholder="All",
        on_change=lambda: ask(request.having(field, (*left_out, *(state.get(key) or ())))),
        select_all=False,
    )


def _words(field: str, title: str, hint: str, request: ViewRequest, *, ask: Ask) -> None:
    key = state.key("filter", field, getattr(request, field))
    st.text_input(
        title,
        getattr(request, field),
        key=key,
        max_chars=200,
        placeholder=hint,
        on_change=lambda: ask(request.having(field, str(state.get(key) or "").strip())),
    )


def _curator(desk: Desk, request: ViewRequest, ask: Ask) -> None:
    names = {
        person.orcid: person.name or person.orcid for person in explore.deciding_curators(desk)
    }
    options = ["", *names]
    key = state.key("filter·curator", request.curator, len(options))
    st.selectbox(
        "Decided by",
        options,
        options.index(request.curator) if request.curator in options else 0,
        format_func=lambda orcid: names.get(orcid, "Anybody"),
        key=key,
        on_change=lambda: ask(replace(request, curator=str(state.get(key) or ""))),
    )


def _day(field: str, title: str, request: ViewRequest, ask: Ask) -> None:
    key = state.key("filter", field, getattr(request, field))
    st.date_input(
        title,
        _date(getattr(request, field)),
        key=key,
        format="YYYY-MM-DD",
        on_change=lambda: ask(request.having(field, str(state.get(key) or ""))),
    )


def _date(words: str) -> date | None:
    try:
        return date.fromisoformat(words)
    except ValueError:
        return None


def view_options(request: ViewRequest, ask: Ask) -> None:
    """How the view is drawn."""
    with st.popover("Display"):
        size = state.key("size", request.size)
        st.segmented_control(
            "Size of a thing shows its",
            list(view_request.SIZES),
            default=request.size,
            required=True,
            key=size,
            on_change=lambda: ask(replace(request, size=state.get(size) or request.size)),
        )
        values = state.key("values", request.values)
        st.toggle(
            "Show numbers and words as points",
            request.values,
            key=values,
            help="Otherwise, point at a thing to read them.",
            on_change=lambda: ask(replace(request, values=bool(state.get(values)))),
        )
        is_table_shown = state.url_value("table") == "yes"
        table = state.key("table", is_table_shown)
        st.toggle(
            "A table of what is in view",
            is_table_shown,
            key=table,
            on_change=lambda: state.set_url(table="yes" if state.get(table) else ""),
        )


def saved_views(desk: Desk, request: ViewRequest, ask: Ask) -> None:
    """Views of the project under a name; any view is also shared by the address of the page."""

    def opened(view: SavedView) -> None:
        ask(
            view_request.request_from_words(str(view.address.get("graph", ""))),
            thing="",
            statement="",
        )

    with st.popover("Views"):
        saved_views_list(
            "graph-view",
            view_request.saved_views(desk),
            page.current_curator(),
            note="The address of this page leads to this view: copy it to share the view.",
            open_view=opened,
            remove=lambda name, curator: view_request.remove_view(desk, name, curator),
            save=lambda name, curator: view_request.save_view(desk, name, request, curator),
        )


def picture_downloads(desk: Desk, drawing: Drawing, request: ViewRequest) -> None:
    """The whole view as a file. What is on screen is saved by the button in the drawing."""
    with st.popover("Picture"):
        st.caption(
            "All of this view, with its labels. The web page moves and zooms and loads nothing"
            " from the internet. PNG in the drawing saves what is on screen."
        )
        colours = paints(drawing, dark=False)
        title = picture_title(desk, request)
        for name, mime in explore.PICTURES.items():
            st.download_button(
                {"html": "Web page"}.get(name, name.upper()),
                partial(explore.draw_picture, drawing, name, colours, title),
                f"knowledge-graph.{name}",
                mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"picture·{name}",
            )


def picture_title(desk: Desk, request: ViewRequest) -> str:
    points = cached.cached_graph(desk).points
    names = [points[key].label for key in request.centre if key in points]
    return ", ".join(names) or "Knowledge graph"
