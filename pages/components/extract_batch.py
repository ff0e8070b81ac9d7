"""Several files at once, and the extractions that were made before."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services import extraction_batch, upload
from core.services.extraction import Options
from pages.components import page, state
from pages.components.job import job_panel
from pages.components.plain import plain


def start_batch(desk: Desk, schema: str, engine: str, options: Options) -> None:
    """Read several files in one job; one that cannot be read is named and does not end the others."""
    who = page.curator()
    texts = [upload.named(one.name, one.getvalue()) for one in state.get("extract·file") or []]
    try:
        job = extraction_batch.start(desk, schema, texts, engine, "", who.orcid if who else "", options)
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.set_url(batch=job.id, run="", job="")


def batch_panel(desk: Desk, job_id: str) -> None:
    """Every document of a batch with its status; one that was read can be opened."""
    job = job_panel(desk, job_id, "Reading the files")
    if job is None:
        return
    for item in extraction_batch.items(desk, job):
        left, right = st.columns([5, 2])
        left.text(f"{item.id}: {item.status}. {item.message}")
        readable = item.status in (extraction_batch.Status.DONE, extraction_batch.Status.PARTLY)
        right.button(
            "Open",
            key=state.key("item", item.run or item.id),
            on_click=open_run,
            args=(item.run,),
            disabled=not readable,
        )


def recent_runs(desk: Desk, most: int = 8) -> None:
    """Earlier extractions of the project, newest first, one click away."""
    runs = desk.store.runs("extract", limit=most)
    if not runs:
        return
    st.markdown("**Earlier extractions**")
    with st.container(gap=None):
        for run in runs:
            words = " ".join(desk.store.text(run.text_version, run.document).text[:70].split())
            label = f"{run.created[:16].replace('T', ' ')} · {run.schema} · {run.engine} · {words}"
            st.button(
                plain(label, 160), key=state.key("open", run.id), type="tertiary", on_click=open_run, args=(run.id,)
            )


def open_run(run: str) -> None:
    state.set_url(run=run, job="", other="", other_job="")
