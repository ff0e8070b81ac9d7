"""A reference that a curator knows, as evidence."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator
from core.services.review import decision
from core.services.review.card import StatementCard
from pages.components.review.review_desk import FRESH, OPEN
from pages.components.shared import state


def reference_form(desk: Desk, card: StatementCard, person: Curator) -> None:
    """`card` is the statement that the reference supports."""
    name = card.record.id
    st.text_input("Document id", placeholder="PMID:12345", max_chars=200, key=f"ref·id·{name}")
    st.text_input("Where in it", placeholder="Figure 3B", max_chars=200, key=f"ref·at·{name}")
    st.text_input("Note", max_chars=500, key=f"ref·note·{name}")
    st.button("Add", type="primary", on_click=_add, args=(desk, name, person), key="ref·add")


def _add(desk: Desk, name: str, person: Curator) -> None:
    reference, place, note = (
        str(state.get(f"ref·{part}·{name}", "")) for part in ("id", "at", "note")
    )
    try:
        decision.add_reference(desk, name, reference, place, note=note, curator=person)
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    state.show_message("The reference was added.", "toast")
    state.drop(OPEN)
    state.put(FRESH, True)
