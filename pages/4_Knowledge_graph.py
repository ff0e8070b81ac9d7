"""Knowledge graph: what was approved, to look at, to ask, to share and to export."""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError
from core.optional_part import optional_module
from pages.components.graph.asking import asking_tab
from pages.components.graph.exploring import explore_tab
from pages.components.graph.export import export_tab
from pages.components.graph.releases import releases_tab
from pages.components.graph.statement_import import import_tab
from pages.components.shared.page import begin_page
from pages.components.shared.problem import show_error

reasoning = optional_module("pages.components.reasoning.classes")  # may be left out


def main() -> None:
    desk = begin_page("Knowledge graph")
    draw = {
        "Explore": explore_tab,
        "Ask": asking_tab,
        **({"Classes": reasoning.classes_tab} if reasoning else {}),
        "Export": export_tab,
        "Releases": releases_tab,
        "Import": import_tab,
    }
    tabs = st.tabs(list(draw), key="tab", bind="query-params")
    for tab, show in zip(tabs, draw.values(), strict=True):
        if tab.open:
            with tab:
                show(desk)


try:
    main()
except GroundworkError as error:
    show_error(error)
