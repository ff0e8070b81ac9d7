"""Documents: every text of the project with what is known of it; open one to read and mark it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import State
from core.services.documents import overview
from core.services.documents.annotated import AnnotatedText, annotated
from core.services.documents.overview import DocumentRow
from core.services.graph import knowledge_base
from core.services.home import project
from core.services.shared.screen import counted
from pages.components.documents.marking_desk import marking_desk
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import begin_page, curator
from pages.components.shared.problem import show_error
from pages.components.shared.term import curie_html

SHOWS = {"": "All", "waiting": "To review", "decided": "Decided", "none": "No statements"}


def document_list(desk: Desk) -> None:
    rows = overview.documents(desk)
    if not rows:
        empty_state(
            "No documents yet.",
            "Paste or open a text on **Extract**, or collect papers on **Literature**.",
        )
        return
    passing = _filtered(rows)
    st.caption(
        counted(len(passing), "document")
        + ("" if len(passing) == len(rows) else f" of {len(rows):,}")
        + ". Click a row to open it; click a column to sort."
    )
    if not passing:
        st.text("No document matches. Clear the search or the filters.")
        return
    table = state.key("documents", len(rows), state.url_value("find"), state.url_value("show"))
    st.dataframe(
        pd.DataFrame([_cells(row) for row in passing]),
        key=table,
        hide_index=True,
        height=min(40 + 35 * len(passing), 640),
        on_select=lambda: _open_row(passing, table),
        selection_mode="single-cell",
        column_config={
            "title": st.column_config.TextColumn(width="large"),
            "ids": st.column_config.TextColumn(width="medium"),
        },
    )


def _filtered(rows: list[DocumentRow]) -> list[DocumentRow]:
    find, show, tag, person = st.columns([3, 4, 2, 2], vertical_alignment="bottom")
    words = find.text_input(
        "Search", state.url_value("find"), placeholder="Title, id or tag", key="documents·find"
    )
    only = show.segmented_control(
        "Show",
        list(SHOWS),
        default=state.url_value("show") if state.url_value("show") in SHOWS else "",
        format_func=lambda name: SHOWS[name],
        key="documents·show",
    )
    tags = sorted({tag for row in rows for tag in row.tags})
    people = sorted({row.assigned for row in rows} - {""})
    wanted_tag = tag.selectbox("Tag", ["", *tags], format_func=lambda t: t or "Any")
    wanted_person = person.selectbox(
        "Assigned to", ["", *people], format_func=lambda p: p or "Anyone"
    )
    state.set_url(find=words, show=only or "")
    return overview.matching(rows, words, wanted_tag, wanted_person, only or "")


def _cells(row: DocumentRow) -> dict[str, object]:
    return {
        "title": row.title,
        "ids": ", ".join(row.ids or (row.id,)),
        "source": ", ".join(row.kinds) or "no text",
        "runs": row.runs,
        "proposed": row.counts[State.PROPOSED],
        "approved": row.counts[State.APPROVED],
        "rejected": row.counts[State.REJECTED],
        "unsure": row.counts[State.UNSURE],
        "curators": ", ".join(row.curators),
        "assigned to": row.assigned,
        "tags": ", ".join(row.tags),
        "added": row.created[:10],
    }


def _open_row(rows: list[DocumentRow], table: str) -> None:
    number = state.selected_cell_row(table)
    if number is not None and number < len(rows):
        state.set_url(document=rows[number].id)


def one_document(desk: Desk, name: str) -> None:
    back, head, more = st.columns([2, 7, 1], vertical_alignment="center")
    back.button("All documents", icon=":material/arrow_back:", on_click=_close)
    stamp = knowledge_base.content_stamp(desk)
    shown = _annotated(str(desk.folder), name, state.url_value("version"), stamp, desk)
    ids = shown.document.ids or (shown.document.id,)
    head.text(shown.title or shown.document.id)
    head.html(f"<div>{' '.join(curie_html(id) for id in ids)}</div>")
    with more.popover("Tags"):
        _labels(desk, shown)
    if len(shown.versions) > 1:
        st.caption(f"{len(shown.versions)} versions of this text; the newest is shown.")
    marking_desk(desk, shown, curator())


def _close() -> None:
    state.set_url(document="", version="")


@st.cache_resource(max_entries=16, show_spinner="Reading the text…")
def _annotated(folder: str, name: str, version: str, stamp: str, _desk: Desk) -> AnnotatedText:
    return annotated(_desk, name, version)


def _labels(desk: Desk, shown: AnnotatedText) -> None:
    """Tags of the document, and who it is assigned to."""
    person = curator()
    if person is None:
        st.caption("Enter your name in the sidebar to tag or assign.")
        return
    row = next(
        document for document in overview.documents(desk) if document.id == shown.document.id
    )
    with st.form("labels", border=False):
        tags = st.text_input("Tags, separated by commas", ", ".join(row.tags), max_chars=500)
        people = {one.orcid: one.name or one.orcid for one in project.curators(desk)}
        names = ["", *people]
        now = next((orcid for orcid in people if people[orcid] == row.assigned), "")
        owner = st.selectbox(
            "Assigned to",
            names,
            names.index(now),
            format_func=lambda orcid: escaped(people.get(orcid, "Nobody")),
        )
        if st.form_submit_button("Save"):
            try:
                overview.set_tags(desk, shown.document.id, tags.split(","), person)
                overview.assign(desk, shown.document.id, owner or "", person)
                st.toast("Saved.")
            except GroundworkError as error:
                show_error(error)


desk = begin_page("Documents")
try:
    if state.url_value("document"):
        one_document(desk, state.url_value("document"))
    else:
        document_list(desk)
except GroundworkError as error:
    show_error(error)
