"""Several files at once, and the extractions that were made before."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Job, JobState
from core.services.documents import upload
from core.services.extract import batch, result
from core.services.extract.result import RunOptions
from core.services.shared.screen import counted
from pages.components.extract.budget import budget_words
from pages.components.shared import page, state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import plain

ON_PAGE = 50  # documents of a batch
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
    _retry_button(desk, job_id, job)
    page_number = _page(job.total)
    for item in batch.items(desk, job, ON_PAGE, page_number * ON_PAGE):
        left, right = st.columns([5, 2])
        left.text(f"{item.name}: {item.state}. {item.message}")
        readable = item.state in (batch.BatchStatus.DONE, batch.BatchStatus.PARTLY)
        right.button(
            "Open",
            key=state.key("item", item.run or str(item.number)),
            on_click=open_run,
            args=(item.run,),
            disabled=not readable,
        )


def _page(total: int) -> int:
    """Which part of a long list of documents is shown, counted from 0."""
    if total <= ON_PAGE:
        return 0
    pages = -(-total // ON_PAGE)
    shown = st.number_input(f"Page of {pages:,}", 1, pages, key="batch·page")
    return int(shown) - 1


def _retry_button(desk: Desk, job_id: str, job: Job) -> None:
    failed = sum((job.result or {}).get(state, 0) for state in ("failed", "partly"))
    if job.state is JobState.DONE and failed:
        st.button(
            f"Try the {counted(failed, 'document')} again that failed",
            key=f"retry·{job_id}",
            on_click=_retry,
            args=(desk, job_id),
            icon=":material/replay:",
        )


def _retry(desk: Desk, job_id: str) -> None:
    try:
        batch.retry(desk, job_id)
    except GroundworkError as error:
        state.say(str(error), "error")


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
