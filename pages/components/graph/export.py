"""What can be exported, what is held back and why, and the files."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.graph import knowledge_base
from core.services.graph.knowledge_base import (
    FORMATS,
    HINTS,
    ExportFormat,
    GateReport,
    format_named,
)
from pages.components.shared import cached
from pages.components.shared.empty import empty_state
from pages.components.shared.problem import show_error
from pages.components.shared.term import statement_label

HELD_SHOWN = 500
LOOKED = 20_000  # characters of a file that are shown


def export_tab(desk: Desk) -> None:
    """First what will not be in the file, and why; then the file."""
    try:
        passage = cached.passage(desk)
    except GroundworkError as error:
        show_error(error)
        return
    held = {one.statement.id for one in passage.held if not one.evidence}
    left, right = st.columns(2)
    left.metric("Statements to export", f"{len(passage.entries):,}")
    right.metric("Held back", f"{len(held):,}")
    _held(passage)
    _download(desk, passage)


def _held(passage: GateReport) -> None:
    if not passage.held:
        return
    st.markdown("**What will not be exported, and why**")
    summary = [
        {"count": count, "why": str(why), "what to do": HINTS[why]}
        for why, count in knowledge_base.summary(passage.held)
    ]
    st.dataframe(pd.DataFrame(summary), hide_index=True, key="held-summary")
    with st.expander(f"All {len(passage.held):,}, one by one"):
        rows = [
            {
                "statement": statement_label(one.statement),
                "why": str(one.why),
                "detail": one.detail,
                "id": one.statement.id,
            }
            for one in passage.held[:HELD_SHOWN]
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, height=360, key="held-each")
        if len(passage.held) > HELD_SHOWN:
            st.caption(
                f"The first {HELD_SHOWN} are shown; `python -m core export --held` lists all."
            )


def _download(desk: Desk, passage: GateReport) -> None:
    if not passage.entries:
        empty_state(
            "There is nothing to export yet.",
            "Approve statements on **Review**; the list above says what holds others back.",
        )
        return
    name = st.segmented_control(
        "Format",
        [one.name for one in FORMATS],
        default="ttl",
        format_func=lambda n: _titles()[n],
        key="format",
    )
    wanted = format_named(name or "ttl")
    st.download_button(
        f"Download {wanted.title}",
        lambda: cached.exported(desk, wanted.name).content,
        knowledge_base.file_name(desk, wanted),
        wanted.mime,
        type="primary",
        icon=":material/download:",
        on_click="ignore",
    )
    if wanted.text and st.toggle("Look at it", key="look"):
        _look(desk, wanted)


def _look(desk: Desk, wanted: ExportFormat) -> None:
    try:
        with st.spinner("The file is written …"):
            text = cached.exported(desk, wanted.name).content[: 4 * LOOKED].decode(errors="ignore")
    except GroundworkError as error:
        show_error(error)
        return
    st.code(text[:LOOKED], language="turtle" if wanted.name == "ttl" else None, height=420)
    if len(text) > LOOKED:
        st.caption("The beginning is shown.")


def _titles() -> dict[str, str]:
    return {one.name: one.title for one in FORMATS}
