"""A recipe's web page as a text to read: the curator types its address."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.documents import recipe_page
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid

ADDRESS = "extract·recipe"


def recipe_way(desk: Desk, text: str, source: str) -> None:
    """The field and its button; `text` and `source` are the keys of what they fill."""
    if why := recipe_page.why_no_recipe_pages(desk):
        st.info(escaped(why, 400))
        return
    address = st.text_input(
        "Address of a recipe's page", key=ADDRESS, max_chars=2000, placeholder="https://…"
    )
    st.button(
        "Read the page",
        on_click=_read_recipe,
        args=(desk, text, source),
        disabled=not address.strip(),
        type="primary",
    )
    st.caption("Only this address is requested; its answer is stored with the run.")


def _read_recipe(desk: Desk, text: str, source: str) -> None:
    try:
        acting_orcid(desk)
        brought = recipe_page.fetch_recipe_page(desk, str(state.get(ADDRESS, "")))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.put(text, brought.text)
    state.put(source, brought.source)
    state.show_message(f"{escaped(brought.title, 100)} is in the text box: check it, then run.")
