"""A batch on screen: its documents, what was found in them, and what can be done next."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Job, JobState
from core.services.extract import batch, compare, left_out, spending
from core.services.settings import models
from core.services.shared.screen import counted
from pages.components.extract.batch_offer import DOLLARS
from pages.components.extract.compare import choose_way, show_figures, show_statements
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, SECONDS, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error

ON_PAGE = 100  # documents of a batch
ICONS = {
    batch.BatchStatus.WAITING: "○",
    batch.BatchStatus.RUNNING: "…",
    batch.BatchStatus.DONE: "✓",
    batch.BatchStatus.PARTLY: "⚠️",
    batch.BatchStatus.FAILED: "✕",
    batch.BatchStatus.REFUSED: "✕",
    batch.BatchStatus.LEFT: "◌",
}


def batch_panel(desk: Desk, job_id: str) -> None:
    """Every document of a batch with its title and status; one that was read can be opened, and
    everything that was found can be sent.
    """
    job = job_panel(desk, job_id, "Reading the documents")
    if job is None:
        return
    if reader := batch.batch_reader(desk, job):
        st.caption(escaped(f"Read by: {reader}", 300))
    if job.state in ACTIVE:
        st.fragment(run_every=SECONDS)(_under_way)(desk, job_id)
        return
    st.text(batch.tally_words(desk, job_id))
    _spent(desk, job)
    if words := spending.limit_words(desk, job_id):
        st.warning(escaped(words, 400))
    if reasons := batch.unread_reasons(desk, job_id):
        st.text("\n".join(f"{counted(number, 'document')}: {why}" for why, number in reasons))
    left = left_out.left_of_batch(desk, job_id) if job.state is JobState.DONE else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _send_button(desk, job_id, job)
        if left is None:
            _retry_button(desk, job_id, job)
        else:  # to try again within the same limit of calls would give the same
            _rest_button(desk, job_id, left)
    if left is not None:
        where = models.asked_at(desk, "extraction", left.model)
        words = left_out.left_of_batch_words(desk, left)
        st.caption(escaped(f"{words} They go to {where}.", 400))
    _show_sending(desk)
    if job.state is JobState.DONE:
        with st.expander(
            "Compare with another engine or model", bool(state.url_value("other_batch"))
        ):
            _compare(desk, job_id)
    _items(desk, job_id)


def _under_way(desk: Desk, job_id: str) -> None:
    """What the batch has cost so far, and its documents as they stand."""
    _spent(desk, desk.runner.job(job_id))
    _items(desk, job_id)


def _spent(desk: Desk, job: Job) -> None:
    if words := spending.totals_line(desk, job):
        st.caption(escaped(words, 300))


def _items(desk: Desk, job_id: str) -> None:
    """The documents of the batch as they stand; a click opens what was found in one."""
    job = desk.runner.job(job_id)
    page_number = _page(job.total)
    listed = batch.batch_items(desk, job, ON_PAGE, page_number * ON_PAGE)
    table = state.key("batch·items", job_id, page_number)
    st.dataframe(
        [
            {
                "": ICONS[item.state],
                "document": item.name,
                "status": str(item.state),
                "found, or what went wrong": item.message,
            }
            for item in listed
        ],
        key=table,
        hide_index=True,
        height=min(40 + 35 * max(len(listed), 1), 600),
        on_select=lambda: _open_item(listed, table),
        selection_mode="single-cell",
        column_config={
            "": st.column_config.TextColumn(width=30),
            "document": st.column_config.TextColumn(width="large"),
            "status": st.column_config.TextColumn(width="small"),
            "found, or what went wrong": st.column_config.TextColumn(width="large"),
        },
    )
    st.caption("Click a document to open what was found in it, or to read why it has no result.")


def _open_item(listed: Sequence[batch.BatchDocument], table: str) -> None:
    number = state.selected_cell_row(table)
    if number is None or number >= len(listed):
        return
    item = listed[number]
    if item.state not in (batch.BatchStatus.DONE, batch.BatchStatus.PARTLY):
        reason = f": {item.message}" if item.message else " has no result yet."
        state.show_message(f"{item.name}{reason}", "warning")
        return
    open_run(item.run)


def _send_button(desk: Desk, job_id: str, job: Job) -> None:
    """The next step only where nothing is left to be read."""
    whole = job.state is JobState.DONE and not batch.unread_documents(desk, job_id).again
    st.button(
        "Send all to review",
        key=f"send all·{job_id}",
        type="primary" if whole else "secondary",
        icon=":material/send:",
        on_click=_send_all,
        args=(desk, job_id),
        disabled=page.current_curator() is None or bool(state.url_value("sending")),
        help=(
            "Sends statements that have all their terms, from documents that were read in full."
            " The rest stays here."
            if page.current_curator()
            else "Enter your name and ORCID iD in the sidebar first."
        ),
    )


def _send_all(desk: Desk, job_id: str) -> None:
    try:
        job = batch.start_sending(desk, job_id, page.acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(sending=job.id)


def _show_sending(desk: Desk) -> None:
    """What *Send all* does and did."""
    name = state.url_value("sending")
    job = job_panel(desk, name, "Sending") if name else None
    if job is None or job.state is not JobState.DONE:
        return
    tally = batch.sending_result(job)
    words = f"{counted(tally.new, 'statement')} sent, {tally.already_known:,} known before"
    words += f", {tally.held_back:,} held back: their documents say why" if tally.held_back else ""
    words += f". {counted(tally.left_out, 'document')} left out: not read in full" * bool(
        tally.left_out
    )
    st.text(f"{words}.")
    st.page_link("pages/3_Review.py", label="Decide on Review", icon=":material/rate_review:")


def _compare(desk: Desk, job_id: str) -> None:
    """Both readings of the batch in figures, or the offer of a second one."""
    second_job = state.url_value("other_batch")
    if not second_job:
        engine, model = choose_way(desk, "", job_id)
        st.button(
            "Read all of them again",
            key="other batch",
            on_click=_read_again,
            args=(desk, job_id, engine, model),
        )
        st.caption("With the settings and the limit of this batch.")
        return
    second = job_panel(desk, second_job, "Reading them again")
    if second is None or second.state in ACTIVE:
        return
    try:
        difference = compare.compare_runs(desk, job_id, second_job)
    except GroundworkError as error:
        show_error(error)
    else:
        st.caption(f"{counted(difference.texts, 'text')} read by both.")
        show_figures(difference)
        show_statements(difference, documents=True)
    st.button("Compare with another", on_click=state.set_url, kwargs={"other_batch": ""})


def _read_again(desk: Desk, job_id: str, engine: str, model: str) -> None:
    try:
        job = compare.batch_again(
            desk, job_id, engine, model=model, curator=page.acting_orcid(desk)
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(other_batch=job.id)


def _page(total: int) -> int:
    """Which part of a long list of documents is shown, counted from 0."""
    if total <= ON_PAGE:
        return 0
    pages = -(-total // ON_PAGE)
    page_number = st.number_input(f"Page (of {pages:,})", 1, pages, key="batch·page", width=160)
    return int(page_number) - 1


def _retry_button(desk: Desk, job_id: str, job: Job) -> None:
    unread = batch.unread_documents(desk, job_id)
    if job.state is JobState.DONE and unread.again:
        limit = spending.limit_of(desk, job_id)
        if limit:
            st.number_input(
                "Total spending limit in dollars (0: no limit)", 0.0, 100_000.0, limit, 1.0,
                format=DOLLARS, key=f"limit·{job_id}",
            )  # fmt: skip
        st.button(
            _retry_label(unread),
            key=f"retry·{job_id}",
            on_click=_retry,
            args=(desk, job_id),
            icon=":material/replay:",
        )


def _rest_button(desk: Desk, job_id: str, left: left_out.LeftOut) -> None:
    st.button(
        "Ask the rest",
        key=f"rest·{job_id}",
        type="primary",
        icon=":material/playlist_add:",
        on_click=_ask_rest,
        args=(desk, job_id, left),
    )


def _ask_rest(desk: Desk, job_id: str, left: left_out.LeftOut) -> None:
    try:
        job = left_out.ask_rest_of_batch(desk, job_id, left, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(batch=job.id, run="", job="")


def _retry_label(unread: batch.UnreadDocuments) -> str:
    """`Retry 7 failed or incomplete`, `Read the other 12`."""
    trouble = unread.failed + unread.partly
    if not trouble:
        return f"Read the other {unread.left:,}"
    words = f"Retry {trouble:,} failed{' or incomplete' * bool(unread.partly)}"
    return f"{words}, and read the other {unread.left:,}" if unread.left else words


def _retry(desk: Desk, job_id: str) -> None:
    try:
        if (dollars := state.get(f"limit·{job_id}")) is not None:
            spending.set_limit(desk, job_id, float(dollars), acting_orcid(desk))
        batch.retry_batch(desk, job_id, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def open_run(run: str) -> None:
    state.set_url(run=run, job="", other="", other_job="")
