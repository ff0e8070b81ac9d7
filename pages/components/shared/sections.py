"""A page in tabs, each drawn by itself: trouble in one hides none of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import GroundworkError
from pages.components.shared import state
from pages.components.shared.problem import show_error


def draw_sections(sections: Sequence[tuple[str, Callable[[], None]]]) -> None:
    """Draw (title, what draws it) as tabs; the open one stands in the address as `section`. An
    address may also say `tab`, and need not mind capitals.
    """
    asked = (state.url_value("section") or state.url_value("tab")).casefold()
    named = [title for title, _ in sections if title.casefold() == asked]
    if named and state.get("section") is None:
        state.put("section", named[0])
    tabs = st.tabs([title for title, _ in sections], key="section", bind="query-params")
    for tab, (_, draw) in zip(tabs, sections, strict=True):
        with tab:
            try:
                draw()
            except GroundworkError as error:
                show_error(error)
