"""What is missing from a result: above it, and again before it is sent."""

from __future__ import annotations

import streamlit as st

from core.services.extract.completeness import Gap, gaps_of, incomplete
from core.services.extract.result import ExtractionView
from pages.components.shared import state


def show_gaps(run_view: ExtractionView) -> None:
    """A banner with counts and what helps; nothing where the result is whole."""
    missing = gaps_of(run_view)
    if incomplete(missing):
        where = "What the model wrote, and every note, is in the tab *How it was read*."
        lines = _lines(missing) + (f"  \n{where}" if run_view.calls else "")
        st.warning("**This result is incomplete.**  \n" + lines)
    elif missing:
        st.info(_lines(missing))


def sure_of_gaps(run_view: ExtractionView) -> bool:
    """Says what is missing before anything is sent, and asks; gives whether it may be sent."""
    missing = [gap for gap in gaps_of(run_view) if gap.lost]
    if not missing:
        return True
    st.warning("Before you send: " + " ".join(gap.says for gap in missing))
    return st.checkbox(
        "Send it even though it is incomplete", key=state.key("gaps", run_view.run.id)
    )


def _lines(missing: list[Gap]) -> str:
    return "  \n".join(f"{gap.says} {gap.helps}" for gap in missing)
