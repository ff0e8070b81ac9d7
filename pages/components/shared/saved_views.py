"""Views saved under a name: the list, opening, removing, and saving what is on screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import GroundworkError
from core.model import Curator
from core.services.shared.saved_view import LONGEST_NAME, SavedView
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped


def saved_views_list(
    key: str,
    views: Sequence[SavedView],
    person: Curator | None,
    *,
    note: str,
    open_view: Callable[[SavedView], None],
    remove: Callable[[str, Curator], None],
    save: Callable[[str, Curator], SavedView],
) -> None:
    """The saved views with a button each, and a name for the one on screen. `key` begins the keys
    of its widgets; `note` stands above the list.
    """
    if note:
        st.caption(note)
    for number, view in enumerate(views):
        with st.container(horizontal=True):
            st.button(
                escaped(view.name, LONGEST_NAME),
                key=f"{key}·{number}",
                on_click=open_view,
                args=(view,),
            )
            st.button(
                "Remove",
                key=f"{key}·remove·{number}",
                type="tertiary",
                on_click=_remove,
                args=(view.name, remove, person),
                disabled=person is None,
            )
    name = f"{key}·name"
    st.text_input("Name of this view", key=name, max_chars=LONGEST_NAME)
    st.button(
        "Save this view",
        key=f"{key}·save",
        on_click=_save,
        args=(name, save, person),
        disabled=person is None,
        help=None if person else "Enter your name in the sidebar first.",
    )


def _remove(name: str, remove: Callable[[str, Curator], None], person: Curator) -> None:
    try:
        remove(name, person)
    except GroundworkError as error:
        state.show_message(str(error), "warning")


def _save(name: str, save: Callable[[str, Curator], SavedView], person: Curator) -> None:
    try:
        view = save(str(state.get(name) or ""), person)
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    state.put(name, "")
    state.show_message(f"The view “{view.name}” is saved.", "toast")
