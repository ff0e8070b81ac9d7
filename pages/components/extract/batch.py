"""Several files at once, and the extractions that were made before."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Job, JobState
from core.services.extract import batch, batch_file, compare, result, sending, spending
from core.services.extract.engines import asks_model
from core.services.extract.result import RunOptions
from core.services.settings import models
from core.services.shared.screen import counted
from pages.components.extract.budget import budget_words
from pages.components.extract.compare import choose_way, show_figures
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, SECONDS, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import say_what_goes
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error

ON_PAGE = 100  # documents of a batch
DOLLARS = "%g"  # 0.004 is a limit, and not 0.00
ICONS = {
    batch.BatchStatus.WAITING: "○",
    batch.BatchStatus.RUNNING: "…",
    batch.BatchStatus.DONE: "✓",
    batch.BatchStatus.PARTLY: "⚠️",
    batch.BatchStatus.FAILED: "✕",
    batch.BatchStatus.REFUSED: "✕",
    batch.BatchStatus.LEFT: "◌",
}
FILES, READ = "extract·file", "_batch_texts"


def offer_batch(desk: Desk, schema: str, engine: str, options: RunOptions) -> None:
    """Several chosen files can be read together, once it is said what that takes."""
    files = _files()
    texts = [text for file in files for text in file.texts]
    for file in files:
        if file.note:
            st.caption(escaped(file.note, 400))
    is_list = len(texts) > len(files)
    if len(texts) < 2 or engine == "paste":
        return
    dollars = st.number_input(
        "Spending limit in dollars (0: no limit)",
        0.0,
        100_000.0,
        0.0,
        1.0,
        format=DOLLARS,
        key="batch·dollars",
        help="The batch may cost more by one document.",
    )
    provider = asks_model(desk, engine) and st.checkbox(
        "Through the endpoint's batch interface, where it has one",
        key="batch·provider",
        help="Cheaper, and answered within a day. It continues while the app is closed.",
    )
    last = st.checkbox("After all other work", key="batch·last", help="For example overnight.")
    if provider:
        model = options.model or desk.settings.model_for("extraction")
        st.caption(escaped(models.batch_price_words(desk, model), 300))
    st.button(
        f"Read all {sum(file.readable for file in files)} papers"
        if is_list
        else f"Read all {len(texts)} files",
        type="primary",
        on_click=start_batch,
        args=(desk, schema, engine, options, float(dollars), bool(provider), bool(last)),
    )
    if asks_model(desk, engine):
        say_what_goes(desk, "extraction", options.model, "The texts, with their questions,")
    try:
        batch_budget = result.preview_many(
            desk,
            schema,
            [batch_file.words_of(text) for text in texts],
            engine,
            options,
            bool(provider),
        )
    except GroundworkError as error:
        st.caption(escaped(str(error), 400))
        return
    st.caption(f"In total: {budget_words(batch_budget)}")


def _files() -> list[batch_file.BatchFile]:
    """The chosen files, each read once."""
    files = state.get(FILES) or []
    read_before = state.get(READ) or {}
    read_files = {
        file.file_id: read_before.get(file.file_id)
        or batch_file.read_file(file.name, file.getvalue())
        for file in files
    }
    state.put(READ, read_files)
    return list(read_files.values())


def papers_in_file() -> int:
    """How many papers the only chosen file holds; 0 where several were chosen."""
    files = _files()
    return files[0].readable if len(files) == 1 else 0


def start_batch(
    desk: Desk,
    schema: str,
    engine: str,
    options: RunOptions,
    dollars: float = 0.0,
    provider: bool = False,
    last: bool = False,
) -> None:
    """Read several files in one job; one that cannot be read is named and the others go on."""
    texts = [text for file in _files() for text in file.texts]
    try:
        orcid = page.acting_orcid(desk)
        job = batch.start(desk, schema, texts, engine, "", orcid, options, dollars, provider, last)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(batch=job.id, run="", job="")


def batch_panel(desk: Desk, job_id: str) -> None:
    """Every document of a batch with its title and status; one that was read can be opened, and
    everything that was found can be sent.
    """
    job = job_panel(desk, job_id, "Reading the documents")
    if job is None:
        return
    if job.state in ACTIVE:
        st.fragment(run_every=SECONDS)(_under_way)(desk, job_id)
        return
    _spent(desk, job)
    if words := spending.limit_words(desk, job_id):
        st.warning(escaped(words, 400))
    if reasons := batch.unread_reasons(desk, job_id):
        st.text("\n".join(f"{counted(number, 'document')}: {why}" for why, number in reasons))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _send_button(desk, job_id, job)
        _retry_button(desk, job_id, job)
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
    listed = batch.items(desk, job, ON_PAGE, page_number * ON_PAGE)
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
        disabled=page.curator() is None or bool(state.url_value("sending")),
        help=(
            "Sends statements that have all their terms, from documents that were read in full."
            " The rest stays here."
            if page.curator()
            else "Enter your name and ORCID iD in the sidebar first."
        ),
    )


def _send_all(desk: Desk, job_id: str) -> None:
    try:
        job = sending.start(desk, job_id, page.acting_orcid(desk))
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
    tally = sending.sending_result(job)
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
        difference = compare.compare(desk, job_id, second_job)
    except GroundworkError as error:
        show_error(error)
    else:
        st.caption(f"{counted(difference.texts, 'text')} that both have read.")
        show_figures(difference)
    st.button("Compare with another", on_click=state.set_url, kwargs={"other_batch": ""})


def _read_again(desk: Desk, job_id: str, engine: str, model: str) -> None:
    try:
        job = compare.batch_again(desk, job_id, engine, model, page.acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(other_batch=job.id)


def _page(total: int) -> int:
    """Which part of a long list of documents is shown, counted from 0."""
    if total <= ON_PAGE:
        return 0
    pages = -(-total // ON_PAGE)
    page_number = st.number_input(f"Page of {pages:,}", 1, pages, key="batch·page")
    return int(page_number) - 1


def _retry_button(desk: Desk, job_id: str, job: Job) -> None:
    unread = batch.unread_documents(desk, job_id)
    if job.state is JobState.DONE and unread.again:
        limit = spending.limit_of(desk, job_id)
        if limit:
            st.number_input(
                "Spending limit in dollars, in all (0: no limit)", 0.0, 100_000.0, limit, 1.0,
                format=DOLLARS, key=f"limit·{job_id}",
            )  # fmt: skip
        st.button(
            _retry_label(unread),
            key=f"retry·{job_id}",
            on_click=_retry,
            args=(desk, job_id),
            icon=":material/replay:",
        )


def _retry_label(unread: batch.UnreadDocuments) -> str:
    """`Try the 7 failed or incomplete again`, `Read the other 12`."""
    trouble = unread.failed + unread.partly
    if not trouble:
        return f"Read the other {unread.left:,}"
    words = f"Try the {trouble:,} failed{' or incomplete' * bool(unread.partly)} again"
    return f"{words}, and read the other {unread.left:,}" if unread.left else words


def _retry(desk: Desk, job_id: str) -> None:
    try:
        if (dollars := state.get(f"limit·{job_id}")) is not None:
            spending.set_limit(desk, job_id, float(dollars), acting_orcid(desk))
        batch.retry(desk, job_id, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def open_run(run: str) -> None:
    state.set_url(run=run, job="", other="", other_job="")
