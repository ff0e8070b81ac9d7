"""A page: how many statements there are of each relation."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.services.shared.added_page import AddedPage
from groundwork_arrows.tally import relation_counts


def draw(desk: Desk) -> None:
    rows = [{"relation": words, "statements": count} for words, count in relation_counts(desk)]
    if rows:
        st.dataframe(rows, hide_index=True)
    else:
        st.text("There are no statements yet.")


PAGE = AddedPage("tally", "Tally", draw, ":material/tally_mark_5:")
