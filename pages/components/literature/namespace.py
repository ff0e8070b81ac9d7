"""Making, filling, updating and deleting namespaces."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.literature import (
    article_vectors,
    embedding,
    identified,
    namespaces,
    update,
    upload,
)
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.job import job_panel
from pages.components.shared.model_choice import say_what_goes
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


def namespace_panel(desk: Desk) -> None:
    if embedding.offered(desk):
        embedder = desk.settings.embedding_model
        say_what_goes(desk, "", embedder, "To embed a namespace, its passages")
    for entry in namespaces.namespaces(desk):
        with st.container(border=True):
            left, right = st.columns([1, 1], vertical_alignment="center")
            left.text(f"{entry.name} · {counted(namespaces.members(desk, entry.name), 'paper')}")
            terms = str(entry.query.get("terms", ""))
            left.text(f"PubMed: {terms}" if terms else "filled by hand")
            if terms:
                left.caption(
                    f"up to date as of {entry.updated}"
                    if entry.updated
                    else "never updated from PubMed"
                )
            with right.container(horizontal=True):
                st.button(
                    "Update",
                    on_click=_update,
                    args=(desk, entry.name),
                    disabled=not terms,
                    key=f"up·{entry.name}",
                )
                st.button(
                    "Project documents",
                    on_click=_project,
                    args=(desk, entry.name),
                    key=f"own·{entry.name}",
                )
                if embedding.offered(desk):
                    st.button(
                        "Embed passages",
                        on_click=_embed,
                        args=(desk, entry.name),
                        key=f"embed·{entry.name}",
                        help="For the modes that rank by meaning; what did not change stays.",
                    )
                _vectors(desk, entry.name)
                with st.popover("Delete"):
                    st.caption("Papers and evidence stay in the project.")
                    st.button(
                        "Delete this namespace",
                        on_click=_delete,
                        args=(desk, entry.name),
                        key=f"del·{entry.name}",
                    )
            if job := state.url_value(f"job-{entry.name}"):
                finished_job = job_panel(desk, job, f"Updating {entry.name}")
                if finished_job and finished_job.result:
                    _report(finished_job.result)
            if job := state.url_value(f"embed-{entry.name}"):
                embedded = job_panel(desk, job, f"Embedding {entry.name}")
                if embedded and embedded.result:
                    passages = counted(int(embedded.result["chunks"]), "passage")
                    st.caption(f"{passages} can be ranked by meaning.")
            _identifiers(desk, entry.name)
            _upload(desk, entry.name)
    _new(desk)


def _vectors(desk: Desk, name: str) -> None:
    """Article vectors, which recommendations then count beside words."""
    with st.popover("Article vectors"):
        st.caption("MedCPT's files, side by side: embeds_chunk_N.npy and pmids_chunk_N.json.")
        key, every = f"vectors·{name}", f"every-vector·{name}"
        st.toggle(
            "Keep all articles",
            key=every,
            help="A separate index: recommendations then also cover papers that are in no "
            "namespace.",
        )
        st.file_uploader("Vectors and their PMIDs", ["npy", "json"], True, key=key)
        st.button("Import", on_click=_import, args=(desk, name, key, every), key=f"import·{name}")
        paths = article_vectors.left_vectors(desk)
        st.caption(
            "For files too large to upload: put them into this folder on the server;"
            f" {len(paths)} are there."
        )
        st.code(str(article_vectors.vectors_folder(desk)), language=None, wrap_lines=True)
        st.button(
            "Import from the folder",
            disabled=not paths,
            on_click=_import_left,
            args=(desk, name, every),
            key=f"left·{name}",
        )
        st.caption("Or by the command line:")
        st.code(f"python -m core namespace vectors {name} FILE …", language=None, wrap_lines=True)


def _owner(name: str, every: str) -> str:
    """The namespace whose papers' vectors are kept, or every article's."""
    return article_vectors.EVERY if state.get(every) else name


def _import(desk: Desk, name: str, key: str, every: str) -> None:
    try:
        files = [(file.name, file.getvalue()) for file in state.get(key) or []]
        paper_count = article_vectors.upload_vectors(
            desk, _owner(name, every), files, acting_orcid(desk)
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"The vectors of {paper_count:,} papers are ready for recommendations.")


def _import_left(desk: Desk, name: str, every: str) -> None:
    try:
        paper_count = article_vectors.import_vectors(
            desk, _owner(name, every), article_vectors.left_vectors(desk)
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"The vectors of {paper_count:,} papers are ready for recommendations.")


def _report(report: dict[str, object]) -> None:
    lines = []
    for name in ("new", "revised", "deleted", "retracted", "corrected", "without_full_text"):
        ids = report.get(name)
        if isinstance(ids, list) and ids:
            kind_words = (
                "abstract only, as PMC gives no full text" if name == "without_full_text" else name
            )
            lines.append(
                f"{kind_words}: {len(ids):,}"
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


def _embed(desk: Desk, name: str) -> None:
    try:
        job = embedding.start(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"embed-{name}": job.id, "view": "Namespaces"})


def _identifiers(desk: Desk, name: str) -> None:
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
        job = identified.start(desk, name, str(state.get(key) or ""), full, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"ids-{name}": job.id, "view": "Namespaces"})


def _upload(desk: Desk, name: str) -> None:
    job = state.url_value(f"add-{name}")
    empty = not namespaces.members(desk, name)
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
            st.text("\n".join(upload.added_of(finished_job)) if finished_job else "")


def _columns(name: str, file: str, head: upload.TableHead | None) -> None:
    """Which column of a table holds what."""
    if head is None:
        return
    st.text(f"Columns of {file}")
    if not head.known_columns:
        st.caption("No column is named Title: choose the one with the titles.")
    for place, field in zip(st.columns(4) * 3, upload.FIELDS, strict=False):
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
        job = upload.start(
            desk,
            name,
            uploaded,
            str(state.get(pages) or ""),
            acting_orcid(desk),
            {file: columns for file, _ in uploaded if (columns := _chosen_columns(name, file))},
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"add-{name}": job.id, "view": "Namespaces"})


def _new(desk: Desk) -> None:
    with st.form("new-namespace"):
        left, right = st.columns([1, 2])
        left.text_input("Name", key="new-name", max_chars=80)
        terms = "PubMed query (empty: you add the papers)"
        right.text_input(terms, key="new-terms", max_chars=2000)
        left, middle, right = st.columns(3)
        left.text_input("Published from (YYYY/MM/DD)", key="new-since", max_chars=10)
        middle.text_input("to", key="new-until", max_chars=10)
        right.selectbox("Reviews", ("with", "without", "only"), key="new-reviews")
        left, right = st.columns(2, vertical_alignment="bottom")
        left.checkbox("PMC open-access full text where it exists", key="new-full")
        right.checkbox("Update when this page is opened", key="new-opened")
        left.number_input("Chunk size (characters)", 200, 20_000, 2000, 100, key="new-size")
        right.number_input("Overlap", 0, 5_000, 200, 50, key="new-overlap")
        st.form_submit_button("Create namespace", type="primary", on_click=_create, args=(desk,))


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
            desk,
            str(state.get("new-name") or ""),
            query if terms else None,
            settings,
            acting_orcid(desk),
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(view="Namespaces")  # where it is filled
    state.show_message(
        f"The namespace {namespace.name} is made."
        f" {'Update it to add its papers.' if terms else 'Add files to it.'}"
    )


def _update(desk: Desk, name: str) -> None:
    try:
        job = update.start_update(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"job-{name}": job.id, "view": "Namespaces"})


def _project(desk: Desk, name: str) -> None:
    try:
        added = namespaces.add_project_documents(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(
        f"{counted(added.read, 'document')} of the project; {added.changed} new or changed here."
    )


def _delete(desk: Desk, name: str) -> None:
    try:
        namespaces.delete(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
