"""A run beside what earlier runs over the same text sent to review: new, gone and changed."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.services.extract import difference
from core.services.extract.result import ExtractionView
from pages.components.shared.term import statement_label

SHOWN = 100  # lines of each kind


def show_again(desk: Desk, found: ExtractionView) -> None:
    """Nothing where nothing of this document was sent before, or where nothing differs."""
    apart = difference.beside_queue(desk, found.run.id)
    if not (apart.same or apart.gone or apart.changed) or not (
        apart.new or apart.gone or apart.changed
    ):
        return
    counts = f"{len(apart.new)} new, {len(apart.gone)} gone, {len(apart.changed)} changed"
    with st.expander(f"Beside what is in review already: {counts}"):
        st.caption(
            f"{len(apart.same)} are the same. Decided before and left as they are:"
            f" {len(apart.decided)}."
        )
        for sign, statements in (("+ new", apart.new), ("− gone", apart.gone)):
            for statement in statements[:SHOWN]:
                st.text(f"{sign}: {statement_label(statement)}")
        for before, after in apart.changed[:SHOWN]:
            st.text(f"≠ changed: {statement_label(before)} → {statement_label(after)}")
