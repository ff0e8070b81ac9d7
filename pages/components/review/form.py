"""The forms that the queue asks for, each in a dialog above it: nothing on the page moves, and keys
of the queue rest while one is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError, NotFound
from core.model import Curator, TextGround
from core.services.review import decision
from core.services.review.absent_text import supply_text
from core.services.review.card import StatementCard, statement_card
from core.services.review.queue import StatementRow
from pages.components.review.batch import alike_form, batch_form
from pages.components.review.correction import correction_form
from pages.components.review.review_desk import FRESH, OPEN
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.term import STATE_ICONS, statement_label
from pages.components.shared.trace import show_call

TITLES = {
    "edit": "Correct this statement",
    "alike": "Decide similar statements",
    "several": "Decide the ticked statements",
    "together": "Decide these statements together",
    "reference": "Add a supporting reference",
    "call": "The recorded answer",
    "absent": "Add the quoted text",
}
WIDE = ("edit", "alike", "several", "together", "call")
MOST_LISTED = 100
PAGES = Path(__file__).resolve().parents[2]
LITERATURE = "6_Literature.py"


def open_form(desk: Desk, person: Curator | None) -> None:
    """Draw the form that was asked for last, if any."""
    request: Mapping[str, Any] | None = state.get(OPEN)
    if request is None:
        return
    form_name = str(request.get("what"))
    if form_name == "find":
        state.drop(OPEN)
        if not (PAGES / LITERATURE).is_file():
            state.show_message("Literature is not part of this installation.", "error")
            return
        st.switch_page(f"pages/{LITERATURE}", query_params={"statement": str(request.get("id"))})
    title = TITLES.get(form_name)
    shown_card = _in_view(desk, request) if title and form_name != "several" else None
    if title is None or person is None or (shown_card is None and form_name != "several"):
        state.drop(OPEN)
        return
    width: Literal["small", "large"] = "large" if form_name in WIDE else "small"

    def form() -> None:
        if state.get(OPEN) is None:  # it was saved
            st.rerun()
        for kind, message in state.take_messages():
            (st.warning if kind == "warning" else st.info)(escaped(message, 1000))
        if form_name == "several" or shown_card is None:
            _several(desk, request, person)
        else:
            _of_one(desk, form_name, str(request.get("evidence")), shown_card, person=person)

    st.dialog(title, width=width, on_dismiss=lambda: state.drop(OPEN))(form)()


def _in_view(desk: Desk, request: Mapping[str, Any]) -> StatementCard | None:
    """The statement as it was on screen; None, and a word about it, when it changed since."""
    try:
        current_card = statement_card(desk, str(request.get("id")))
    except NotFound as error:
        state.show_message(str(error), "warning")
        return None
    if current_card.record.version != request.get("version"):
        state.show_message(
            "This statement has changed since it was shown. Look at it again, then decide.",
            "warning",
        )
        return None
    return current_card


def _of_one(
    desk: Desk, form_name: str, evidence: str, shown_card: StatementCard, *, person: Curator
) -> None:
    pieces = [
        evidence_view
        for evidence_view in shown_card.passages
        if evidence_view.evidence.id == evidence
    ]
    ground = pieces[0].evidence.ground if pieces else None
    if form_name == "edit":
        correction_form(desk, shown_card, person)
    elif form_name == "alike":
        alike_form(desk, shown_card, person)
    elif form_name == "reference":
        reference_form(desk, shown_card, person)
    elif form_name == "together":
        _together(desk, shown_card, person)
    elif form_name == "call" and pieces and pieces[0].call is not None:
        show_call(pieces[0].call)
    elif form_name == "absent" and isinstance(ground, TextGround):
        absent_text(desk, ground, evidence)


def _together(desk: Desk, shown_card: StatementCard, person: Curator) -> None:
    """The statements of one node, in the order of the text."""
    open_ones = [row for row in shown_card.together if row.state in ("proposed", "unsure")]
    _listed(shown_card.together)
    if len(open_ones) > 1:
        seen_versions = [(row.id, row.version) for row in open_ones]
        batch_form(desk, seen_versions, person, state.key("together", shown_card.record.id))


def _several(desk: Desk, request: Mapping[str, Any], person: Curator) -> None:
    pairs = request.get("ticked")
    seen_versions = [
        (str(pair[0]), pair[1])
        for pair in (pairs if isinstance(pairs, list) else [])
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int)
    ]
    try:
        batch_form(desk, seen_versions, person, "several")
    except GroundworkError as error:
        st.warning(escaped(str(error)))


def _listed(rows: tuple[StatementRow, ...]) -> None:
    for row in rows[:MOST_LISTED]:
        st.text(f"{STATE_ICONS[row.state]} {statement_label(row.statement)}")


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
