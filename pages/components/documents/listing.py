"""The list of documents: search, filters, order, pages."""

from __future__ import annotations

from typing import Literal

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.model import DocumentOrder, DocumentShow, State
from core.services.documents import overview
from core.services.documents.overview import (
    DocumentFilter,
    DocumentRow,
)
from core.services.home import project
from core.services.shared.screen import counted
from pages.components.documents.several_documents import with_several
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.page import curator_orcid

ON_PAGE = 100
SHOWS = {
    DocumentShow.ALL: "All",
    DocumentShow.WAITING: "To review",
    DocumentShow.DECIDED: "Decided",
    DocumentShow.NONE: "No statements",
    DocumentShow.UNREAD: "Not read yet",
    DocumentShow.WITHDRAWN: "Retracted",
}
ORDERS = {
    DocumentOrder.NEWEST: "Added: newest first",
    DocumentOrder.OLDEST: "Added: oldest first",
    DocumentOrder.YEAR: "Newest year first",
    DocumentOrder.TITLE: "By title",
    DocumentOrder.JOURNAL: "By journal",
    DocumentOrder.WAITING: "Most to review first",
    DocumentOrder.STATEMENTS: "Most statements first",
}
ALWAYS = ("title", "proposed", "approved", "rejected")  # columns shown also where they are empty
NARROWING = ("find", "show", "tag", "assigned", "year", "kind")


def filter_of_address() -> DocumentFilter:
    """The filter that the page's address holds."""
    show_name = state.url_value("show")
    return DocumentFilter(
        state.url_value("find"),
        state.url_value("tag"),
        state.url_value("assigned"),
        year=state.url_value("year"),
        kind=state.url_value("kind"),
        show=DocumentShow(show_name) if show_name in list(DocumentShow) else DocumentShow.ALL,
    )


def order_of_address() -> DocumentOrder:
    order_name = state.url_value("order")
    return DocumentOrder(order_name) if order_name in list(DocumentOrder) else DocumentOrder.NEWEST


def page_of_address() -> int:
    """Which page of the list is shown, counted from 0."""
    number = state.url_value("page")
    return max(int(number) - 1, 0) if number.isdecimal() and len(number) < 7 else 0


