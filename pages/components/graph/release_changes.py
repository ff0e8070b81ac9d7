"""What differs between two releases, on the page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core import COMMAND
from core.desk import Desk
from core.errors import GroundworkError
from core.services.releases import catalogue
from core.services.releases.catalogue import NotedStatement, ReleaseDescription, ReleaseDifference
from pages.components.shared import state
from pages.components.shared.problem import show_error

NOTED = 500  # statements of a comparison that are shown


def compare_releases(desk: Desk, release: ReleaseDescription, others: Sequence[str]) -> None:
    st.markdown("**What changed**")
    if not others:
        st.caption("This is the only release: there is nothing to compare it with.")
        return
    before = release.previous if release.previous in others else others[0]
    since = st.selectbox(
        "Compared with", others, others.index(before), key=state.key("since", release.number)
    )
    try:
        changes = catalogue.compare_releases(desk, since, release.number)
    except GroundworkError as error:
        show_error(error)
        return
    st.caption(f"From release {changes.before} to release {changes.after}.")
    show_changes(changes, f"{since}·{release.number}")


def show_changes(changes: ReleaseDifference, key: str) -> None:
    """The statements that differ and the papers that were retracted, in one table."""
    rows = [
        {"": change, "statement": statement.words, "why": statement.why, "id": statement.id}
        for change, statements in _kinds(changes)
        for statement in statements
    ]
    if not rows:
        st.caption("No statement differs.")
        return
    st.dataframe(pd.DataFrame(rows[:NOTED]), hide_index=True, key=f"changes·{key}")
    if len(rows) > NOTED:
        st.caption(
            f"The first {NOTED} of {len(rows):,} are shown; `{COMMAND} release compare` lists all."
        )


def _kinds(changes: ReleaseDifference) -> tuple[tuple[str, tuple[NotedStatement, ...]], ...]:
    return (
        ("withdrawn", changes.withdrawn),
        ("changed", changes.changed),
        ("added", changes.added),
        ("retracted", changes.retracted),
    )
