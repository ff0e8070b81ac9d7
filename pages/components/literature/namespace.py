"""Making, filling, updating and deleting namespaces, and their files of article vectors."""

from __future__ import annotations

import streamlit as st

from core import COMMAND
from core.desk import Desk
from core.errors import GroundworkError
from core.services.literature import article_vectors, embedding, namespaces, update
from core.services.shared.screen import counted
from pages.components.literature.adding_papers import MOST_TOLD, identifiers_panel, upload_panel
from pages.components.shared import state
from pages.components.shared.job import job_panel
from pages.components.shared.model_choice import say_what_goes
from pages.components.shared.page import acting_orcid


def namespace_panel(desk: Desk) -> None:
    if embedding.embedding_offered(desk):
        embedder = desk.settings.embedding_model
        say_what_goes(desk, "", embedder, "To embed a namespace, its passages")
    for entry in namespaces.list_namespaces(desk):
        with st.container(border=True):
            left, right = st.columns([1, 1], vertical_alignment="center")
            papers = namespaces.papers_of_namespace(desk, entry.name)
            left.text(f"{entry.name} · {counted(papers, 'paper')}")
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
                if embedding.embedding_offered(desk):
                    st.button(
                        "Embed passages",
                        on_click=_embed,
                        args=(desk, entry.name),
                        key=f"embed·{entry.name}",
                        help="Needed to rank by meaning. Unchanged passages are not sent again.",
                    )
                vectors_popover(desk, entry.name)
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
            identifiers_panel(desk, entry.name)
            upload_panel(desk, entry.name)
    _new(desk)


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
        job = embedding.start_embedding(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(**{f"embed-{name}": job.id, "view": "Namespaces"})


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
        full, opened, size, overlap = st.columns([6, 7, 4, 4], vertical_alignment="bottom")
        full.checkbox("Open-access full text of PMC", key="new-full")
        opened.checkbox("Update when this page is opened", key="new-opened")
        size.number_input("Passage length (characters)", 200, 20_000, 2000, 100, key="new-size")
        overlap.number_input("Overlap", 0, 5_000, 200, 50, key="new-overlap")
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
        namespace = namespaces.create_namespace(
            desk,
            str(state.get("new-name") or ""),
            query=query if terms else None,
            settings=settings,
            curator=acting_orcid(desk),
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(view="Namespaces")  # where it is filled
    state.show_message(
        f"The namespace {namespace.name} was created."
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
    state.show_message(f"Documents of the project: {added.counts}.")


def _delete(desk: Desk, name: str) -> None:
    try:
        namespaces.delete_namespace(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def vectors_popover(desk: Desk, name: str) -> None:
    """Article vectors, which recommendations then use in addition to words."""
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
        st.code(f"{COMMAND} namespace vectors {name} FILE …", language=None, wrap_lines=True)


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
        acting_orcid(desk)
        paper_count = article_vectors.import_vectors(
            desk, _owner(name, every), article_vectors.left_vectors(desk)
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"The vectors of {paper_count:,} papers are ready for recommendations.")