def document_list(desk: Desk) -> None:
    total = overview.count_documents(desk)
    if not total:
        empty_state(
            "No documents yet.",
            "Add papers above, paste a text on **Extract**, or collect papers on **Literature**.",
        )
        return
    _narrowing(desk)
    passing = overview.count_documents(desk, filter_of_address())
    if not passing:
        st.text("No document matches. Clear the search or the filters.")
        return
    pages = -(-passing // ON_PAGE)
    page_number = min(page_of_address(), pages - 1)
    listed = overview.list_documents(
        desk,
        filter_of_address(),
        order_of_address(),
        limit=ON_PAGE,
        offset=page_number * ON_PAGE,
        reader=curator_orcid(),
    )
    left, middle, right = st.columns([6, 2, 3], vertical_alignment="center")
    of = "" if passing == total else f" of {total:,}"
    on_page = f", page {page_number + 1:,} of {pages:,}" if pages > 1 else ""
    left.caption(f"{counted(passing, 'document')}{of}{on_page}. Click a title to open it.")
    if pages > 1:
        with middle:
            _turn(page_number, pages)
    table = state.key("documents", page_number, *(state.url_value(name) for name in NARROWING))
    ticked = [listed[row].id for row in state.selected_rows(table) if row < len(listed)]
    with right:
        with_several(desk, ticked, passing, filter_of_address())
    st.dataframe(
        _table(listed),
        key=table,
        hide_index=True,
        height=min(40 + 35 * len(listed), 640),
        on_select=lambda: open_row(listed, table),
        selection_mode=["multi-row", "single-cell"],
        column_config={
            "title": st.column_config.TextColumn(width="large"),
            "ids": st.column_config.TextColumn(width="medium"),
        },
    )


def _narrowing(desk: Desk) -> None:
    choices = overview.filter_choices(desk)
    find, source, sort = st.columns([4, 1, 2], vertical_alignment="bottom")
    words = state.key("find", state.url_value("find"))
    find.text_input(
        "Search",
        state.url_value("find"),
        key=words,
        placeholder="Title, id, journal or tag",
        label_visibility="collapsed",
        on_change=lambda: _narrow(find=str(state.get(words) or "")),
    )
    sorting = state.key("order", order_of_address())
    sort.selectbox(
        "Order",
        list(ORDERS),
        list(ORDERS).index(order_of_address()),
        format_func=lambda name: ORDERS[name],
        label_visibility="collapsed",
        key=sorting,
        on_change=lambda: _narrow(order=str(state.get(sorting) or "")),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        now = filter_of_address().show
        showing = state.key("show", now)
        st.segmented_control(
            "Show",
            list(SHOWS),
            default=now,
            required=True,
            format_func=lambda name: SHOWS[name],
            label_visibility="collapsed",
            key=showing,
            on_change=lambda: _narrow(show=str(state.get(showing) or "")),
        )
        people = project.curator_names(desk)
        _choose("tag", "Any tag", [(tag, tag) for tag in choices["tag"]])
        _choose(
            "assigned",
            "Anyone",
            [(orcid, people.get(orcid, orcid)) for orcid in choices["assigned"]],
        )
        _choose("year", "Any year", [(year, year) for year in choices["year"]])
    with source:
        _choose("kind", "Any source", [(kind, kind) for kind in choices["kind"]], "stretch")


def _choose(
    name: str, nothing: str, values: list[tuple[str, str]], width: Literal["stretch"] | int = 108
) -> None:
    """One filter, where there is anything to choose from; by its `width` in pixels three of them
    stand beside the pills in a window of 1280.
    """
    now = state.url_value(name)
    if not values and not now:
        return
    labels = {"": nothing} | dict(values)
    labels.setdefault(now, now)
    key = state.key("narrow", name, now)
    st.selectbox(
        nothing,
        list(labels),
        list(labels).index(now),
        format_func=lambda value: labels.get(value, value),
        label_visibility="collapsed",
        width=width,
        key=key,
        on_change=lambda: _narrow(**{name: str(state.get(key) or "")}),
    )


def _narrow(**values: str) -> None:
    """Another list begins at its first page."""
    state.set_url(**values, page="")


def _turn(page_number: int, pages: int) -> None:
    key = state.key("page", page_number, pages)
    st.number_input(
        f"Page of {pages:,}",
        1,
        pages,
        page_number + 1,
        label_visibility="collapsed",
        key=key,
        on_change=lambda: state.set_url(page=str(state.get(key) or 1)),
    )


def _table(rows: list[DocumentRow]) -> pd.DataFrame:
    """Without the columns that no row of the page fills."""
    cells = [_cells(row) for row in rows]
    filled = [name for name in cells[0] if name in ALWAYS or any(row[name] for row in cells)]
    return pd.DataFrame(cells, columns=filled)


def _cells(row: DocumentRow) -> dict[str, object]:
    return {
        "title": _marked(row),
        "proposed": row.counts[State.PROPOSED],
        "approved": row.counts[State.APPROVED],
        "rejected": row.counts[State.REJECTED],
        "unsure": row.counts[State.UNSURE],
        "year": row.year,
        "journal": row.journal,
        "source": ", ".join(filter(None, row.kinds)) or ("text" if row.has_text else "no text"),
        "ids": ", ".join(row.ids or (row.id,)),
        "runs": row.runs,
        "assigned to": row.assigned,
        "worked on by": ", ".join(row.curators),
        "tags": ", ".join(row.tags),
        "added": row.created[:10],
    }


def _marked(row: DocumentRow) -> str:
    """The title behind what happened to the paper."""
    if row.withdrawn:
        return f"⚠️ RETRACTED · {row.title}"
    return f"⚠️ {row.standing} · {row.title}" if row.standing else row.title


def open_row(rows: list[DocumentRow], table: str) -> None:
    number = state.selected_cell_row(table)
    if number is not None and number < len(rows):
        state.set_url(document=rows[number].id, version="", run="", job="")
