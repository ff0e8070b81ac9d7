"""A quote whose text is not in this project, as after an import: what that means, and a place to
paste the text.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import TextGround
from core.services.review.absent_text import supply_text
from pages.components.shared import state
from pages.components.shared.page import acting_orcid


def absent_text(desk: Desk, ground: TextGround, name: str) -> None:
    """`name` is the evidence's id. The quote is proven as soon as the very same text is given, here
    or elsewhere.
    """
    st.text(
        f"“{ground.quote}”\n⚠ The text of {ground.document} is not in this project, so the quote"
        " cannot be checked."
    )
    with st.popover("Add its text", icon=":material/content_paste:"):
        st.caption(
            "Paste the exact text that was quoted, or read it on Extract or Literature. Without"
            " the text, add a reference below."
        )
        key = state.key("absent", name)
        st.text_area("The text", key=key, height=200)
        st.button(
            "Save the text",
            key=f"give·{name}",
            type="primary",
            on_click=_give,
            args=(desk, ground, key),
        )


def _give(desk: Desk, ground: TextGround, key: str) -> None:
    try:
        supply_text(
            desk,
            ground.document,
            ground.version,
            str(state.get(key, "")),
            curator=acting_orcid(desk),
        )
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    state.show_message(
        f"The text of {ground.document} was added: its quotes are verified.", "success"
    )
