"""Explore: the drawing, a slim bar above it, and next to it what was clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.model import State
from core.services.graph import explore, view_request
from core.services.graph.explore import Drawing
from core.services.graph.view_request import ViewRequest
from core.services.review.queue import StatementRow
from pages.components.graph.explorer import ExplorerAct, draw_explorer, plain_line
from pages.components.graph.narrowing import (
    draw_filters,
    picture_downloads,
    saved_views,
    view_options,
)
from pages.components.graph.record import record_panel, thing_panel
from pages.components.shared import cached, state
from pages.components.shared.empty import empty_state
from pages.components.shared.term import STATE_ICONS, statement_label

MODES = {
    view_request.OVERVIEW: "Overview",
    view_request.AROUND: "Around",
    view_request.PATHS: "Paths",
    view_request.ALL: "Everything",
}
FILTER_NAMES = {
    "paper": "paper",
    "curator": "curator",
    "since": "since",
    "until": "until",
    "evidence": "least evidence",
}
KEY = "explorer"
TABLE = 420  # pixels


@st.fragment
def explore_tab(desk: Desk) -> None:
    """The whole view is in the address, so that it can be shared and one can go back."""
    graph = cached.cached_graph(desk)
    if not graph.points:
        empty_state(
            "Nothing is approved yet.",
            "Approve statements on **Review**; they appear here immediately.",
        )
        return
    for kind, message in state.take_messages():
        st.toast(message, icon="⚠️" if kind == "warning" else None)
    request = requested_view()
    drawing = cached.cached_drawing(desk, request)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _modes(request, drawing)
        draw_filters(desk, request, _ask)
        view_options(request, _ask)
        saved_views(desk, request, _ask)
        picture_downloads(desk, drawing, request)
    chosen = state.url_value("thing") in graph.points or bool(state.url_value("statement"))
    beside = chosen or state.url_value("table") == "yes"
    left, right = st.columns([7, 3], gap="small") if beside else (st.container(), None)
    with left:
        draw_explorer(
            desk,
            drawing,
            KEY,
            lambda act: _acted(act),
            request=request,
            chips=_chips(desk, request),
        )
    if right is not None:
        with right:
            _panel(desk, drawing, request)


def requested_view() -> ViewRequest:
    return view_request.request_of(state.url_values())


def _ask(request: ViewRequest, **further: str) -> None:
    """Another view; `further` are other values of the address."""
    state.set_url_lists(view_request.address_of(request), **further)


def _modes(request: ViewRequest, drawing: Drawing) -> None:
    key = state.key("view", drawing.mode)
    st.segmented_control(
        "View",
        list(MODES),
        default=drawing.mode,
        required=True,
        format_func=lambda mode: MODES[mode],
        key=key,
        label_visibility="collapsed",
        on_change=lambda: _mode(key),
    )
    if drawing.mode == view_request.AROUND:
        steps = state.key("steps", request.steps)
        st.segmented_control(
            "Steps from the centre",
            [1, 2, 3],
            default=request.steps,
            required=True,
            key=steps,
            label_visibility="collapsed",
            on_change=lambda: _ask(
                replace(requested_view(), steps=state.get(steps) or request.steps)
            ),
        )


def _mode(key: str) -> None:
    mode = state.get(key)
    if mode:
        _ask(
            replace(
                requested_view(),
                view=mode,
                part=() if mode == view_request.OVERVIEW else requested_view().part,
            )
        )


def _chips(desk: Desk, request: ViewRequest) -> list[dict[str, str]]:
    """The centres, the part and the filters that hold, each to be taken out by a click."""
    points = cached.cached_graph(desk).points
    chips = [
        {"kind": "drop", "key": key, "label": plain_line(points[key].label)}
        for key in request.centre
        if key in points
    ]
    if request.part:
        chips.append(
            {"kind": "unset", "key": "part", "label": plain_line(" · ".join(request.part))}
        )
    for name, words in FILTER_NAMES.items():
        value = getattr(request, name)
        if value and not (name == "evidence" and value < 2):
            chips.append({"kind": "unset", "key": name, "label": plain_line(f"{words}: {value}")})
    for name, words in (("hide", "hidden"), ("pin", "pinned"), ("fold", "collapsed")):
        held_keys = getattr(request, name)
        if held_keys:
            chips.append({"kind": "unset", "key": name, "label": f"{len(held_keys)} {words}"})
    return chips


def _acted(act: ExplorerAct) -> None:
    """What was done in the drawing, as another address."""
    request = requested_view()
    match act.kind:
        case "thing":
            state.set_url(thing=act.key, statement="")
        case "statement":
            state.set_url(statement=act.key, thing="")
        case "leave":
            state.set_url(statement="", thing="")
        case "centre":
            _ask(centred_view(request, path_ends(request, act.key)), thing=act.key, statement="")
        case "add":
            _ask(centred_view(request, (*request.centre, act.key)))
        case "drop":
            _ask(replace(request, centre=tuple(key for key in request.centre if key != act.key)))
        case "unset":
            _ask(view_without(request, act.key))
        case "expand":
            _ask(toggle_expanded(request, act.key))
        case "open":
            _open_part(request, act)
        case "pin":
            _ask(pin_point(request, act))
        case "toggle" | "only" if act.field in ("relations", "kinds", "said"):
            names = getattr(request, act.field)
            alone = () if names == (act.name,) else (act.name,)
            passing = alone if act.kind == "only" else view_request.toggled_names(names, act.name)
            _ask(request.having(act.field, passing))


def _open_part(request: ViewRequest, act: ExplorerAct) -> None:
    kind = act.key.removeprefix(explore.GROUP)
    several = (kind, act.other.removeprefix(explore.GROUP), act.relation)
    part = tuple(name for name in several if name)
    _ask(replace(request, view=view_request.ALL, part=part))


def path_ends(request: ViewRequest, key: str) -> tuple[str, ...]:
    """What is found is the second end of the paths from the first, else it stands alone."""
    waits = request.view == view_request.PATHS and len(request.centre) == 1
    return tuple(dict.fromkeys((*request.centre, key))) if waits else (key,)


def centred_view(request: ViewRequest, centres: tuple[str, ...]) -> ViewRequest:
    mode = view_request.PATHS if request.view == view_request.PATHS else view_request.AROUND
    several = tuple(dict.fromkeys(centres))
    return replace(request, view=mode, centre=several, also=(), part=())


def view_without(request: ViewRequest, name: str) -> ViewRequest:
    default = next(
        (view_field.default for view_field in fields(ViewRequest) if view_field.name == name), None
    )
    return request if default is None else request.having(name, default)


def toggle_expanded(request: ViewRequest, key: str) -> ViewRequest:
    """What was expanded is collapsed, what was collapsed is as it was, all else is expanded."""
    if key in request.fold:
        return replace(
            request, fold=tuple(key_folded for key_folded in request.fold if key_folded != key)
        )
    if key in request.also:
        return replace(
            request, also=tuple(key_added for key_added in request.also if key_added != key)
        )
    return replace(request, also=(*request.also, key))


def pin_point(request: ViewRequest, act: ExplorerAct) -> ViewRequest:
    others = tuple(pin_text for pin_text in request.pin if pin_text.rpartition("@")[0] != act.key)
    return replace(request, pin=(*others, f"{act.key}@{act.across},{act.down}"))


def _panel(desk: Desk, drawing: Drawing, request: ViewRequest) -> None:
    """What was clicked, and a table of what is in view."""
    thing, statement = state.url_value("thing"), state.url_value("statement")
    with st.container(key="gw-beside", height=620, border=False):
        if statement:
            record_panel(desk, statement)
        elif thing in cached.cached_graph(desk).points:
            thing_panel(desk, drawing, request, thing, ask=_ask)
        _table(desk, drawing, thing)


def _table(desk: Desk, drawing: Drawing, thing: str) -> None:
    view = drawing.view
    near_lines = [line for line in view.lines if not thing or thing in (line.source, line.target)]
    rows = explore.table_of_view(desk, replace(view, lines=tuple(near_lines)))
    if not rows:
        return
    st.caption("Statements in view" + (", of this thing" if thing else ""))
    rows_table(
        rows,
        state.key("in-view", thing, len(rows), drawing.mode),
        TABLE,
        current=state.url_value("statement"),
        chosen=lambda row: state.set_url(statement=row.id),
    )


HEAD, LINE = 38, 35  # pixels of a table's head and of a line


def rows_table(
    rows: Sequence[StatementRow],
    key: str,
    height: int,
    *,
    current: str,
    chosen: Callable[[StatementRow], None],
) -> None:
    """A click anywhere on a line calls `chosen`. `height` is the most that it takes, in pixels."""
    st.dataframe(
        pd.DataFrame([_cells(row, row.id == current) for row in rows]),
        key=key,
        hide_index=True,
        height=min(height, HEAD + LINE * max(len(rows), 1)),
        on_select=lambda: _chosen(rows, key, chosen),
        selection_mode="single-cell",
        column_config={
            "state": st.column_config.TextColumn(" ", width=46),
            "statement": st.column_config.TextColumn("statement"),
        },
    )


def _chosen(rows: Sequence[StatementRow], key: str, act: Callable[[StatementRow], None]) -> None:
    number = state.selected_cell_row(key)
    if number is not None and number < len(rows):
        act(rows[number])


def _cells(row: StatementRow, current: bool) -> dict[str, str]:
    """`▸` the one in view, `＋` new evidence waits, `⚠` unsupported."""
    flags = ("＋" if row.has_news else "") + (
        "⚠" if row.unsupported and row.state is not State.REJECTED else ""
    )
    count = f" · {row.evidence} pieces" if row.evidence > 1 else ""
    return {
        "state": ("▸" if current else "") + STATE_ICONS[row.state] + flags,
        "statement": statement_label(row.statement) + count,
    }
