"""Several files at once, and the extractions that were made before."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Job, JobState
from core.services.documents import upload
from core.services.extract import batch, compare, result
from core.services.extract.result import RunOptions
from core.services.shared.screen import counted
from pages.components.extract.budget import budget_words
from pages.components.extract.compare import choose_way, show_figures
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.problem import show_error

ON_PAGE = 50  # documents of a batch
FILES, READ = "extract·file", "_batch_texts"


def offer_batch(desk: Desk, schema: str, engine: str, options: RunOptions) -> None:
    """Several chosen files can be read together, once it is said what that takes."""
    texts = _texts()
    if len(texts) < 2 or engine == "paste":
        return
    dollars = st.number_input(
        "At most so many dollars (0: no limit)", 0.0, 100_000.0, 0.0, 1.0, key="batch·dollars"
    )
    st.button(
        f"Read all {len(texts)} files",
        type="primary",
        on_click=start_batch,
        args=(desk, schema, engine, options, float(dollars)),
    )
    try:
        found = result.preview_many(desk, schema, [row[1] for row in texts], engine, options)
    except GroundworkError as error:
        st.caption(escaped(str(error), 400))
        return
    st.caption(f"All together: {budget_words(found)}")


def _texts() -> list[tuple[str, str | bytes, str]]:
    """The chosen files by id, each read once."""
    files = state.get(FILES) or []
    known = state.get(READ) or {}
    read = {
        file.file_id: known.get(file.file_id)
        or (*upload.named(file.name, file.getvalue()), file.name)
        for file in files
    }
    state.put(READ, read)
    return list(read.values())


def start_batch(
    desk: Desk, schema: str, engine: str, options: RunOptions, dollars: float = 0.0
) -> None:
    """Read several files in one job; one that cannot be read is named and the others go on."""
    who = page.curator()
    texts = _texts()
    try:
        orcid = who.orcid if who else ""
        job = batch.start(desk, schema, texts, engine, "", orcid, options, dollars)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(batch=job.id, run="", job="")


def batch_panel(desk: Desk, job_id: str) -> None:
    """Every document of a batch with its status; one that was read can be opened."""
    job = job_panel(desk, job_id, "Reading the files")
    if job is None:
        return
    if words := batch.totals_line(desk, job):
        st.caption(escaped(words, 300))
    _retry_button(desk, job_id, job)
    if job.state is JobState.DONE:
        with st.expander(
            "Compare with another engine or model", bool(state.url_value("other_batch"))
        ):
            _compare(desk, job_id)
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


def _compare(desk: Desk, job_id: str) -> None:
    """Both readings of the batch in figures, or the offer of a second one."""
    other = state.url_value("other_batch")
    if not other:
        engine, model = choose_way(desk, "", job_id)
        st.button(
            "Read all of them once more",
            key="other batch",
            on_click=_read_again,
            args=(desk, job_id, engine, model),
        )
        st.caption("With the settings and the limit of this batch.")
        return
    second = job_panel(desk, other, "Reading them once more")
    if second is None or second.state in ACTIVE:
        return
    try:
        found = compare.compare(desk, job_id, other)
    except GroundworkError as error:
        show_error(error)
    else:
        st.caption(f"{counted(found.texts, 'text')} that both have read.")
        show_figures(found)
    st.button("Compare with another", on_click=state.set_url, kwargs={"other_batch": ""})


def _read_again(desk: Desk, job_id: str, engine: str, model: str) -> None:
    who = page.curator()
    try:
        job = compare.batch_again(desk, job_id, engine, model, who.orcid if who else "")
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(other_batch=job.id)


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
        limit = batch.limit_of(desk, job_id)
        if limit:
            st.number_input(
                "At most so many dollars in all (0: no limit)", 0.0, 100_000.0, limit, 1.0,
                key=f"limit·{job_id}",
            )  # fmt: skip
        st.button(
            f"Try the {failed:,} failed again",
            key=f"retry·{job_id}",
            on_click=_retry,
            args=(desk, job_id),
            icon=":material/replay:",
        )


def _retry(desk: Desk, job_id: str) -> None:
    try:
        if (dollars := state.get(f"limit·{job_id}")) is not None:
            batch.set_limit(desk, job_id, float(dollars))
        batch.retry(desk, job_id)
    except GroundworkError as error:
        state.show_message(str(error), "error")


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
                escaped(label, 160),
                key=state.key("open", run.id),
                type="tertiary",
                on_click=open_run,
                args=(run.id,),
            )


def open_run(run: str) -> None:
    state.set_url(run=run, job="", other="", other_job="")
