"""What was read before, one click away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.desk import Desk
from core.services.extract.earlier import recent_batches, recent_extractions
from pages.components.extract.batch import open_run
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped

BATCHES, RUNS = 4, 8  # as many are shown


def show_earlier(desk: Desk) -> None:
    """Batches, also those of the command line, and single extractions; the newest first."""
    _list(
        "Earlier batches",
        [(batch.job.id, batch.label) for batch in recent_batches(desk, BATCHES)],
        _open_batch,
    )
    _list(
        "Earlier extractions",
        [(earlier.run.id, earlier.label) for earlier in recent_extractions(desk, RUNS)],
        open_run,
    )


def _list(heading: str, rows: Sequence[tuple[str, str]], opened: Callable[[str], None]) -> None:
    """Rows of id and label; a click opens one."""
    if rows:
        st.markdown(f"**{heading}**")
    with st.container(gap=None):
        for id, label in rows:
            st.button(
                escaped(label, 200),
                key=state.key("open", id),
                type="tertiary",
                on_click=opened,
                args=(id,),
            )


def _open_batch(job: str) -> None:
    state.set_url(batch=job, run="", job="")
