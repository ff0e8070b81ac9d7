"""Statements as a table; a click on a line chooses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from core.model import State
from core.services.review.queue import StatementRow
from pages.components.shared import state
from pages.components.shared.term import STATE_ICONS, statement_label

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
