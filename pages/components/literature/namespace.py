"""Making, filling, updating and deleting namespaces."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator
from core.services.literature import curation, namespaces, update, upload
from pages.components.shared import state
from pages.components.shared.job import job_panel

MOST_TOLD = 20


def namespace_panel(desk: Desk, person: Curator | None) -> None:
    for one in namespaces.namespaces(desk):
        with st.container(border=True):
            left, right = st.columns([1, 1], vertical_alignment="center")
            left.text(f"{one.name} · {namespaces.members(desk, one.name):,} papers")
            terms = str(one.query.get("terms", ""))
            left.text(f"PubMed: {terms}" if terms else "filled by hand")
            left.caption(
                f"up to date as of {one.updated}" if one.updated else "never updated from PubMed"
            )
            with right.container(horizontal=True):
                st.button(
                    "Update",
                    on_click=_update,
                    args=(desk, one.name, person),
                    disabled=not terms,
                    key=f"up·{one.name}",
                )
                st.button(
                    "Project documents",
                    on_click=_project,
                    args=(desk, one.name),
                    key=f"own·{one.name}",
                )
                _vectors(desk, one.name)
                with st.popover("Delete"):
                    st.caption("Papers and evidence stay in the project.")
                    st.button(
                        "Delete this namespace",
                        on_click=_delete,
                        args=(desk, one.name),
                        key=f"del·{one.name}",
                    )
            if job := state.url_value(f"job-{one.name}"):
                done = job_panel(desk, job, f"Updating {one.name}")
                if done and done.result:
                    _report(done.result)
            _upload(desk, one.name, person)
    _new(desk)


def _vectors(desk: Desk, name: str) -> None:
    """Article vectors, which recommendations then count beside words."""
    with st.popover("Article vectors"):
        st.caption("MedCPT's files, side by side: embeds_chunk_N.npy and pmids_chunk_N.json.")
        key = f"vectors·{name}"
        st.file_uploader("Vectors and their PMIDs", ["npy", "json"], True, key=key)
        st.button("Import", on_click=_import, args=(desk, name, key), key=f"import·{name}")
        paths = curation.left_vectors(desk)
        st.caption(
            "Files larger than an upload may be: put them into this folder of the server,"
            f" {len(paths)} are there."
        )
        st.code(str(curation.vectors_folder(desk)), language=None, wrap_lines=True)
        st.button(
            "Import from the folder",
            disabled=not paths,
            on_click=_import_left,
            args=(desk, name),
            key=f"left·{name}",
        )
        st.caption("Or by the command line:")
        st.code(f"python -m core namespace vectors {name} FILE …", language=None, wrap_lines=True)


def _import(desk: Desk, name: str, key: str) -> None:
    try:
        given = [(file.name, file.getvalue()) for file in state.get(key) or []]
        kept = curation.upload_vectors(desk, name, given)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"The vectors of {kept:,} papers are kept for recommendations.")


def _import_left(desk: Desk, name: str) -> None:
    try:
        kept = curation.import_vectors(desk, name, curation.left_vectors(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"The vectors of {kept:,} papers are kept for recommendations.")


def _report(report: dict[str, object]) -> None:
    lines = []
    for name in ("new", "revised", "deleted", "retracted", "corrected", "without_full_text"):
        ids = report.get(name)
        if isinstance(ids, list) and ids:
            said = (
                "abstract only, as PMC gives no full text" if name == "without_full_text" else name
            )
            lines.append(
                f"{said}: {len(ids):,}"
                f" ({', '.join(map(str, ids[:8]))}{' …' if len(ids) > 8 else ''})"
            )
    problems = report.get("problems")
    if isinstance(problems, list):
        lines += [f"⚠️ {problem}" for problem in problems[:MOST_TOLD]]
        lines += (
            [f"… and {len(problems) - MOST_TOLD} more such notes"]
            if len(problems) > MOST_TOLD
            else []
        )
    st.text("\n".join(lines) or "Nothing new.")


def _upload(desk: Desk, name: str, person: Curator | None) -> None:
    job = state.url_value(f"add-{name}")
    with st.expander("Add files", expanded=bool(job)):
        files, pages = f"files·{name}·{job}", f"pages·{name}"
        st.file_uploader(
            "Papers (PDF, Word, XML, text) or a library (RIS, BibTeX, EndNote, CSV, PubMed)",
            upload.FILE_TYPES,
            True,
            key=files,
        )
        left, right = st.columns([2, 5], vertical_alignment="bottom")
        left.text_input("Pages of PDFs (all, or 3-10)", key=pages, max_chars=15)
        right.button(
            "Add these", key=f"add·{name}", on_click=_add, args=(desk, name, files, pages, person)
        )
        if job:
            done = job_panel(desk, job, f"Adding to {name}")
            st.text("\n".join(upload.added_of(done)) if done else "")


def _add(desk: Desk, name: str, files: str, pages: str, person: Curator | None) -> None:
    given = [(file.name, file.getvalue()) for file in state.get(files) or []]
    try:
        job = upload.start(
            desk, name, given, str(state.get(pages) or ""), person.orcid if person else ""
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"add-{name}": job.id, "view": "Namespaces"})


def _new(desk: Desk) -> None:
    with st.form("new-namespace"):
        st.text_input("Name", key="new-name", max_chars=80)
        st.text_input("PubMed query (empty: filled by hand)", key="new-terms", max_chars=2000)
        left, middle, right = st.columns(3)
        left.text_input("Published from (YYYY/MM/DD)", key="new-since", max_chars=10)
        middle.text_input("to", key="new-until", max_chars=10)
        right.selectbox("Reviews", ("with", "without", "only"), key="new-reviews")
        st.checkbox("PMC open-access full text where it exists", key="new-full")
        st.checkbox("Update when this page is opened", key="new-opened")
        left, right = st.columns(2)
        left.number_input("Chunk size (characters)", 200, 20_000, 2000, 100, key="new-size")
        right.number_input("Overlap", 0, 5_000, 200, 50, key="new-overlap")
        st.form_submit_button("Make namespace", type="primary", on_click=_create, args=(desk,))


def _create(desk: Desk) -> None:
    terms = str(state.get("new-terms") or "").strip()
    query = {
        "terms": terms,
        "since": str(state.get("new-since") or "").strip(),
        "until": str(state.get("new-until") or "").strip(),
        "reviews": str(state.get("new-reviews") or "with"),
        "full_text": bool(state.get("new-full")),
    }
    settings = {
        "chunk_size": int(state.get("new-size") or 2000),
        "chunk_overlap": int(state.get("new-overlap") or 0),
    }
    settings |= {"when_opened": bool(state.get("new-opened") and terms)}
    try:
        namespace = namespaces.create(
            desk, str(state.get("new-name") or ""), query if terms else None, settings
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(
        f"The namespace {namespace.name} is made."
        f" {'Update it to fill it.' if terms else 'Add files to it.'}"
    )


def _update(desk: Desk, name: str, person: Curator | None) -> None:
    try:
        job = update.start_update(desk, name, person.orcid if person else "")
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"job-{name}": job.id, "view": "Namespaces"})


def _project(desk: Desk, name: str) -> None:
    added = namespaces.add_project_documents(desk, name)
    state.show_message(
        f"{added.read} documents of the project; {added.changed} new or changed here."
    )


def _delete(desk: Desk, name: str) -> None:
    try:
        namespaces.delete(desk, name)
    except GroundworkError as error:
        state.show_message(str(error), "error")
