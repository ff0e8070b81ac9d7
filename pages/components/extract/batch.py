"""Several files at once, and the extractions that were made before."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.documents import upload
from core.services.extract import batch, result
from core.services.extract.result import RunOptions
from pages.components.extract.budget import budget_words
from pages.components.shared import page, state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import plain

FILES, READ = "extract·file", "_batch_texts"


def offer_batch(desk: Desk, schema: str, engine: str, options: RunOptions) -> None:
    """Several chosen files can be read together, once it is said what that takes."""
    texts = _texts()
    if len(texts) < 2 or engine == "paste":
        return
    st.button(
        f"Read all {len(texts)} files",
        type="primary",
        on_click=start_batch,
        args=(desk, schema, engine, options),
    )
    try:
        found = result.preview_many(desk, schema, [text for _, text in texts], engine, options)
    except GroundworkError as error:
        st.caption(plain(str(error), 400))
        return
    st.caption(f"All together: {budget_words(found)}")


def _texts() -> list[tuple[str, str | bytes]]:
    """The chosen files by id, each read once."""
    files = state.get(FILES) or []
    known = state.get(READ) or {}
    read = {
        one.file_id: known.get(one.file_id) or upload.named(one.name, one.getvalue())
        for one in files
    }
    state.put(READ, read)
    return list(read.values())


def start_batch(desk: Desk, schema: str, engine: str, options: RunOptions) -> None:
    """Read several files in one job; one that cannot be read is named and the others go on."""
    who = page.curator()
    texts = _texts()
    try:
        job = batch.start(desk, schema, texts, engine, "", who.orcid if who else "", options)
    except GroundworkError as error:
        state.say(str(error), "error")
        return
    state.set_url(batch=job.id, run="", job="")


def batch_panel(desk: Desk, job_id: str) -> None:
    """Every document of a batch with its status; one that was read can be opened."""
    job = job_panel(desk, job_id, "Reading the files")
    if job is None:
        return
    for item in batch.items(desk, job):
        left, right = st.columns([5, 2])
        left.text(f"{item.id}: {item.status}. {item.message}")
        readable = item.status in (batch.BatchStatus.DONE, batch.BatchStatus.PARTLY)
        right.button(
            "Open",
            key=state.key("item", item.run or item.id),
            on_click=open_run,
            args=(item.run,),
            disabled=not readable,
        )


def recent_runs(desk: Desk, most: int = 8) -> None:
    """Earlier extractions of the project, newest first, one click away."""
    runs = batch.recent(desk, most)
    if not runs:
        return
    st.markdown("**Earlier extractions**")
    with st.container(gap=None):
        for one in runs:
            run = one.run
            when = run.created[:16].replace("T", " ")
            label = f"{when} · {run.schema} · {run.engine} · {one.words}"
            st.button(
                plain(label, 160),
                key=state.key("open", run.id),
                type="tertiary",
                on_click=open_run,
                args=(run.id,),
            )


def open_run(run: str) -> None:
    state.set_url(run=run, job="", other="", other_job="")
