"""A run beside what earlier runs over the same text sent to review: new, gone, changed, and what
was rejected before.
"""

from __future__ import annotations

import streamlit as st

from core.services.extract.difference import RunDifference
from pages.components.shared.term import statement_label

SHOWN = 500  # rows


def show_again(apart: RunDifference) -> None:
    """Nothing where nothing of this document was sent before, or where nothing differs."""
    seen_before = apart.same or apart.gone or apart.changed or apart.returning
    if not seen_before or not (apart.new or apart.gone or apart.changed or apart.returning):
        return
    with st.expander(f"Compared with what is already in review: {difference_counts(apart)}"):
        difference_lines(apart)


def difference_counts(apart: RunDifference) -> str:
    counts = f"{len(apart.new)} new, {len(apart.gone)} gone, {len(apart.changed)} changed"
    returning = f", {len(apart.returning)} rejected before" if apart.returning else ""
    return counts + returning


def difference_lines(apart: RunDifference) -> None:
    """A table of what differs, a row a statement."""
    st.caption(
        f"Compared with what is in review: {difference_counts(apart)}, {len(apart.same)} the same."
        f" Already decided and left as they are: {len(apart.decided)}."
    )
    rows = [("+ not in review", statement, "") for statement in apart.new]
    rows += [("≠ changed", new, f"was: {statement_label(old)}") for old, new in apart.changed]
    rows += [("− gone", statement, "") for statement in apart.gone]
    rows += [
        ("↩ rejected before", returning.statement, returning.words) for returning in apart.returning
    ]
    if not rows:
        return
    st.dataframe(
        [
            {"": sign, "statement": statement_label(statement), "note": note}
            for sign, statement, note in rows[:SHOWN]
        ],
        hide_index=True,
        height=min(40 + 35 * len(rows), 420),
        column_config={
            "": st.column_config.TextColumn(width=145),
            "statement": st.column_config.TextColumn(width=270),
        },
    )
    if len(rows) > SHOWN:
        st.caption(f"… and {len(rows) - SHOWN:,} more.")
