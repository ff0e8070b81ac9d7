"""A page that another package adds: `?page=NAME` says which (docs/plug-ins.md)."""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError
from core.services.shared.added_page import PAGES
from pages.components.shared import state
from pages.components.shared.page import begin_page
from pages.components.shared.problem import show_error

page = PAGES.get(state.url_value("page"))
desk = begin_page(page.title if page else "Added page")
if page is None:
    st.info(
        "No installed package adds this page. Settings › Operation checks what is installed."
        if state.url_value("page")
        else "Pages that other packages add are listed in the sidebar."
    )
    st.stop()
try:
    page.draw(desk)
except GroundworkError as error:
    show_error(error)
