"""Files of article vectors, which recommendations use in addition to words."""

from __future__ import annotations

import streamlit as st

from core import COMMAND
from core.desk import Desk
from core.errors import GroundworkError
from core.services.literature import article_vectors
from pages.components.shared import state
from pages.components.shared.page import acting_orcid


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
