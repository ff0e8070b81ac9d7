"""What was read before, one click away."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.services.extract.earlier import recent_batches, recent_extractions
from pages.components.extract.batch import open_run
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped

BATCHES, RUNS = 4, 8  # as many are shown


def show_earlier(desk: Desk) -> None:
    """Batches, also those of the command line, and single extractions; the newest first."""
    batches, runs = recent_batches(desk, BATCHES), recent_extractions(desk, RUNS)
    if batches:
        st.markdown("**Earlier batches**")
    with st.container(gap=None):
        for batch in batches:
            st.button(
                escaped(batch.label, 200),
                key=state.key("open batch", batch.job.id),
                type="tertiary",
                on_click=state.set_url,
                kwargs={"batch": batch.job.id, "run": "", "job": ""},
            )
    if runs:
        st.markdown("**Earlier extractions**")
    with st.container(gap=None):
        for earlier_run in runs:
            st.button(
                escaped(earlier_run.label, 200),
                key=state.key("open", earlier_run.run.id),
                type="tertiary",
                on_click=open_run,
                args=(earlier_run.run.id,),
            )
