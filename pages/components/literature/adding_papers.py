"""Papers put into a namespace: by their identifiers, or from files."""

from __future__ import annotations

from itertools import cycle

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.literature import identified, namespaces, upload
from pages.components.shared import state
from pages.components.shared.job import job_panel
from pages.components.shared.page import acting_orcid

MOST_TOLD = 20
TOLD = {
    "missing": "Neither PubMed nor PMC has",
    "strange": "These are not ids of papers",
    "without_full_text": "Abstract only, as PMC gives no full text",
    "problems": "Trouble",
}
FIELDS = {
    "doi": "DOI",
    "pmid": "PMID",
    "pmcid": "PMC id",
}  # names of columns that are no plain words


def identifiers_panel(desk: Desk, name: str) -> None:
    """Papers by PMID, PMC id, DOI or address, one or thousands."""
    job = state.url_value(f"ids-{name}")
    with st.expander("Add papers by PMID, PMC id, DOI or address", expanded=bool(job)):
        key = f"ids·{name}·{job}"
        st.text_area("One or more, separated in any way", key=key, height=90)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.checkbox("PMC full text where it exists", True, key=f"ids-full·{name}")
            st.button(
                "Add these papers",
                key=f"ids-add·{name}",
                on_click=_add_identified,
                args=(desk, name, key),
            )
        if job:
            finished_job = job_panel(desk, job, f"Adding to {name}")
            if finished_job and finished_job.result:
                _show_report(finished_job.result)


def _show_report(report: dict[str, object]) -> None:
    lines = [f"{report['read']:,} of {report['asked']:,} papers read, {report['new']:,} are new."]
    for name, words in TOLD.items():
        ids = report.get(name)
        if isinstance(ids, list) and ids:
            more = " …" if len(ids) > MOST_TOLD else ""
            lines.append(f"{words}: {', '.join(map(str, ids[:MOST_TOLD]))}{more}")
    st.text("\n".join(lines))


def _add_identified(desk: Desk, name: str, key: str) -> None:
    full = bool(state.get(f"ids-full·{name}"))
    try:
        job = identified.start_fetching(
            desk, name, str(state.get(key) or ""), full_text=full, curator=acting_orcid(desk)
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"ids-{name}": job.id, "view": "Namespaces"})


def upload_panel(desk: Desk, name: str) -> None:
    job = state.url_value(f"add-{name}")
    empty = not namespaces.papers_of_namespace(desk, name)
    with st.expander("Add files", expanded=bool(job) or empty):
        files, pages = f"files·{name}·{job}", f"pages·{name}"
        st.file_uploader(
            "Papers (PDF, Word, XML, text) or a library (RIS, BibTeX, EndNote, Web of Science,"
            " PubMed, CSV, Excel)",
            upload.FILE_TYPES,
            True,
            key=files,
        )
        for file in state.get(files) or []:
            head = state.key(
                "head", file.file_id
            )  # a workbook is looked at once, not at each click
            if state.get(head, False) is False:
                state.put(head, upload.table_head(file.name, file.getvalue()))
            _columns(name, file.name, state.get(head))
        left, right = st.columns([2, 5], vertical_alignment="bottom")
        left.text_input("Pages of PDFs (all, or 3-10)", key=pages, max_chars=15)
        right.button("Add these", key=f"add·{name}", on_click=_add, args=(desk, name, files, pages))
        if job:
            finished_job = job_panel(desk, job, f"Adding to {name}")
            st.text("\n".join(upload.added_lines(finished_job)) if finished_job else "")


def _columns(name: str, file: str, head: upload.TableHead | None) -> None:
    """Which column of a table holds what."""
    if head is None:
        return
    st.text(f"Columns of {file}")
    if not head.known_columns:
        st.caption("No column is named Title: choose the one with the titles.")
    for place, field in zip(cycle(st.columns(4)), upload.FIELDS, strict=False):
        column_name = head.known_columns.get(field)
        place.selectbox(
            FIELDS.get(field, field.capitalize()),
            head.columns,
            head.columns.index(column_name) if column_name else None,
            placeholder="none",
            key=state.key("column", name, file, field),
        )
    st.dataframe([dict(zip(head.columns, row, strict=False)) for row in head.rows], hide_index=True)


def _chosen_columns(name: str, file: str) -> dict[str, str]:
    chosen = {field: state.get(state.key("column", name, file, field)) for field in upload.FIELDS}
    return {field: str(column) for field, column in chosen.items() if column}


def _add(desk: Desk, name: str, files: str, pages: str) -> None:
    uploaded = [(file.name, file.getvalue()) for file in state.get(files) or []]
    try:
        job = upload.start_upload(
            desk,
            name,
            uploaded,
            pages=str(state.get(pages) or ""),
            curator=acting_orcid(desk),
            columns={
                file: columns for file, _ in uploaded if (columns := _chosen_columns(name, file))
            },
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"add-{name}": job.id, "view": "Namespaces"})
