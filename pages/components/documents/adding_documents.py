"""Papers and texts brought in together: one box for identifiers, one place for files; then each
with its title and status, and what follows from it.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.documents import intake
from core.services.documents.intake import InputFile
from core.services.home import project
from core.services.shared.screen import counted
from pages.components.documents.several_documents import schema_and_engine
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, SECONDS, job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid

ICONS = {
    "waiting": "○",
    "running": "…",
    "done": "✓",
    "partly": "⚠️",
    "failed": "✕",
    "refused": "✕",
}
ON_PAGE = 100


def interrupted_jobs(desk: Desk) -> None:
    """Says that jobs were cut short, and where to resume them."""
    if count := project.interrupted_jobs(desk):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(f"{counted(count, 'interrupted job')}: some documents may not be read.")
            if st.button("See the jobs, and resume", icon=":material/arrow_forward:"):
                st.switch_page("pages/8_Settings.py", query_params={"section": "Jobs"})


def bring_in(desk: Desk, opened: bool) -> None:
    """The box and the upload. The form takes what is pasted with one press."""
    with st.expander("Add papers and texts", opened, icon=":material/library_add:"):
        folder = st.toggle("Choose a whole folder", key="bring·folder")
        with st.form("bring", border=False, clear_on_submit=False):
            left, right = st.columns(2)
            left.text_area(
                "PMIDs, PMC ids, DOIs or their addresses",
                key="bring·words",
                height=120,
                placeholder="12345678, PMC1234567, 10.1000/x … one or many, in any order",
            )
            right.file_uploader(
                "Files: PDF, Word, web page, text, RIS, BibTeX, PubMed or JATS XML, archives",
                type=intake.FILE_TYPES,
                accept_multiple_files="directory" if folder else True,
                key=f"bring·files·{state.get('bring·round', 0)}",
            )
            schema_and_engine(desk, "bring", "Do not extract yet")
            st.form_submit_button(
                "Add",
                type="primary",
                icon=":material/library_add:",
                on_click=_bring,
                args=(desk,),
            )


def _bring(desk: Desk) -> None:
    number = int(state.get("bring·round", 0))
    uploads = state.get(f"bring·files·{number}") or []
    files = [InputFile(file.name, file.getvalue()) for file in uploads]
    try:
        job = intake.start_intake(
            desk,
            str(state.get("bring·words") or ""),
            files,
            schema=str(state.get("bring·schema") or ""),
            engine=str(state.get("bring·engine") or "auto"),
            curator=page.acting_orcid(desk),
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put("bring·words", "")
    state.put("bring·round", number + 1)  # an empty upload from now on
    state.set_url(intake=job.id, document="")


def intake_panel(desk: Desk, job_id: str) -> None:
    """Everything that was brought with its title and status; then what can be done with it."""
    st.button(
        "All documents",
        icon=":material/arrow_back:",
        on_click=state.set_url,
        kwargs={"intake": ""},
    )
    job = job_panel(desk, job_id, "Adding documents")
    if job is None:
        return
    if job.state in ACTIVE:
        st.fragment(run_every=SECONDS)(_items)(desk, job_id)
        return
    good, failed, refused = intake.intake_counts(desk, job_id)
    words = f"{counted(good, 'item')} added"
    words += f", {failed:,} failed" if failed else ""
    words += f", {refused:,} not understood" if refused else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(words + ".")
        if failed and job.state is JobState.DONE:
            st.button(
                f"Retry {failed:,} failed",
                icon=":material/replay:",
                on_click=_retry,
                args=(desk, job_id),
            )
        if batch := str((job.result or {}).get("batch") or ""):
            st.page_link(
                "pages/1_Extract.py",
                label="Follow the extraction, and send what it finds",
                icon=":material/arrow_forward:",
                query_params={"batch": batch},
            )
    _items(desk, job_id)


def _items(desk: Desk, job_id: str) -> None:
    page_text = state.url_value("page")
    start = (
        (int(page_text) - 1) * ON_PAGE if page_text.isdecimal() and 0 < len(page_text) < 6 else 0
    )
    items = intake.intake_items(desk, job_id, ON_PAGE, max(start, 0))
    st.dataframe(
        [
            {
                "": ICONS[item.state],
                "brought": item.name,
                "status": str(item.state),
                "title, or what went wrong": item.words,
            }
            for item in items
        ],
        hide_index=True,
        height=min(40 + 35 * max(len(items), 1), 600),
        column_config={
            "": st.column_config.TextColumn(width=30),
            "brought": st.column_config.TextColumn(width="medium"),
            "status": st.column_config.TextColumn(width="small"),
            "title, or what went wrong": st.column_config.TextColumn(width="large"),
        },
    )
    if len(items) == ON_PAGE or start:
        key = state.key("intake·page", start)
        st.number_input(
            "Page",
            1,
            1_000,
            start // ON_PAGE + 1,
            key=key,
            width=150,
            on_change=lambda: state.set_url(page=str(state.get(key) or 1)),
        )


def _retry(desk: Desk, job_id: str) -> None:
    try:
        intake.retry_intake(desk, job_id, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(escaped(str(error)), "error")
